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

/** A price and when it applies. */
export type DatedPrice = {
  amount: number;
  /** Service days; null: without a limit. */
  validFrom: string | null;
  validUntil: string | null;
  /** Bit 0 = Monday … bit 6 = Sunday. */
  weekdays: number;
};

/**
 * The prices of one kind of ticket that an import ends and begins. Both may have equal ones, while tax or steps differ.
 * `isNew`, `isGone`: there is no price for it before, or after.
 */
export type FareChange = {
  /** Name of the route. */
  route: string;
  fareClass: string;
  /** Code of the passenger or vehicle type, or `bicycle`. */
  what: string;
  before: DatedPrice[];
  after: DatedPrice[];
  isNew: boolean;
  isGone: boolean;
};

/** Numbers of kinds of tickets, and the changes: of changed ones first. */
export type FareChanges = { added: number; removed: number; changed: number; list: FareChange[] };

type Fare = {
  /** What it is the price of. */
  subject: string;
  /** Equal fares make no difference to buyers. */
  terms: string;
  label: Pick<FareChange, 'route' | 'fareClass' | 'what'>;
  price: DatedPrice;
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

/**
 * Compares the stored fares with those of a plan, by what they apply to.
 * @param lines the stored `route_id` of lines that the plan has under another one
 */
export async function compareFares(
  db: Database,
  plan: Plan,
  lines: ReadonlyMap<string, string>,
): Promise<FareChanges> {
  const stored = Map.groupBy(await readStoredFares(db), ({ subject }) => subject);
  const planned = Map.groupBy(toPlannedFares(plan, lines), ({ subject }) => subject);
  const changes = [...new Set([...planned.keys(), ...stored.keys()])].flatMap(
    (subject) => compareSubject(stored.get(subject) ?? [], planned.get(subject) ?? []) ?? [],
  );
  const added = changes.filter(({ isNew }) => isNew);
  const removed = changes.filter(({ isGone }) => isGone);
  const changed = changes.filter(({ isNew, isGone }) => !isNew && !isGone);
  return {
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    list: [...changed, ...removed, ...added],
  };
}

/** What differs between the fares of one kind of ticket; null if nothing does. */
function compareSubject(stored: readonly Fare[], planned: readonly Fare[]): FareChange | null {
  const pick = (fares: readonly Fare[], others: readonly Fare[]) =>
    fares
      .filter(({ terms }) => !others.some((other) => other.terms === terms))
      .map(({ price }) => price)
      .toSorted((a, b) => ((a.validFrom ?? '') < (b.validFrom ?? '') ? -1 : 1));
  const [before, after] = [pick(stored, planned), pick(planned, stored)];
  const label = planned[0]?.label ?? stored[0]?.label;
  if (!label || before.length + after.length === 0) return null;
  return { ...label, before, after, isNew: stored.length === 0, isGone: planned.length === 0 };
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
    subject: JSON.stringify([pair, fareClass, kind, type]),
    terms: JSON.stringify([
      ...[validFrom, validUntil, weekdays, priority],
      ...[amount, baseCm, stepCm, stepAmount, taxBp],
    ]),
    label: { route: name, fareClass, what: type ?? kind },
    price: { amount, validFrom, validUntil, weekdays },
  };
}
