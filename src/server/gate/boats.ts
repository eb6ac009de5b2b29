import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { orders, tickets } from '#server/database/schema/sales.ts';
import { sailings } from '#server/database/schema/timetable.ts';

export type BoatRow = Pick<
  typeof sailings.$inferSelect,
  'id' | 'voyageId' | 'status' | 'checkInClosedAt' | 'departedAt'
>;

/** The sailings that leave on the boat of one of them; empty if the id is unknown. */
function selectBoat(db: Database, sailingId: string) {
  const { id, voyageId, status, checkInClosedAt, departedAt } = sailings;
  const isSameBoat = sql`(${voyageId}, ${sailings.firstStop}) =
    (select s.voyage_id, s.first_stop from sailings s where s.id = ${sailingId})`;
  return db
    .select({ id, voyageId, status, checkInClosedAt, departedAt })
    .from(sailings)
    .where(and(isSameBoat, eq(sailings.withdrawn, false)))
    .orderBy(id);
}

/** Reads them as they are in the database. */
export async function readBoatRows(db: Database, sailingId: string): Promise<BoatRow[]> {
  return selectBoat(db, sailingId);
}

/** Like `readBoatRows`; they cannot change until the transaction ends. */
export async function lockBoat(tx: Database, sailingId: string): Promise<BoatRow[]> {
  return selectBoat(tx, sailingId).for('no key update');
}

/** Locks the orders with tickets of boats, or with some of the tickets, as every other change of tickets does. */
export async function lockOrders(
  tx: Database,
  { sailingIds, ticketIds = [] }: { sailingIds: readonly string[]; ticketIds?: readonly string[] },
): Promise<void> {
  const withTickets = tx
    .select({ id: tickets.orderId })
    .from(tickets)
    .where(or(inArray(tickets.sailingId, [...sailingIds]), inArray(tickets.id, [...ticketIds])));
  await tx
    .select({ id: orders.id })
    .from(orders)
    .where(inArray(orders.id, withTickets))
    .orderBy(orders.id)
    .for('no key update');
}
