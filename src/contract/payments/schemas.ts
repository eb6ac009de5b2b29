import * as z from 'zod/mini';
import { describeCalls } from '#contract/endpoint.ts';
import { PaymentSchema } from '#contract/orders/schemas.ts';
import * as endpoints from './endpoints.ts';

export const paymentCalls = describeCalls(endpoints, {
  getPayment: {
    summary: 'Get a payment of an order',
    response: PaymentSchema,
    errors: ['not_found'],
  },
  receiveProviderEvent: {
    summary: 'Receive a signed event of the card provider',
    response: z.object({ received: z.boolean() }),
    limit: 'none',
    errors: ['webhook_rejected', 'payload_too_large'],
  },
});
