import * as z from 'zod/mini';
import { EmailSchema, IdSchema, InstantSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { CreateOrderSchema, holdErrors, PlateSchema, QuoteSchema } from '#contract/orders/buy/schemas.ts';
import { PaidInPersonSchema } from '#contract/payments/in-person-schemas.ts';
import * as endpoints from './endpoints.ts';

const RampQuotesSchema = z.object({
  /** One for each fare that covers the party, the cheapest first. */
  quotes: z.array(QuoteSchema),
  as_of: InstantSchema,
});

const RampSaleSchema = z.strictObject({
  quote_id: CreateOrderSchema.shape.quote_id,
  payment: PaidInPersonSchema,
  /** Where the tickets are mailed; null: they are only shown at the ramp. */
  email: z._default(z.nullable(EmailSchema), null),
  /** Of the vehicle; absent: as noted in the queue. */
  plate: z.optional(PlateSchema),
});
export type RampSale = z.infer<typeof RampSaleSchema>;

const SoldSchema = z.object({
  order_id: IdSchema,
  reference: z.string(),
  /** Of all its tickets. */
  ticket_ids: z.array(IdSchema),
  /** The page with the tickets, which the buyer opens with a phone. */
  link: z.string(),
});
export type Sold = z.infer<typeof SoldSchema>;

export const gateSaleCalls = describeCalls(endpoints, {
  quoteQueueEntry: {
    summary: 'Price the tickets of a party in the queue, in each fare',
    response: RampQuotesSchema,
    errors: [...holdErrors, 'sailing_not_boarding'],
  },
  sellToQueueEntry: {
    summary: 'Sell a party in the queue its tickets, paid to staff',
    body: RampSaleSchema,
    response: SoldSchema,
    errors: [
      ...holdErrors,
      ...(['sailing_not_boarding', 'plate_required', 'insufficient_balance', 'trip_card_frozen'] as const),
      ...(['trip_card_lost', 'unknown_trip_card', 'hold_expired', 'already_paid', 'order_closed'] as const),
    ],
  },
});
