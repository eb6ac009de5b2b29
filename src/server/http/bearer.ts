import type { HttpContext } from './api.ts';

/**
 * The bearer of the authorization header. Never a cookie or the query, so that browsers cannot send it unintentionally.
 */
export function readBearer(c: HttpContext): string | null {
  const header = c.req.header('authorization');
  if (header === undefined) return null;
  const [, bearer] = /^bearer +(\S+) *$/i.exec(header) ?? [];
  return bearer ?? null;
}
