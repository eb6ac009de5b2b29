import type { PartialWebSettings } from '#contract/settings/schemas.ts';
import { type DrawnCoastline, drawCoastline } from '#domain/map/coastline.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import { collectProblems } from '#server/csv/problems.ts';
import { EXCEPTIONS_FILE, type ExceptionNames, readExceptions } from '../exceptions/read-exceptions.ts';
import type { NewException } from '../exceptions/store-exceptions.ts';
import { listPictures, type PictureFile } from '../pictures/picture-files.ts';
import { readCoastline } from './coastline-file.ts';
import { MAX_SAILINGS, type PlannedVoyage, planFleet, planVoyages } from './departures.ts';
import type { FeedFiles } from './feed-files.ts';
import { readFeedSettings } from './feed-settings.ts';
import { type Gtfs, readGtfs } from './gtfs.ts';
import { describeSkipped } from './gtfs-types.ts';
import { explainNoService, type FeedEnd, readFeedEnd } from './last-day.ts';
import { type Network, type PlannedRoute, planNetwork } from './network.ts';
import {
  type FareClass,
  type OperatorFiles,
  type PassengerType,
  readOperatorFiles,
  type VehicleType,
} from './operator-files.ts';
import { type PlannedPass, readPasses } from './prices/passes.ts';
import { type Prices, readPrices } from './prices/prices.ts';
import type { Vessel } from './vessel-files.ts';

/** The validated content of a feed for the requested days. */
export type Plan = Network &
  Prices &
  FeedEnd & {
    currency: string;
    maxParty: number;
    choiceHours: number;
    choiceDelayMinutes: number;
    assistanceNoticeHours: number | null;
    timeZone: string;
    today: string;
    until: string;
    vessels: Vessel[];
    passengerTypes: PassengerType[];
    vehicleTypes: VehicleType[];
    fareClasses: FareClass[];
    passes: PlannedPass[];
    /** Without a passenger fare, so not sold. */
    unpricedRoutes: PlannedRoute[];
    /** Why no sailing runs from today on; null if one does. */
    noService: string | null;
    settings: PartialWebSettings;
    /** With stop ids and codes of vessels in place of ids. Null: the feed has no such file. */
    exceptions: NewException[] | null;
    /** For the map of the routes; null: the feed has no such file. */
    coastline: DrawnCoastline | null;
    /** Those that ports and vessels have. */
    pictures: PictureFile[];
    /** Sentences about what was skipped or cannot be sold yet. */
    skipped: string[];
  };

/** How many days ahead of `now` to plan, and the last service day to cover at least. */
export type PlanRange = { now: Date; days: number; atLeastUntil?: string | null };

/**
 * Parses and validates a whole feed without accessing the database.
 * @param takeDay gets the voyages of one service day after the other
 * @throws {FileError} naming every problem
 */
export function planFeed(
  files: FeedFiles,
  range: PlanRange,
  takeDay: (voyages: PlannedVoyage[]) => void,
): Plan {
  const problems = collectProblems();
  const source = { files, problems };
  const gtfs = readGtfs(source);
  const settings = readFeedSettings(source);
  const operator = readOperatorFiles(source);
  const { ports, routes } = planNetwork(gtfs, operator);
  const fleet = planFleet(gtfs, operator, problems);
  const prices = readPrices(source, { gtfs, operator, routes });
  const passes = readPasses(source, { gtfs, operator, routes });
  const feedEnd = readFeedEnd(files, gtfs);
  const exceptions = files.has(EXCEPTIONS_FILE) ? readExceptions(source, listNames(gtfs, operator)) : null;
  const coastline = readCoastline(source);
  problems.throwIfAny();
  const { sold, unpriced } = splitByPrice(routes, prices);

  const now = range.now.getTime();
  const today = getLocalDay(now, gtfs.timeZone);
  const requested = addDays(today, range.days);
  const requestedUntil =
    range.atLeastUntil && range.atLeastUntil > requested ? range.atLeastUntil : requested;
  const window = { from: addDays(today, -1 - countNights(gtfs)), today, until: requestedUntil, now };
  const { voyages, until } = planVoyages(gtfs, sold, fleet.findVessel, window, takeDay);
  const pictures = listPictures(files, [...ports, ...fleet.vessels]);
  const noService = explainNoService(gtfs, feedEnd, today);
  return {
    currency: operator.currency,
    maxParty: operator.maxParty,
    choiceHours: operator.choiceHours,
    choiceDelayMinutes: operator.choiceDelayMinutes,
    assistanceNoticeHours: operator.assistanceNoticeHours,
    timeZone: gtfs.timeZone,
    today,
    until,
    ports,
    routes: sold,
    unpricedRoutes: unpriced,
    fares: prices.fares.filter(({ routeKey }) => sold.some(({ key }) => key === routeKey)),
    taxes: prices.taxes.filter(({ routeKey }) => sold.some(({ key }) => key === routeKey)),
    promoCodes: prices.promoCodes,
    ...feedEnd,
    noService,
    vessels: fleet.vessels,
    passengerTypes: [...operator.passengerTypes.values()],
    vehicleTypes: [...operator.vehicleTypes.values()],
    fareClasses: [...operator.fareClasses.values()],
    passes,
    settings: settings.value,
    exceptions,
    coastline: coastline && drawCoastline(coastline, listPlaces(ports, sold)),
    pictures: pictures.used,
    skipped: [
      ...gtfs.skipped,
      ...problems.notes(),
      ...settings.remarks,
      ...describeUnpriced(unpriced),
      ...(pictures.unused.length > 0
        ? [describeSkipped(pictures.unused, 'not used: pictures that no row names')]
        : []),
      ...(until < requestedUntil
        ? [`sold until ${until} only: more days would be more than ${MAX_SAILINGS} sailings`]
        : []),
      ...describeGaps(gtfs, { voyages, routes, prices, operator, until }, files),
    ],
  };
}

