import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import {
  type OrderRow,
  orders,
  type PaymentRow,
  type RefundRow,
  refunds,
} from '#server/database/schema/sales.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { processRefund } from '#server/payments/refunds.ts';
import type { LockedRefund, RefundSubject } from '#server/payments/subjects.ts';
import { lockOrder } from '../confirm-order.ts';

/** Refunds of orders to the payment card that paid. */
export const orderRefunds: RefundSubject = { lock: lockRefund };

export function processOrderRefund(context: Context, refundId: string): Promise<void> {
  return processRefund(context, { subject: orderRefunds, refundId });
}

/** Writes a refund of a payment. The transaction has locked the order. */
export async function insertRefund(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    payment: { id: paymentId, orderId },
    ...refund
  }: Pick<RefundRow, 'amount' | 'reason' | 'status'> &
    Partial<
      Pick<
        RefundRow,
        | 'id'
        | 'tripCardId'
        | 'invoiceId'
        | 'trips'
        | 'providerReference'
        | 'cancellationId'
        | 'changeId'
        | 'retryOfId'
        | 'note'
      >
    > & { payment: PaymentRow },
): Promise<RefundRow> {
  const now = clock.now();
  const inserted = await tx
    .insert(refunds)
    .values({ id: newId('rfd'), orderId, paymentId, ...refund, insertedAt: now, updatedAt: now })
    .returning();
  return writtenRow(inserted);
}

/**
 * What was refunded of an order. A second payment that never counted as paid does not count as refunded.
 * @param statuses of the refunds that count
 */
export async function sumRefunded(
  tx: Database,
  { id, paid }: Pick<OrderRow, 'id' | 'paid'>,
  statuses: readonly RefundRow['status'][] = ['succeeded'],
): Promise<number> {
  const [total] = await tx
    .select({ sum: sql`coalesce(sum(${refunds.amount}), 0)`.mapWith(Number) })
    .from(refunds)
    .where(and(eq(refunds.orderId, id), inArray(refunds.status, statuses), ne(refunds.reason, 'duplicate')));
  return Math.min(paid, total?.sum ?? 0);
}

/** The payment status of a paid order after refunds. */
export function paidStatus({
  paid,
  refunded,
}: Pick<OrderRow, 'paid' | 'refunded'>): 'paid' | 'partly_refunded' | 'refunded' {
  if (refunded === 0) return 'paid';
  return refunded < paid ? 'partly_refunded' : 'refunded';
}

/** Stores what of a locked order is refunded, as its refunds say. */
export async function storeRefunded(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  order: OrderRow,
): Promise<void> {
  const refunded = await sumRefunded(tx, order);
  await tx
    .update(orders)
    .set({
      ...{ refunded, paymentStatus: paidStatus({ paid: order.paid, refunded }) },
      ...{ version: order.version + 1, updatedAt: clock.now() },
    })
    .where(eq(orders.id, order.id));
}

async function lockRefund(tx: Database, context: Context, refundId: string): Promise<LockedRefund | null> {
  const isRefund = eq(refunds.id, refundId);
  const [match] = await tx.select({ orderId: refunds.orderId }).from(refunds).where(isRefund);
  const order = match && (await lockOrder(tx, match.orderId));
  const [refund] = await tx.select().from(refunds).where(isRefund).for('no key update');
  if (!order || !refund) return null;
  return { refund, applyChange: (isGivenUp) => applyChange(tx, context, { order, refundId, isGivenUp }) };
}

async function applyChange(
  tx: Database,
  context: Context,
  { order, refundId, isGivenUp }: { order: OrderRow; refundId: string; isGivenUp: boolean },
): Promise<void> {
  if (isGivenUp) {
    const fields = { refund_id: refundId, reference: order.reference };
    context.log.error('refund failed; pay it back by hand', fields);
  }
  const refunded = await sumRefunded(tx, order);
  if (refunded === order.refunded && !isGivenUp) return;
  await tx
    .update(orders)
    .set({
      ...(refunded === order.refunded
        ? {}
        : { refunded, paymentStatus: paidStatus({ paid: order.paid, refunded }) }),
      ...(isGivenUp ? { notice: 'refund_failed' as const, writtenNotice: '' } : {}),
      version: order.version + 1,
      updatedAt: context.clock.now(),
    })
    .where(eq(orders.id, order.id));
  if (isGivenUp) await queueOrderMail(tx, context, { kind: 'order-refund-failed', orderId: order.id });
}
