import { and, eq } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { type OrderRow, orders, type PaymentRow, payments, refunds } from '#server/database/schema/sales.ts';
import type { ProviderDispute } from '#server/payments/provider/payment-provider.ts';
import { fromProviderMoney } from '#server/payments/provider/provider-amounts.ts';
import { lockOrder } from '../confirm-order.ts';
import { disputeRefunds } from './disputed-refunds.ts';
import { insertRefund, paidStatus, sumRefunded } from './order-refunds.ts';

/**
 * Records that a card holder disputes an order's payment, and how that ended. What the bank took for good counts as
 * refunded, and what was refunded to a trip card leaves it; the tickets stay as they are.
 * @returns false if no order was paid with it
 */
export async function applyOrderDispute(
  tx: Database,
  context: Context,
  dispute: ProviderDispute,
): Promise<boolean> {
  const { status, intentId } = dispute;
  const [payment] = await tx.select().from(payments).where(eq(payments.providerReference, intentId));
  const order = payment && (await lockOrder(tx, payment.orderId));
  if (!order) return false;
  context.log.warn('payment disputed', { reference: order.reference, dispute_status: status });
  await disputeRefunds(tx, context, { payment, order, dispute });
  if (status === 'lost') await recordLoss(tx, context, { payment, dispute });
  const refunded = status === 'lost' ? await sumRefunded(tx, order) : order.refunded;
  const paymentStatus = statusAfter({ ...order, refunded }, status);
  if (paymentStatus === order.paymentStatus && refunded === order.refunded) return true;
  await tx
    .update(orders)
    .set({ paymentStatus, refunded, version: order.version + 1, updatedAt: context.clock.now() })
    .where(eq(orders.id, order.id));
  return true;
}

/** The amount taken by the bank is stored as a refund, so that it is not refunded twice. */
async function recordLoss(
  tx: Database,
  context: Context,
  { payment, dispute }: { payment: PaymentRow; dispute: ProviderDispute },
): Promise<void> {
  const ofPayment = await tx.select().from(refunds).where(eq(refunds.paymentId, payment.id));
  if (ofPayment.some(({ providerReference }) => providerReference === dispute.id)) return;
  const succeeded = ofPayment.filter(({ status }) => status === 'succeeded');
  const left = succeeded.reduce((rest, { amount }) => rest - amount, payment.amount);
  const amount = Math.min(fromProviderMoney(dispute.money).amount, left);
  if (amount <= 0) return;
  // The bank accepts no further refund of this payment, and none is due.
  await tx
    .update(refunds)
    .set({ status: 'failed', tryAt: null, updatedAt: context.clock.now() })
    .where(and(eq(refunds.paymentId, payment.id), eq(refunds.status, 'requested')));
  const isDuplicate = ofPayment.some(({ reason }) => reason === 'duplicate');
  await insertRefund(tx, context, {
    payment,
    amount,
    reason: isDuplicate ? 'duplicate' : 'dispute',
    status: 'succeeded',
    providerReference: dispute.id,
  });
}

/** When the dispute is over, the status follows from what was refunded. */
function statusAfter(order: OrderRow, dispute: ProviderDispute['status']): OrderRow['paymentStatus'] {
  switch (dispute) {
    case 'lost':
    case 'won':
    case 'inquiry_closed':
      return order.refunded > 0 || order.paymentStatus === 'disputed'
        ? paidStatus(order)
        : order.paymentStatus;
    default:
      return ['paid', 'partly_refunded'].includes(order.paymentStatus) ? 'disputed' : order.paymentStatus;
  }
}
