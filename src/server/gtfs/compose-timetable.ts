import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { getServiceDayStart } from '#domain/time/port-time.ts';
import { parseTranslationKey, type Translations } from '#messages/translations.ts';
import type { FeedInfo, PublishedLine, PublishedPort, PublishedVoyage } from './timetable-data.ts';
import { groupTrips, keyOfVoyage, type PublishedTrip } from './trips.ts';

export type TimetableInput = {
  feed: FeedInfo;
  ports: readonly PublishedPort[];
  lines: readonly PublishedLine[];
  /** JSON of `PublishedVoyage[]`, several lists. */
  voyages: readonly string[];
};

export type ComposedTimetable = {
  files: Map<string, Uint8Array>;
  /** Trip ids that differ from the voyage's own key, by `keyOfVoyage`. */
  otherTripIds: [voyage: string, tripId: string][];
};

/** The files of a GTFS feed. Equal input gives equal bytes. */
export function composeTimetable({ feed, ports, lines, ...input }: TimetableInput): ComposedTimetable {
  const voyages = input.voyages.flatMap((part) => JSON.parse(part) as PublishedVoyage[]);
  const starts = new Map(
    [...new Set(voyages.map(({ day }) => day))].map((day) => [day, getServiceDayStart(day, feed.timeZone)]),
  );
  const trips = groupTrips(voyages, (day) => starts.get(day) ?? 0);
  const services = new Map(trips.map(({ days }) => [nameService(days), days]));
  const stops = ports.filter(({ id }) =>
    trips.some((trip) => trip.calls.some(({ portId }) => portId === id)),
  );
  const byPort = new Map(ports.map((port) => [port.id, port]));
  const publishedLines = lines.filter(({ id }) => trips.some(({ line }) => line === id));
  const translations = [
    ...stops.flatMap(translateStop),
    ...publishedLines.flatMap(({ id, translations: names }) =>
      translationRows(names, { table_name: 'routes', field_name: 'route_long_name', record_id: id }),
    ),
  ];
  const tables: Record<string, readonly Cells[]> = {
    'agency.txt': [agencyRow(feed)],
    'stops.txt': stops
      .toSorted((a, b) => (a.gtfsStopId < b.gtfsStopId ? -1 : 1))
      .map((port) => stopRow(port, feed)),
    'routes.txt': publishedLines.map(routeRow),
    'trips.txt': trips.map((trip) => tripRow(trip, byPort)),
    'stop_times.txt': trips.flatMap((trip) => stopTimeRows(trip, byPort)),
    'calendar_dates.txt': [...services]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([id, days]) =>
        days.map((day) => ({ service_id: id, date: compact(day), exception_type: 1 })),
      ),
    ...(translations.length > 0 ? { 'translations.txt': translations } : {}),
  };
  const files = new Map(Object.entries(tables).map(([name, rows]) => [name, encode(name, rows)]));
  files.set('feed_info.txt', encode('feed_info.txt', [feedInfoRow(feed, files)]));
  return {
    files,
    otherTripIds: trips.flatMap((trip) =>
      trip.id === trip.tripKey
        ? []
        : trip.days.map((day): [string, string] => [keyOfVoyage({ ...trip, day }), trip.id]),
    ),
  };
}

type Cells = Readonly<Record<string, string | number>>;

