import { and, eq, isNull } from 'drizzle-orm';
import { cancelIntent } from '../card-provider/provider.ts';
import { payments } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { lockOrder } from '../orders/confirm-order.ts';
import { releaseReservations } from '../trip-cards/reservations.ts';
import { settlePaymentIntent } from './apply-payment-intent.ts';
import { findOpenPayment } from './open-payment.ts';

/**
 * Makes sure that nothing can be charged for an order any more. Nothing to do without an open attempt.
 * @throws {ApiError} already_paid (the money has come, and the order is settled), payment_in_progress (the
 * outcome is not known yet), payment_unavailable
 */
export async function closeOpenPayment(deps: Deps, orderId: string): Promise<void> {
  const open = await findOpenPayment(deps.db, orderId);
  if (!open) return;
  if (open.providerReference === null) {
    // Nobody was ever given the secret such an attempt is paid with.
    const closed = await inTransaction(deps.db, async (tx) => {
      await lockOrder(tx, orderId);
      const [cancelled] = await tx
        .update(payments)
        .set({ status: 'cancelled', updatedAt: deps.clock.now() })
        .where(and(eq(payments.id, open.id), isNull(payments.providerReference)))
        .returning({ id: payments.id });
      if (cancelled) await releaseReservations(tx, deps, { paymentId: open.id });
      return cancelled !== undefined;
    });
    if (!closed) await closeOpenPayment(deps, orderId);
    return;
  }
  const intent = await cancelIntent(deps, open.providerReference);
  await settlePaymentIntent(deps, intent);
  if (intent.status === 'succeeded') throw new ApiError('already_paid');
  if (intent.status !== 'canceled') throw new ApiError('payment_in_progress');
}