/** The most days after its service day on which a trip departs: 1 for 25:10, 2 for 53:40. */
function countNights({ trips }: Gtfs): number {
  const departures = trips.flatMap(({ calls, from, repeats }) => {
    const last = Math.max(...calls.map(({ departs }) => departs));
    return [last, ...repeats.map((departs) => last + departs - from.departs)];
  });
  return departures.reduce((most, seconds) => Math.max(most, Math.floor(seconds / 86_400)), 0);
}

/** A route without a passenger fare is not sold, unless the feed has no fares at all. */
function splitByPrice(
  routes: readonly PlannedRoute[],
  { fares }: Prices,
): { sold: PlannedRoute[]; unpriced: PlannedRoute[] } {
  if (fares.length === 0) return { sold: [...routes], unpriced: [] };
  const priced = new Set(fares.filter(({ kind }) => kind === 'passenger').map(({ routeKey }) => routeKey));
  return {
    sold: routes.filter(({ key }) => priced.has(key)),
    unpriced: routes.filter(({ key }) => !priced.has(key)),
  };
}

/** Where the ports of the map are. */
function listPlaces(
  ports: Network['ports'],
  routes: readonly PlannedRoute[],
): { lat: number; lon: number }[] {
  const served = new Set(routes.flatMap(({ origin, destination }) => [origin, destination]));
  return ports.flatMap(({ gtfsStopId, lat, lon }) =>
    lat === null || lon === null || !served.has(gtfsStopId) ? [] : [{ lat, lon }],
  );
}

function describeUnpriced(routes: readonly PlannedRoute[]): string[] {
  if (routes.length === 0) return [];
  const names = routes.map(({ name, lineName }) => `${name} (${lineName})`);
  return [describeSkipped(names, 'not sold: pairs of ports without a passenger fare in fares.csv')];
}

function listNames(gtfs: Gtfs, operator: OperatorFiles): ExceptionNames {
  const codes = [...operator.ports].flatMap(([stopId, { code }]) => (code ? [[code, stopId] as const] : []));
  return {
    lines: new Set(gtfs.routes.keys()),
    ports: new Map([...[...gtfs.stops.keys()].map((id) => [id, id] as const), ...codes]),
    vessels: new Map([...operator.vessels.keys()].map((code) => [code, code])),
  };
}

type Planned = Pick<Plan, 'routes' | 'until'> & { voyages: number; prices: Prices; operator: OperatorFiles };

function describeGaps(
  { trips }: Gtfs,
  { voyages, routes, prices, operator, until }: Planned,
  files: FeedFiles,
): string[] {
  const gaps: string[] = [];
  if (trips.length > 0 && voyages === 0)
    gaps.push(`no sailing up to ${until}: the feed's calendars cover other days`);
  const unpriced = 'sailings can be looked up but not bought';
  if (!files.has('fares.csv')) gaps.push(`no fares.csv: ${unpriced}`);
  else if (prices.fares.length === 0 && routes.length > 0)
    gaps.push(`no fare in fares.csv applies to a pair of ports: ${unpriced}`);
  if (operator.vessels.size === 0) {
    const missing = files.has('vessels.csv') ? 'no boat in vessels.csv' : 'no vessels.csv';
    gaps.push(`${missing}: a boat for 100 people is assumed on each route`);
  }
  return gaps;
}
