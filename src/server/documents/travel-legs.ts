import { aliasedTable, eq, inArray } from 'drizzle-orm';
import { LEGS } from '#contract/orders/buy/legs.ts';
import { describeAccessibility } from '#sentences/accessibility.ts';
import { describeStatus } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '../database/database.ts';
import type { OrderLineRow, OrderRow } from '../database/schema/sales.ts';
import { ports, routes, sailings, vessels, voyages } from '../database/schema/timetable.ts';
import { stopsBetween } from '../database/stops-between.ts';
import { translateSailing } from '../database/translate-sailing.ts';

export type TravelPort = Pick<typeof ports.$inferSelect, 'name' | 'timeZone' | 'address' | 'lat' | 'lon'>;

/** The crossings of an order's lines, as documents show them. */
export function listLegs(
  { locale }: Pick<OrderRow, 'locale'>,
  lines: readonly Pick<OrderLineRow, 'leg' | 'kind' | 'sailingId'>[],
  rows: SailingRows,
) {
  return LEGS.flatMap((leg) => {
    const own = lines.filter((line) => line.leg === leg);
    const stored = rows.find(({ sailing }) => sailing.id === own[0]?.sailingId);
    if (!stored) return [];
    const row = translateSailing({ ...stored, statements: stored.sailing.statements }, locale);
    const { sailing, route } = row;
    const hasVehicle = own.some((line) => line.kind === 'vehicle');
    const closes = hasVehicle ? route.checkInCloseMinutesVehicle : route.checkInCloseMinutesFoot;
    return [
      {
        leg,
        sailingId: sailing.id,
        isCanceled: sailing.status === 'canceled',
        statusText: describeStatus(textsIn(locale), { ...sailing, statements: row.statements }),
        delayMinutes: sailing.delayMinutes,
        sailingVersion: sailing.version,
        sailingUpdatedAt: sailing.updatedAt,
        origin: row.origin satisfies TravelPort,
        destination: row.destination satisfies TravelPort,
        vesselName: row.vessel.name,
        accessibility: describeAccessibility(textsIn(locale), locale, row),
        viaPorts: row.stopsBetween?.map(({ name }) => name) ?? [],
        departsAt: sailing.departsAt,
        arrivesAt: sailing.arrivesAt,
        checkInClosesAt: new Date(sailing.departsAt.getTime() - closes * 60_000),
      },
    ];
  });
}

export type SailingRows = Awaited<ReturnType<typeof readSailings>>;

/** The sailings with what documents show of their ports, boat and stops. */
export async function readSailings(db: Database, sailingIds: readonly string[]) {
  if (sailingIds.length === 0) return [];
  const origin = aliasedTable(ports, 'origin');
  const destination = aliasedTable(ports, 'destination');
  return db
    .select({
      ...{ sailing: sailings, route: routes, vessel: vessels, origin, destination },
      stopsBetween,
    })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(vessels, eq(vessels.id, voyages.vesselId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .where(inArray(sailings.id, [...new Set(sailingIds)]));
}
