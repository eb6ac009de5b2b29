import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { and, eq, gt, gte, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { sailings } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { forEachChunk, upsertRows } from './bulk.ts';
import type { PlannedSailing } from './feed/departures.ts';
import type { PlanPart } from './feed/prepare-feed-worker.ts';
import type { CatalogueIds } from './write-catalogue.ts';

export type SailingCounts = {
  added: number;
  changed: number;
  cancelled: number;
  removed: number;
  unchanged: number;
};

/** An order whose passengers must be notified. */
type AffectedOrder = { orderId: string; why: 'sailing_cancelled' | 'sailing_changed' };

type Stored = typeof sailings.$inferSelect;
type Wanted = Omit<typeof sailings.$inferInsert, 'id'> & {
  departsAt: Date;
  arrivesAt: Date;
  salesCloseAt: Date;
};

/**
 * Updates the sailings to the plan, part by part, so that other requests are served in between. Past sailings stay
 * unchanged. A sailing missing from the plan is deleted if it has no holds and no orders, otherwise canceled. Orders on
 * it, and on sailings with new times, are marked for attention.
 */
export async function writeSailings(
  db: Database,
  input: { today: string; parts: readonly PlanPart[]; ids: CatalogueIds; now: Date },
): Promise<{ counts: SailingCounts; affected: AffectedOrder[] }> {
  const { today, parts, ids, now } = input;
  const counts: SailingCounts = { added: 0, changed: 0, cancelled: 0, removed: 0, unchanged: 0 };
  const retimed: string[] = [];
  const restored: string[] = [];
  const vanished: string[] = [];
  const current: string[] = [];
  for (const part of parts) {
    const isCurrent = or(gte(sailings.serviceDate, addDays(today, -1)), gt(sailings.departsAt, now));
    const stored = await db
      .select()
      .from(sailings)
      .where(and(isCurrent, isInPart(part)));
    const found = compare(stored, wantedOf(part, ids, now), now);
    await upsertRows(
      db,
      sailings,
      [sailings.routeId, sailings.serviceDate, sailings.gtfsTripKey],
      found.added,
    );
    await upsertRows(db, sailings, [sailings.id], found.changed);
    counts.added += found.added.length;
    counts.changed += found.changed.length;
    counts.unchanged += found.unchanged;
    retimed.push(...found.retimed);
    restored.push(...found.restored);
    vanished.push(...found.vanished);
    for (const { id } of [...stored, ...found.added]) current.push(id);
    await nextEventLoopTurn();
  }
  const back = await markRestored(db, restored, now);
  const moved = await markOrders(db, retimed, 'sailing_changed', now);
  const withdrawn = await withdraw(db, vanished, now);
  counts.cancelled = withdrawn.sailings;
  counts.removed = vanished.length - withdrawn.sailings;
  await forEachChunk(current, (list) => writeCapacities(db, list, now));
  return { counts, affected: [...back, ...moved, ...withdrawn.affected] };
}

function isInPart({ after, until }: PlanPart): SQL | undefined {
  return and(after === null ? undefined : gt(sailings.serviceDate, after), lte(sailings.serviceDate, until));
}

function wantedOf(part: PlanPart, ids: CatalogueIds, now: Date): Wanted[] {
  return (JSON.parse(part.sailings) as PlannedSailing[]).map((sailing) => ({
    routeId: ids.routes.get(sailing.routeKey) ?? '',
    vesselId: ids.vessels.get(sailing.vesselCode) ?? '',
    serviceDate: sailing.serviceDate,
    gtfsTripKey: sailing.tripKey,
    departsAt: new Date(sailing.departsAt),
    arrivesAt: new Date(sailing.arrivesAt),
    salesCloseAt: new Date(sailing.salesCloseAt),
    updatedAt: now,
  }));
}

type Comparison = {
  added: (typeof sailings.$inferInsert)[];
  changed: (typeof sailings.$inferInsert)[];
  /** Ids of sailings whose passengers must be notified. */
  retimed: string[];
  /** Ids of sailings that an earlier import had withdrawn. */
  restored: string[];
  vanished: string[];
  unchanged: number;
};

function compare(stored: readonly Stored[], wanted: readonly Wanted[], now: Date): Comparison {
  const left = new Map(stored.map((sailing) => [identityOf(sailing), sailing]));
  const result: Comparison = {
    added: [],
    changed: [],
    retimed: [],
    restored: [],
    vanished: [],
    unchanged: 0,
  };
  for (const sailing of wanted) {
    const key = identityOf(sailing);
    const before = left.get(key);
    left.delete(key);
    if (!before) {
      result.added.push({ id: newId('slg'), ...sailing });
      continue;
    }
    const isRetimed = !isSameTime(before, sailing) || before.withdrawn;
    const isSame =
      !isRetimed &&
      before.vesselId === sailing.vesselId &&
      before.salesCloseAt.getTime() === sailing.salesCloseAt.getTime();
    if (isSame || before.departsAt <= now) {
      result.unchanged += 1;
      continue;
    }
    if (isRetimed) result.retimed.push(before.id);
    if (before.withdrawn) result.restored.push(before.id);
    const { id, version } = before;
    result.changed.push({ id, ...sailing, ...reinstated(before), version: version + 1 });
  }
  for (const sailing of left.values()) {
    if (sailing.departsAt > now && sailing.status !== 'cancelled') result.vanished.push(sailing.id);
  }
  return result;
}

function identityOf(sailing: Pick<Stored, 'routeId' | 'serviceDate' | 'gtfsTripKey'>): string {
  return `${sailing.routeId} ${sailing.serviceDate} ${sailing.gtfsTripKey}`;
}

function isSameTime(
  a: Pick<Stored, 'departsAt' | 'arrivesAt'>,
  b: Pick<Wanted, 'departsAt' | 'arrivesAt'>,
): boolean {
  return a.departsAt.getTime() === b.departsAt.getTime() && a.arrivesAt.getTime() === b.arrivesAt.getTime();
}

/** A sailing withdrawn by the timetable is reinstated by it; one canceled by staff is not. */
function reinstated(before: Stored): Pick<Stored, 'status' | 'statusText' | 'withdrawn'> {
  const { status, statusText } = before;
  if (!before.withdrawn) return { status, statusText, withdrawn: false };
  return { status: 'scheduled', statusText: '', withdrawn: false };
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
      select from sailing_capacity where sailing_id in ${list} order by sailing_id, resource for update`);
    await db.execute(sql`select from sailings where id in ${list} order by id for update`);
    const rows = await rowsOf<{ id: string }>(
      db,
      sql`select id from sailings s where id in ${list} and (${isReferredTo})`,
    );
    inUse.push(...rows.map((row) => row.id));
    await db.execute(sql`delete from sailings s where id in ${list} and not (${isReferredTo})`);
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
 * Capacity of every future sailing of a list, from its vessel and route. Held and sold places stay: if they exceed the
 * new capacity, the sailing is marked oversubscribed and sales stop.
 */
async function writeCapacities(db: Database, list: SQL, now: Date): Promise<void> {
  const wanted = sql`
    select s.id as sailing_id, r.resource, r.total, r.total * v.online_percent / 100 as sellable
    from sailings s
    join vessels v on v.id = s.vessel_id
    join routes on routes.id = s.route_id
    cross join lateral (values
      ('passenger', v.passenger_capacity),
      ('lane_cm', case when routes.carries_vehicles then v.lane_cm else 0 end),
      ('tall_lane_cm', case when routes.carries_vehicles then v.tall_lane_cm else 0 end),
      ('bicycle', case when routes.carries_bicycles then v.bicycle_capacity else 0 end)
    ) as r(resource, total)
    where s.id in ${list} and s.departs_at > ${now.toISOString()}`;
  await db.execute(sql`
    insert into sailing_capacity (sailing_id, resource, total, sellable_online)
    select w.sailing_id, w.resource, w.total, w.sellable from (${wanted}) w
    where w.total > 0
      and not exists (select from sailing_capacity c
        where c.sailing_id = w.sailing_id and c.resource = w.resource)
    order by w.sailing_id, w.resource
    on conflict do nothing`);
  await db.execute(sql`
    update sailing_capacity c
    set total = w.total, sellable_online = greatest(w.sellable, c.held + c.sold)
    from (${wanted}) w
    where c.sailing_id = w.sailing_id and c.resource = w.resource
      and (c.total <> w.total or c.sellable_online <> greatest(w.sellable, c.held + c.sold))`);
  await db.execute(sql`
    update sailings s set oversubscribed = o.is_over
    from (
      select c.sailing_id, bool_or(c.held + c.sold > c.total) as is_over
      from sailing_capacity c where c.sailing_id in ${list} group by c.sailing_id
    ) o
    where o.sailing_id = s.id and s.departs_at > ${now.toISOString()} and s.oversubscribed <> o.is_over`);
}
