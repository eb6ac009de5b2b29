import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import type { ApiEnv } from './api.ts';
import { ApiError } from './api-error.ts';

const METHODS = 'GET, POST, PATCH, PUT, DELETE';
const HEADERS = 'Authorization, Content-Type, Idempotency-Key';
const EXPOSED = 'ETag, Retry-After, X-Request-Id';
const STATE_CHANGING = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/**
 * Lets the two hosts read each other's API and nobody else. An origin is compared whole with the configured
 * ones and never echoed; no credentials are allowed, because the API takes none from cookies.
 */
export function cors({ origins }: Pick<Config, 'origins'>): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.header('Vary', 'Origin');
    const allowed = ownOrigins(origins).find((origin) => origin === c.req.header('origin'));
    if (allowed !== undefined) {
      c.header('Access-Control-Allow-Origin', allowed);
      c.header('Access-Control-Expose-Headers', EXPOSED);
    }
    if (c.req.method !== 'OPTIONS') return next();
    if (allowed !== undefined) {
      c.header('Access-Control-Allow-Methods', METHODS);
      c.header('Access-Control-Allow-Headers', HEADERS);
      c.header('Access-Control-Max-Age', '7200');
    }
    return c.body(null, 204);
  };
}

/** Refuses writes a browser sends from another site's page. Callers that are no browser send no Origin. */
export function refuseForeignOrigins({ origins }: Pick<Config, 'origins'>): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const isForeign = origin !== undefined && !ownOrigins(origins).includes(origin);
    if (isForeign && STATE_CHANGING.has(c.req.method)) throw new ApiError('forbidden_origin');
    await next();
  };
}

function ownOrigins({ tickets, portal }: Config['origins']): readonly string[] {
  return [tickets, portal];
}
