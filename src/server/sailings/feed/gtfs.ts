import { isTimeZone } from '#domain/time/port-time.ts';
import type { Problems } from '#server/csv/problems.ts';
import { type Row, readTable } from '#server/csv/table.ts';
import type { FeedFiles } from './feed-files.ts';

type GtfsStop = {
  id: string;
  code: string;
  name: string;
  lat: number | null;
  lon: number | null;
  timeZone: string;
  stepFree: 'yes' | 'no' | 'unknown';
  /** The platform's station. */
  parentId: string | null;
};

type GtfsRoute = { id: string; name: string; sort: number };

export type GtfsTrip = {
  id: string;
  routeId: string;
  serviceId: string;
  takesBicycles: boolean;
  takesVehicles: boolean;
  /** First and last stop, in seconds of the service day. */
  from: { stopId: string; departs: number };
  to: { stopId: string; arrives: number };
  /** Number of stops in between, which are not sold. */
  stopsBetween: number;
  /** Departures of a trip defined by frequency; empty for other trips. */
  repeats: readonly number[];
};

export type GtfsService = {
  weekdays: number;
  from: string;
  until: string;
  added: Set<string>;
  removed: Set<string>;
};

export type Gtfs = {
  timeZone: string;
  stops: ReadonlyMap<string, GtfsStop>;
  routes: ReadonlyMap<string, GtfsRoute>;
  trips: readonly GtfsTrip[];
  services: ReadonlyMap<string, GtfsService>;
  /** What was skipped and why, in sentences. */
  skipped: string[];
};

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/**
 * Parses the timetable files of a GTFS feed, ferries only.
 *
 * A trip becomes one sailing from its first to its last stop. Intermediate stops are skipped with a notice: selling
 * them would require capacity per section, otherwise places would be oversold. Operators who sell sections define them
 * as separate trips.
 */
export function readGtfs(files: FeedFiles, problems: Problems): Gtfs {
  const skipped: string[] = [];
  const timeZone = readTimeZone(files, problems);
  const stops = readStops(files, problems, timeZone);
  const routes = readRoutes(files, problems, skipped);
  const services = readServices(files, problems);
  const trips = readTrips(files, problems, { stops, ...routes, services, skipped });
  return { timeZone, stops, routes: routes.ferries, trips, services, skipped };
}

/** A sentence about skipped items: how many, and the first few names. */
function describeSkipped(names: readonly string[], what: string): string {
  const first = names.slice(0, 5).join(', ');
  return `${what} (${names.length}): ${first}${names.length > 5 ? ', …' : ''}`;
}

