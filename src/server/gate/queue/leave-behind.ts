import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { newId } from '#server/core/ids.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { queueEntries } from '#server/database/schema/gate.ts';

export type QueueEntryRow = typeof queueEntries.$inferSelect;

/** Parties with one of these still wait. */
export const WAITING = ['waiting', 'called'] as const;

type Boat = { sailingIds: readonly string[]; now: Date };

/**
 * Leaves behind who still waits for a boat, and has them wait for the next one of the route on the same day, if there is
 * one, in the order of arrival.
 * @returns how many people are left behind
 */
export async function leaveBehind(tx: Database, { sailingIds, now }: Boat): Promise<number> {
  const waiting = await tx
    .select()
    .from(queueEntries)
    .where(and(inArray(queueEntries.sailingId, [...sailingIds]), inArray(queueEntries.status, [...WAITING])))
    .orderBy(asc(queueEntries.arrivedAt), asc(queueEntries.id))
    .for('no key update');
  if (waiting.length === 0) return 0;
  await tx
    .update(queueEntries)
    .set({ status: 'left_behind', updatedAt: now })
    .where(
      inArray(
        queueEntries.id,
        waiting.map(({ id }) => id),
      ),
    );
  for (const sailingId of new Set(waiting.map((entry) => entry.sailingId))) {
    const next = await findNextBoat(tx, sailingId);
    const entries = waiting.filter((entry) => entry.sailingId === sailingId);
    if (next !== null)
      await tx.insert(queueEntries).values(entries.map((entry) => moveTo(next.id, entry, now)));
  }
  return waiting.reduce((sum, { people }) => sum + people, 0);
}

/** Who was left behind waits for the boat again, unless they were served, removed or left behind by a later one. */
export async function takeBackQueue(tx: Database, { sailingIds, now }: Boat): Promise<void> {
  const leftBehind = tx
    .select({ id: queueEntries.id })
    .from(queueEntries)
    .where(and(inArray(queueEntries.sailingId, [...sailingIds]), eq(queueEntries.status, 'left_behind')));
  await tx
    .delete(queueEntries)
    .where(and(inArray(queueEntries.movedFrom, leftBehind), inArray(queueEntries.status, [...WAITING])));
  await tx
    .update(queueEntries)
    .set({ status: 'waiting', updatedAt: now })
    .where(
      and(
        inArray(queueEntries.id, leftBehind),
        sql`not exists (select from queue_entries later where later.moved_from = ${queueEntries.id})`,
      ),
    );
}

/** The boat that takes who a sailing leaves behind. */
export async function findNextBoat(
  db: Database,
  sailingId: string,
): Promise<{ id: string; departsAt: Date } | null> {
  const [next] = await queryRows<{ id: string; departsAt: string | Date }>(
    db,
    sql`
    select n.id, n.departs_at as "departsAt"
    from sailings s
    join sailings n on n.route_id = s.route_id and n.service_date = s.service_date and n.departs_at > s.departs_at
    where s.id = ${sailingId} and n.status = 'scheduled' and not n.withdrawn and n.departed_at is null
    order by n.departs_at limit 1`,
  );
  return next === undefined ? null : { id: next.id, departsAt: new Date(next.departsAt) };
}

function moveTo(sailingId: string, { id, sale: _, ...entry }: QueueEntryRow, now: Date) {
  return {
    ...entry,
    ...{ id: newId('que'), sailingId, movedFrom: id },
    ...{ status: 'waiting' as const, insertedAt: now, updatedAt: now },
  };
}
