import type { Row } from '#server/csv/table.ts';
import { type FeedInput, readFeedTable } from './feed-tables.ts';
import { describeSkipped, type GtfsService, type GtfsStop, getPortId, type Routes } from './gtfs-types.ts';

/** A call of a trip at a port, in seconds of the service day. */
export type GtfsCall = {
  /** The port: the station of a platform. */
  stopId: string;
  arrives: number;
  departs: number;
  /** Whether tickets are sold from here and to here. */
  canBoard: boolean;
  canAlight: boolean;
};

export type GtfsTrip = {
  id: string;
  routeId: string;
  serviceId: string;
  takesBicycles: boolean;
  takesVehicles: boolean;
  /** Two or more, in order, never one port twice in a row. */
  calls: readonly GtfsCall[];
  /** First and last call. */
  from: GtfsCall;
  to: GtfsCall;
  /** Departures from the first call of a trip defined by frequency; empty for other trips. */
  repeats: readonly number[];
};

/** Trips that are not sold, and why. */
export type LeftOut = { why: string; tripIds: string[]; serviceIds: ReadonlySet<string> };

type TripContext = Routes & {
  stops: ReadonlyMap<string, GtfsStop>;
  services: ReadonlyMap<string, GtfsService>;
  skipped: string[];
};

type StopTime = { row: Row; stopId: string; sequence: number };

/** The rows of trips that are not sold exactly as the feed has them. */
type Skipped = Record<'single' | 'arranged' | 'partlyArranged' | 'unsold' | 'approximate', Row[]>;

const ARRANGED =
  'boarding or leaving must be arranged (pickup_type or drop_off_type 2 or 3). If a ticket arranges it, say sells_arranged in route_rules.csv';

/** Trips of ferries with the calls that passengers can use, and those that are left out. */
export function readTrips(
  source: FeedInput,
  context: TripContext,
): { trips: GtfsTrip[]; leftOut: LeftOut[] } {
  const rows = readFeedTable(source, 'trips.txt');
  const tripIds = new Set(rows.map((row) => row.text('trip_id')));
  const stopTimes = readStopTimes(source, { trips: tripIds, stops: context.stops });
  const repeats = readFrequencies(source, tripIds);
  const arrangedLines = readArrangedLines(source);
  const seen = new Set<string>();
  const skipped: Skipped = { single: [], arranged: [], partlyArranged: [], unsold: [], approximate: [] };
  const trips: GtfsTrip[] = [];
  for (const row of rows) {
    const id = row.required('trip_id');
    if (seen.has(id)) row.problem('trip_id', `The trip ${id} is there twice.`);
    seen.add(id);
    if (!checkTripReferences(row, context)) continue;
    const trip = createTrip(row, {
      stopTimes: stopTimes.get(id) ?? [],
      repeats: [...(repeats.get(id) ?? [])],
      stops: context.stops,
      sellsArranged: arrangedLines.has(row.text('route_id')),
      skipped,
    });
    if (trip) trips.push(trip);
  }
  const leftOut = [
    createLeftOut(skipped.single, 'trips with fewer than two ports'),
    createLeftOut(skipped.unsold, 'trips on which passengers cannot both board and leave'),
    createLeftOut(skipped.arranged, `trips on which ${ARRANGED}`),
  ].filter(({ tripIds }) => tripIds.length > 0);
  const report = (rowsOfKind: Row[], what: string) => {
    if (rowsOfKind.length > 0) context.skipped.push(describeSkipped(namesOf(rowsOfKind), what));
  };
  for (const { why, tripIds } of leftOut) context.skipped.push(describeSkipped(tripIds, `left out: ${why}`));
  report(skipped.partlyArranged, `not sold online: stops of trips where ${ARRANGED}`);
  report(skipped.approximate, 'sold as exact: approximate times (timepoint 0), on trips');
  return { trips, leftOut };
}

function createLeftOut(rows: readonly Row[], why: string): LeftOut {
  return { why, tripIds: namesOf(rows), serviceIds: new Set(rows.map((row) => row.text('service_id'))) };
}

function namesOf(rows: readonly Row[]): string[] {
  return rows.map((row) => row.text('trip_id'));
}

