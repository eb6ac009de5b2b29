import { and, eq } from 'drizzle-orm';
import type { OrderChange } from '#contract/orders/change/schemas.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { type OrderChangeRow, orderChanges, orders } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { notFound } from '#server/http/api-error.ts';
import { expireHold } from '../buy/expire-holds.ts';
import { lockOrder } from '../confirm-order.ts';
import { closeOpenPayment } from '../pay/open-payments.ts';
import { endChange, findOpenChange, isOpenChange } from './end-change.ts';

/**
 * Gives up the change of an order that is not paid, if there is one. The order stays as it was.
 * @param onAbandoned writes more in the same transaction
 * @throws {ApiError} already_paid, payment_in_progress
 */
export async function abandonOpenChange(
  context: Context,
  orderId: string,
  onAbandoned: (tx: Database, change: OrderChangeRow) => Promise<void> = async () => undefined,
): Promise<void> {
  if (!(await findOpenChange(context.db, orderId))) return;
  await closeOpenPayment(context, orderId);
  await inTransaction(context.db, async (tx) => {
    await lockOrder(tx, orderId);
    const change = await findOpenChange(tx, orderId);
    if (!change) return;
    await endChange(tx, context, { change, status: 'abandoned' });
    await onAbandoned(tx, change);
  });
}

/** A change of an order. Reading one whose time is over expires it. */
export async function readChange(
  context: Context,
  { orderId, changeId }: { orderId: string; changeId: string },
): Promise<OrderChange> {
  const change = await requireChange(context, { orderId, changeId });
  if (change.holdId !== null && isOpenChange(change) && (await expireHold(context, change.holdId))) {
    return presentChange(context, await requireChange(context, { orderId, changeId }));
  }
  return presentChange(context, change);
}

/** @throws {ApiError} not_found */
export async function requireChange(
  { db }: Pick<Context, 'db'>,
  { orderId, changeId }: { orderId: string; changeId: string },
): Promise<OrderChangeRow> {
  const [change] = await db
    .select()
    .from(orderChanges)
    .where(and(eq(orderChanges.id, changeId), eq(orderChanges.orderId, orderId)));
  if (!change) throw notFound();
  return change;
}

export async function presentChange(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, orderId, status, difference, holdId }: OrderChangeRow,
): Promise<OrderChange> {
  const [order] = await db.select({ currency: orders.currency }).from(orders).where(eq(orders.id, orderId));
  if (!order) throw notFound();
  const [hold] = await db
    .select({ expiresAt: holds.expiresAt })
    .from(holds)
    .where(and(eq(holds.id, holdId ?? ''), eq(holds.status, 'active')));
  return {
    ...{ id, status, difference, currency: order.currency },
    expires_at: (isOpenChange({ status }) && hold?.expiresAt.toISOString()) || null,
    as_of: clock.now().toISOString(),
  };
}
