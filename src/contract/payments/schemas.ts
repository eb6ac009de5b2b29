import * as z from 'zod/mini';
import { describeCalls } from '#contract/endpoint.ts';
import { PaymentSchema } from '#contract/orders/schemas.ts';
import * as endpoints from './endpoints.ts';

export const paymentCalls = describeCalls(endpoints, {
  getPayment: {
    summary: 'How a payment stands',
    response: PaymentSchema,
    errors: ['not_found'],
  },
  receiveProviderEvent: {
    summary: 'Signed events of the card provider',
    response: z.object({ received: z.boolean() }),
    limit: 'none',
    errors: ['webhook_rejected', 'payload_too_large'],
  },
});
