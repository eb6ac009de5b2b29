/**
 * Default headers of every API response: not framed, sniffed or cached. Handlers of cacheable responses set their own
 * Cache-Control.
 */
export function apiHeaders(requestId: string): Record<string, string> {
  return {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-site',
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    'X-Request-Id': requestId,
  };
}

/**
 * Headers of every response outside the API: redirects, missing files, errors. Pages replace the policy with theirs. It
 * allows scripts of the same origin, because a dedicated worker obeys the policy of its file.
 * @param isSecure whether browsers reach the host over HTTPS
 */
export function defaultHeaders({ isSecure }: { isSecure: boolean }): Record<string, string> {
  return {
    'Content-Security-Policy':
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    // A missing file may exist after an upgrade, and caches keep a 404 or 405 without this.
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(isSecure ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
