import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { Departures } from '#contract/departures/schemas.ts';
import { addDays } from '#domain/time/days.ts';
import { formatLocalTime, getDayStart, getZoneLabel } from '#domain/time/port-time.ts';
import type { Database } from '#server/database/database.ts';
import { perDatabase } from '#server/database/per-database.ts';
import { sailings } from '#server/database/schema/timetable.ts';

const DAYS_AHEAD = 7;

/**
 * The first sailing of some routes that is not canceled, departs after a day, and does not belong to the night after it;
 * null if none runs within a week.
 */
export async function findNextDeparture(
  db: Database,
  routeIds: readonly string[],
  { day, timeZone }: { day: string; timeZone: string },
): Promise<Departures['next']> {
  const [from, until] = [1, DAYS_AHEAD + 1].map((days) => getDayStart(addDays(day, days), timeZone));
  const [first] = await nextQuery(db).execute({
    ...{ ids: routeIds.join(' '), day },
    from: new Date(from ?? 0).toISOString(),
    until: new Date(until ?? 0).toISOString(),
  });
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
        sql`${sailings.departsAt} >= ${sql.placeholder('from')}::timestamptz
          + case when ${sailings.serviceDate} = ${sql.placeholder('day')} then interval '1 day' else interval '0' end`,
        sql`${sailings.departsAt} < ${sql.placeholder('until')}::timestamptz`,
        ne(sailings.status, 'canceled'),
        eq(sailings.withdrawn, false),
      ),
    )
    .orderBy(asc(sailings.departsAt))
    .limit(1)
    .prepare('next_departure'),
);
