import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server/database/database.ts';
import type { VoyageStop } from '#server/database/schema/timetable.ts';

/** A sold voyage that differs from the timetable. Stops are indexes into `stops`. */
export type ChangedVoyage = {
  line: string;
  tripKey: string;
  day: string;
  stops: VoyageStop[];
  isExtra: boolean;
  delayMinutes: number;
  /** Where a sailing that is not canceled begins or ends. */
  servedStops: number[];
  /** Where any sailing begins or ends. */
  soldStops: number[];
};

/** The voyages on some service days that are late, canceled in part or as a whole, or not in the timetable. */
export async function listChangedVoyages(
  db: Database,
  { from, until }: { from: string; until: string },
): Promise<ChangedVoyage[]> {
  return queryRows<ChangedVoyage>(
    db,
    sql`
    select v.gtfs_route_id as line, v.gtfs_trip_key as "tripKey", v.service_date::text as day, v.stops,
      v.exception_id is not null as "isExtra",
      max(case when s.status = 'canceled' then 0 else s.delay_minutes end) as "delayMinutes",
      coalesce(array_agg(distinct stop.place) filter (where s.status <> 'canceled'), '{}') as "servedStops",
      array_agg(distinct stop.place) as "soldStops"
    from sailings s
    join voyages v on v.id = s.voyage_id
    join routes r on r.id = s.route_id and r.active
    cross join lateral (values (s.first_stop), (s.last_stop)) as stop (place)
    where s.service_date between ${from} and ${until} and not s.withdrawn
    group by v.id
    having bool_or(s.status = 'canceled' or s.delay_minutes > 0) or v.exception_id is not null
    order by v.service_date, v.gtfs_trip_key, v.id`,
  );
}
