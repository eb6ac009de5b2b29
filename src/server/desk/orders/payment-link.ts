import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { releaseHold } from '#server/orders/buy/expire-holds.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import { type OrderRecord, requireOrder } from '#server/orders/queries.ts';
import { isUnpaid } from '#server/orders/unpaid.ts';

type OrderInput = { orderId: string; actor: StaffActor };

/** Until when a buyer may pay by the mailed link; null for every other order. */
export function presentPaymentLink(
  { order, hold }: Pick<OrderRecord, 'order' | 'hold'>,
  now: Date,
): StaffOrder['payment_link'] {
  const isWaiting = order.soldBy !== null && isUnpaid(order) && hold.status === 'active';
  return isWaiting && hold.expiresAt > now ? { pay_until: hold.expiresAt.toISOString() } : null;
}

/**
 * Mails the link again by which an order is paid.
 * @throws {ApiError} not_found; order_closed for an order that does not wait for payment by a link; already_paid
 */
export async function mailPaymentLink(context: Context, { orderId, actor }: OrderInput): Promise<void> {
  await requirePaymentLink(context, orderId);
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound();
    if (!isUnpaid(order)) throw new ApiError('order_closed');
    await queueOrderMail(tx, context, { kind: 'order-payment-link', orderId });
    await recordAudit(tx, context, {
      ...{ actor, action: 'payment_link_mailed', objectKind: 'order', objectId: orderId, reason: null },
      ...{ before: {}, after: {} },
    });
  });
  wakeMailWorker(context.jobs);
}

/**
 * Cancels an order that waits for payment by a link. A card payment that is open is closed first; one that still arrives is
 * treated as every late one.
 * @throws {ApiError} not_found; order_closed for an order that does not wait for payment by a link; already_paid,
 * payment_in_progress, payment_unavailable
 */
export async function cancelPaymentLink(context: Context, { orderId, actor }: OrderInput): Promise<void> {
  const { hold } = await requirePaymentLink(context, orderId);
  let isCanceled = false;
  await releaseHold(context, hold.id, async (tx) => {
    isCanceled = true;
    await recordAudit(tx, context, {
      ...{ actor, action: 'payment_link_canceled', objectKind: 'order', objectId: orderId, reason: null },
      ...{ before: {}, after: {} },
    });
  });
  // It was paid or expired meanwhile.
  if (!isCanceled) await requirePaymentLink(context, orderId);
}

async function requirePaymentLink(context: Context, orderId: string): Promise<OrderRecord> {
  const record = await requireOrder(context, orderId);
  if (record.order.confirmedAt !== null) throw new ApiError('already_paid');
  if (presentPaymentLink(record, context.clock.now()) === null) throw new ApiError('order_closed');
  return record;
}
