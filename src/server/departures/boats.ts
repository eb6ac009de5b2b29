import { and, eq, sql } from 'drizzle-orm';
import type { Boat } from '#contract/departures/schemas.ts';
import { translateTexts } from '#messages/translations.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { perDatabase } from '#server/database/per-database.ts';
import { routes, sailings, vessels, voyages } from '#server/database/schema/timetable.ts';

/** Boats that depart within this time are listed too, so that a map can follow them without asking again. */
const AHEAD_MINUTES = 10;

/**
 * The boats under way by the timetable and their delay, each once: between the nearest two of its ports that tickets are
 * sold for. Canceled and suspended sailings are not under way.
 */
export async function listBoats(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  language: string,
): Promise<Boat[]> {
  const rows = await boatsQuery(db).execute({ now: clock.now().toISOString() });
  return rows.map(({ origin, destination, vessel, departsAt, arrivesAt, delayMinutes }) => ({
    vessel_name: translateTexts(vessel, language).name,
    origin_port_id: origin,
    destination_port_id: destination,
    departs_at: departsAt.toISOString(),
    arrives_at: arrivesAt.toISOString(),
    delay_minutes: delayMinutes,
  }));
}

const boatsQuery = perDatabase((db: Database) => {
  const now = sql`${sql.placeholder('now')}::timestamptz`;
  const delay = sql`${sailings.delayMinutes} * interval '1 minute'`;
  return db
    .selectDistinctOn([sailings.voyageId], {
      origin: routes.originPortId,
      destination: routes.destinationPortId,
      vessel: { name: vessels.name, translations: vessels.translations },
      departsAt: sailings.departsAt,
      arrivesAt: sailings.arrivesAt,
      delayMinutes: sailings.delayMinutes,
    })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(vessels, eq(vessels.id, voyages.vesselId))
    .where(
      and(
        eq(sailings.status, 'scheduled'),
        eq(sailings.withdrawn, false),
        // Lets the index find the few sailings that can be under way.
        sql`${sailings.departsAt} between ${now} - interval '4 days' and ${now} + interval '1 day'`,
        sql`${sailings.departsAt} + ${delay} < ${now} + ${AHEAD_MINUTES} * interval '1 minute'`,
        sql`${sailings.arrivesAt} + ${delay} > ${now}`,
      ),
    )
    .orderBy(
      sailings.voyageId,
      sql`${sailings.departsAt} + ${delay} > ${now}`,
      sql`${sailings.lastStop} - ${sailings.firstStop}`,
      sailings.departsAt,
    )
    .prepare('boats_under_way');
});
