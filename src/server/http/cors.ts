import { listHostsOf, type SessionKind } from '#contract/hosts.ts';
import type { Config } from '../config.ts';
import type { HttpContext } from './api.ts';
import { ApiError } from './api-error.ts';
import { answer } from './respond.ts';

const METHODS = 'GET, POST, PATCH, PUT, DELETE';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key';
const EXPOSED = 'ETag, Retry-After, X-Request-Id';
const STATE_CHANGING = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/**
 * Allows only the hosts of a call's kind of session to read each other's API, and refuses writes by pages of other sites and
 * hosts. Clients other than browsers send no Origin. The whole origin is compared with the configured ones and never echoed.
 * Credentials are not allowed, because no page of one host needs the cookies of another.
 * @returns the response to a preflight; null for any other request
 */
export function createOriginCheck({
  origins,
}: Pick<Config, 'origins'>): (c: HttpContext, kind: SessionKind) => Response | null {
  const originsByKind = {
    customer: listHostsOf('customer').map((host) => origins[host]),
    staff: listHostsOf('staff').map((host) => origins[host]),
  };
  return (c, kind) => {
    const own = originsByKind[kind];
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
