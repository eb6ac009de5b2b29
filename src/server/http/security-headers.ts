import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from './api.ts';

/**
 * What every API answer says: it is data, to be neither framed, sniffed nor kept. A handler whose answer may be
 * kept says so with its own Cache-Control. The first of all middleware: it begins the record of headers.
 */
export function apiHeaders(): MiddlewareHandler<ApiEnv> {
  return (c, next) => {
    c.set('headers', {
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-site',
      'Cache-Control': 'no-store',
      Vary: 'Origin',
    });
    return next();
  };
}