/** Lines on which the purchase of a ticket arranges boarding and leaving, by their `route_id`. */
function readArrangedLines(source: FeedInput): Set<string> {
  const rows = readFeedTable(source, 'route_rules.csv').filter((row) => row.flag('sells_arranged', false));
  return new Set(rows.map((row) => row.text('route_id')));
}

/** @returns false for a trip of a skipped route or with invalid references */
function checkTripReferences(row: Row, context: TripContext): boolean {
  const routeId = row.required('route_id');
  const serviceId = row.required('service_id');
  if (context.others.has(routeId)) return false;
  const hasRoute = context.ferries.has(routeId);
  const hasService = context.services.has(serviceId);
  if (!hasRoute && routeId !== '') row.problem('route_id', `There is no route ${routeId}.`);
  if (!hasService && serviceId !== '') row.problem('service_id', `There is no service ${serviceId}.`);
  return hasRoute && hasService;
}

function readStopTimes(
  source: FeedInput,
  { trips, stops }: { trips: ReadonlySet<string>; stops: ReadonlyMap<string, GtfsStop> },
): Map<string, StopTime[]> {
  const byTrip = new Map<string, StopTime[]>();
  const rows = readFeedTable(source, 'stop_times.txt');
  for (const row of rows) {
    const tripId = row.required('trip_id');
    const stopId = row.required('stop_id');
    const sequence = row.int('stop_sequence');
    row.required('stop_sequence');
    if (tripId !== '' && !trips.has(tripId)) row.problem('trip_id', `There is no trip ${tripId}.`);
    if (stopId !== '' && !stops.has(stopId)) row.problem('stop_id', `There is no stop ${stopId}.`);
    const calls = byTrip.get(tripId) ?? [];
    if (calls.length === 0) byTrip.set(tripId, calls);
    if (calls.some((call) => call.sequence === sequence)) {
      row.problem('stop_sequence', `The trip ${tripId} has the number ${sequence} twice.`);
    }
    calls.push({ row, stopId, sequence: sequence ?? 0 });
  }
  return byTrip;
}

type TripParts = {
  stopTimes: readonly StopTime[];
  repeats: readonly number[];
  stops: ReadonlyMap<string, GtfsStop>;
  /** Whether stops are sold where boarding or leaving must be arranged. */
  sellsArranged: boolean;
  skipped: Skipped;
};

function createTrip(
  row: Row,
  { stopTimes, repeats, stops, sellsArranged, skipped }: TripParts,
): GtfsTrip | null {
  const id = row.text('trip_id');
  const inOrder = stopTimes.toSorted((a, b) => a.sequence - b.sequence);
  if (new Set(inOrder.map(({ stopId }) => getPortId(stops, stopId))).size < 2) {
    skipped.single.push(row);
    return null;
  }
  const times = readTimes(inOrder);
  if (!times) return null;
  const isArranged = !sellsArranged && inOrder.some(({ row: call }) => mustBeArranged(call));
  if (inOrder.some(({ row: call }) => isApproximate(call))) skipped.approximate.push(row);
  const calls = mergePlatforms(
    inOrder.map((call, index) => ({
      stopId: getPortId(stops, call.stopId),
      ...(times[index] ?? { arrives: 0, departs: 0 }),
      canBoard: isSoldAt(call.row, 'pickup_type', sellsArranged),
      canAlight: isSoldAt(call.row, 'drop_off_type', sellsArranged),
    })),
  );
  const [from] = calls;
  const to = calls.at(-1);
  const firstBoarding = calls.findIndex(({ canBoard }) => canBoard);
  const isSold = firstBoarding >= 0 && calls.slice(firstBoarding + 1).some(({ canAlight }) => canAlight);
  if (!from || !to || !isSold) {
    skipped[isArranged ? 'arranged' : 'unsold'].push(row);
    return null;
  }
  if (isArranged) skipped.partlyArranged.push(row);
  return {
    id,
    routeId: row.text('route_id'),
    serviceId: row.text('service_id'),
    takesBicycles: row.text('bikes_allowed') === '1',
    takesVehicles: row.text('cars_allowed') === '1',
    calls,
    from,
    to,
    repeats,
  };
}

/** 0 or empty: regular. 1: none. 2 and 3: to be arranged by phone or with the crew. */
function isSoldAt(row: Row, column: 'pickup_type' | 'drop_off_type', sellsArranged: boolean): boolean {
  const type = row.oneOf(column, ['0', '1', '2', '3'], '0') ?? '0';
  return type === '0' || (sellsArranged && type !== '1');
}

