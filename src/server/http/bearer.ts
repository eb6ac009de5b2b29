import type { Context } from 'hono';

/**
 * The bearer of the authorization header. Never a cookie or the query, so that browsers cannot send it unintentionally.
 */
export function readBearer(c: Context): string | null {
  const header = c.req.header('authorization');
  if (header === undefined) return null;
  const [, bearer] = /^bearer +(\S+) *$/i.exec(header) ?? [];
  return bearer ?? null;
}
