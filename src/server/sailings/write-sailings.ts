import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { sailings, voyages } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { forEachChunk, upsertRows } from './bulk.ts';
import { compareParts, type WantedTimetable } from './compare-parts.ts';
import type { VoyageChanges } from './compare-voyages.ts';

export type SailingCounts = {
  added: number;
  changed: number;
  cancelled: number;
  removed: number;
  unchanged: number;
};

/** An order whose passengers must be notified. */
type AffectedOrder = { orderId: string; why: 'sailing_cancelled' | 'sailing_changed' };

/**
 * Updates the voyages and their sailings to the plan, part by part, so that other requests are served in between. Past
 * sailings stay unchanged. A sailing missing from the plan is deleted if it has no holds and no orders, otherwise
 * canceled. Orders on it, and on sailings with new times, are marked for attention.
 */
export async function writeSailings(
  db: Database,
  timetable: WantedTimetable,
): Promise<{ counts: SailingCounts; affected: AffectedOrder[] }> {
  const { now } = timetable;
  const counts: SailingCounts = { added: 0, changed: 0, cancelled: 0, removed: 0, unchanged: 0 };
  const retimed: string[] = [];
  const restored: string[] = [];
  const vanished: string[] = [];
  const voyageIds = new Set<string>();
  const rerouted: VoyageChanges[] = [];
  for await (const { changes, storedVoyageIds } of compareParts(db, timetable)) {
    if (changes.rerouted.length > 0) rerouted.push(changes);
    else await writeChanges(db, changes);
    counts.added += changes.addedSailings.length;
    counts.changed += changes.changedSailings.length;
    counts.unchanged += changes.unchanged;
    retimed.push(...changes.retimed);
    restored.push(...changes.restored);
    vanished.push(...changes.vanished);
    for (const id of storedVoyageIds) voyageIds.add(id);
    for (const { id } of changes.voyages) voyageIds.add(id);
  }
  await writeRerouted(db, rerouted, now);
  const back = await markRestored(db, restored, now);
  const moved = await markOrders(db, retimed, 'sailing_changed', now);
  const withdrawn = await withdraw(db, vanished, now);
  counts.cancelled = withdrawn.sailings;
  counts.removed = vanished.length - withdrawn.sailings;
  await forEachChunk([...voyageIds], (list) => writeCapacities(db, list, now));
  return { counts, affected: [...back, ...moved, ...withdrawn.affected] };
}

async function writeChanges(db: Database, changes: VoyageChanges): Promise<void> {
  await upsertRows(db, voyages, [voyages.id], changes.voyages);
  await upsertRows(db, sailings, [sailings.id], changes.addedSailings);
  await upsertRows(db, sailings, [sailings.id], changes.changedSailings);
}

/**
 * Writes voyages that call at other ports than before, and counts their taken places again, because their sailings
 * cover other stretches. The lock makes purchases wait before they read which stretches a sailing covers, so no place
 * is counted on a former stretch.
 */
async function writeRerouted(db: Database, parts: readonly VoyageChanges[], now: Date): Promise<void> {
  if (parts.length === 0) return;
  await db.execute(sql`lock table voyage_capacity in share row exclusive mode`);
  for (const changes of parts) {
    await writeChanges(db, changes);
    await forEachChunk(changes.rerouted, (list) => recountCapacities(db, list, now));
  }
}

/** @returns how many of the sailings were canceled; the others were deleted */
async function withdraw(
  db: Database,
  ids: readonly string[],
  now: Date,
): Promise<{ sailings: number; affected: AffectedOrder[] }> {
  const inUse: string[] = [];
  await forEachChunk(ids, async (list) => {
    // Purchases lock a sailing's capacity before they refer to the sailing. The same order here prevents both deadlocks
    // and purchases on a sailing being deleted.
    await db.execute(sql`
      select from voyage_capacity where voyage_id in (select voyage_id from sailings where id in ${list})
      order by voyage_id, stretch, resource for update`);
    await db.execute(sql`select from sailings where id in ${list} order by id for update`);
    const rows = await rowsOf<{ id: string }>(
      db,
      sql`select id from sailings s where id in ${list} and (${isReferredTo})`,
    );
    inUse.push(...rows.map((row) => row.id));
    await db.execute(sql`
      with removed as (
        delete from sailings s where id in ${list} and not (${isReferredTo}) returning id, voyage_id
      )
      delete from voyages v using removed where v.id = removed.voyage_id and not exists (
        select from sailings s where s.voyage_id = v.id and s.id not in (select id from removed))`);
  });
  await forEachChunk(inUse, async (list) => {
    await db.execute(sql`
      update sailings set status = 'cancelled', withdrawn = true, version = version + 1,
        status_text = 'This sailing is no longer in the timetable.', updated_at = ${now.toISOString()}
      where id in ${list}`);
  });
  return { sailings: inUse.length, affected: await markOrders(db, inUse, 'sailing_cancelled', now) };
}

