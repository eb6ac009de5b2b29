import * as z from 'zod/mini';
import { AmountSchema, CodeSchema, IdSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { StartedTopUpSchema } from '#contract/trip-cards/schemas.ts';
import * as endpoints from './endpoints.ts';
import { PassTermsSchema } from './pass-terms.ts';

/** A pass that can pay for people or the vehicle of an order. */
const PassOfferSchema = z.object({
  trip_card_id: IdSchema,
  name: z.string(),
  last_four: z.string(),
  available: z.int(),
  /** The trips that pay: one for each person or vehicle on each journey. */
  trips: z.int(),
  /** What they pay for, by the descriptions of the price lines. */
  covered: z.array(z.object({ description: z.string(), count: z.int() })),
  /** The price of what they pay for; the rest is paid by payment card. */
  amount: AmountSchema,
});
export type PassOffer = z.infer<typeof PassOfferSchema>;

const BuyPassSchema = z.strictObject({
  /** The code of a pass on sale. */
  code: CodeSchema,
  /** The price that the customer saw; another price is refused. */
  price: AmountSchema,
  /** A saved card; without it the browser asks for a new one. */
  payment_card_id: z.optional(IdSchema),
  /** Saves the new card for later. */
  save_card: z.optional(z.boolean()),
});
export type BuyPass = z.infer<typeof BuyPassSchema>;

export const passCalls = describeCalls(endpoints, {
  listPasses: {
    summary: 'List the passes on sale: cards with a number of trips, and their conditions',
    response: z.array(PassTermsSchema),
  },
  listPassOffers: {
    summary: 'List the passes of the customer that can pay for an order, and what each would pay',
    response: z.array(PassOfferSchema),
    errors: ['not_found'],
  },
  buyPass: {
    summary:
      'Buy a pass, or renew one that the customer has, with a saved payment card, or start a payment with a new card',
    body: BuyPassSchema,
    response: StartedTopUpSchema,
    errors: [
      'not_found',
      'price_changed',
      'trip_card_frozen',
      'too_many_trip_cards',
      'payment_unavailable',
      'rate_limited',
    ],
  },
});
