import * as z from 'zod/mini';
import { describeCalls } from '#contract/endpoint.ts';
import { PublicSettingsSchema } from '#contract/settings/schemas.ts';
import * as endpoints from './endpoints.ts';

export const systemCalls = describeCalls(endpoints, {
  ping: {
    summary: 'Check that the API is available',
    response: z.object({ pong: z.boolean() }),
    isTopLevel: true,
    limit: 'none',
  },
  getSettings: {
    summary: 'Get the operator’s public settings; the only name is `web`',
    response: PublicSettingsSchema,
    isTopLevel: true,
    limit: 'none',
    errors: ['not_found'],
  },
  getOpenApi: { summary: 'Get this OpenAPI document', response: { mediaType: 'application/json' } },
});
