import { and, desc, eq, inArray, isNotNull, type SQL } from 'drizzle-orm';
import { type AuditActor, recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { departureCounts } from '#server/database/schema/gate.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { type Counted, countPeople, sum } from './count-people.ts';
import { queueMasterMail } from './master-mail.ts';

type DepartureCount = typeof departureCounts.$inferSelect;
/** Sailings of one voyage from one port leave on the same boat. */
type Boat = Pick<DepartureCount, 'voyageId' | 'stop'> & { sailingIds: readonly string[] };

/** Counts the people aboard a boat that leaves, and tells its master. Call it in the transaction of the departure. */
export async function countDeparture(
  tx: Database,
  sailingIds: readonly string[],
  now: Date,
): Promise<Counted> {
  const [boat] = await findDeparted(tx, inArray(sailings.id, [...sailingIds]));
  if (!boat) throw new Error('The boat has not departed.');
  const counted = await countPeople(tx, boat.sailingIds);
  await store(tx, { boat, counted, number: (await findLast(tx, boat))?.number ?? 0, now });
  return counted;
}

/**
 * Counts again the departed boats of sailings after late reports, also at the later ports of their voyages. A number that
 * differs from the last one is recorded and sent to the master.
 */
export async function correctDepartures(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { sailingIds, actor }: { sailingIds: readonly string[]; actor: AuditActor },
): Promise<void> {
  if (sailingIds.length === 0) return;
  const ofVoyages = tx
    .select({ id: sailings.voyageId })
    .from(sailings)
    .where(inArray(sailings.id, [...sailingIds]));
  for (const boat of await findDeparted(tx, inArray(sailings.voyageId, ofVoyages))) {
    const last = await findLast(tx, boat);
    const counted = await countPeople(tx, boat.sailingIds);
    if (!last || describeCount(last) === describeCount(counted)) continue;
    await store(tx, { boat, counted, number: last.number, now: clock.now() });
    const [objectId = ''] = boat.sailingIds;
    await recordAudit(
      tx,
      { clock },
      {
        ...{ actor, action: 'people_aboard_corrected', objectKind: 'sailing', objectId, reason: null },
        before: auditCount(last),
        after: auditCount(counted),
      },
    );
  }
}

/** The fields of a count in the audit log. */
export function auditCount({ byType, unticketed, through, people }: Counted) {
  return {
    people,
    with_ticket: sum(Object.values(byType)),
    without_ticket: unticketed,
    from_earlier_ports: through,
  };
}

async function findDeparted(tx: Database, condition: SQL): Promise<Boat[]> {
  const { id, voyageId, firstStop: stop } = sailings;
  const rows = await tx
    .select({ id, voyageId, stop })
    .from(sailings)
    .where(and(condition, isNotNull(sailings.departedAt)))
    .orderBy(stop, sailings.lastStop);
  const boats = Map.groupBy(rows, (row) => `${row.voyageId} ${row.stop}`);
  return [...boats.values()].flatMap((sailingsOfBoat) =>
    sailingsOfBoat.slice(0, 1).map((first) => ({
      ...{ voyageId: first.voyageId, stop: first.stop },
      sailingIds: sailingsOfBoat.map((each) => each.id),
    })),
  );
}

async function findLast(tx: Database, { voyageId, stop }: Boat): Promise<DepartureCount | undefined> {
  const [last] = await tx
    .select()
    .from(departureCounts)
    .where(and(eq(departureCounts.voyageId, voyageId), eq(departureCounts.stop, stop)))
    .orderBy(desc(departureCounts.number))
    .limit(1);
  return last;
}

type NewCount = { boat: Boat; counted: Counted; number: number; now: Date };

/** @param input number: of the last count of the departure; 0: it is the first */
async function store(tx: Database, { boat, counted, number, now }: NewCount): Promise<void> {
  const { voyageId, stop, sailingIds } = boat;
  await tx
    .insert(departureCounts)
    .values({ ...{ voyageId, stop, number: number + 1, countedAt: now }, ...counted });
  const [sailingId = ''] = sailingIds;
  await queueMasterMail(tx, sailingId, now);
}

function describeCount({ byType, unticketed, through }: Counted): string {
  return JSON.stringify([Object.entries(byType).toSorted(), unticketed, through]);
}
