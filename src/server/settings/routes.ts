import type { Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { notFound } from '../http/api-error.ts';
import { openApiDocument } from '../http/openapi.ts';
import { answerJson, ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { loadWebSettings } from './web-settings.ts';

/** The public routes of the operator's settings and the API's description. */
export function createSettingsRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();

  routes.get(honoPath(apiPaths.settings), async (c) => {
    if (c.req.param('name') !== 'web') throw notFound();
    c.var.headers['Cache-Control'] = 'no-cache';
    return ok(c, await loadWebSettings(deps));
  });

  routes.get(apiPaths.openapi, (c) => {
    c.var.headers['Cache-Control'] = 'no-cache';
    return answerJson(c, openApiDocument());
  });

  return routes;
}
