import { and, gt, sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { wakeMessageWorkers } from '#server/push/queue-pushes.ts';
import { forEachChunk } from '../bulk.ts';
import { type AffectedOrder, markOrdersById, notifyPassengers } from '../notices/notify-passengers.ts';
import { writeCapacities } from '../write-capacities.ts';
import { findOverbookedOrders } from './overbooked-orders.ts';

/**
 * Marks paid orders that no longer fit on oversubscribed sailings with `no_room`, and clears it of those that fit again,
 * because a larger vessel runs or others canceled. Also puts the places of oversubscribed sailings on sale again, because
 * buyers may have canceled theirs. An order of which a boat has departed keeps `no_room`, because that may be the boat
 * without room.
 * @returns these orders, whose passengers must be notified
 */
export async function reviewRoom(tx: Database, { clock }: Pick<Context, 'clock'>): Promise<AffectedOrder[]> {
  const now = clock.now();
  const marked = await queryRows<{ orderId: string; voyageId: string }>(
    tx,
    sql`
    select distinct o.id as "orderId", s.voyage_id as "voyageId"
    from orders o
    join order_lines l on l.order_id = o.id and l.status = 'active'
    join sailings s on s.id = l.sailing_id
    where o.needs_attention = 'no_room' and o.status in ('confirmed', 'partly_canceled')
      and not exists (
        select from order_lines gone join sailings d on d.id = gone.sailing_id
        where gone.order_id = o.id and gone.status = 'active' and d.departs_at <= ${now.toISOString()})`,
  );
  const oversubscribed = await tx
    .selectDistinct({ voyageId: sailings.voyageId })
    .from(sailings)
    .where(and(sailings.oversubscribed, gt(sailings.departsAt, now)));
  const voyageIds = [...new Set([...marked, ...oversubscribed].map(({ voyageId }) => voyageId))];
  if (voyageIds.length === 0) return [];
  await forEachChunk(voyageIds, (list) => writeCapacities(tx, list, now));
  const overbooked = new Set((await findOverbookedOrders(tx, voyageIds)).map(({ orderId }) => orderId));
  const fitting = marked.map(({ orderId }) => orderId).filter((id) => !overbooked.has(id));
  return [
    // Also an order that was paid after the vessel had changed: held places are sold without a look at the room.
    ...(await markOrdersById(tx, { ids: [...overbooked], why: 'no_room', now })),
    ...(await clearNoRoom(tx, [...new Set(fitting)], now)),
  ];
}

async function clearNoRoom(tx: Database, orderIds: readonly string[], now: Date): Promise<AffectedOrder[]> {
  const cleared: AffectedOrder[] = [];
  await forEachChunk(orderIds, async (list) => {
    const rows = await queryRows<{ id: string }>(
      tx,
      sql`
      update orders set needs_attention = null, version = version + 1, updated_at = ${now.toISOString()}
      where id in ${list} and needs_attention = 'no_room'
      returning id`,
    );
    for (const { id } of rows) cleared.push({ orderId: id, why: 'sailing_changed' });
  });
  return cleared;
}

/**
 * Does this regularly, because cancellations make room. Also makes missing offers to orders that were paid while their
 * sailing was being canceled, if the process died before `reviewSale`.
 */
export async function registerNoRoomJobs(
  context: Pick<Context, 'config' | 'db' | 'clock' | 'jobs'>,
): Promise<void> {
  await context.jobs.work('clear-no-room', async () => {
    const { notified } = await inTransaction(context.db, async (tx) =>
      notifyPassengers(tx, context, { affected: await reviewRoom(tx, context) }),
    );
    if (notified > 0) wakeMessageWorkers(context.jobs);
  });
  await context.jobs.schedule('clear-no-room', '*/10 * * * *');
}
