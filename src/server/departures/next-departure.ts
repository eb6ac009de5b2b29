import { and, asc, between, eq, ne, sql } from 'drizzle-orm';
import type { Departures } from '#contract/departures/schemas.ts';
import { addDays } from '#domain/time/days.ts';
import { formatLocalTime, getZoneLabel } from '#domain/time/port-time.ts';
import type { Database } from '#server/database/database.ts';
import { perDatabase } from '#server/database/per-database.ts';
import { sailings } from '#server/database/schema/timetable.ts';

const DAYS_AHEAD = 7;

/** The first sailing of some routes after a service day that is not canceled; null if none runs within a week. */
export async function findNextDeparture(
  db: Database,
  routeIds: readonly string[],
  { day, timeZone }: { day: string; timeZone: string },
): Promise<Departures['next']> {
  const days = { from: addDays(day, 1), to: addDays(day, DAYS_AHEAD) };
  const [first] = await nextQuery(db).execute({ ids: routeIds.join(' '), ...days });
  if (!first) return null;
  const departs = first.departsAt.getTime();
  const departsLocal = formatLocalTime(departs, timeZone);
  return {
    day: departsLocal.slice(0, 10),
    departs_local: departsLocal,
    zone_label: getZoneLabel(departs, timeZone),
  };
}

const nextQuery = perDatabase((db) =>
  db
    .select({ departsAt: sailings.departsAt })
    .from(sailings)
    .where(
      and(
        sql`${sailings.routeId} = any(string_to_array(${sql.placeholder('ids')}::text, ' '))`,
        between(sailings.serviceDate, sql.placeholder('from'), sql.placeholder('to')),
        ne(sailings.status, 'cancelled'),
        eq(sailings.withdrawn, false),
      ),
    )
    .orderBy(asc(sailings.departsAt))
    .limit(1)
    .prepare('next_departure'),
);
