import type { Context } from 'hono';

/** The bearer of the authorization header. Never a cookie, never the query: nothing rides along by itself. */
export function readBearer(c: Context): string | null {
  const header = c.req.header('authorization');
  if (header === undefined) return null;
  const [, bearer] = /^bearer +(\S+) *$/i.exec(header) ?? [];
  return bearer ?? null;
}
