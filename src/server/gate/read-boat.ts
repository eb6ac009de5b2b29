import { and, eq, inArray, sql } from 'drizzle-orm';
import type { GateSailing } from '#contract/gate/schemas.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import type { Database } from '#server/database/database.ts';
import { queueEntries } from '#server/database/schema/gate.ts';
import { translateSailing } from '#server/database/translate-sailing.ts';
import { countMissingDetails } from '#server/passenger-lists/listed-boats.ts';
import { findTimetable, type TimetableRecord } from '#server/sailings/queries.ts';
import { readBoatRows } from './boats.ts';
import { countThroughPassengers, countUnticketed, readPeopleAboard } from './count-people.ts';

/** The sailings of a voyage from the port of one of them, as gates see them; empty if the id is unknown. */
export async function readBoat(db: Database, sailingId: string, language: string): Promise<GateSailing[]> {
  const rows = await readBoatRows(db, sailingId);
  const boat = await findTimetable(
    db,
    rows.map(({ id }) => id),
  );
  return presentGateSailings(db, boat, language);
}

/** Sailings as gates see them, by departure. */
export async function presentGateSailings(
  db: Database,
  timetable: readonly TimetableRecord[],
  language: string,
): Promise<GateSailing[]> {
  const ids = timetable.map(({ id }) => id);
  if (ids.length === 0) return [];
  const counted = await countUnticketed(db, ids);
  const through = await countThroughPassengers(db, ids);
  const leftBehind = await countLeftBehind(db, ids);
  const missing = await countMissingDetails(db, timetable);
  const aboard = await readPeopleAboard(db, ids, language);
  return timetable
    .filter(({ withdrawn }) => !withdrawn)
    .toSorted((a, b) => a.departsAt.getTime() - b.departsAt.getTime() || a.lastStop - b.lastStop)
    .map((record) => {
      const { origin, destination, vessel, ...sailing } = translateSailing(record, language);
      const departs = sailing.departsAt.getTime();
      return {
        id: sailing.id,
        voyage_id: sailing.voyageId,
        route_id: sailing.routeId,
        origin_port_id: origin.id,
        origin: origin.name,
        destination: destination.name,
        service_date: sailing.serviceDate,
        departs_at: sailing.departsAt.toISOString(),
        departs_local: formatLocalTime(departs, origin.timeZone),
        departs_zone: origin.timeZone,
        delay_minutes: sailing.delayMinutes,
        status: sailing.status,
        check_in_closes_at: new Date(departs - sailing.route.checkInCloseMinutesFoot * 60_000).toISOString(),
        vessel: vessel.name,
        certificate: vessel.passengerCapacity,
        lane_cm: vessel.laneCm + vessel.tallLaneCm,
        through_passengers: through.get(sailing.id) ?? 0,
        check_in_closed_at: sailing.checkInClosedAt?.toISOString() ?? null,
        departed_at: sailing.departedAt?.toISOString() ?? null,
        unticketed: counted.get(sailing.id) ?? 0,
        left_behind: leftBehind.get(sailing.id),
        travelers_without_details: missing.get(sailing.id) ?? null,
        people_aboard: aboard.get(sailing.id) ?? null,
      };
    });
}

/** Whom the boat left behind of the queue, by sailing. */
async function countLeftBehind(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, GateSailing['left_behind']>> {
  const rows = await db
    .select({
      sailingId: queueEntries.sailingId,
      people: sql<number>`sum(${queueEntries.people})::int`,
      vehicles: sql<number>`sum(${queueEntries.vehicles})::int`,
    })
    .from(queueEntries)
    .where(and(inArray(queueEntries.sailingId, [...ids]), eq(queueEntries.status, 'left_behind')))
    .groupBy(queueEntries.sailingId);
  return new Map(rows.map(({ sailingId, ...leftBehind }) => [sailingId, leftBehind]));
}
