import * as z from 'zod/mini';
import { WebSettingsSchema } from '#contract/settings/schemas.ts';
import { accountEndpoints, securityEndpoints, signInEndpoints } from './account-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { apiPaths } from './paths.ts';
import { paymentCardEndpoints } from './payment-card-endpoints.ts';
import { purchaseEndpoints, ticketEndpoints, timetableEndpoints } from './ticket-office-endpoints.ts';
import { tripCardEndpoints } from './trip-card-endpoints.ts';

const systemEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: apiPaths.ping,
    summary: 'Whether the API can be reached',
    auth: 'none',
    response: z.object({ pong: z.boolean() }),
    errors: [],
  },
  {
    method: 'GET',
    path: apiPaths.settings,
    summary: 'The operator’s public settings; the only name is `web`',
    auth: 'none',
    response: WebSettingsSchema,
    errors: ['not_found'],
  },
  {
    method: 'GET',
    path: apiPaths.openapi,
    summary: 'This description',
    auth: 'none',
    response: { mediaType: 'application/json' },
    errors: [],
  },
];

/** Every call the API answers; a test holds it against what is really mounted. Not for the browser's bundle. */
export const endpoints: readonly Endpoint[] = [
  ...systemEndpoints,
  ...timetableEndpoints,
  ...purchaseEndpoints,
  ...ticketEndpoints,
  ...signInEndpoints,
  ...accountEndpoints,
  ...securityEndpoints,
  ...tripCardEndpoints,
  ...paymentCardEndpoints,
];