function readTimeZone(files: FeedFiles, problems: Problems): string {
  const rows = readTable(files, 'agency.txt', problems, { isRequired: true, required: ['agency_timezone'] });
  const [first] = rows;
  const timeZone = first?.required('agency_timezone') ?? 'UTC';
  if (first && timeZone !== '' && !isTimeZone(timeZone)) {
    first.problem('agency_timezone', `"${timeZone}" is not a time zone.`);
  }
  for (const row of rows) {
    if (row.text('agency_timezone') !== timeZone) {
      row.problem(
        'agency_timezone',
        `All agencies of a feed share one time zone; the first has ${timeZone}.`,
      );
    }
  }
  if (files.has('agency.txt') && rows.length === 0) problems.add('agency.txt', null, null, 'No agency.');
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

function readStops(files: FeedFiles, problems: Problems, zone: string): Map<string, GtfsStop> {
  const stops = new Map<string, GtfsStop>();
  const rows = readTable(files, 'stops.txt', problems, {
    isRequired: true,
    required: ['stop_id', 'stop_name'],
  });
  const parents: { row: Row; parentId: string }[] = [];
  for (const row of rows) {
    const stop = readStop(row, zone);
    if (stops.has(stop.id)) row.problem('stop_id', `The stop ${stop.id} is there twice.`);
    stops.set(stop.id, stop);
    if (stop.parentId) parents.push({ row, parentId: stop.parentId });
  }
  for (const { row, parentId } of parents) {
    if (!stops.has(parentId)) row.problem('parent_station', `There is no stop ${parentId}.`);
  }
  return stops;
}

function readStop(row: Row, agencyZone: string): GtfsStop {
  const zone = row.text('stop_timezone');
  if (zone !== '' && !isTimeZone(zone)) row.problem('stop_timezone', `"${zone}" is not a time zone.`);
  const boarding = row.text('wheelchair_boarding');
  return {
    id: row.required('stop_id'),
    code: row.text('stop_code'),
    // Only places without boarding may be unnamed.
    name: ['3', '4'].includes(row.text('location_type')) ? row.text('stop_name') : row.required('stop_name'),
    lat: degrees(row, 'stop_lat', 90),
    lon: degrees(row, 'stop_lon', 180),
    timeZone: isTimeZone(zone) ? zone : agencyZone,
    stepFree: boarding === '1' ? 'yes' : boarding === '2' ? 'no' : 'unknown',
    parentId: row.text('parent_station') || null,
  };
}

function degrees(row: Row, column: string, limit: number): number | null {
  const value = row.decimal(column);
  if (value === null || Math.abs(value) <= limit) return value;
  row.problem(column, `${value} is not between -${limit} and ${limit}.`);
  return null;
}

type Routes = { ferries: Map<string, GtfsRoute>; others: Set<string> };

function readRoutes(files: FeedFiles, problems: Problems, skipped: string[]): Routes {
  const ferries = new Map<string, GtfsRoute>();
  const others = new Set<string>();
  const rows = readTable(files, 'routes.txt', problems, {
    isRequired: true,
    required: ['route_id', 'route_type'],
  });
  for (const [index, row] of rows.entries()) {
    const id = row.required('route_id');
    if (ferries.has(id) || others.has(id)) row.problem('route_id', `The route ${id} is there twice.`);
    const type = row.int('route_type', { max: 9999 });
    if (type === null) {
      row.required('route_type');
    } else if (!isFerry(type)) {
      others.add(id);
      continue;
    }
    const name = row.text('route_long_name') || row.text('route_short_name') || id;
    ferries.set(id, { id, name, sort: row.int('route_sort_order') ?? index });
  }
  if (others.size > 0) skipped.push(describeSkipped([...others], 'left out: routes that are not ferries'));
  return { ferries, others };
}

/** 4 is GTFS's ferry; 1000 to 1099 (water transport) and 1200 (ferry) are extended types. */
export function isFerry(type: number): boolean {
  return type === 4 || type === 1200 || (type >= 1000 && type <= 1099);
}

function readServices(files: FeedFiles, problems: Problems): Map<string, GtfsService> {
  const services = new Map<string, GtfsService>();
  if (!files.has('calendar.txt') && !files.has('calendar_dates.txt')) {
    problems.add('calendar.txt', null, null, 'The feed needs calendar.txt or calendar_dates.txt.');
  }
  const rows = readTable(files, 'calendar.txt', problems, {
    required: ['service_id', ...WEEKDAYS, 'start_date', 'end_date'],
  });
  for (const row of rows) {
    const id = row.required('service_id');
    if (services.has(id)) row.problem('service_id', `The service ${id} is there twice.`);
    services.set(id, readService(row));
  }
  const exceptions = readTable(files, 'calendar_dates.txt', problems, {
    required: ['service_id', 'date', 'exception_type'],
  });
  for (const row of exceptions) readException(row, services);
  return services;
}

function readService(row: Row): GtfsService {
  let weekdays = 0;
  for (const [bit, name] of WEEKDAYS.entries()) if (row.flag(name, false)) weekdays |= 1 << bit;
  const from = row.day('start_date');
  const until = row.day('end_date');
  for (const column of ['start_date', 'end_date']) row.required(column);
  if (from && until && until < from) row.problem('end_date', 'The service ends before it starts.');
  return createService({ weekdays, from: from ?? '', until: until ?? '' });
}

function createService(calendar: Pick<GtfsService, 'weekdays' | 'from' | 'until'>): GtfsService {
  return { ...calendar, added: new Set(), removed: new Set() };
}

function readException(row: Row, services: Map<string, GtfsService>): void {
  const id = row.required('service_id');
  const day = row.day('date');
  const type = row.oneOf('exception_type', ['1', '2'], '1');
  for (const column of ['exception_type', 'date']) row.required(column);
  if (day === null) return;
  const service = services.get(id) ?? createService({ weekdays: 0, from: '', until: '' });
  services.set(id, service);
  (type === '1' ? service.added : service.removed).add(day);
}

type TripContext = Routes & {
  stops: ReadonlyMap<string, GtfsStop>;
  services: ReadonlyMap<string, GtfsService>;
  skipped: string[];
};

type Call = { row: Row; stopId: string; sequence: number };

function readTrips(files: FeedFiles, problems: Problems, context: TripContext): GtfsTrip[] {
  const rows = readTable(files, 'trips.txt', problems, {
    isRequired: true,
    required: ['route_id', 'service_id', 'trip_id'],
  });
  const known = new Set(rows.map((row) => row.text('trip_id')));
  const calls = readCalls(files, problems, known, context.stops);
  const repeats = readFrequencies(files, problems, known);
  const seen = new Set<string>();
  const single: string[] = [];
  const loops: string[] = [];
  const passing: string[] = [];
  const trips: GtfsTrip[] = [];
  for (const row of rows) {
    const id = row.required('trip_id');
    if (seen.has(id)) row.problem('trip_id', `The trip ${id} is there twice.`);
    seen.add(id);
    if (!checkTripReferences(row, context)) continue;
    const stops = calls.get(id) ?? [];
    if (stops.length < 2) {
      single.push(id);
      continue;
    }
    const trip = createTrip(row, stops, [...(repeats.get(id) ?? [])]);
    if (!trip) continue;
    if (portOf(context.stops, trip.from.stopId) === portOf(context.stops, trip.to.stopId)) {
      loops.push(id);
    } else {
      trips.push(trip);
      if (trip.stopsBetween > 0) passing.push(id);
    }
  }
  const report = (names: string[], what: string) => {
    if (names.length > 0) context.skipped.push(describeSkipped(names, what));
  };
  report(single, 'left out: trips with fewer than two stops');
  report(loops, 'left out: round trips, which end where they began');
  report(passing, 'sold from the first stop to the last only: trips with stops between');
  return trips;
}

/** The port of a stop: its station if it is one of several platforms. */
export function portOf(stops: ReadonlyMap<string, GtfsStop>, stopId: string): string {
  const parentId = stops.get(stopId)?.parentId;
  return parentId && stops.has(parentId) ? parentId : stopId;
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

function readCalls(
  files: FeedFiles,
  problems: Problems,
  trips: ReadonlySet<string>,
  stops: ReadonlyMap<string, GtfsStop>,
): Map<string, Call[]> {
  const byTrip = new Map<string, Call[]>();
  const rows = readTable(files, 'stop_times.txt', problems, {
    isRequired: true,
    required: ['trip_id', 'stop_id', 'stop_sequence', 'arrival_time', 'departure_time'],
  });
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

function createTrip(row: Row, calls: readonly Call[], repeats: readonly number[]): GtfsTrip | null {
  const inOrder = calls.toSorted((a, b) => a.sequence - b.sequence);
  const first = inOrder[0];
  const last = inOrder.at(-1);
  if (!first || !last) return null;
  const departs = first.row.time('departure_time') ?? first.row.time('arrival_time');
  const arrives = last.row.time('arrival_time') ?? last.row.time('departure_time');
  if (departs === null) requireTime(first.row, 'departure_time', 'A trip needs the time of its first stop.');
  if (arrives === null) requireTime(last.row, 'arrival_time', 'A trip needs the time of its last stop.');
  if (departs === null || arrives === null) return null;
  if (arrives <= departs) {
    last.row.problem('arrival_time', 'The trip arrives before, or as, it departs.');
    return null;
  }
  return {
    id: row.text('trip_id'),
    routeId: row.text('route_id'),
    serviceId: row.text('service_id'),
    takesBicycles: row.text('bikes_allowed') === '1',
    takesVehicles: row.text('cars_allowed') === '1',
    from: { stopId: first.stopId, departs },
    to: { stopId: last.stopId, arrives },
    stopsBetween: inOrder.length - 2,
    repeats,
  };
}

/** Only for an empty cell; an invalid time was reported already. */
function requireTime(row: Row, column: string, message: string): void {
  if (row.text('departure_time') === '' && row.text('arrival_time') === '') row.problem(column, message);
}

/**
 * Departures of trips defined by a frequency. Computed as exact times regardless of `exact_times`, because a sailing
 * that is sold needs a departure time.
 */
function readFrequencies(
  files: FeedFiles,
  problems: Problems,
  trips: ReadonlySet<string>,
): Map<string, Set<number>> {
  const byTrip = new Map<string, Set<number>>();
  const rows = readTable(files, 'frequencies.txt', problems, {
    required: ['trip_id', 'start_time', 'end_time', 'headway_secs'],
  });
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
