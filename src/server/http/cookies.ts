import type { Config } from '../config.ts';
import type { HttpContext } from './api.ts';

type Dependencies = { config: Pick<Config, 'parentDomain' | 'origins'> };

/** All values of a cookie name, because another site on the parent domain may set one of the same name. */
export function readCookies(c: HttpContext, name: string): string[] {
  const header = c.req.header('cookie');
  if (header === undefined) return [];
  const start = `${name}=`;
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}

/**
 * Adds a cookie to the response that both hosts receive and scripts cannot read.
 * @param cookie `value` of cookie characters only; an age of 0 removes it
 */
export function writeCookie(
  c: HttpContext,
  { config }: Dependencies,
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
): void {
  const secure = config.origins.portal.startsWith('https:') ? '; Secure' : '';
  const attributes = `Domain=${config.parentDomain}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
  c.set('cookies', [...(c.get('cookies') ?? []), `${name}=${value}; ${attributes}${secure}`]);
}
