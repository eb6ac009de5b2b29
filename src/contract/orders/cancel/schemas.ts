import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema, IdSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { GROUP_LIMIT } from '#contract/limits.ts';
import { OrderSchema } from '#contract/orders/schemas.ts';
import { REFUND_METHODS } from '#contract/orders/statuses.ts';
import { ASSISTANCE_NEEDS } from '../buy/assistance.ts';
import { LegSchema } from '../buy/schemas.ts';
import * as endpoints from './endpoints.ts';

/** Passengers, bicycles and a vehicle on four boats. */
export const TICKET_LIMIT = (2 * GROUP_LIMIT + 1) * 4;

export const TicketIdsSchema = z.array(IdSchema).check(z.minLength(1), z.maxLength(TICKET_LIMIT));

const QuoteCancellationSchema = z.strictObject({ ticket_ids: TicketIdsSchema });

/** One ticket of a cancellation. `paid` after discounts; `refund` after the fee. */
const CanceledTicketSchema = z.object({
  ticket_id: IdSchema,
  leg: LegSchema,
  title: z.string(),
  /** The driver whom the vehicle's fare includes. Absent for other tickets. */
  is_driver: z.optional(z.boolean()),
  traveler_name: z.optional(z.string()),
  paid: AmountSchema,
  fee: AmountSchema,
  refund: AmountSchema,
});

export const RefundDestinationSchema = z.object({
  destination: z.enum(REFUND_METHODS),
  network: z.nullable(z.string()),
  last_four: z.nullable(z.string()),
  amount: AmountSchema,
  /** The trips that go back to a pass, which had paid the amount; missing: money. */
  trips: z.optional(z.int()),
});
export type RefundDestination = z.infer<typeof RefundDestinationSchema>;

/** The handle and the mailed digits. */
export const ProofSchema = z.strictObject({
  temp: z.string().check(z.maxLength(128)),
  code: z.string().check(z.maxLength(16)),
});

export const CancellationQuoteSchema = z.object({
  /** Version of the order; a cancellation names it with the refund. */
  version: z.int(),
  /** The chosen tickets and those that are canceled with them. */
  tickets: z.array(CanceledTicketSchema),
  paid: AmountSchema,
  fee: AmountSchema,
  refund: AmountSchema,
  currency: CurrencySchema,
  /** Where the refund goes. The digits are visible only to the order's signed-in owner. */
  destinations: z.array(RefundDestinationSchema),
  /** The owner's trip cards that can get the refund instead, at once. */
  trip_cards: z.array(z.object({ id: IdSchema, name: z.string(), last_four: z.string() })),
  /** Whether no ticket is left. */
  is_whole_order: z.boolean(),
  /** Whether the cancellation needs a code mailed to the buyer, because the order belongs to no account. */
  needs_code: z.boolean(),
  /** Sentences about what else happens, such as a driver's ticket that is canceled with the vehicle. */
  notes: z.array(z.string()),
});
export type CancellationQuote = z.infer<typeof CancellationQuoteSchema>;

const CancelTicketsSchema = z.strictObject({
  ticket_ids: TicketIdsSchema,
  /** Of the quote; another version or refund is refused as `version_conflict`. */
  version: z.int(),
  refund: AmountSchema,
  /** One of the quote's trip cards, which gets the refund; needs a step-up. */
  trip_card_id: z.optional(IdSchema),
  /** The handle and the mailed digits, if `needs_code`. */
  proof: z.optional(ProofSchema),
});

const MailedCodeSchema = z.object({
  temp: z.string(),
  /** Masked: `a•••@example.com`. */
  email: z.string(),
  /** Seconds. */
  expires_in: z.int(),
});
export type MailedCode = z.infer<typeof MailedCodeSchema>;

const ProveBuyerSchema = z.strictObject({ proof: ProofSchema });

/** What the order's link does not show. */
const BuyerSchema = z.object({
  /** Permits to change the order while it has the same email address. */
  buyer_secret: z.string(),
  contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  assistance: z.array(
    z.object({ traveler: z.int(), needs: z.array(z.enum(ASSISTANCE_NEEDS)), note: z.string() }),
  ),
});
export type Buyer = z.infer<typeof BuyerSchema>;

const refusals = [
  'not_found',
  'unauthenticated',
  'change_not_allowed',
  'refund_not_allowed',
  'check_in_closed',
  'version_conflict',
] as const satisfies readonly ErrorCode[];

export const cancellationCalls = describeCalls(endpoints, {
  quoteCancellation: {
    summary: 'Show what is given back if tickets of an order are canceled; nothing is changed',
    body: QuoteCancellationSchema,
    response: CancellationQuoteSchema,
    errors: refusals,
  },
  mailCancellationCode: {
    summary: 'Mail the buyer of an order without an account a code that permits a cancellation or a change',
    response: MailedCodeSchema,
    errors: ['not_found', 'unauthenticated', 'change_not_allowed', 'rate_limited'],
  },
  proveBuyer: {
    summary: 'Exchange a mailed code for the contact and assistance of an order and the right to change them',
    body: ProveBuyerSchema,
    response: BuyerSchema,
    errors: ['not_found', 'unauthenticated', 'change_not_allowed', 'invalid_code', 'attempt_expired'],
  },
  cancelTickets: {
    summary: 'Cancel tickets of an order as quoted and refund them',
    body: CancelTicketsSchema,
    response: OrderSchema,
    errors: [...refusals, 'invalid_code', 'attempt_expired', 'step_up_required', 'rate_limited'],
  },
});
