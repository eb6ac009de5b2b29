import * as z from 'zod/mini';
import { EmailSchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { OrderLegSchema, TicketSchema } from '#contract/orders/schemas.ts';
import { TicketIdsSchema } from '../cancel/schemas.ts';
import * as endpoints from './endpoints.ts';

/** Links of one order that work at the same time. */
export const MAX_TICKET_SHARES = 50;

const ShareTicketsSchema = z.strictObject({
  ticket_ids: TicketIdsSchema,
  /** Whom the tickets are for, as the sender calls them. Only the sender sees it. */
  name: z.optional(plainText(0, PERSON_NAME_LENGTH)),
  /** The link is mailed to this address. */
  email: z.optional(EmailSchema),
});
export type ShareTickets = z.infer<typeof ShareTicketsSchema>;

/** Tickets of an order that were sent to another person as a link. The link itself is not stored. */
export const TicketShareSchema = z.object({
  id: IdSchema,
  /** The tickets as they are now: a changed order has other tickets in their place. */
  ticket_ids: z.array(IdSchema),
  name: z.string(),
  /** Masked for everyone except the order's owner; null if the link was not mailed. */
  email: z.nullable(z.string()),
  inserted_at: InstantSchema,
});
export type TicketShare = z.infer<typeof TicketShareSchema>;

const CreatedTicketShareSchema = z.extend(TicketShareSchema, {
  /** Returned only here. */
  url: z.string(),
  /** False without an address, and if the address has received too many of these mails. */
  is_mailed: z.boolean(),
});
export type CreatedTicketShare = z.infer<typeof CreatedTicketShareSchema>;

/** What the holder of a link sees: its tickets and their sailings. */
export const SharedTicketsSchema = z.object({
  reference: z.string(),
  legs: z.array(OrderLegSchema),
  tickets: z.array(TicketSchema),
  /** A sentence about anything unusual; empty otherwise. */
  notice: z.string(),
  as_of: InstantSchema,
});
export type SharedTickets = z.infer<typeof SharedTicketsSchema>;

export const ticketShareCalls = describeCalls(endpoints, {
  shareTickets: {
    summary: 'Create a link that shows some tickets of an order and nothing else, and mail it if asked',
    body: ShareTicketsSchema,
    response: CreatedTicketShareSchema,
    errors: ['not_found', 'order_closed', 'too_many_shares', 'rate_limited'],
  },
  listTicketShares: {
    summary: 'List to whom tickets of an order were sent',
    response: z.array(TicketShareSchema),
    errors: ['not_found'],
  },
  revokeTicketShare: {
    summary: 'End a link to tickets of an order',
    response: z.null(),
    errors: ['not_found'],
  },
  getSharedTickets: {
    summary: 'Get the tickets of a link',
    response: SharedTicketsSchema,
    errors: ['not_found'],
  },
  getSharedTicketsPdf: {
    summary: 'Download the tickets of a link as PDF',
    response: { mediaType: 'application/pdf' },
    errors: ['not_found', 'server_busy'],
  },
  getSharedCalendar: {
    summary: 'Download the sailings of a link’s tickets as a calendar file',
    response: { mediaType: 'text/calendar' },
    errors: ['not_found'],
  },
});