const isReferredTo: SQL = sql`
  exists (select from hold_items where sailing_id = s.id)
  or exists (select from order_lines where sailing_id = s.id)
  or exists (select from line_capacity where sailing_id = s.id)
  or exists (select from tickets where sailing_id = s.id)`;

/**
 * Marks the orders on some sailings for attention. Never replaces a doubtful payment, or a cancellation by a change of
 * time.
 * @returns the orders whose passengers must be notified
 */
async function markOrders(
  db: Database,
  sailingIds: readonly string[],
  why: AffectedOrder['why'],
  now: Date,
): Promise<AffectedOrder[]> {
  const condition = sql`status in ('held', 'awaiting_payment', 'confirmed', 'partly_cancelled')
    and (needs_attention is null or needs_attention = 'sailing_changed')`;
  return setAttention(db, sailingIds, { why, now, condition });
}

/** A reinstated sailing is a change for its passengers, unless another leg is still canceled. */
async function markRestored(
  db: Database,
  sailingIds: readonly string[],
  now: Date,
): Promise<AffectedOrder[]> {
  const condition = sql`needs_attention = 'sailing_cancelled'
    and not exists (
      select from order_lines l join sailings s on s.id = l.sailing_id
      where l.order_id = orders.id and l.status = 'active' and s.status = 'cancelled')`;
  return setAttention(db, sailingIds, { why: 'sailing_changed', now, condition });
}

/** Passengers of paid orders are notified; a buyer who has not paid yet sees the change on the form. */
async function setAttention(
  db: Database,
  sailingIds: readonly string[],
  { why, now, condition }: { why: AffectedOrder['why']; now: Date; condition: SQL },
): Promise<AffectedOrder[]> {
  const affected: AffectedOrder[] = [];
  await forEachChunk(sailingIds, async (list) => {
    const rows = await rowsOf<{ id: string; status: string }>(
      db,
      sql`
      update orders set needs_attention = ${why}, version = version + 1, updated_at = ${now.toISOString()}
      where ${condition}
        and id in (select order_id from order_lines where status = 'active' and sailing_id in ${list})
      returning id, status`,
    );
    for (const { id, status } of rows) {
      if (status === 'confirmed' || status === 'partly_cancelled') affected.push({ orderId: id, why });
    }
  });
  return affected;
}

/** Queues one mail per order: its sailing has new times or is canceled. */
export async function notifyPassengers(
  tx: Database,
  context: Pick<Context, 'clock'>,
  affected: readonly AffectedOrder[],
): Promise<void> {
  for (const { orderId, why } of affected) {
    await queueOrderMail(
      tx,
      context,
      why === 'sailing_cancelled' ? 'sailing-cancelled' : 'sailing-changed',
      orderId,
    );
  }
}

/**
 * Cancels a sailing, marks its orders for attention and notifies their passengers. Does nothing if the sailing is
 * already canceled. A later import does not reinstate it.
 * @param input statusText: one or two sentences for passengers, the reason and what to do
 */
export async function cancelSailing(
  context: Pick<Context, 'db' | 'clock'>,
  { sailingId, statusText }: { sailingId: string; statusText: string },
): Promise<void> {
  const now = context.clock.now();
  await inTransaction(context.db, async (tx) => {
    const [cancelled] = await tx
      .update(sailings)
      .set({ status: 'cancelled', statusText, version: sql`${sailings.version} + 1`, updatedAt: now })
      .where(and(eq(sailings.id, sailingId), ne(sailings.status, 'cancelled')))
      .returning({ id: sailings.id });
    if (!cancelled) return;
    await notifyPassengers(tx, context, await markOrders(tx, [cancelled.id], 'sailing_cancelled', now));
  });
}

