import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import type { ApiEnv } from './api.ts';
import { ApiError } from './api-error.ts';
import { answer } from './respond.ts';

const METHODS = 'GET, POST, PATCH, PUT, DELETE';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key';
const EXPOSED = 'ETag, Retry-After, X-Request-Id';
const STATE_CHANGING = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/**
 * Allows only the two hosts to read each other's API. The whole origin is compared with the configured ones and never
 * echoed; credentials are not allowed, because the API does not use cookies.
 */
export function cors({ origins }: Pick<Config, 'origins'>): MiddlewareHandler<ApiEnv> {
  const own = ownOrigins(origins);
  return async (c, next) => {
    const headers = c.get('headers');
    const origin = c.req.header('origin');
    const allowed = own.find((each) => each === origin);
    if (allowed !== undefined) {
      headers['Access-Control-Allow-Origin'] = allowed;
      headers['Access-Control-Expose-Headers'] = EXPOSED;
    }
    if (c.req.method !== 'OPTIONS') return next();
    if (allowed !== undefined) {
      headers['Access-Control-Allow-Methods'] = METHODS;
      headers['Access-Control-Allow-Headers'] = HEADERS;
      headers['Access-Control-Max-Age'] = '7200';
    }
    return answer(c, null, 204);
  };
}

/** Refuses writes by pages of other sites. Clients other than browsers send no Origin. */
export function refuseForeignOrigins({ origins }: Pick<Config, 'origins'>): MiddlewareHandler<ApiEnv> {
  const own = ownOrigins(origins);
  return (c, next) => {
    const origin = c.req.header('origin');
    const isForeign = origin !== undefined && !own.includes(origin);
    if (isForeign && STATE_CHANGING.has(c.req.method)) throw new ApiError('forbidden_origin');
    return next();
  };
}

function ownOrigins({ tickets, portal }: Config['origins']): readonly string[] {
  return [tickets, portal];
}
