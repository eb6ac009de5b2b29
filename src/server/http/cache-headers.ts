import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ApiEnv } from './api.ts';

/** Headers of public data that a client may keep. The tag ignores `as_of`: when data was read is not its content. */
export function cacheHeaders(
  data: unknown,
  maxAgeSeconds: number,
): { ETag: string; 'Cache-Control': string } {
  const content = JSON.stringify(data, (name, value: unknown) => (name === 'as_of' ? undefined : value));
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { ETag: `W/"${tag}"`, 'Cache-Control': `public, max-age=${maxAgeSeconds}` };
}

/** Whether the client already has what the gathered headers describe. */
export function isUnchanged(c: Context<ApiEnv>): boolean {
  const tag = c.var.headers.ETag?.replace(/^W\//, '');
  const known = c.req.header('if-none-match')?.split(',') ?? [];
  return known.some((each) => each.trim().replace(/^W\//, '') === tag);
}
