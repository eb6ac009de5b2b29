import { and, asc, eq, sql } from 'drizzle-orm';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { perDatabase } from '#server/database/per-database.ts';
import { ports, routes, sailings } from '#server/database/schema/timetable.ts';

export type CanceledSailing = { originId: string; destinationId: string; departsAt: Date; timeZone: string };

/** The canceled sailings that would still depart today at their port, in the order of the timetable. */
export async function listCanceledSailings({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<CanceledSailing[]> {
  const now = clock.now();
  const rows = await canceledQuery(db).execute({ now: now.toISOString() });
  return rows.filter(
    ({ departsAt, timeZone }) =>
      getLocalDay(departsAt.getTime(), timeZone) === getLocalDay(now.getTime(), timeZone),
  );
}

const canceledQuery = perDatabase((db: Database) => {
  const now = sql`${sql.placeholder('now')}::timestamptz`;
  return db
    .selectDistinct({
      originId: routes.originPortId,
      destinationId: routes.destinationPortId,
      departsAt: sailings.departsAt,
      timeZone: ports.timeZone,
    })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(ports, eq(ports.id, routes.originPortId))
    .where(
      and(
        eq(sailings.status, 'canceled'),
        eq(sailings.withdrawn, false),
        sql`${sailings.departsAt} > ${now} and ${sailings.departsAt} < ${now} + interval '1 day'`,
      ),
    )
    .orderBy(asc(sailings.departsAt))
    .prepare('canceled_sailings');
});
