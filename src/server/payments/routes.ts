import type { paymentCalls } from '#contract/payments/schemas.ts';
import type { Deps } from '../deps.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { readText } from '../http/read.ts';
import { readPayment } from './read-payment.ts';
import { applyEvent, readEvent } from './webhooks.ts';

/** An event with its object may be larger than what a browser sends. Bytes. */
const EVENT_LIMIT = 512 * 1024;

/** How a payment stands, and what the card provider reports about it. */
export function createPaymentHandlers(deps: Deps): Handlers<typeof paymentCalls> {
  return {
    getPayment: ({ params }) => readPayment(deps, params.id, params.payment_id),

    receiveProviderEvent: async (_, c) => {
      // The signature covers the text as it came.
      const text = await readText(c, EVENT_LIMIT);
      await applyEvent(deps, await readEvent(deps, text, c.req.header('stripe-signature')));
      return { received: true };
    },
  };
}
