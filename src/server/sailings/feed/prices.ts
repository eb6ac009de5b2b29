import { CODE_LENGTH } from '#contract/limits.ts';
import { EVERY_DAY } from '#domain/time/days.ts';
import type { Row } from '#server/csv/table.ts';
import type { fares, promoCodes } from '#server/database/schema/timetable.ts';
import { type FeedInput, readFeedTable } from './feed-tables.ts';
import type { Gtfs } from './gtfs.ts';
import { getPortId } from './gtfs-types.ts';
import type { Planned } from './keyed-rows.ts';
import type { PlannedRoute } from './network.ts';
import { readMoney } from './read-money.ts';
import { type ParsedFeed, readRouteIds } from './route-columns.ts';

export type PlannedFare = Omit<
  Planned<typeof fares>,
  'routeId' | 'fareClassId' | 'passengerTypeId' | 'vehicleTypeId'
> & {
  routeKey: string;
  fareClass: string;
  passengerType: string | null;
  vehicleType: string | null;
};
type PlannedPromo = Omit<Planned<typeof promoCodes>, 'redeemed'>;

const KINDS = ['passenger', 'vehicle', 'bicycle'] as const;

export type Prices = { fares: PlannedFare[]; promoCodes: PlannedPromo[] };

/** Parses the prices: fares.csv and promo_codes.csv, as docs/timetable.md describes them. */
export function readPrices(source: FeedInput, feed: ParsedFeed): Prices {
  const rows = readFeedTable(source, 'fares.csv');
  const fares = rows.flatMap((row) => readFare(row, feed));
  refuseTies(fares);
  const promoCodes = readPromoCodes(readFeedTable(source, 'promo_codes.csv'), feed);
  return { fares: fares.map(({ fare }) => fare), promoCodes };
}

type FareOfRow = { row: Row; fare: PlannedFare };

function readFare(row: Row, feed: ParsedFeed): FareOfRow[] {
  const { operator } = feed;
  const fareClass = reference(row, 'fare_class', operator.fareClasses);
  row.required('kind');
  const kind = row.oneOf('kind', KINDS, 'passenger');
  row.required('amount');
  const stepCm = row.int('step_cm', { min: 1, max: 10_000 });
  const stepAmount = readMoney(row, 'step_amount', operator.currency);
  if ((stepCm === null) !== (stepAmount === null)) {
    row.problem('step_amount', 'step_cm and step_amount go together.');
  }
  const validFrom = row.day('valid_from');
  const validUntil = row.day('valid_until');
  if (validFrom && validUntil && validUntil < validFrom) row.problem('valid_until', 'Before valid_from.');
  const fare = {
    fareClass,
    kind,
    passengerType: kind === 'passenger' ? reference(row, 'passenger_type', operator.passengerTypes) : null,
    vehicleType: kind === 'vehicle' ? reference(row, 'vehicle_type', operator.vehicleTypes) : null,
    validFrom,
    validUntil,
    weekdays: row.weekdays('weekdays') ?? EVERY_DAY,
    amount: readMoney(row, 'amount', operator.currency) ?? 0,
    baseCm: row.int('base_cm', { min: 1, max: 100_000 }),
    stepCm,
    stepAmount,
    taxBp: row.amount('tax_percent', 2) ?? 0,
    priority: row.int('priority', { min: -1000, max: 1000 }) ?? 0,
  };
  return findRoutes(row, feed)
    .filter((route) => isCarried(kind, route))
    .map((route) => ({ row, fare: { ...fare, routeKey: route.key } }));
}

/** A fare for every route does not mean that each of them carries vehicles. */
function isCarried(kind: PlannedFare['kind'], route: PlannedRoute): boolean {
  if (kind === 'vehicle') return route.carriesVehicles;
  return kind === 'bicycle' ? route.carriesBicycles : true;
}

function findRoutes(row: Row, { gtfs, routes }: ParsedFeed): PlannedRoute[] {
  const gtfsRouteId = row.text('route_id');
  if (gtfsRouteId !== '' && !gtfs.routes.has(gtfsRouteId)) {
    row.problem('route_id', `There is no ferry route ${gtfsRouteId}.`);
    return [];
  }
  const isFrom = portFilter(row, gtfs, 'origin');
  const isTo = portFilter(row, gtfs, 'destination');
  return routes.filter(
    (route) =>
      (gtfsRouteId === '' || gtfsRouteId === route.gtfsRouteId) &&
      isFrom(route.origin) &&
      isTo(route.destination),
  );
}

