import { and, eq, inArray } from 'drizzle-orm';
import { sellFreePlaces } from '../capacity/places.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { type OrderRow, orderLines, orders } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { reviewSale } from '../sailings/exceptions/review-sale.ts';
import { countPromoAgain } from './promo.ts';
import { type LineToSell, sellOrder } from './sell-order.ts';
import { isUnpaid, UNPAID } from './unpaid.ts';

/** Whether a transaction failed because another order has the boarding code; a retry picks another code. */
export function isBoardingCodeTaken(error: unknown): boolean {
  return violatedUniqueConstraint(error)?.includes('boarding_code') ?? false;
}

/** Confirms an unpaid order whose total is zero; any other order stays unchanged. */
export async function confirmFreeOrder(context: Context, orderId: string): Promise<void> {
  const [open] = await context.db
    .select({ holdId: orders.holdId })
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.total, 0), inArray(orders.status, [...UNPAID])));
  if (!open) return;
  const isConfirmed = await inTransaction(
    context.db,
    async (tx) => {
      const order = await lockOrder(tx, orderId);
      const isOpen = order?.total === 0 && isUnpaid(order);
      return isOpen && confirmOrder(tx, context, order);
    },
    isBoardingCodeTaken,
  );
  if (!isConfirmed) return;
  wakeMailWorker(context.jobs);
  await reviewSale(context, { orderId, holdId: open.holdId });
}

/** Locks the order's row, always before its hold and any capacity. */
export async function lockOrder(tx: Database, orderId: string): Promise<OrderRow | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
  return order;
}

/** Locks the order of a hold, if it has one. */
export async function lockOrderOfHold(tx: Database, holdId: string): Promise<OrderRow | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.holdId, holdId)).for('no key update');
  return order;
}

/**
 * Sells the places, issues the tickets and queues the mail of a paid order that the transaction has locked. An order
 * that expired before it was paid gets its places again if they are still free.
 * @returns false, with nothing changed, if there are not enough places
 */
export async function confirmOrder(tx: Database, context: Context, order: OrderRow): Promise<boolean> {
  const lines = await loadLinesToSell(tx, order.id);
  const sold = await sellOrder(tx, context, { order, lines, places: 'held' });
  const isConfirmed = sold !== null || (await sellAgain(tx, context, { order, lines }));
  if (isConfirmed) context.metrics.countCheckout('confirmed');
  return isConfirmed;
}

async function sellAgain(
  tx: Database,
  context: Context,
  sale: { order: OrderRow; lines: LineToSell[] },
): Promise<boolean> {
  if (!(await sellFreePlaces(tx, context, sale.order.id))) return false;
  await countPromoAgain(tx, sale.order.promoCode);
  return (await sellOrder(tx, context, { ...sale, places: 'taken' })) !== null;
}

function loadLinesToSell(tx: Database, orderId: string): Promise<LineToSell[]> {
  return tx
    .select({
      id: orderLines.id,
      leg: orderLines.leg,
      sailingId: orderLines.sailingId,
      kind: orderLines.kind,
      typeCode: orderLines.typeCode,
      quantity: orderLines.quantity,
      departsAt: sailings.departsAt,
      sailingStatus: sailings.status,
    })
    .from(orderLines)
    .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
    .where(and(eq(orderLines.orderId, orderId), eq(orderLines.status, 'active')))
    .orderBy(orderLines.position);
}
