import * as z from 'zod/mini';
import { AmountSchema, IdSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { StartedTopUpSchema } from '#contract/trip-cards/schemas.ts';
import * as endpoints from './endpoints.ts';
import { PassTermsSchema } from './pass-terms.ts';

const BuyPassSchema = z.strictObject({
  /** The code of a pass on sale. */
  code: z.string().check(z.minLength(1), z.maxLength(32)),
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
