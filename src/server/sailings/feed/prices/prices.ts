import { CODE_LENGTH } from '#contract/limits.ts';
import { EVERY_DAY } from '#domain/time/days.ts';
import type { Row } from '#server/csv/table.ts';
import type { fares, promoCodes } from '#server/database/schema/timetable.ts';
import { type FeedInput, readFeedTable } from '../feed-tables.ts';
import type { Planned } from '../keyed-rows.ts';
import { readMoney } from './read-money.ts';
import { findPricedRoutes, isCarried, type ParsedFeed, readRouteIds, readValidity } from './route-columns.ts';
import { type PlannedTax, readTaxes } from './taxes.ts';

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

export type Prices = { fares: PlannedFare[]; taxes: PlannedTax[]; promoCodes: PlannedPromo[] };

/** Parses the prices: fares.csv, taxes.csv and promo_codes.csv, as docs/timetable.md describes them. */
export function readPrices(source: FeedInput, feed: ParsedFeed): Prices {
  const rows = readFeedTable(source, 'fares.csv');
  const fares = rows.flatMap((row) => readFare(row, feed));
  refuseTies(fares);
  const promoCodes = readPromoCodes(readFeedTable(source, 'promo_codes.csv'), feed);
  return { fares: fares.map(({ fare }) => fare), taxes: readTaxes(source, feed), promoCodes };
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
  const fare = {
    fareClass,
    kind,
    passengerType: kind === 'passenger' ? reference(row, 'passenger_type', operator.passengerTypes) : null,
    vehicleType: kind === 'vehicle' ? reference(row, 'vehicle_type', operator.vehicleTypes) : null,
    ...readValidity(row),
    weekdays: row.weekdays('weekdays') ?? EVERY_DAY,
    amount: readMoney(row, 'amount', operator.currency) ?? 0,
    baseCm: row.int('base_cm', { min: 1, max: 100_000 }),
    stepCm,
    stepAmount,
    taxBp: row.amount('tax_percent', 2) ?? 0,
    priority: row.int('priority', { min: -1000, max: 1000 }) ?? 0,
  };
  return findPricedRoutes(row, feed)
    .filter((route) => isCarried(kind, route))
    .map((route) => ({ row, fare: { ...fare, routeKey: route.key } }));
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
