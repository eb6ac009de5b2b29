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

/**
 * What every answer outside the API carries: redirects, missing files, refusals and failures. Pages replace the policy
 * by their own. It allows scripts of the same origin because a dedicated worker obeys the policy of its own file.
 * @param isSecure whether browsers reach the host over HTTPS
 */
export function defaultHeaders({ isSecure }: { isSecure: boolean }): Record<string, string> {
  return {
    'Content-Security-Policy':
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(isSecure ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
