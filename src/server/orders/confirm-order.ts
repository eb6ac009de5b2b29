import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { holds, orderLines, orders, tickets } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { askToSend } from '../mail/mails.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { sellFreePlaces, sellHeldPlaces } from './places.ts';
import { countPromoAgain } from './promo.ts';

export type OrderRow = typeof orders.$inferSelect;

/** States of an order that waits to be paid. */
const UNPAID = ['held', 'awaiting_payment'] as const;

/** A transaction's failure that another try gets right: a boarding code another order already has. */
export function isBoardingCodeTaken(error: unknown): boolean {
  return violatedUniqueConstraint(error)?.includes('boarding_code') ?? false;
}

/** Confirms an order that costs nothing, or nothing any more; any other is left as it is. */
export async function confirmFreeOrder(deps: Deps, orderId: string): Promise<void> {
  const [open] = await deps.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.total, 0), inArray(orders.status, [...UNPAID])));
  if (!open) return;
  const mail = await inTransaction(
    deps.db,
    async (tx) => {
      const order = await lockOrder(tx, orderId);
      const isOpen = order?.total === 0 && UNPAID.some((status) => status === order.status);
      return isOpen ? confirmOrder(tx, deps, order) : null;
    },
    isBoardingCodeTaken,
  );
  if (mail) await askToSend(deps.jobs, mail);
}

/** The order's row, locked: always before its hold's and any capacity's. */
export async function lockOrder(tx: Database, orderId: string): Promise<OrderRow | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update');
  return order;
}

/**
 * Sells the places, issues the tickets and queues the mail of an order whose row the transaction has locked
 * and whose money is there. An order that lapsed before the money came gets its places again if they are
 * still free.
 * @returns the mail to ask for after the commit; null, with nothing changed, when there is no room
 */
export async function confirmOrder(tx: Database, deps: Deps, order: OrderRow): Promise<string | null> {
  const now = deps.clock.now();
  const [consumed] = await tx
    .update(holds)
    .set({ status: 'consumed' })
    .where(and(eq(holds.id, order.holdId), eq(holds.status, 'active')))
    .returning({ id: holds.id });
  if (!consumed) {
    if (!(await sellFreePlaces(tx, order.id, now))) return null;
    await countPromoAgain(tx, order.promoCode);
  }

  const lines = await loadSoldLines(tx, order.id);
  await tx.insert(tickets).values(issueTickets(order, lines, deps));
  await tx
    .update(orders)
    .set({
      status: 'confirmed',
      paymentStatus: 'paid',
      paid: order.total,
      needsAttention: lines.some(({ status }) => status === 'cancelled') ? 'sailing_cancelled' : null,
      notice: consumed ? '' : 'Your payment came late, but we still had room for you.',
      confirmedAt: now,
      cancelledAt: null,
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, order.id));
  const mail = await queueOrderMail(
    tx,
    deps,
    consumed ? 'order-confirmed' : 'order-confirmed-late',
    order.id,
  );
  // Last, because every buyer of the same boat waits from here to the commit.
  if (consumed) await sellHeldPlaces(tx, order.holdId);
  return mail;
}

function loadSoldLines(tx: Database, orderId: string) {
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
      status: sailings.status,
    })
    .from(orderLines)
    .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
    .where(and(eq(orderLines.orderId, orderId), eq(orderLines.status, 'active')))
    .orderBy(orderLines.position);
}
