import { createHash } from 'node:crypto';
import type { HttpContext } from './api.ts';

/** Headers for cacheable public data. The ETag ignores `as_of`, which changes without the content. */
export function cacheHeaders(
  data: unknown,
  maxAgeSeconds: number,
): { ETag: string; 'Cache-Control': string } {
  const content = JSON.stringify(data, (name, value: unknown) => (name === 'as_of' ? undefined : value));
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { ETag: `W/"${tag}"`, 'Cache-Control': `public, max-age=${maxAgeSeconds}` };
}

/** Whether the client's copy matches the collected headers. */
export function isUnchanged(c: HttpContext): boolean {
  const tag = c.var.headers.ETag?.replace(/^W\//, '');
  const known = c.req.header('if-none-match')?.split(',') ?? [];
  return known.some((each) => each.trim().replace(/^W\//, '') === tag);
}
