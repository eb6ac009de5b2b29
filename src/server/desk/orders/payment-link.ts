import { and, eq } from 'drizzle-orm';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { PaidInPerson } from '#contract/payments/in-person-schemas.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { mails } from '#server/database/schema/system.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queuePaymentLink } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { releaseHold } from '#server/orders/buy/expire-holds.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { abandonOpenChange } from '#server/orders/change/abandon-change.ts';
import { findChangeToPay, presentLegsOfChange } from '#server/orders/change/unpaid-change.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import { type Cashier, readStaffPayment } from '#server/orders/pay/pay-by-staff.ts';
import { type OrderRecord, requireOrder } from '#server/orders/queries.ts';
import { isUnpaid } from '#server/orders/unpaid.ts';

type OrderInput = { orderId: string; actor: StaffActor };

/** What the buyer has to pay of an order that staff sold or changed, and until when; null if there is nothing. */
export async function readPaymentLink(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  record: OrderRecord,
  language: string,
): Promise<StaffOrder['payment_link']> {
  const toPay = await findChangeToPay({ db, clock }, record.order.id);
  if (toPay) {
    const { change, payUntil } = toPay;
    const legs = await presentLegsOfChange({ db, clock }, record, { change, language });
    const { difference } = change;
    return { pay_until: payUntil.toISOString(), is_mailed: true, change: { difference, legs } };
  }
  if (!isWaitingForPayment(record, clock.now())) return null;
  const isLink = and(eq(mails.orderId, record.order.id), eq(mails.kind, 'order-payment-link'));
  return {
    pay_until: record.hold.expiresAt.toISOString(),
    is_mailed: (await db.$count(mails, isLink)) > 0,
    change: null,
  };
}

function isWaitingForPayment({ order, hold }: Pick<OrderRecord, 'order' | 'hold'>, now: Date): boolean {
  return order.soldBy !== null && isUnpaid(order) && hold.status === 'active' && hold.expiresAt > now;
}

/**
 * Mails the link by which an order or a change of it is paid.
 * @throws {ApiError} not_found; order_closed for an order that does not wait for payment, or has no address; already_paid
 */
export async function mailPaymentLink(context: Context, { orderId, actor }: OrderInput): Promise<void> {
  if (!(await findChangeToPay(context, orderId))) await requirePaymentLink(context, orderId);
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound();
    const toPay = await findChangeToPay({ db: tx, clock: context.clock }, orderId);
    if (!toPay && !isUnpaid(order)) throw new ApiError('order_closed');
    await queuePaymentLink(tx, context, { orderId, changeId: toPay?.change.id ?? null });
    await recordAudit(tx, context, {
      ...{ actor, action: 'payment_link_mailed', objectKind: 'order', objectId: orderId, reason: null },
      ...{ before: {}, after: {} },
    });
  });
  wakeMailWorker(context.jobs);
}

/**
 * Cancels an order that waits for payment, or takes back its change. A card payment that is open is closed first; one
 * that still arrives is treated as every late one.
 * @throws {ApiError} not_found; order_closed for an order that does not wait for payment; already_paid,
 * payment_in_progress, payment_unavailable
 */
export async function cancelPaymentLink(context: Context, { orderId, actor }: OrderInput): Promise<void> {
  if (await findChangeToPay(context, orderId)) {
    await abandonOpenChange(context, orderId, (tx, { difference }) =>
      recordAudit(tx, context, {
        ...{ actor, action: 'change_link_canceled', objectKind: 'order', objectId: orderId, reason: null },
        ...{ before: { difference }, after: {} },
      }),
    );
    return;
  }
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

/**
 * Confirms an order that waits for payment, whose price staff take in person. A card payment that is open is closed first.
 * @throws {ApiError} as `payOrderByStaff`; order_closed also for an order that its buyer makes online
 */
export async function takeOrderPayment(
  context: Context,
  { orderId, payment, cashier }: { orderId: string; payment: PaidInPerson; cashier: Cashier },
): Promise<void> {
  const { order } = await requireOrder(context, orderId);
  if (order.soldBy === null && isUnpaid(order)) throw new ApiError('order_closed');
  if (order.status === 'canceled' && order.notice === 'boat_canceled') throw new ApiError('sailing_canceled');
  const taken = await readStaffPayment(context.db, payment, order.currency);
  await payOrderByStaff(context, { orderId, payment: taken, cashier });
}

async function requirePaymentLink(context: Context, orderId: string): Promise<OrderRecord> {
  const record = await requireOrder(context, orderId);
  if (record.order.confirmedAt !== null) throw new ApiError('already_paid');
  if (!isWaitingForPayment(record, context.clock.now())) throw new ApiError('order_closed');
  return record;
}
