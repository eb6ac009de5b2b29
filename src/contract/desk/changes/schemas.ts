import * as z from 'zod/mini';
import { AmountSchema, DaySchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { LinkMinutesSchema } from '#contract/gate/sales/schemas.ts';
import { holdErrors } from '#contract/orders/buy/schemas.ts';
import { ChangeQuoteSchema } from '#contract/orders/change/schemas.ts';
import { DirectionSchema, JourneySchema, RebookOrderSchema } from '#contract/orders/rebook/schemas.ts';
import { PaidInPersonSchema } from '#contract/payments/in-person-schemas.ts';
import { REFUND_REASON_LENGTH } from '../limits.ts';
import { StaffOrderSchema } from '../orders/schemas.ts';
import * as endpoints from './endpoints.ts';

const StaffJourneysSchema = z.object({
  /** The day of the journeys, at the port of departure, and the days on which there may be others. */
  day: DaySchema,
  first_day: DaySchema,
  last_day: DaySchema,
  /** On which the whole party of the journey fits now, by departure. Their places are not kept. */
  journeys: z.array(JourneySchema),
  /** The booked journey does not run as bought, so that the party may take another one at no charge. */
  has_choice: z.boolean(),
  as_of: InstantSchema,
});
export type StaffJourneys = z.infer<typeof StaffJourneysSchema>;

/** Other boats for journeys of an order. The party stays as it is. */
const MovedJourneysSchema = z
  .array(
    z.strictObject({
      direction: DirectionSchema,
      /** One journey of those that are listed, as travelled. */
      sailing_ids: z.array(IdSchema).check(z.minLength(1), z.maxLength(2)),
    }),
  )
  .check(
    z.minLength(1),
    z.maxLength(2),
    z.refine((journeys) => new Set(journeys.map(({ direction }) => direction)).size === journeys.length),
  );
export type MovedJourneys = z.infer<typeof MovedJourneysSchema>;

const QuoteSchema = z.strictObject({ journeys: MovedJourneysSchema });

/** The places are held, and the order stays as it is, until the buyer pays by card with a mailed link. */
const MailedLinkSchema = z.strictObject({ method: z.literal('link'), minutes: LinkMinutesSchema });

const ChangeForBuyerSchema = z.strictObject({
  ...QuoteSchema.shape,
  /** Of the quote; another version or difference is refused as `version_conflict`. */
  version: z.int(),
  difference: AmountSchema,
  /** How the buyer pays a positive difference; null if there is none. */
  payment: z.nullable(z.discriminatedUnion('method', [...PaidInPersonSchema.def.options, MailedLinkSchema])),
});
export type ChangeForBuyer = z.infer<typeof ChangeForBuyerSchema>;

const FreeChangeSchema = z.strictObject({
  ...ChangeForBuyerSchema.shape,
  reason: plainText(1, REFUND_REASON_LENGTH),
});

const quoteErrors = [
  'not_found',
  'change_not_allowed',
  'check_in_closed',
  'plate_required',
  'version_conflict',
  'sailing_not_boarding',
  ...holdErrors,
] as const satisfies readonly ErrorCode[];

const changeErrors = [
  ...quoteErrors,
  'step_up_required',
  'refund_not_allowed',
  'already_paid',
  'payment_in_progress',
  'payment_unavailable',
  'unknown_trip_card',
  'insufficient_balance',
  'trip_card_frozen',
  'trip_card_lost',
  'order_closed',
] as const satisfies readonly ErrorCode[];

export const staffChangeCalls = describeCalls(endpoints, {
  listStaffJourneys: {
    summary: 'List the journeys of a day that have room for the party of an order’s journey',
    query: z.strictObject({
      direction: DirectionSchema,
      /** Absent: the day of the booked journey, or today. */
      day: z.optional(DaySchema),
    }),
    response: StaffJourneysSchema,
    errors: ['not_found', 'change_not_allowed'],
  },
  quoteStaffChange: {
    summary: 'Show what other boats cost the buyer or give back by the fare’s rules; nothing is changed',
    body: QuoteSchema,
    response: ChangeQuoteSchema,
    errors: quoteErrors,
  },
  changeStaffOrder: {
    summary:
      'Move journeys of an order to other boats as quoted, by the fare’s rules; staff take the difference or mail a payment link',
    body: ChangeForBuyerSchema,
    response: StaffOrderSchema,
    errors: changeErrors,
  },
  quoteFreeChange: {
    summary: 'Show what other boats cost the buyer or give back without a fee; nothing is changed',
    body: QuoteSchema,
    response: ChangeQuoteSchema,
    errors: quoteErrors,
  },
  makeFreeChange: {
    summary:
      'Move journeys of an order to other boats without a fee, also where the fare’s rules do not allow it',
    body: FreeChangeSchema,
    response: StaffOrderSchema,
    errors: [...changeErrors, 'refund_needs_approval'],
  },
  rebookStaffOrder: {
    summary: 'Move a journey that does not run as bought to another one for the buyer, at no charge',
    body: RebookOrderSchema,
    response: StaffOrderSchema,
    errors: ['not_found', 'change_not_allowed', 'version_conflict', 'sold_out'],
  },
});
