import * as z from 'zod/mini';
import {
  AmountSchema,
  CurrencySchema,
  DaySchema,
  IdSchema,
  InstantSchema,
  LocalTimeSchema,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { OrderLegSchema, OrderSchema } from '#contract/orders/schemas.ts';
import { REBOOKING_REASONS } from '#contract/orders/statuses.ts';
import * as endpoints from './endpoints.ts';

export const DirectionSchema = z.enum(['out', 'back']);

/** One boat, or both of a connection, as travelled. */
export const JourneySchema = z.array(OrderLegSchema).check(z.minLength(1), z.maxLength(2));

/** What a buyer was offered because a journey does not run as bought, as long as they may answer. */
export const OpenChoiceSchema = z.object({
  direction: DirectionSchema,
  reason: z.enum(REBOOKING_REASONS),
  /**
   * `moved`: the party already travels on another sailing and may choose again. `open_ticket`: it keeps an open ticket,
   * and `deadline` is the end of its validity.
   */
  status: z.enum(['open', 'moved', 'open_ticket']),
  /** The sailings of its tickets now, without a first one that departed before the choice. */
  booked: JourneySchema,
  /** Places kept for this order; null if there are none, or not any more. */
  protected: z.nullable(
    z.object({ journey: JourneySchema, until: InstantSchema, until_local: LocalTimeSchema }),
  ),
  /** Until when the buyer may choose. Local time of the port of departure. */
  deadline: InstantSchema,
  deadline_local: LocalTimeSchema,
  if_unanswered: z.enum(['refund', 'keep']),
});
export type OpenChoice = z.infer<typeof OpenChoiceSchema>;

const JourneyOptionsSchema = z.extend(OpenChoiceSchema, {
  /**
   * Other journeys on which the whole party fits now: of the booked day those that leave later, then earlier, then those
   * of later and of earlier days. Their places are not kept.
   */
  others: z.array(JourneySchema),
  /** The first and the last day on which the party may travel, at the port of departure; null: there is none. */
  days: z.optional(z.nullable(z.object({ first: DaySchema, last: DaySchema }))),
  /** Until when the fare lets the party keep an open ticket instead; null: it does not, or the party has chosen. */
  open_ticket: z.optional(z.nullable(z.object({ until: InstantSchema, until_local: LocalTimeSchema }))),
  /** What was paid for these sailings. */
  refund: AmountSchema,
});

export const OrderOptionsSchema = z.object({
  /** Of the order; a choice names it. */
  version: z.int(),
  /** The journeys on which the party may travel on another sailing without a fee; empty if the order has no such choice. */
  journeys: z.array(JourneyOptionsSchema),
  /** The full refund of all tickets that are left. A cancellation gives it back. */
  refund: AmountSchema,
  currency: CurrencySchema,
  /** Whether the fare also lets the party take a later sailing of the same day at the terminal. */
  later_same_day: z.boolean(),
  as_of: InstantSchema,
});
export type OrderOptions = z.infer<typeof OrderOptionsSchema>;
export type JourneyOptions = OrderOptions['journeys'][number];

export const RebookOrderSchema = z.strictObject({
  direction: DirectionSchema,
  /** One journey of the options, as travelled. */
  sailing_ids: z.array(IdSchema).check(z.minLength(1), z.maxLength(2)),
  /** Of the options; another version is refused as `version_conflict`. */
  version: z.int(),
});
export type RebookOrder = z.infer<typeof RebookOrderSchema>;

const OrderJourneysSchema = z.object({
  /** On which the whole party fits now, by departure. Their places are not kept. */
  journeys: z.array(JourneySchema),
  as_of: InstantSchema,
});
export type OrderJourneys = z.infer<typeof OrderJourneysSchema>;

const KeepOpenTicketSchema = z.strictObject({
  direction: DirectionSchema,
  /** Of the options; another version is refused as `version_conflict`. */
  version: z.int(),
});
export type KeepOpenTicket = z.infer<typeof KeepOpenTicketSchema>;

export const rebookingCalls = describeCalls(endpoints, {
  getOrderOptions: {
    summary: 'List the sailings that the party of a canceled, late or too full sailing may take instead',
    response: OrderOptionsSchema,
    errors: ['not_found'],
  },
  listOrderJourneys: {
    summary:
      'List the journeys of a day that the party of a canceled, late or too full sailing may take instead',
    query: z.strictObject({ direction: DirectionSchema, day: DaySchema }),
    response: OrderJourneysSchema,
    errors: ['not_found', 'change_not_allowed'],
  },
  keepOpenTicket: {
    summary: 'Keep an open ticket of a canceled sailing and choose a sailing later, where the fare allows',
    body: KeepOpenTicketSchema,
    response: OrderSchema,
    errors: ['not_found', 'change_not_allowed', 'version_conflict', 'rate_limited'],
  },
  rebookOrder: {
    summary: 'Travel on another sailing instead of a canceled, late or too full one, at no charge',
    body: RebookOrderSchema,
    response: OrderSchema,
    errors: ['not_found', 'change_not_allowed', 'version_conflict', 'sold_out', 'rate_limited'],
  },
});
