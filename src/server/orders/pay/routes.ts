import type { paymentCalls } from '#contract/payments/schemas.ts';
import type { Context } from '#server/context.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { readText } from '#server/http/read.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import type { PaymentSubjects } from '#server/payments/subjects.ts';
import { applyEvent } from '#server/payments/webhooks.ts';
import { readPayment } from './open-payments.ts';

/** An event with its object may be larger than what a browser sends. Bytes. */
const EVENT_LIMIT = 512 * 1024;

/** The state of a payment, and the card provider's webhooks. */
export function createPaymentHandlers(
  context: Context,
  subjects: PaymentSubjects,
): Handlers<typeof paymentCalls> {
  return {
    getPayment: ({ params }, c) =>
      readPayment(context, {
        ...{ orderId: params.id, paymentId: params.payment_id },
        language: requestLanguage(c),
      }),

    receiveProviderEvent: async (_, c) => {
      // The signature covers the text as it came.
      const text = await readText(c, EVENT_LIMIT);
      const event = await context.provider.readEvent(text, c.req.raw.headers, context.clock.now());
      await applyEvent(context, { event, subjects });
      return { received: true };
    },
  };
}
