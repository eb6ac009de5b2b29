import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '#server/database/database.ts';
import {
  fareClasses,
  fares,
  passengerTypes,
  ports,
  routes,
  vehicleTypes,
} from '#server/database/schema/timetable.ts';
import type { PreparedFeed } from '../feed/prepare-feed-worker.ts';

type Plan = Pick<PreparedFeed['plan'], 'fares' | 'routes'>;

/** A fare before and after an import; null if there is none. Amounts may be equal while tax or steps differ. */
export type FareChange = {
  /** Name of the route. */
  route: string;
  fareClass: string;
  /** Code of the passenger or vehicle type, or `bicycle`. */
  what: string;
  before: number | null;
  after: number | null;
};

export type FareChanges = { added: number; removed: number; changed: number; examples: FareChange[] };

type Fare = {
  key: string;
  terms: string;
  label: Pick<FareChange, 'route' | 'fareClass' | 'what'>;
  amount: number;
};
type Terms = Pick<
  typeof fares.$inferSelect,
  | 'kind'
  | 'validFrom'
  | 'validUntil'
  | 'weekdays'
  | 'priority'
  | 'amount'
  | 'baseCm'
  | 'stepCm'
  | 'stepAmount'
  | 'taxBp'
>;

const MAX_EXAMPLES = 5;

/**
 * Compares the stored fares with those of a plan, by what they apply to.
 * @param lines the stored `route_id` of lines that the plan has under another one
 */
export async function compareFares(
  db: Database,
  plan: Plan,
  lines: ReadonlyMap<string, string>,
): Promise<FareChanges> {
  const planned = toPlannedFares(plan, lines);
  const left = new Map((await readStoredFares(db)).map((fare) => [fare.key, fare]));
  const changed: FareChange[] = [];
  const added: FareChange[] = [];
  for (const { key, terms, label, amount } of planned) {
    const before = left.get(key);
    left.delete(key);
    if (!before) added.push({ ...label, before: null, after: amount });
    else if (before.terms !== terms) changed.push({ ...label, before: before.amount, after: amount });
  }
  const removed = [...left.values()].map(({ label, amount }) => ({ ...label, before: amount, after: null }));
  return {
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    examples: [...changed, ...removed, ...added].slice(0, MAX_EXAMPLES),
  };
}

function toPlannedFares(
  { fares: planned, routes: plannedRoutes }: Plan,
  lines: ReadonlyMap<string, string>,
): Fare[] {
  const byKey = new Map(plannedRoutes.map((route) => [route.key, route]));
  return planned.flatMap((fare) => {
    const route = byKey.get(fare.routeKey);
    if (!route) return [];
    const { gtfsRouteId, origin, destination, name } = route;
    const type = fare.passengerType ?? fare.vehicleType;
    const pair = [lines.get(gtfsRouteId) ?? gtfsRouteId, origin, destination];
    return [toFare(fare, { pair, name, fareClass: fare.fareClass, type })];
  });
}

async function readStoredFares(db: Database): Promise<Fare[]> {
  const origins = alias(ports, 'origins');
  const destinations = alias(ports, 'destinations');
  const rows = await db
    .select({
      fare: fares,
      pair: sql<string[]>`array[${routes.gtfsRouteId}, ${origins.gtfsStopId}, ${destinations.gtfsStopId}]`,
      name: routes.name,
      fareClass: fareClasses.code,
      type: sql<string | null>`coalesce(${passengerTypes.code}, ${vehicleTypes.code})`,
    })
    .from(fares)
    .innerJoin(routes, eq(routes.id, fares.routeId))
    .innerJoin(origins, eq(origins.id, routes.originPortId))
    .innerJoin(destinations, eq(destinations.id, routes.destinationPortId))
    .innerJoin(fareClasses, eq(fareClasses.id, fares.fareClassId))
    .leftJoin(passengerTypes, eq(passengerTypes.id, fares.passengerTypeId))
    .leftJoin(vehicleTypes, eq(vehicleTypes.id, fares.vehicleTypeId));
  return rows.map(({ fare, ...what }) => toFare(fare, what));
}

function toFare(
  fare: Terms,
  {
    pair,
    name,
    fareClass,
    type,
  }: Record<'name' | 'fareClass', string> & { pair: string[]; type: string | null },
): Fare {
  const { kind, validFrom, validUntil, weekdays, priority, amount, baseCm, stepCm, stepAmount, taxBp } = fare;
  return {
    key: JSON.stringify([pair, fareClass, kind, type, validFrom, validUntil, weekdays, priority]),
    terms: JSON.stringify([amount, baseCm, stepCm, stepAmount, taxBp]),
    label: { route: name, fareClass, what: type ?? kind },
    amount,
  };
}
