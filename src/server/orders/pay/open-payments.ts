import { and, eq, isNull } from 'drizzle-orm';
import type { Payment } from '#contract/orders/schemas.ts';
import type { Context } from '#server/context.ts';
import { payments } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { refreshPayment, settleIntent } from '#server/payments/settle-intent.ts';
import { releaseReservations } from '#server/trip-cards/reservations.ts';
import { readPaidChange } from '../change/change-payments.ts';
import { isOpenChange } from '../change/end-change.ts';
import { lockOrder } from '../confirm-order.ts';
import { presentPayment } from '../presenter.ts';
import { orderSubject } from './order-subject.ts';
import { findOpenPayment } from './payment-records.ts';

/**
 * Makes sure that nothing can be charged for an order any more. Does nothing without an open payment.
 * @throws {ApiError} already_paid (the money has arrived, and the order is settled), payment_in_progress (the outcome
 * is unknown), payment_unavailable
 */
export async function closeOpenPayment(context: Context, orderId: string): Promise<void> {
  const open = await findOpenPayment(context.db, orderId);
  if (!open) return;
  if (open.providerReference === null) {
    // The browser never got the secret that such a payment is confirmed with.
    const isClosed = await inTransaction(context.db, async (tx) => {
      await lockOrder(tx, orderId);
      const [canceled] = await tx
        .update(payments)
        .set({ status: 'canceled', updatedAt: context.clock.now() })
        .where(and(eq(payments.id, open.id), isNull(payments.providerReference)))
        .returning({ id: payments.id });
      if (canceled) await releaseReservations(tx, context, { paymentId: open.id });
      return canceled !== undefined;
    });
    if (!isClosed) await closeOpenPayment(context, orderId);
    return;
  }
  const intent = await context.provider.cancelIntent(open.providerReference);
  await settleIntent(context, { subject: orderSubject, intent });
  if (intent.status === 'succeeded') throw new ApiError('already_paid');
  if (intent.status !== 'canceled') throw new ApiError('payment_in_progress');
}

/**
 * Closes an open payment whose change has ended, so that no card is charged for it. What cannot be settled now is left to
 * the reconciling job, and a payment that arrives goes back.
 */
export async function closeLeftPayment(context: Context, orderId: string): Promise<void> {
  const open = await findOpenPayment(context.db, orderId);
  const change = open && (await readPaidChange(context.db, open));
  if (!change || isOpenChange(change)) return;
  try {
    await closeOpenPayment(context, orderId);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * A payment of an order; while its end is unknown the provider is asked.
 * @throws {ApiError} not_found
 */
export async function readPayment(
  context: Context,
  input: { orderId: string; paymentId: string; language: string },
): Promise<Payment> {
  const payment = await requirePayment(context, input);
  const isRefreshed = await refreshPayment(context, { subject: orderSubject, payment });
  return presentPayment(isRefreshed ? await requirePayment(context, input) : payment, input.language);
}

async function requirePayment(
  { db }: Pick<Context, 'db'>,
  { orderId, paymentId }: { orderId: string; paymentId: string },
) {
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, paymentId), eq(payments.orderId, orderId)));
  if (!payment) throw notFound();
  return payment;
}
