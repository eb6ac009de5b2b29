import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { perDatabase } from '#server/database/per-database.ts';
import { routes, sailings, voyages } from '#server/database/schema/timetable.ts';

export type PortPair = { originId: string; destinationId: string };

/** The pairs of ports between which a boat runs within the next two weeks. */
export function listVesselRoutes(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  vesselId: string,
): Promise<PortPair[]> {
  return vesselQuery(db).execute({ vesselId, now: clock.now().toISOString() });
}

const vesselQuery = perDatabase((db: Database) => {
  const now = sql`${sql.placeholder('now')}::timestamptz`;
  return db
    .selectDistinct({ originId: routes.originPortId, destinationId: routes.destinationPortId })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .where(
      and(
        eq(voyages.vesselId, sql.placeholder('vesselId')),
        eq(sailings.withdrawn, false),
        sql`${sailings.departsAt} > ${now} and ${sailings.departsAt} < ${now} + interval '14 days'`,
      ),
    )
    .prepare('vessel_routes');
});