/** Whether a fare applies to a port, by its stop and its zone. */
function portFilter(row: Row, { stops }: Gtfs, end: 'origin' | 'destination'): (portId: string) => boolean {
  const stopId = row.text(`${end}_stop_id`);
  const zone = row.text(`${end}_zone`);
  if (stopId !== '' && !stops.has(stopId)) row.problem(`${end}_stop_id`, `There is no stop ${stopId}.`);
  const inZone = zone === '' ? null : findPortsInZone(stops, zone);
  if (inZone?.size === 0) row.problem(`${end}_zone`, `No stop is in the zone ${zone}.`);
  return (portId) => (stopId === '' || getPortId(stops, stopId) === portId) && (inZone?.has(portId) ?? true);
}

function findPortsInZone(stops: Gtfs['stops'], zone: string): ReadonlySet<string> {
  const inZone = [...stops.values()].filter(({ zoneId }) => zoneId === zone);
  return new Set(inZone.map(({ id }) => getPortId(stops, id)));
}

function reference(row: Row, column: string, codes: ReadonlyMap<string, unknown>): string {
  const code = row.required(column);
  if (code !== '' && !codes.has(code))
    row.problem(column, `There is no ${column.replace('_', ' ')} ${code}.`);
  return code;
}

function refuseTies(fares: readonly FareOfRow[]): void {
  const groups = Map.groupBy(fares, ({ fare }) =>
    JSON.stringify([
      fare.routeKey,
      fare.fareClass,
      fare.kind,
      fare.passengerType ?? fare.vehicleType,
      fare.priority,
    ]),
  );
  const named = new Set<Row>();
  for (const group of groups.values()) {
    for (const [index, later] of group.entries()) {
      const earlier = group.slice(0, index).find((each) => doOverlap(each.fare, later.fare));
      if (!earlier || named.has(later.row)) continue;
      named.add(later.row);
      const message = `Line ${earlier.row.line} is a fare for the same with the same priority; which one wins?`;
      later.row.problem('priority', message);
    }
  }
}

function doOverlap(a: PlannedFare, b: PlannedFare): boolean {
  const startsInTime = (x: PlannedFare, y: PlannedFare) =>
    x.validFrom === null || y.validUntil === null || x.validFrom <= y.validUntil;
  return (a.weekdays & b.weekdays) !== 0 && startsInTime(a, b) && startsInTime(b, a);
}

function readPromoCodes(rows: readonly Row[], feed: ParsedFeed): PlannedPromo[] {
  const codes = new Set<string>();
  return rows.map((row) => {
    const code = row.required('code').toUpperCase();
    if (code !== '' && (!/^[A-Z0-9-]{3,}$/.test(code) || code.length > CODE_LENGTH)) {
      row.problem('code', `A promo code is 3 to ${CODE_LENGTH} letters, digits or dashes.`);
    }
    if (codes.has(code)) row.problem('code', `${code} is there twice.`);
    codes.add(code);
    row.required('kind');
    const kind = row.oneOf('kind', ['percent', 'amount'], 'percent');
    row.required('value');
    const value =
      kind === 'percent' ? row.amount('value', 2) : readMoney(row, 'value', feed.operator.currency);
    if (kind === 'percent' && value !== null && value > 10_000)
      row.problem('value', 'More than 100 percent.');
    const endsOn = row.day('ends_on');
    const startsOn = row.day('starts_on');
    if (startsOn && endsOn && endsOn < startsOn) row.problem('ends_on', 'Before starts_on.');
    return {
      code,
      kind: kind === 'percent' ? 'percent_bp' : 'amount',
      value: value ?? 0,
      routeCodes: findPromoRoutes(row, feed),
      startsOn,
      endsOn,
      maxRedemptions: row.int('max_redemptions', { min: 1, max: 10_000_000 }),
    };
  });
}

function findPromoRoutes(row: Row, { gtfs, routes }: ParsedFeed): string[] | null {
  const ids = readRouteIds(row, gtfs);
  if (ids.length === 0) return null;
  return routes.filter((route) => ids.includes(route.gtfsRouteId)).map((route) => route.code);
}
