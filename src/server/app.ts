import type { Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import type { Deps } from './deps.ts';
import { type ApiEnv, createRouter } from './http/api.ts';
import { ApiError } from './http/api-error.ts';
import { ok, refuse } from './http/respond.ts';
import { describeError } from './log.ts';

/** The API of the product, the same on the ticket host and the portal. Knows no port and no environment. */
export function createApp(deps: Deps): Hono<ApiEnv> {
  const app = createRouter();
  app.get(apiPaths.ping, (c) => ok(c, { pong: true }, { top: { pong: true } }));
  app.notFound((c) => refuse(c, new ApiError('not_found')));
  app.onError((error, c) => {
    if (error instanceof ApiError) return refuse(c, error);
    deps.log.error('request failed', { request_id: c.var.requestId ?? null, ...describeError(error) });
    return refuse(c, new ApiError('internal_server_error'));
  });
  return app;
}
