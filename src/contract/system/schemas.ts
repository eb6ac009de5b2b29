import * as z from 'zod/mini';
import { describeCalls } from '#contract/endpoint.ts';
import { WebSettingsSchema } from '#contract/settings/schemas.ts';
import * as endpoints from './endpoints.ts';

export const systemCalls = describeCalls(endpoints, {
  ping: {
    summary: 'Whether the API can be reached',
    response: z.object({ pong: z.boolean() }),
    isTopLevel: true,
    limit: 'none',
    errors: [],
  },
  getSettings: {
    summary: 'The operator’s public settings; the only name is `web`',
    response: WebSettingsSchema,
    limit: 'none',
    errors: ['not_found'],
  },
  getOpenApi: {
    summary: 'This description',
    response: { mediaType: 'application/json' },
    errors: [],
  },
});