/** Also without rows a file has its header. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'stops.txt': ['stop_id', 'stop_name'],
  'routes.txt': ['route_id', 'route_type'],
  'trips.txt': ['route_id', 'service_id', 'trip_id'],
  'stop_times.txt': ['trip_id', 'arrival_time', 'departure_time', 'stop_id', 'stop_sequence'],
  'calendar_dates.txt': ['service_id', 'date', 'exception_type'],
};

function encode(name: string, rows: readonly Cells[]): Uint8Array {
  const columns = rows[0] ? Object.keys(rows[0]) : (COLUMNS[name] ?? []);
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return new TextEncoder().encode(stringify(lines, { record_delimiter: '\n' }));
}

const AGENCY = 'operator';

function agencyRow({ publisher, timeZone }: FeedInfo): Cells {
  return {
    agency_id: AGENCY,
    agency_name: publisher.name,
    agency_url: publisher.url,
    agency_timezone: timeZone,
    agency_lang: publisher.language,
    agency_phone: publisher.phone,
  };
}

function stopRow(port: PublishedPort, { ticketsOrigin }: FeedInfo): Cells {
  return {
    stop_id: port.gtfsStopId,
    stop_code: port.code,
    stop_name: port.name,
    stop_lat: port.lat ?? '',
    stop_lon: port.lon ?? '',
    stop_timezone: port.timeZone,
    stop_url: ticketsOrigin + fillPath(ticketPages.portDepartures, { code: port.code }),
    wheelchair_boarding: { yes: 1, no: 2, partly: 0, unknown: 0 }[port.stepFree],
  };
}

/** Of its name as a stop, and as the headsign of trips, which have no names of their own. */
function translateStop({ gtfsStopId, name, translations }: PublishedPort): Cells[] {
  return [
    ...translationRows(translations, {
      table_name: 'stops',
      field_name: 'stop_name',
      record_id: gtfsStopId,
    }),
    ...translationRows(translations, {
      table_name: 'trips',
      field_name: 'trip_headsign',
      field_value: name,
    }),
  ];
}

/** The translations of a name. Only names of ports and lines are published. */
function translationRows(
  translations: Translations,
  { record_id = '', field_value = '', ...of }: TranslatedField,
): Cells[] {
  return Object.entries(translations).flatMap(([key, translation]) => {
    const { field, tag } = parseTranslationKey(key) ?? {};
    if (tag === undefined || (field !== 'name' && field !== 'lineName')) return [];
    return [{ ...of, language: tag, translation: String(translation), record_id, field_value }];
  });
}

/** A record's field, or a field wherever it has a value. */
type TranslatedField = { table_name: string; field_name: string; record_id?: string; field_value?: string };

const FERRY = 4;

function routeRow({ id, name, sort }: PublishedLine): Cells {
  return {
    route_id: id,
    agency_id: AGENCY,
    route_short_name: '',
    route_long_name: name,
    route_type: FERRY,
    route_sort_order: sort,
  };
}

type Ports = ReadonlyMap<string, PublishedPort>;

function tripRow(trip: PublishedTrip, ports: Ports): Cells {
  const last = trip.calls.findLast(({ canAlight }) => canAlight);
  return {
    route_id: trip.line,
    service_id: nameService(trip.days),
    trip_id: trip.id,
    trip_headsign: ports.get(last?.portId ?? '')?.name ?? '',
    bikes_allowed: trip.carriesBicycles ? 1 : 2,
    cars_allowed: trip.carriesVehicles ? 1 : 2,
  };
}

function stopTimeRows({ id, calls }: PublishedTrip, ports: Ports): Cells[] {
  return calls.map(({ portId, arrives, departs, canBoard, canAlight }, index) => ({
    trip_id: id,
    arrival_time: formatServiceTime(arrives),
    departure_time: formatServiceTime(departs),
    stop_id: ports.get(portId)?.gtfsStopId ?? '',
    stop_sequence: index + 1,
    pickup_type: canBoard ? 0 : 1,
    drop_off_type: canAlight ? 0 : 1,
  }));
}

function feedInfoRow({ publisher, from, until }: FeedInfo, files: ReadonlyMap<string, Uint8Array>): Cells {
  const hash = createHash('sha256');
  for (const [name, contents] of files) hash.update(`${name}\0`).update(contents);
  return {
    feed_publisher_name: publisher.name,
    feed_publisher_url: publisher.url,
    feed_lang: publisher.language,
    feed_start_date: compact(from),
    feed_end_date: compact(until),
    feed_version: hash.digest('hex').slice(0, 16),
  };
}

/** Equal sets of days are one service. */
function nameService(days: readonly string[]): string {
  return createHash('sha256').update(days.join()).digest('hex').slice(0, 12);
}

/** Seconds of the service day as `HH:MM:SS`; hours may exceed 24. */
function formatServiceTime(seconds: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`;
}

/** `20260601` */
export function compact(day: string): string {
  return day.replaceAll('-', '');
}
