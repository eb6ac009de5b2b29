import type { Config } from '../config.ts';
import type { HttpContext } from './api.ts';
import { ApiError } from './api-error.ts';
import { answer } from './respond.ts';

const METHODS = 'GET, POST, PATCH, PUT, DELETE';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key';
const EXPOSED = 'ETag, Retry-After, X-Request-Id';
const STATE_CHANGING = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/**
 * Allows only the two hosts to read each other's API, and refuses writes by pages of other sites. Clients other than
 * browsers send no Origin. The whole origin is compared with the configured ones and never echoed; credentials are not
 * allowed, because the API does not use cookies.
 * @returns the response to a preflight; null for any other request
 */
export function createOriginCheck({ origins }: Pick<Config, 'origins'>): (c: HttpContext) => Response | null {
  const own = [origins.tickets, origins.portal];
  return (c) => {
    const origin = c.req.header('origin');
    const { method } = c.req;
    const allowed = own.find((each) => each === origin);
    const headers = c.get('headers');
    if (allowed !== undefined) {
      headers['Access-Control-Allow-Origin'] = allowed;
      headers['Access-Control-Expose-Headers'] = EXPOSED;
    } else if (origin !== undefined && STATE_CHANGING.has(method)) throw new ApiError('forbidden_origin');
    if (method !== 'OPTIONS') return null;
    if (allowed !== undefined) {
      headers['Access-Control-Allow-Methods'] = METHODS;
      headers['Access-Control-Allow-Headers'] = HEADERS;
      headers['Access-Control-Max-Age'] = '7200';
    }
    return answer(c, null, 204);
  };
}
