import { and, asc, inArray, sql } from 'drizzle-orm';
import type { Queue } from '#contract/gate/queue/schemas.ts';
import { countFree, type Fit, type FreePlaces, findFitting } from '#domain/boarding/turn-up-queue.ts';
import { type CapacityResource, getCapacityNeeded } from '#domain/fares/capacity.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import { COUNT_SELLABLE_AT_RAMP } from '#server/capacity/sale-conditions.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { queueEntries } from '#server/database/schema/gate.ts';
import { notFound } from '#server/http/api-error.ts';
import {
  type CatalogueRecord,
  findTimetable,
  loadCatalogue,
  type TimetableRecord,
} from '#server/sailings/queries.ts';
import { readBoatRows } from '../boats.ts';
import { findNextBoat, type QueueEntryRow, WAITING } from './leave-behind.ts';

/**
 * The queue of a boat at one port, and who of it fits into what is free now.
 * @param sailingId one of the boat's sailings
 * @throws {ApiError} not_found
 */
export async function readQueue(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  sailingId: string,
): Promise<Queue> {
  const boat = await readBoatRows(db, sailingId);
  const ids = boat.map(({ id }) => id);
  const boats = await findTimetable(db, ids);
  const [first] = boats;
  if (first === undefined) throw notFound();
  const catalogue = await loadCatalogue(db);
  const free = await readFreePlaces(db, first.voyageId);
  const waiting = await listWaiting(db, ids);
  const fitting = findFitting(
    waiting.flatMap((entry) => {
      const sailing = boats.find(({ id }) => id === entry.sailingId);
      return sailing ? [describeNeeds(entry, sailing, catalogue)] : [];
    }),
    free,
  );
  const next = await findNextBoat(db, sailingId);
  return {
    entries: waiting.map((entry) => presentEntry(entry, fitting)),
    free: boats.map((sailing) => ({ sailing_id: sailing.id, places: presentFree(sailing, free) })),
    next_departs_local: next && formatLocalTime(next.departsAt.getTime(), first.origin.timeZone),
    as_of: clock.now().toISOString(),
  };
}

type WaitingRow = QueueEntryRow & { status: (typeof WAITING)[number] };

async function listWaiting(db: Database, sailingIds: readonly string[]): Promise<WaitingRow[]> {
  const rows = await db
    .select()
    .from(queueEntries)
    .where(and(inArray(queueEntries.sailingId, [...sailingIds]), inArray(queueEntries.status, [...WAITING])))
    .orderBy(asc(queueEntries.arrivedAt), asc(queueEntries.id));
  return rows as WaitingRow[];
}

/** What a ramp may sell on each stretch of a voyage. */
async function readFreePlaces(db: Database, voyageId: string): Promise<FreePlaces[]> {
  return queryRows<FreePlaces>(
    db,
    sql`
    select c.stretch, c.resource, ${COUNT_SELLABLE_AT_RAMP} - c.held - c.sold as amount, c.held_back as "heldBack"
    from voyage_capacity c where c.voyage_id = ${voyageId} and c.total > 0`,
  );
}

function describeNeeds(
  { id, party }: QueueEntryRow,
  { firstStop, lastStop, vessel }: TimetableRecord,
  { vehicleTypes }: CatalogueRecord,
) {
  const type = vehicleTypes.find(({ code }) => code === party.vehicle?.type) ?? null;
  return { id, firstStop, lastStop, needs: getCapacityNeeded(party, type, vessel) };
}

const RESOURCES: readonly CapacityResource[] = ['passenger', 'lane_cm', 'tall_lane_cm', 'bicycle'];

function presentFree({ firstStop, lastStop }: TimetableRecord, free: readonly FreePlaces[]) {
  return RESOURCES.filter((resource) => free.some((places) => places.resource === resource)).map(
    (resource) => ({ resource, amount: countFree(free, { resource, firstStop, lastStop }) }),
  );
}

function presentEntry(entry: WaitingRow, fitting: ReadonlyMap<string, Fit>): Queue['entries'][number] {
  const { id, sailingId, arrivedAt, movedFrom, party, plate, label, phone, status } = entry;
  const { passengers, vehicle, bicycles } = party;
  return {
    ...{ id, sailing_id: sailingId, arrived_at: arrivedAt.toISOString(), plate, label, phone, status },
    party: { passengers: [...passengers], vehicle, bicycles },
    was_left_behind: movedFrom !== null,
    ...{ fits: fitting.get(id) === 'free', fits_held_back: fitting.get(id) === 'held_back' },
  };
}
