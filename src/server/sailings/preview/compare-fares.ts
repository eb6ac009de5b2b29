import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { addDays } from '#domain/time/days.ts';
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
  /** All but the days on which it applies. Equal fares make no difference to buyers. */
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
    fares.filter((fare) => !others.some((other) => isSame(fare, other))).map(({ price }) => price);
  const [storedDays, plannedDays] = [joinDays(stored), joinDays(planned)];
  const [before, after] = [pick(storedDays, plannedDays), pick(plannedDays, storedDays)];
  const label = planned[0]?.label ?? stored[0]?.label;
  if (!label || before.length + after.length === 0) return null;
  return { ...label, before, after, isNew: stored.length === 0, isGone: planned.length === 0 };
}

function isSame(fare: Fare, other: Fare): boolean {
  const { validFrom, validUntil } = fare.price;
  return (
    fare.terms === other.terms && validFrom === other.price.validFrom && validUntil === other.price.validUntil
  );
}

/** The fares by their first day. Equal ones of which the next begins the day after are one, as buyers see them. */
function joinDays(fares: readonly Fare[]): Fare[] {
  const joined: Fare[] = [];
  for (const fare of fares.toSorted((a, b) =>
    (a.price.validFrom ?? '') < (b.price.validFrom ?? '') ? -1 : 1,
  )) {
    const { validFrom, validUntil } = fare.price;
    const index = joined.findIndex(
      ({ terms, price }) =>
        terms === fare.terms && price.validUntil !== null && addDays(price.validUntil, 1) === validFrom,
    );
    const before = joined[index];
    if (before === undefined) joined.push(fare);
    else joined[index] = { ...before, price: { ...before.price, validUntil } };
  }
  return joined;
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
    terms: JSON.stringify([weekdays, priority, amount, baseCm, stepCm, stepAmount, taxBp]),
    label: { route: name, fareClass, what: type ?? kind },
    price: { amount, validFrom, validUntil, weekdays },
  };
}
