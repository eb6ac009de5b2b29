import * as z from 'zod/mini';
import { describeCalls } from '#contract/endpoint.ts';
import { TicketKeySchema } from '#contract/orders/schemas.ts';
import { OrderLookupSchema } from '../buy/schemas.ts';
import * as endpoints from './endpoints.ts';

export const ticketCalls = describeCalls(endpoints, {
  listTicketKeys: {
    summary: 'List the public keys for verifying ticket codes',
    response: z.array(TicketKeySchema),
  },
  getTicketsPdf: {
    summary: 'Download the tickets of an order as PDF',
    response: { mediaType: 'application/pdf' },
    errors: ['not_found'],
  },
  getCalendar: {
    summary: 'Download the sailings of an order as a calendar file',
    response: { mediaType: 'text/calendar' },
    errors: ['not_found'],
  },
  resendTickets: {
    summary: 'Mail the tickets of an order again',
    response: z.object({ queued: z.boolean() }),
    errors: ['not_found', 'rate_limited', 'order_closed'],
  },
  lookUpOrder: {
    summary: 'Mail a link to an order; the response is the same for an unknown order',
    body: OrderLookupSchema,
    response: z.object({ queued: z.boolean() }),
    errors: ['rate_limited'],
  },
});
