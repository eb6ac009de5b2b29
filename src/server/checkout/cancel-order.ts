import { eq } from 'drizzle-orm';
import { orders } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import { releaseHold } from './expire-holds.ts';

/**
 * Cancels an unpaid order: its places go back on sale, and no card can be charged for it any more. Repeating it
 * changes nothing.
 * @throws {ApiError} not_found, already_paid, payment_in_progress
 */
export async function cancelUnpaidOrder(deps: Deps, orderId: string): Promise<void> {
  const [order] = await deps.db
    .select({ status: orders.status, holdId: orders.holdId })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!order) throw notFound();
  if (order.status === 'cancelled' || order.status === 'expired') return;
  if (!isUnpaid(order)) throw new ApiError('already_paid');
  await releaseHold(deps, order.holdId);
}