function mustBeArranged(row: Row): boolean {
  return ['2', '3'].includes(row.text('pickup_type')) || ['2', '3'].includes(row.text('drop_off_type'));
}

function isApproximate(row: Row): boolean {
  return row.oneOf('timepoint', ['0', '1'], '1') === '0' && row.text('departure_time') !== '';
}

/** Consecutive platforms of one port are one call. */
function mergePlatforms(calls: readonly GtfsCall[]): GtfsCall[] {
  const merged: GtfsCall[] = [];
  for (const call of calls) {
    const before = merged.at(-1);
    if (before?.stopId !== call.stopId) {
      merged.push({ ...call });
      continue;
    }
    before.departs = call.departs;
    before.canBoard ||= call.canBoard;
    before.canAlight ||= call.canAlight;
  }
  return merged;
}

type Times = Pick<GtfsCall, 'arrives' | 'departs'>;

/**
 * Arrival and departure of each call. A call without times gets times between those of its neighbors, in whole minutes.
 * @returns null after a problem
 */
function readTimes(stopTimes: readonly StopTime[]): Times[] | null {
  const timetabled = stopTimes.map(({ row }): Times | null => {
    const arrives = row.time('arrival_time') ?? row.time('departure_time');
    const departs = row.time('departure_time') ?? arrives;
    return arrives === null || departs === null ? null : { arrives, departs };
  });
  const first = stopTimes[0];
  const last = stopTimes.at(-1);
  if (!timetabled[0] && first)
    requireTime(first.row, 'departure_time', 'A trip needs the time of its first stop.');
  if (!timetabled.at(-1) && last)
    requireTime(last.row, 'arrival_time', 'A trip needs the time of its last stop.');
  if (!timetabled[0] || !timetabled.at(-1)) return null;
  const times = timetabled.map((each, index) => each ?? interpolate(timetabled, index));
  const late = times.findIndex(({ arrives, departs }, index) => {
    const before = times[index - 1];
    return departs < arrives || (before !== undefined && arrives < before.departs);
  });
  const isStill = late < 0 && (times.at(-1)?.arrives ?? 0) <= (times[0]?.departs ?? 0);
  const wrong = stopTimes[isStill ? stopTimes.length - 1 : late];
  if (!wrong) return times;
  wrong.row.problem('arrival_time', 'The trip arrives before, or as, it departs.');
  return null;
}

function interpolate(timetabled: readonly (Times | null)[], index: number): Times {
  const before = timetabled.findLastIndex((each, at) => at < index && each !== null);
  const after = timetabled.findIndex((each, at) => at > index && each !== null);
  const departs = timetabled[before]?.departs ?? 0;
  const arrives = timetabled[after]?.arrives ?? departs;
  const share = (index - before) / (after - before);
  const at = departs + Math.floor(((arrives - departs) * share) / 60) * 60;
  return { arrives: at, departs: at };
}

/** Only for an empty cell; an invalid time was reported already. */
function requireTime(row: Row, column: string, message: string): void {
  if (row.text('departure_time') === '' && row.text('arrival_time') === '') row.problem(column, message);
}

/**
 * Departures of trips defined by a frequency. Computed as exact times regardless of `exact_times`, because a sailing
 * that is sold needs a departure time.
 */
function readFrequencies(source: FeedInput, trips: ReadonlySet<string>): Map<string, Set<number>> {
  const byTrip = new Map<string, Set<number>>();
  const rows = readFeedTable(source, 'frequencies.txt');
  for (const row of rows) {
    const tripId = row.required('trip_id');
    if (tripId !== '' && !trips.has(tripId)) row.problem('trip_id', `There is no trip ${tripId}.`);
    const start = row.time('start_time');
    const end = row.time('end_time');
    const headway = row.int('headway_secs', { min: 60, max: 86_400 });
    for (const column of ['start_time', 'end_time', 'headway_secs']) row.required(column);
    if (start === null || end === null || headway === null) continue;
    const departures = byTrip.get(tripId) ?? new Set();
    for (let at = start; at < end; at += headway) departures.add(at);
    byTrip.set(tripId, departures);
  }
  return byTrip;
}
