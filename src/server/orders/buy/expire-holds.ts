import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { releasePlaces } from '#server/capacity/places.ts';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { type OrderChangeRow, orderChanges, orders } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { releaseReservations } from '#server/trip-cards/reservations.ts';
import { type Caller, requireBuyer } from '../buyer.ts';
import { isOpenChange } from '../change/end-change.ts';
import { lockOrder, lockOrderOfHold } from '../confirm-order.ts';
import { closeOpenPayment } from '../pay/open-payments.ts';
import { giveBackPromo } from '../promo.ts';
import { isUnpaid, UNPAID } from '../unpaid.ts';

/** Holds per run of the job, which runs every minute. */
const BATCH = 500;

/** Registers the job that expires holds, and ends those of payment links whose boat is canceled, every minute. */
export async function registerHoldJobs(context: Context): Promise<void> {
  await context.jobs.work('expire-holds', async () => {
    await expireDueHolds(context);
    await endLinksOfCanceledBoats(context);
  });
  await context.jobs.schedule('expire-holds', '* * * * *');
}

/**
 * Expires a hold whose time is over, and its unpaid order: the places go back on sale once. An open card payment is
 * closed first; one that is in progress or has just succeeded keeps the hold, up to the hold's maximum.
 * @returns whether it expired now
 */
export async function expireHold(context: Context, holdId: string): Promise<boolean> {
  const now = context.clock.now();
  const [due] = await queryRows<{ order_id: string | null; is_over: boolean }>(
    context.db,
    sql`
      select coalesce(o.id, c.order_id) as order_id, h.expires_at_max <= ${now.toISOString()}::timestamptz as is_over
      from holds h left join orders o on o.hold_id = h.id left join order_changes c on c.hold_id = h.id
      where h.id = ${holdId} and h.status = 'active' and h.expires_at <= ${now.toISOString()}::timestamptz
    `,
  );
  if (!due) return false;
  if (due.order_id && !(await mayExpire(context, { orderId: due.order_id, isOver: due.is_over })))
    return false;
  return inTransaction(context.db, (tx) => endHold(tx, context, { holdId, status: 'expired' }));
}

/** Expires all holds that are due, or those on some sailings. A failure does not stop the rest. */
export async function expireDueHolds(context: Context, sailingIds?: readonly string[]): Promise<void> {
  const now = context.clock.now();
  const onSailings = sailingIds
    ? sql`exists (select 1 from hold_items i where i.hold_id = ${holds.id} and ${inArray(sql`i.sailing_id`, [
        ...sailingIds,
      ])})`
    : undefined;
  const due = await context.db
    .select({ id: holds.id })
    .from(holds)
    .where(and(eq(holds.status, 'active'), lte(holds.expiresAt, now), onSailings))
    .orderBy(holds.expiresAt)
    .limit(BATCH);
  for (const { id } of due) {
    try {
      await expireHold(context, id);
    } catch (error) {
      context.log.error('hold not expired', { hold_id: id, ...describeError(error) });
    }
  }
}

/**
 * Ends orders that wait for payment by a mailed link and of which a boat is canceled, and tells their buyers. A payment that
 * is in progress is left to end first; one that still arrives later goes back.
 */
export async function endLinksOfCanceledBoats(context: Context): Promise<void> {
  const ended = await queryRows<{ holdId: string; orderId: string }>(
    context.db,
    sql`
    select h.id as "holdId", o.id as "orderId" from holds h join orders o on o.hold_id = h.id
    where h.status = 'active' and o.sold_by is not null and ${inArray(sql`o.status`, [...UNPAID])}
      and exists (
        select from hold_items i join sailings s on s.id = i.sailing_id
        where i.hold_id = h.id and s.status = 'canceled')
    order by o.id limit ${BATCH}`,
  );
  for (const { holdId, orderId } of ended) {
    try {
      await releaseHold(context, holdId, async (tx) => {
        await tx
          .update(orders)
          .set({ notice: 'boat_canceled', writtenNotice: '' })
          .where(eq(orders.id, orderId));
        await queueOrderMail(tx, context, { kind: 'order-payment-canceled', orderId });
      });
      wakeMailWorker(context.jobs);
    } catch (error) {
      // A payment is in progress or has just succeeded.
      if (error instanceof ApiError) continue;
      context.log.error('payment link not ended', { order_id: orderId, ...describeError(error) });
    }
  }
}

