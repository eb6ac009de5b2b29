import { eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { askProvider } from '../card-provider/provider.ts';
import { toProviderMoney } from '../card-provider/provider-amounts.ts';
import { orders, type PaymentRow } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';

/**
 * The attempt's intent at the provider; made under a key of its own, so that a lost answer makes no second.
 * @throws {ApiError} payment_unavailable
 */
export async function intentOf(
  deps: Deps,
  payment: PaymentRow,
): Promise<{ intent: Stripe.PaymentIntent; isNew: boolean }> {
  const { providerReference: reference } = payment;
  if (reference !== null) {
    return {
      intent: await askProvider(deps, () => deps.stripe.paymentIntents.retrieve(reference)),
      isNew: false,
    };
  }
  const [order] = await deps.db
    .select({ reference: orders.reference })
    .from(orders)
    .where(eq(orders.id, payment.orderId));
  const name = order?.reference ?? '';
  const intent = await askProvider(deps, async () =>
    deps.stripe.paymentIntents.create(
      {
        ...toProviderMoney(payment),
        allowed_payment_method_types: ['card'],
        description: `Ferry tickets ${name}`,
        metadata: { order_id: payment.orderId, payment_id: payment.id, reference: name },
      },
      { idempotencyKey: `order:${payment.orderId}:attempt:${payment.attempt}` },
    ),
  );
  return { intent, isNew: true };
}
