import type { Config } from '../config.ts';
import type { HttpContext } from './api.ts';

/** A cookie to set, its value of cookie characters only; an age of 0 removes it. */
export type Cookie = { name: string; value: string; maxAgeSeconds: number };

/** All values of a cookie name, because another site on the parent domain may set one of the same name. */
export function readCookies(header: string | undefined, name: string): string[] {
  const start = `${name}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}

/** Adds cookies to the response that both hosts receive and scripts cannot read. */
export function writeCookies(
  c: HttpContext,
  { origins, parentDomain }: Pick<Config, 'parentDomain' | 'origins'>,
  cookies: readonly Cookie[],
): void {
  const secure = origins.portal.startsWith('https:') ? '; Secure' : '';
  const lines = cookies.map(
    ({ name, value, maxAgeSeconds }) =>
      `${name}=${value}; Domain=${parentDomain}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
  c.set('cookies', [...(c.get('cookies') ?? []), ...lines]);
}
