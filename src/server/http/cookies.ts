import type { Context } from 'hono';
import type { Config } from '../config.ts';
import type { ApiEnv } from './api.ts';

type Parts = { config: Pick<Config, 'parentDomain' | 'origins'> };

/** Every value that came under a name: a neighbour on the parent domain may have set another beside ours. */
export function readCookies(c: Context, name: string): string[] {
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
 * Sends a cookie that both hosts get and no script reads, along with whatever the answer turns out to be.
 * @param cookie `value` of cookie characters only; an age of 0 removes it
 */
export function writeCookie(
  c: Context<ApiEnv>,
  { config }: Parts,
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
): void {
  const secure = config.origins.portal.startsWith('https:') ? '; Secure' : '';
  const attributes = `Domain=${config.parentDomain}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
  c.set('cookies', [...(c.get('cookies') ?? []), `${name}=${value}; ${attributes}${secure}`]);
}