/**
 * Capacity of the stretches ahead of some voyages, from their vessels. Taken places stay: if they exceed
 * the new capacity, the sailings that cover the stretch are marked oversubscribed and their sales stop.
 */
async function writeCapacities(db: Database, list: SQL, now: Date): Promise<void> {
  const wanted = wantedCapacities(list, now);
  await db.execute(sql`
    insert into voyage_capacity (voyage_id, stretch, resource, total, sellable_online)
    select w.voyage_id, w.stretch, w.resource, w.total, w.sellable from (${wanted}) w
    where w.total > 0
      and not exists (select from voyage_capacity c
        where c.voyage_id = w.voyage_id and c.stretch = w.stretch and c.resource = w.resource)
    order by w.voyage_id, w.stretch, w.resource
    on conflict do nothing`);
  await db.execute(sql`
    update voyage_capacity c
    set total = w.total, sellable_online = greatest(w.sellable, c.held + c.sold)
    from (${wanted}) w
    where c.voyage_id = w.voyage_id and c.stretch = w.stretch and c.resource = w.resource
      and (c.total <> w.total or c.sellable_online <> greatest(w.sellable, c.held + c.sold))`);
  await db.execute(sql`
    update sailings s set oversubscribed = o.is_over
    from (
      select s.id, bool_or(c.held + c.sold > c.total) as is_over
      from sailings s
      join voyage_capacity c on c.voyage_id = s.voyage_id and c.stretch >= s.first_stop and c.stretch < s.last_stop
      where s.voyage_id in ${list} group by s.id
    ) o
    where o.id = s.id and s.departs_at > ${now.toISOString()} and s.oversubscribed <> o.is_over`);
}

/** The capacity of each stretch that departs after `now`: that of the vessel, without what no route carries. */
function wantedCapacities(voyageIds: SQL, now: Date): SQL {
  return sql`
    select voy.id as voyage_id, stop.place::int - 1 as stretch, r.resource, r.total,
      r.total * v.online_percent / 100 as sellable
    from voyages voy
    join vessels v on v.id = voy.vessel_id
    cross join lateral (
      select bool_or(carries_vehicles) as vehicles, bool_or(carries_bicycles) as bicycles
      from sailings s join routes on routes.id = s.route_id where s.voyage_id = voy.id
    ) as carried
    cross join lateral jsonb_array_elements(voy.stops) with ordinality as stop (value, place)
    cross join lateral (values
      ('passenger', v.passenger_capacity),
      ('lane_cm', case when carried.vehicles then v.lane_cm else 0 end),
      ('tall_lane_cm', case when carried.vehicles then v.tall_lane_cm else 0 end),
      ('bicycle', case when carried.bicycles then v.bicycle_capacity else 0 end)
    ) as r (resource, total)
    where voy.id in ${voyageIds} and (stop.value ->> 'departs_at')::timestamptz > ${now.toISOString()}`;
}

/** Replaces the capacity of voyages, with the places that active holds and paid orders take on each stretch. */
async function recountCapacities(db: Database, list: SQL, now: Date): Promise<void> {
  await db.execute(sql`delete from voyage_capacity where voyage_id in ${list}`);
  await db.execute(sql`
    with taken as (
      select i.sailing_id, i.resource, i.amount as held, 0 as sold
      from hold_items i join holds h on h.id = i.hold_id
      where h.status = 'active'
      union all
      select p.sailing_id, p.resource, 0, p.amount
      from line_capacity p
      join order_lines l on l.id = p.line_id and l.status = 'active'
      join orders o on o.id = l.order_id and o.status in ('confirmed', 'partly_cancelled', 'completed')
    )
    insert into voyage_capacity (voyage_id, stretch, resource, total, sellable_online, held, sold)
    select w.voyage_id, w.stretch, w.resource, w.total, greatest(w.sellable, t.held + t.sold), t.held, t.sold
    from (${wantedCapacities(list, now)}) w
    cross join lateral (
      select coalesce(sum(taken.held), 0)::int as held, coalesce(sum(taken.sold), 0)::int as sold
      from sailings s join taken on taken.sailing_id = s.id
      where s.voyage_id = w.voyage_id and s.first_stop <= w.stretch and s.last_stop > w.stretch
        and taken.resource = w.resource
    ) t
    where w.total > 0 or t.held + t.sold > 0`);
}