/**
 * Releases a hold and cancels its unpaid order, at the request of the buyer or of staff.
 * @param onReleased writes more in the same transaction, if the hold was active until then
 * @throws {ApiError} payment_in_progress, already_paid
 */
export async function releaseHold(
  context: Context,
  holdId: string,
  onReleased: (tx: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  const [order] = await context.db.select({ id: orders.id }).from(orders).where(eq(orders.holdId, holdId));
  if (order) await closeOpenPayment(context, order.id);
  await inTransaction(context.db, async (tx) => {
    if (await endHold(tx, context, { holdId, status: 'released' })) await onReleased(tx);
  });
}

/**
 * Cancels an unpaid order: its places go back on sale, and no card can be charged for it any more. Repeating it
 * changes nothing.
 * @throws {ApiError} not_found, change_not_allowed for callers who are not the buyer, already_paid, payment_in_progress
 */
export async function cancelUnpaidOrder(
  context: Context,
  { orderId, ...caller }: { orderId: string } & Caller,
): Promise<void> {
  const [order] = await context.db.select().from(orders).where(eq(orders.id, orderId));
  if (!order) throw notFound();
  requireBuyer(context, order, caller);
  if (order.status === 'canceled' || order.status === 'expired') return;
  if (!isUnpaid(order)) throw new ApiError('already_paid');
  await releaseHold(context, order.holdId);
}

/** Ends an active hold and its unpaid order or change. Locks order, hold, capacity and trip card, in this order. */
async function endHold(
  tx: Database,
  context: Context,
  { holdId, status }: { holdId: string; status: 'expired' | 'released' },
): Promise<boolean> {
  const now = context.clock.now();
  const change = await lockChangeOfHold(tx, holdId);
  const existingOrder = await lockOrderOfHold(tx, holdId);
  const isOver = status === 'expired' ? lte(holds.expiresAt, now) : undefined;
  const [ended] = await tx
    .update(holds)
    .set({ status })
    .where(and(eq(holds.id, holdId), eq(holds.status, 'active'), isOver))
    .returning({ id: holds.id });
  if (!ended) return false;
  await releasePlaces(tx, holdId);
  if (change && isOpenChange(change)) {
    await tx
      .update(orderChanges)
      .set({ status: status === 'expired' ? 'expired' : 'abandoned', updatedAt: now })
      .where(eq(orderChanges.id, change.id));
    await releaseReservations(tx, context, { orderId: change.orderId });
    // Staff promised its buyer the places until then.
    if (status === 'expired' && change.actor === 'operator') {
      const about = { orderId: change.orderId, changeId: change.id };
      await queueOrderMail(tx, context, { kind: 'order-change-ended', ...about });
    }
    return true;
  }
  // An order may have been written while this waited for the hold's lock; from now on that is impossible.
  const order = existingOrder ?? (await lockOrderOfHold(tx, holdId));
  if (order && isUnpaid(order)) {
    await tx
      .update(orders)
      .set({
        status: status === 'expired' ? 'expired' : 'canceled',
        paymentStatus: order.paymentStatus === 'failed' ? 'failed' : 'none',
        canceledAt: status === 'released' ? now : null,
        version: order.version + 1,
        updatedAt: now,
      })
      .where(eq(orders.id, order.id));
    context.metrics.countCheckout(status === 'expired' ? 'expired' : 'canceled');
    await giveBackPromo(tx, order.promoCode);
    await releaseReservations(tx, context, { orderId: order.id });
    // Staff promised its buyer the places until then.
    if (status === 'expired' && order.soldBy !== null) {
      await queueOrderMail(tx, context, { kind: 'order-payment-missed', orderId: order.id });
    }
  }
  return true;
}

/** The change of a hold, with its order locked. */
async function lockChangeOfHold(tx: Database, holdId: string): Promise<OrderChangeRow | undefined> {
  const isOfHold = eq(orderChanges.holdId, holdId);
  const [match] = await tx.select({ orderId: orderChanges.orderId }).from(orderChanges).where(isOfHold);
  if (!match) return undefined;
  await lockOrder(tx, match.orderId);
  const [change] = await tx.select().from(orderChanges).where(isOfHold);
  return change;
}

/** Whether nothing can be charged for the order any more, or the hold's maximum has passed. */
async function mayExpire(
  context: Context,
  { orderId, isOver }: { orderId: string; isOver: boolean },
): Promise<boolean> {
  try {
    await closeOpenPayment(context, orderId);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // In progress, just paid, or the provider does not answer: reconciliation settles the outcome later.
    return isOver;
  }
}
