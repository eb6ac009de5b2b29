import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '../database/database.ts';
import { sailings, voyages } from '../database/schema/timetable.ts';
import { forEachChunk, upsertRows } from './bulk.ts';
import { compareParts, type WantedTimetable } from './compare-parts.ts';
import type { VoyageChanges } from './compare-voyages.ts';
import { type AffectedOrder, markOrders, markReinstated } from './notify-passengers.ts';
import { recountCapacities, writeCapacities } from './write-capacities.ts';

export type SailingCounts = {
  added: number;
  changed: number;
  cancelled: number;
  removed: number;
  unchanged: number;
};

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
  const back = await markReinstated(db, { ids: restored, now });
  const moved = await markOrders(db, { ids: retimed, why: 'sailing_changed', now });
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
    const rows = await queryRows<{ id: string }>(
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
  return {
    sailings: inUse.length,
    affected: await markOrders(db, { ids: inUse, why: 'sailing_cancelled', now }),
  };
}

const isReferredTo: SQL = sql`
  exists (select from hold_items where sailing_id = s.id)
  or exists (select from order_lines where sailing_id = s.id)
  or exists (select from line_capacity where sailing_id = s.id)
  or exists (select from tickets where sailing_id = s.id)`;
