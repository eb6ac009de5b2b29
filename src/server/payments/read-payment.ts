import { and, eq } from 'drizzle-orm';
import type { Payment } from '#contract/orders/schemas.ts';
import { isOpen } from '../card-provider/intent-state.ts';
import { askProvider } from '../card-provider/provider.ts';
import { payments } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { presentPayment } from '../orders/presenter.ts';
import { settlePaymentIntent } from './apply-payment-intent.ts';

/**
 * How a payment stands. While we do not know its end, the provider is asked: a lost webhook delays nothing.
 * @throws {ApiError} not_found
 */
export async function readPayment(deps: Deps, orderId: string, paymentId: string): Promise<Payment> {
  const payment = await requirePayment(deps, orderId, paymentId);
  const { providerReference: reference } = payment;
  if (!isOpen(payment) || reference === null) return presentPayment(payment);
  try {
    await settlePaymentIntent(
      deps,
      await askProvider(deps, () =>
        deps.stripe.paymentIntents.retrieve(reference, { expand: ['payment_method'] }),
      ),
    );
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'payment_unavailable')) throw error;
    return presentPayment(payment);
  }
  return presentPayment(await requirePayment(deps, orderId, paymentId));
}

async function requirePayment({ db }: Pick<Deps, 'db'>, orderId: string, paymentId: string) {
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, paymentId), eq(payments.orderId, orderId)));
  if (!payment) throw notFound();
  return payment;
}
