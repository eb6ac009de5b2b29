import * as z from 'zod/mini';
import { DaySchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import * as endpoints from './endpoints.ts';

export const liveCalls = describeCalls(endpoints, {
  followDesk: {
    summary:
      'Follow changes as server-sent events: each names a topic (`boats` of a day, `work`) that has to be read again, and nothing else',
    query: z.object({
      /** The boats that leave on this calendar day. */
      boats: z.optional(DaySchema),
      /** What needs a person. */
      work: z.optional(z.literal('true')),
    }),
    response: { mediaType: 'text/event-stream' },
    errors: ['server_busy'],
  },
});
