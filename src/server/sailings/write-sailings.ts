import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { sailings, voyages } from '../database/schema/timetable.ts';
import { forEachChunk, upsertRows } from './bulk.ts';
import { compareParts, type ImportedTimetable } from './comparison/compare-parts.ts';
import type { VoyageChanges } from './comparison/compare-voyages.ts';
import { type AffectedOrder, markOrders, markReinstated } from './notices/notify-passengers.ts';
import { withdrawSailings } from './withdraw-sailings.ts';
import { addCapacities, recountCapacities, writeCapacities } from './write-capacities.ts';

/** With so many new voyages, statements planned by the statistics from before would scan whole tables. */
const MANY_VOYAGES = 1000;

export type SailingCounts = {
  added: number;
  changed: number;
  canceled: number;
  removed: number;
  unchanged: number;
};

/**
 * Updates the voyages and their sailings to the plan, part by part, so that other requests are served in between. Past
 * sailings stay unchanged. A sailing missing from the plan is deleted if it has no holds and no orders, otherwise
 * canceled. Orders on it, and on sailings with new times, are marked for attention.
 * @returns retimed: the sailings with new times
 */
export async function writeSailings(
  db: Database,
  timetable: ImportedTimetable,
): Promise<{ counts: SailingCounts; affected: AffectedOrder[]; retimed: string[] }> {
  const { now } = timetable;
  const counts: SailingCounts = { added: 0, changed: 0, canceled: 0, removed: 0, unchanged: 0 };
  const retimed: string[] = [];
  const restored: string[] = [];
  const vanished: string[] = [];
  const storedIds = new Set<string>();
  const newIds = new Set<string>();
  const rerouted: VoyageChanges[] = [];
  for await (const { changes, stored } of compareParts(db, timetable)) {
    if (changes.rerouted.length > 0) rerouted.push(changes);
    else await writeChanges(db, changes);
    counts.added += changes.addedSailings.length;
    counts.changed += changes.changedSailings.length;
    counts.unchanged += changes.unchanged;
    retimed.push(...changes.retimed);
    restored.push(...changes.restored);
    vanished.push(...changes.vanished);
    for (const { voyage } of stored) storedIds.add(voyage.id);
    for (const id of changes.rerouted) storedIds.add(id);
    for (const { id } of changes.voyages) if (!storedIds.has(id)) newIds.add(id);
  }
  await writeRerouted(db, rerouted, now);
  const back = await markReinstated(db, { ids: restored, now });
  const moved = await markOrders(db, { ids: retimed, why: 'sailing_changed', now });
  const withdrawn = await withdrawSailings(db, vanished, { kind: 'withdrawn', now });
  counts.canceled = withdrawn.sailings;
  counts.removed = vanished.length - withdrawn.sailings;
  if (newIds.size > MANY_VOYAGES) await db.execute(sql`analyze voyages, sailings`);
  await forEachChunk([...newIds], (list) => addCapacities(db, list, now));
  if (newIds.size > MANY_VOYAGES) await db.execute(sql`analyze voyage_capacity`);
  await forEachChunk([...storedIds], (list) => writeCapacities(db, list, now));
  return { counts, affected: [...back, ...moved, ...withdrawn.affected], retimed };
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
