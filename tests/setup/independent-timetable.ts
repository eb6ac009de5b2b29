import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * A small GTFS reader that shares no code with the importer, to compare the two. Departures of ferries only.
 */

type Row = Record<string, string>;

/** Every departure that a feed sells on some days, as `ORIGIN DESTINATION DAY INSTANT`, sorted. */
export function listDepartures(folder: string, days: readonly string[]): string[] {
  const ferries = new Set(
    rowsOf(folder, 'routes.txt')
      .filter(({ route_type: type = '' }) => /^(4|1200|10\d\d)$/.test(type))
      .map(({ route_id: id }) => id),
  );
  const zone = rowsOf(folder, 'agency.txt')[0]?.agency_timezone ?? 'UTC';
  const parents = new Map(rowsOf(folder, 'stops.txt').map((stop) => [stop.stop_id, stop.parent_station]));
  const stopTimes = groupBy(rowsOf(folder, 'stop_times.txt'), 'trip_id');
  const frequencies = groupBy(rowsOf(folder, 'frequencies.txt'), 'trip_id');
  const departures = new Set<string>();
  for (const trip of rowsOf(folder, 'trips.txt')) {
    if (!ferries.has(trip.route_id ?? '')) continue;
    const id = trip.trip_id ?? '';
    const calls = (stopTimes.get(id) ?? []).toSorted(
      (a, b) => Number(a.stop_sequence) - Number(b.stop_sequence),
    );
    const starts = startsOf(calls, frequencies.get(id) ?? []);
    for (const day of days) {
      if (!runs(folder, trip.service_id ?? '', day)) continue;
      const midnight = noonOf(day, zone) - 12 * 3600;
      for (const [from, to, offset] of pairsOf(calls, parents)) {
        for (const start of starts) {
          const instant = new Date((midnight + start + offset) * 1000).toISOString();
          departures.add(`${from} ${to} ${day} ${instant}`);
        }
      }
    }
  }
  return [...departures].toSorted();
}

/** Each pair of ports once, over the fewest stops, with the seconds from the first departure of the trip. */
function pairsOf(calls: readonly Row[], parents: ReadonlyMap<string | undefined, string | undefined>) {
  const first = seconds(calls[0]?.departure_time || calls[0]?.arrival_time || '');
  const ports = calls.map(({ stop_id: id = '' }) => parents.get(id) || id);
  const best = new Map<string, readonly [from: string, to: string, offset: number, stops: number]>();
  for (const [i, from] of calls.entries()) {
    for (const [j, to] of calls.entries()) {
      const [a = '', b = ''] = [ports[i], ports[j]];
      const canTravel = j > i && a !== b && isOpen(from.pickup_type) && isOpen(to.drop_off_type);
      const shortest = best.get(`${a} ${b}`);
      if (!canTravel || (shortest && shortest[3] <= j - i)) continue;
      best.set(`${a} ${b}`, [a, b, seconds(from.departure_time || from.arrival_time || '') - first, j - i]);
    }
  }
  return best.values();
}

function isOpen(type: string | undefined): boolean {
  return type === undefined || type === '' || type === '0';
}

function startsOf(calls: readonly Row[], frequencies: readonly Row[]): number[] {
  if (frequencies.length === 0) return [seconds(calls[0]?.departure_time || calls[0]?.arrival_time || '')];
  return frequencies.flatMap((row) => {
    const starts: number[] = [];
    const end = seconds(row.end_time ?? '');
    for (let at = seconds(row.start_time ?? ''); at < end; at += Number(row.headway_secs)) starts.push(at);
    return starts;
  });
}

function runs(folder: string, service: string, day: string): boolean {
  const compact = day.replaceAll('-', '');
  const exception = rowsOf(folder, 'calendar_dates.txt').find(
    (row) => row.service_id === service && row.date === compact,
  );
  if (exception) return exception.exception_type === '1';
  const weekday = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'][
    new Date(`${day}T00:00:00Z`).getUTCDay()
  ];
  return rowsOf(folder, 'calendar.txt').some(
    (row) =>
      row.service_id === service &&
      (row.start_date ?? '') <= compact &&
      compact <= (row.end_date ?? '') &&
      row[weekday ?? ''] === '1',
  );
}

/** Seconds since 1970 at noon in the zone. */
function noonOf(day: string, zone: string): number {
  const utc = Date.parse(`${day}T12:00:00Z`);
  const shown = new Date(utc).toLocaleString('sv-SE', { timeZone: zone });
  return (2 * utc - Date.parse(`${shown.replace(' ', 'T')}Z`)) / 1000;
}

function seconds(time: string): number {
  const [hours = 0, minutes = 0, rest = 0] = time.split(':').map(Number);
  return hours * 3600 + minutes * 60 + rest;
}

const cache = new Map<string, Row[]>();

function rowsOf(folder: string, file: string): Row[] {
  const path = join(folder, file);
  const cached = cache.get(path);
  if (cached) return cached;
  const rows = parseCsv(readIfThere(path));
  cache.set(path, rows);
  return rows;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return '';
  }
}

function parseCsv(text: string): Row[] {
  const [header = [], ...body] = text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => m[1] ?? m[2] ?? ''));
  return body.map((cells) =>
    Object.fromEntries(header.map((name, index) => [name.trim(), (cells[index] ?? '').trim()])),
  );
}

function groupBy(rows: readonly Row[], column: string): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row[column] ?? '');
}
