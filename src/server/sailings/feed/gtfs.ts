import { isTimeZone } from '#domain/time/port-time.ts';
import { renameField } from '#messages/translations.ts';
import type { Row } from '#server/csv/table.ts';
import { type FeedInput, readFeedTable } from './feed-tables.ts';
import { readTransfers, type Transfers } from './gtfs-transfers.ts';
import { type FindTranslations, readTranslations } from './gtfs-translations.ts';
import { type GtfsTrip, type LeftOut, readTrips } from './gtfs-trips.ts';
import {
  describeSkipped,
  type GtfsRoute,
  type GtfsService,
  type GtfsStop,
  type Routes,
} from './gtfs-types.ts';

export type Gtfs = {
  timeZone: string;
  stops: ReadonlyMap<string, GtfsStop>;
  routes: ReadonlyMap<string, GtfsRoute>;
  trips: readonly GtfsTrip[];
  leftOut: readonly LeftOut[];
  services: ReadonlyMap<string, GtfsService>;
  transfers: Transfers;
  /** What was skipped and why, in sentences. */
  skipped: string[];
};

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Parses the timetable files of a GTFS feed, ferries only. */
export function readGtfs(source: FeedInput): Gtfs {
  const skipped: string[] = [];
  const timeZone = readTimeZone(source);
  const translate = readTranslations(source);
  const stops = readStops(source, { timeZone, translate });
  const routes = readRoutes(source, { skipped, translate });
  const services = readServices(source);
  const { trips, leftOut } = readTrips(source, { stops, ...routes, services, skipped });
  const transfers = readTransfers(source, { stops, skipped });
  return { timeZone, stops, routes: routes.ferries, trips, leftOut, services, transfers, skipped };
}

function readTimeZone(source: FeedInput): string {
  const { files, problems } = source;
  const rows = readFeedTable(source, 'agency.txt');
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

type StopInput = { timeZone: string; translate: FindTranslations };

function readStops(source: FeedInput, input: StopInput): Map<string, GtfsStop> {
  const stops = new Map<string, GtfsStop>();
  const rows = readFeedTable(source, 'stops.txt');
  const parents: { row: Row; parentId: string }[] = [];
  for (const row of rows) {
    const stop = readStop(row, input);
    if (stops.has(stop.id)) row.problem('stop_id', `The stop ${stop.id} is there twice.`);
    stops.set(stop.id, stop);
    if (stop.parentId) parents.push({ row, parentId: stop.parentId });
  }
  for (const { row, parentId } of parents) {
    if (!stops.has(parentId)) row.problem('parent_station', `There is no stop ${parentId}.`);
  }
  return stops;
}

function readStop(row: Row, { timeZone: agencyZone, translate }: StopInput): GtfsStop {
  const zone = row.text('stop_timezone');
  if (zone !== '' && !isTimeZone(zone)) row.problem('stop_timezone', `"${zone}" is not a time zone.`);
  const boarding = row.text('wheelchair_boarding');
  const id = row.required('stop_id');
  const description = row.text('stop_desc');
  // Only places without boarding may be unnamed.
  const isPlace = ['3', '4'].includes(row.text('location_type'));
  const name = isPlace ? row.text('stop_name') : row.required('stop_name');
  return {
    id,
    code: row.text('stop_code'),
    name,
    lat: degrees(row, 'stop_lat', 90),
    lon: degrees(row, 'stop_lon', 180),
    timeZone: isTimeZone(zone) ? zone : agencyZone,
    stepFree: boarding === '1' ? 'yes' : boarding === '2' ? 'no' : 'unknown',
    parentId: row.text('parent_station') || null,
    zoneId: row.text('zone_id'),
    description,
    url: readUrl(row, 'stop_url'),
    translations: {
      ...translate({ table: 'stops', field: 'stop_name', id, value: name }),
      ...renameField(
        translate({ table: 'stops', field: 'stop_desc', id, value: description }),
        'description',
      ),
    },
  };
}

function readUrl(row: Row, column: string): string {
  const text = row.text(column);
  if (text === '' || (/^https?:/.test(text) && URL.canParse(text))) return text;
  row.problem(column, `"${text}" is not a web address, such as https://example.com/terminal.`);
  return '';
}

function degrees(row: Row, column: string, limit: number): number | null {
  const value = row.decimal(column);
  if (value === null || Math.abs(value) <= limit) return value;
  row.problem(column, `${value} is not between -${limit} and ${limit}.`);
  return null;
}

function readRoutes(
  source: FeedInput,
  { skipped, translate }: { skipped: string[]; translate: FindTranslations },
): Routes {
  const ferries = new Map<string, GtfsRoute>();
  const others = new Set<string>();
  const rows = readFeedTable(source, 'routes.txt');
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
    const field = row.text('route_long_name') === '' ? 'route_short_name' : 'route_long_name';
    const value = row.text(field);
    ferries.set(id, {
      id,
      name: value || id,
      sort: row.int('route_sort_order') ?? index,
      translations: translate({ table: 'routes', field, id, value }),
    });
  }
  if (others.size > 0) skipped.push(describeSkipped([...others], 'left out: routes that are not ferries'));
  return { ferries, others };
}

/** 4 is GTFS's ferry; 1000 to 1099 (water transport) and 1200 (ferry) are extended types. */
export function isFerry(type: number): boolean {
  return type === 4 || type === 1200 || (type >= 1000 && type <= 1099);
}

function readServices(source: FeedInput): Map<string, GtfsService> {
  const { files, problems } = source;
  const services = new Map<string, GtfsService>();
  if (!files.has('calendar.txt') && !files.has('calendar_dates.txt')) {
    problems.add('calendar.txt', null, null, 'The feed needs calendar.txt or calendar_dates.txt.');
  }
  const rows = readFeedTable(source, 'calendar.txt');
  for (const row of rows) {
    const id = row.required('service_id');
    if (services.has(id)) row.problem('service_id', `The service ${id} is there twice.`);
    services.set(id, readService(row));
  }
  const exceptions = readFeedTable(source, 'calendar_dates.txt');
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
