import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema, IdSchema, InstantSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { OrderLegSchema, StartedPaymentSchema, startPaymentErrors } from '#contract/orders/schemas.ts';
import { holdErrors, PartySchema, PlateSchema, QuoteLineSchema, StartPaymentSchema } from '../buy/schemas.ts';
import { ProofSchema, RefundDestinationSchema } from '../cancel/schemas.ts';
import * as endpoints from './endpoints.ts';

/** A journey as it will be: it replaces the order's journey, or is added. */
const ChangedJourneySchema = z.strictObject({
  direction: z.enum(['out', 'back']),
  /** One boat, or two with a change between them. */
  sailing_ids: z.array(IdSchema).check(z.minLength(1), z.maxLength(2)),
  ...PartySchema.shape,
});
export type ChangedJourney = z.infer<typeof ChangedJourneySchema>;

const QuoteChangeSchema = z.strictObject({
  journeys: z.array(ChangedJourneySchema).check(
    z.minLength(1),
    z.maxLength(2),
    z.refine((journeys) => new Set(journeys.map(({ direction }) => direction)).size === journeys.length),
  ),
  /** Absent: the order's. */
  plate: z.optional(PlateSchema),
});
export type QuoteChange = z.infer<typeof QuoteChangeSchema>;

export const ChangeQuoteSchema = z.object({
  /** Version of the order; a change names it with the difference. */
  version: z.int(),
  /** The new lines, at today's fares. */
  lines: z.array(QuoteLineSchema),
  price: AmountSchema,
  fee: AmountSchema,
  /** What was paid for the replaced tickets. */
  carried: AmountSchema,
  /** The cancellation fee for removed tickets. The rest of their value is refunded. */
  forfeited: AmountSchema,
  /** A difference too small to charge. */
  waived: AmountSchema,
  /** price + fee + forfeited − carried − waived: to pay if positive, given back if negative. */
  difference: AmountSchema,
  currency: CurrencySchema,
  /** Where a negative difference goes. */
  destinations: z.array(RefundDestinationSchema),
  /** Whether the change needs a code mailed to the buyer, because the order belongs to no account. */
  needs_code: z.boolean(),
  /** Sentences about what else happens, such as a promo code that no longer applies. */
  notes: z.array(z.string()),
});
export type ChangeQuote = z.infer<typeof ChangeQuoteSchema>;

const CreateChangeSchema = z.strictObject({
  ...QuoteChangeSchema.shape,
  /** Of the quote; another version or difference is refused as `version_conflict`. */
  version: z.int(),
  difference: AmountSchema,
  proof: z.optional(ProofSchema),
});
export type CreateChange = z.infer<typeof CreateChangeSchema>;

const OrderChangeSchema = z.object({
  id: IdSchema,
  /**
   * `held`, `awaiting_payment`: the places are held, and the order stays as it is until the difference is paid.
   * `refused`: the payment came too late and went back.
   */
  status: z.enum(['held', 'awaiting_payment', 'done', 'expired', 'abandoned', 'refused']),
  difference: AmountSchema,
  currency: CurrencySchema,
  /** Until when it can be paid; null if there is nothing to pay any more. */
  expires_at: z.nullable(InstantSchema),
  as_of: InstantSchema,
});
export type OrderChange = z.infer<typeof OrderChangeSchema>;

const UnpaidChangeSchema = z.extend(OrderChangeSchema, {
  /** The crossings after the change, of the journeys that it changes. */
  legs: z.array(OrderLegSchema),
});
export type UnpaidChange = z.infer<typeof UnpaidChangeSchema>;

const refusals = [
  'not_found',
  'unauthenticated',
  'change_not_allowed',
  'check_in_closed',
  'plate_required',
  'version_conflict',
  ...holdErrors,
] as const satisfies readonly ErrorCode[];

export const changeCalls = describeCalls(endpoints, {
  quoteChange: {
    summary: 'Show what a change of an order costs or gives back; nothing is changed',
    body: QuoteChangeSchema,
    response: ChangeQuoteSchema,
    errors: refusals,
  },
  createChange: {
    summary: 'Change an order as quoted: at once if nothing is to be paid, otherwise its places are held',
    body: CreateChangeSchema,
    response: OrderChangeSchema,
    errors: [
      ...refusals,
      'invalid_code',
      'attempt_expired',
      'rate_limited',
      'refund_not_allowed',
      'already_paid',
      'payment_in_progress',
      'payment_unavailable',
    ],
  },
  getUnpaidChange: {
    summary:
      'Get the change that staff prepared for the buyer, as long as it can be paid; null if there is none',
    response: z.object({ change: z.nullable(UnpaidChangeSchema) }),
    errors: ['not_found', 'unauthenticated'],
  },
  getChange: {
    summary: 'Get the state of a change',
    response: OrderChangeSchema,
    errors: ['not_found', 'unauthenticated'],
  },
  startChangePayment: {
    summary: 'Start the payment of the difference of a change',
    body: StartPaymentSchema,
    response: StartedPaymentSchema,
    errors: [...startPaymentErrors, 'change_not_allowed'],
  },
  abandonChange: {
    summary: 'Give up a change that is not paid; the order stays as it was',
    response: OrderChangeSchema,
    errors: ['not_found', 'unauthenticated', 'already_paid', 'payment_in_progress', 'payment_unavailable'],
  },
});
