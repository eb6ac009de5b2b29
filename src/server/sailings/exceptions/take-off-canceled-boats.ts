import { and, eq, inArray, isNull } from 'drizzle-orm';
import { takeBackPlaces } from '#server/capacity/no-shows.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { gateEvents, gateEventTickets, ticketBoardings } from '#server/database/schema/gate.ts';
import { orders, tickets } from '#server/database/schema/sales.ts';
import { sailings } from '#server/database/schema/timetable.ts';

/** Those of `ids` that run are left alone. */
type CanceledBoats = { ids: readonly string[]; now: Date };

/**
 * Makes the tickets of boats that were canceled before they left what they were before check-in closed: of passengers who
 * are aboard, and of those who did not come. So all have the same choice.
 */
export async function takeOffCanceledBoats(tx: Database, boats: CanceledBoats): Promise<void> {
  if (boats.ids.length === 0) return;
  await forgiveNoShows(tx, boats);
  await takeOff(tx, boats);
}

const IS_CANCELED = and(eq(sailings.status, 'canceled'), isNull(sailings.departedAt));

/** A place that was sold to others meanwhile is not needed, because the boat does not run. */
async function forgiveNoShows(tx: Database, { ids }: CanceledBoats): Promise<void> {
  const missed = await tx
    .select({ id: tickets.id, orderId: tickets.orderId, sailingId: tickets.sailingId })
    .from(tickets)
    .innerJoin(sailings, eq(sailings.id, tickets.sailingId))
    .where(and(inArray(sailings.id, [...ids]), IS_CANCELED, eq(tickets.status, 'no_show')));
  if (missed.length === 0) return;
  const orderIds = missed.map(({ orderId }) => orderId);
  await tx
    .select({ id: orders.id })
    .from(orders)
    .where(inArray(orders.id, orderIds))
    .orderBy(orders.id)
    .for('no key update');
  await takeBackPlaces(
    tx,
    missed.map(({ sailingId }) => sailingId),
    ['no_show'],
  );
  const ticketIds = missed.map(({ id }) => id);
  await tx
    .update(tickets)
    .set({ status: 'issued' })
    .where(and(inArray(tickets.id, ticketIds), eq(tickets.status, 'no_show')));
}

async function takeOff(tx: Database, { ids, now }: CanceledBoats): Promise<void> {
  const aboard = await tx
    .select({ ticketId: ticketBoardings.ticketId, sailingId: ticketBoardings.sailingId })
    .from(ticketBoardings)
    .innerJoin(sailings, eq(sailings.id, ticketBoardings.sailingId))
    .where(and(inArray(ticketBoardings.sailingId, [...ids]), IS_CANCELED));
  if (aboard.length === 0) return;
  for (const [sailingId, group] of Map.groupBy(aboard, (each) => each.sailingId)) {
    const event = { id: newId('gev'), type: 'leave' as const, sailingId, device: '', staffId: null };
    await tx.insert(gateEvents).values({ ...event, occurredAt: now, receivedAt: now });
    await tx.insert(gateEventTickets).values(group.map(({ ticketId }) => ({ eventId: event.id, ticketId })));
  }
  const ticketIds = aboard.map(({ ticketId }) => ticketId);
  await tx.delete(ticketBoardings).where(inArray(ticketBoardings.ticketId, ticketIds));
  await tx
    .update(tickets)
    .set({ status: 'issued' })
    .where(and(inArray(tickets.id, ticketIds), eq(tickets.status, 'boarded')));
}
