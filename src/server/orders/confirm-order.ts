import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { type OrderRow, orderLines, orders } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { inTransaction, violatedUniqueConstraint, withRetry } from '../database/transactions.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { sellFreePlaces } from './places.ts';
import { countPromoAgain } from './promo.ts';
import type { OrderRecord } from './queries.ts';
import { type LineToSell, sellOrder } from './sell-order.ts';
import { isUnpaid, UNPAID } from './unpaid.ts';

/** A transaction's failure that another try gets right: a boarding code another order already has. */
export function isBoardingCodeTaken(error: unknown): boolean {
  return violatedUniqueConstraint(error)?.includes('boarding_code') ?? false;
}

/** Confirms an order that costs nothing, or nothing any more; any other is left as it is. */
export async function confirmFreeOrder(context: Context, orderId: string): Promise<void> {
  const [open] = await context.db
    .select({ id: orders.id })
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
  if (isConfirmed) wakeMailWorker(context.jobs);
}

/** The order's row, locked: always before its hold's and any capacity's. */
export async function lockOrder(tx: Database, orderId: string): Promise<OrderRow | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
  return order;
}

/** The same, of a hold that may have none. */
export async function lockOrderOfHold(tx: Database, holdId: string): Promise<OrderRow | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.holdId, holdId)).for('no key update');
  return order;
}

/**
 * Confirms an order that costs nothing and has just been written: as `confirmFreeOrder`, without reading again
 * what is known.
 * @returns the order as it is now; null when others got there first, and the order has to be read to know
 */
export async function confirmNewOrder(context: Context, record: OrderRecord): Promise<OrderRecord | null> {
  const lines = record.lines.flatMap((line) => {
    const sailing = record.legs.find(({ leg }) => leg === line.leg)?.sailing;
    return sailing ? [{ ...line, departsAt: sailing.departsAt, sailingStatus: sailing.status }] : [];
  });
  const sold = await withRetry(
    () => sellOrder(context.db, context, { order: record.order, lines, places: 'held' }),
    isBoardingCodeTaken,
  );
  if (!sold) {
    await confirmFreeOrder(context, record.order.id);
    return null;
  }
  wakeMailWorker(context.jobs);
  return {
    ...record,
    order: sold.order,
    hold: { ...record.hold, status: 'consumed' },
    tickets: sold.tickets,
  };
}

/**
 * Sells the places, issues the tickets and notes the mail of an order whose row the transaction has locked
 * and whose money is there. An order that expired before the money came gets its places again if they are
 * still free.
 * @returns whether it is confirmed, and its mail to be asked for after the commit; if not, there is no room, and
 * nothing has changed
 */
export async function confirmOrder(tx: Database, context: Context, order: OrderRow): Promise<boolean> {
  const lines = await loadLinesToSell(tx, order.id);
  const sold = await sellOrder(tx, context, { order, lines, places: 'held' });
  if (sold) return true;
  if (!(await sellFreePlaces(tx, context, order.id))) return false;
  await countPromoAgain(tx, order.promoCode);
  return (await sellOrder(tx, context, { order, lines, places: 'taken' })) !== null;
}

function loadLinesToSell(tx: Database, orderId: string): Promise<LineToSell[]> {
  return tx
    .select({
      id: orderLines.id,
      leg: orderLines.leg,
      sailingId: orderLines.sailingId,
      kind: orderLines.kind,
      typeCode: orderLines.typeCode,
      description: orderLines.description,
      quantity: orderLines.quantity,
      departsAt: sailings.departsAt,
      sailingStatus: sailings.status,
    })
    .from(orderLines)
    .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
    .where(and(eq(orderLines.orderId, orderId), eq(orderLines.status, 'active')))
    .orderBy(orderLines.position);
}
