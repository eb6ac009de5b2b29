import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ApiEnv } from '../http/api.ts';
import { answer, ok } from '../http/respond.ts';

/**
 * Answers public data that a client may keep: with a tag of its content, and with 304 when the client has it
 * already. When it was read (`as_of`) is no part of the content.
 */
export function answerCacheable<Data>(c: Context<ApiEnv>, data: Data, maxAgeSeconds: number): Response {
  const content = JSON.stringify(data, (name, value: unknown) => (name === 'as_of' ? undefined : value));
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  c.var.headers.ETag = `W/"${tag}"`;
  c.var.headers['Cache-Control'] = `public, max-age=${maxAgeSeconds}`;
  const known = c.req.header('if-none-match')?.split(',') ?? [];
  if (known.some((each) => each.trim().replace(/^W\//, '') === `"${tag}"`)) return answer(c, null, 304);
  return ok(c, data);
}
