import { type SQL, sql } from 'drizzle-orm';
import {
  createDoubleBookingFinder,
  type DoubleBooking,
  type VesselVoyage,
} from '#domain/sailings/double-bookings.ts';
import { addDays } from '#domain/time/days.ts';
import { getClockTime } from '#domain/time/port-time.ts';
import { type Database, queryRows } from '../database/database.ts';
import { ASSUMED_VESSEL } from './feed/departures.ts';

/** A voyage that runs, with its id. */
export type RunningVoyage = VesselVoyage & { id: string };

type Days = { from: string; until: string };

/** The vessels that are sold twice at the same time on service days, both inclusive. */
export async function findDoubleBookings(db: Database, { from, until }: Days): Promise<DoubleBooking[]> {
  const finder = createDoubleBookingFinder();
  // Day by day, so that memory does not grow with the timetable.
  for (let day = addDays(from, -1); day <= until; day = addDays(day, 1)) {
    finder.add(await readRunningVoyages(db, { from: day, until: day }));
  }
  return finder.list().filter(({ first }) => first[1].serviceDate >= from);
}

/** The last service day with sailings on sale, or the given one. */
export async function readLastDay(db: Database, from: string): Promise<string> {
  const [row] = await queryRows<{ day: string | null }>(
    db,
    sql`select max(service_date)::text as day from sailings where service_date >= ${from}`,
  );
  return row?.day ?? from;
}

/** The voyages of service days that run on a vessel of the operator's, by day and departure. */
export async function readRunningVoyages(db: Database, { from, until }: Days): Promise<RunningVoyage[]> {
  const rows = await queryRows<{
    id: string;
    vessel: string;
    name: string;
    line: string;
    day: string;
    starts: number;
    ends: number;
    port: string;
    zone: string;
  }>(
    db,
    sql`
      select v.id, ves.code as vessel, ves.name, v.gtfs_route_id as line, v.service_date::text as day,
        ${inMilliseconds(sql`v.stops -> 0 ->> 'departs_at'`)} as starts,
        ${inMilliseconds(sql`v.stops -> -1 ->> 'arrives_at'`)} as ends,
        p.name as port, p.time_zone as zone
      from voyages v
      join vessels ves on ves.id = v.vessel_id
      join ports p on p.id = v.stops -> 0 ->> 'port_id'
      where v.service_date between ${from} and ${until} and ves.code not like ${`${ASSUMED_VESSEL}%`}
        and exists (
          select from sailings s where s.voyage_id = v.id and s.status = 'scheduled' and not s.withdrawn
        )
      order by v.service_date, starts, v.id`,
  );
  return rows.map(({ id, vessel, name, line, day, starts, ends, port, zone }) => ({
    ...{ id, vessel, vesselName: name, line, serviceDate: day, startsAt: starts, endsAt: ends },
    departure: `${getClockTime(starts, zone)} ${port}`,
  }));
}

function inMilliseconds(instant: SQL): SQL {
  return sql`(extract(epoch from (${instant})::timestamptz) * 1000)::float8`;
}
