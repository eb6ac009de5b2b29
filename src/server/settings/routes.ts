import type { systemCalls } from '#contract/system/schemas.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/api-error.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { openApiDocument } from '../http/openapi.ts';
import { answerJson } from '../http/respond.ts';
import { loadWebSettings, omitPrivate } from './web-settings.ts';

/** Handlers for information about the API and the operator. */
export function createSystemHandlers(context: Pick<Context, 'db'>): Handlers<typeof systemCalls> {
  return {
    ping: () => ({ pong: true }),

    getSettings: async ({ params }, c) => {
      if (params.name !== 'web') throw notFound();
      c.var.headers['Cache-Control'] = 'no-cache';
      return omitPrivate(await loadWebSettings(context));
    },

    getOpenApi: (_, c) => {
      c.var.headers['Cache-Control'] = 'no-cache';
      return answerJson(c, openApiDocument());
    },
  };
}
