import * as z from 'zod/mini';
import { OrderLookupSchema } from '#contract/checkout/schemas.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { TicketKeySchema } from '#contract/orders/schemas.ts';
import * as endpoints from './endpoints.ts';

export const ticketCalls = describeCalls(endpoints, {
  listTicketKeys: {
    summary: 'Public keys that gates check ticket codes with',
    response: z.array(TicketKeySchema),
    errors: [],
  },
  getTicketsPdf: {
    summary: 'The tickets for printing',
    response: { mediaType: 'application/pdf' },
    errors: ['not_found'],
  },
  getCalendar: {
    summary: 'The sailings for a calendar',
    response: { mediaType: 'text/calendar' },
    errors: ['not_found'],
  },
  resendTickets: {
    summary: 'Mails the tickets again',
    response: z.object({ queued: z.boolean() }),
    errors: ['not_found', 'rate_limited', 'order_closed'],
  },
  lookUpOrder: {
    summary: 'Mails a link to an order; says the same whether there is one or not',
    body: OrderLookupSchema,
    response: z.object({ queued: z.boolean() }),
    errors: ['rate_limited'],
  },
});
