import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from './api.ts';

/**
 * What every API answer says: it is data, to be neither framed, sniffed nor kept. Set before the handler runs,
 * because touching a finished answer costs several times more; a handler whose answer may be kept says so with
 * its own Cache-Control.
 */
export function apiHeaders(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cross-Origin-Resource-Policy', 'same-site');
    c.header('Cache-Control', 'no-store');
    await next();
  };
}
