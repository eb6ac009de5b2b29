import type { FeedFiles } from '#server/sailings/feed/feed-files.ts';
import { buildFeed, feedText } from './timetable.ts';

/**
 * A line of boats that call at these ports, 20 minutes apart, and back in the reverse order unless it is one-way. A port
 * may be followed by `:board` (no leaving), `:leave` (no boarding) or `:ask` (only if arranged by phone).
 */
type Line = { id: string; calls: readonly string[]; starts: readonly string[]; isOneWay?: boolean };

/** A timetable in the shape of a real operator's. */
export type FerryNetwork = {
  name: string;
  zone: string;
  currency: string;
  /** When it is imported. */
  now: string;
  lines: readonly Line[];
  /** Replace files of the feed. */
  files: Record<string, string | null>;
  /** How many pairs of ports passengers can travel between without changing boats, counted by hand. */
  pairs: number;
};

const MINUTES_PER_STRETCH = 20;
const MINUTES_IN_PORT = 2;
const FARES =
  'fare_class,kind,passenger_type,vehicle_type,amount\nsaver,passenger,adult,,4.00\nsaver,passenger,child,,2.00\nflex,passenger,adult,,6.00\n';

/** Passengers only, long lines that meet at a hub, several boats between some pairs, and a shuttle by headway. */
const cityFerry: FerryNetwork = {
  name: 'NYC Ferry',
  zone: 'America/New_York',
  currency: 'USD',
  now: '2026-06-01T12:00:00Z',
  lines: [
    {
      id: 'ER',
      calls: ['Wall', 'Dumbo', 'South Side', 'North Side', 'Greenpoint', 'Hunters', 'Midtown'],
      starts: ['6:30', '12:05', '23:30'],
    },
    {
      id: 'AS',
      calls: ['Wall', 'Navy Yard', 'Midtown', 'Long Island', 'Roosevelt', 'Astoria', 'Uptown'],
      starts: ['7:10', '17:40'],
    },
    {
      id: 'SB',
      calls: ['Corlears', 'Wall', 'Dumbo', 'Atlantic', 'Red Hook', 'Sunset', 'Bay Ridge'],
      starts: ['6:45', '18:15'],
    },
    {
      id: 'SV',
      calls: ['Wall', 'Stuyvesant', 'Midtown', 'Uptown', 'Soundview', 'Throgs Neck'],
      starts: ['8:00'],
    },
    { id: 'RW', calls: ['Wall', 'Sunset', 'Rockaway'], starts: ['9:00', '24:10'] },
    { id: 'SG', calls: ['St George', 'Battery', 'West Midtown'], starts: ['9:30'] },
    { id: 'GI', calls: ['Wall', 'Governors'], starts: ['10:00'] },
  ],
  files: {
    'frequencies.txt': 'trip_id,start_time,end_time,headway_secs\nGI-out-0,10:00:00,14:00:00,1800\n',
  },
  // 42 of each line of seven ports, 30 of SV, 6 of RW and SG, 2 of GI; without 12 that an earlier line has.
  pairs: 3 * 42 + 30 + 2 * 6 + 2 - 12,
};

/** Cars, boats that call at different islands, a loop, platforms, and a crossing abroad with one-sided calls. */
export const islandFerries: FerryNetwork = {
  name: 'Washington State Ferries',
  zone: 'America/Los_Angeles',
  currency: 'USD',
  now: '2026-06-01T15:00:00Z',
  lines: [
    { id: 'all', calls: ['Anacortes', 'Lopez', 'Shaw', 'Orcas', 'Friday Harbor'], starts: ['9:05', '15:35'] },
    { id: 'direct', calls: ['Anacortes', 'Friday Harbor'], starts: ['11:00'] },
    { id: 'orcas', calls: ['Anacortes', 'Orcas', 'Friday Harbor'], starts: ['13:15'] },
    {
      id: 'loop',
      calls: ['Friday Harbor', 'Orcas', 'Shaw', 'Lopez', 'Friday Harbor'],
      starts: ['6:20'],
      isOneWay: true,
    },
    { id: 'abroad', calls: ['Anacortes', 'Friday Harbor:board', 'Sidney'], starts: ['8:30'], isOneWay: true },
    { id: 'home', calls: ['Sidney', 'Friday Harbor:leave', 'Anacortes'], starts: ['12:00'], isOneWay: true },
    { id: 'triangle', calls: ['Fauntleroy', 'Vashon', 'Southworth'], starts: ['5:40', '16:00'] },
  ],
  files: {
    'route_rules.csv': 'route_id,carries_vehicles,carries_bicycles\nall,yes,yes\ntriangle,yes,yes\n',
    'fares.csv': `${FARES}saver,vehicle,,car,20.00\nflex,vehicle,,car,25.00\n`,
  },
  // 20 between the five ports of the islands, 4 to and from Sidney, 6 of the triangle.
  pairs: 20 + 4 + 6,
};

/** Small boats, few sailings, calls by arrangement, a boat that calls twice, and the night when summer time ends. */
const atlanticFerries: FerryNetwork = {
  name: 'Strandfaraskip Landsins',
  zone: 'Atlantic/Faroe',
  currency: 'DKK',
  now: '2026-10-22T06:00:00Z',
  lines: [
    { id: '7', calls: ['Tórshavn', 'Tvøroyri'], starts: ['8:00', '24:45'] },
    {
      id: '58',
      calls: ['Hvannasund', 'Svínoy', 'Kirkja', 'Hattarvík', 'Svínoy', 'Hvannasund'],
      starts: ['7:30', '16:00'],
      isOneWay: true,
    },
    { id: '60', calls: ['Gamlarætt', 'Hestur:ask', 'Skopun'], starts: ['6:45', '17:10'] },
    { id: '66', calls: ['Sandur', 'Skúvoy'], starts: ['7:15'] },
  ],
  files: { 'fares.csv': FARES.replaceAll('4.00', '40.00'), 'vehicle_types.csv': null },
  // 2 each of the lines 7, 60 and 66; on line 58 each of 4 ports to each other, but not from Hattarvík to Kirkja.
  pairs: 3 * 2 + 4 * 3 - 1,
};

export const FERRY_NETWORKS = [cityFerry, islandFerries, atlanticFerries];

/** The feed of a network, with more files. Every call at Anacortes is at a platform of the port. */
export function buildNetworkFeed(
  { zone, currency, lines, files }: FerryNetwork,
  more: Record<string, string> = {},
): FeedFiles {
  const trips = lines.flatMap(listTrips);
  const ports = [...new Set(trips.flatMap(({ calls }) => calls.map((call) => call.split(':', 1)[0] ?? '')))];
  return buildFeed({
    'agency.txt': `agency_id,agency_name,agency_timezone\na,Test Ferries,${zone}\n`,
    'stops.txt': lineUp('stop_id,stop_name,location_type,parent_station', [
      ...ports.map((port) => `${port},${port},${port === 'Anacortes' ? 1 : ''},`),
      ...(ports.includes('Anacortes') ? ['Anacortes slip 1,Slip 1,,Anacortes'] : []),
    ]),
    'routes.txt': lineUp(
      'route_id,route_long_name,route_type',
      lines.map(({ id }) => `${id},Line ${id},4`),
    ),
    'trips.txt': lineUp(
      'route_id,service_id,trip_id',
      trips.map(({ line, id }) => `${line},daily,${id}`),
    ),
    'stop_times.txt': lineUp(
      'trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type',
      trips.flatMap(listCalls),
    ),
    'operator.csv': `currency,max_party\n${currency},9\n`,
    'vessels.csv': feedText('vessels.csv').replace('Tern,10,', 'Tern,60,'),
    'route_rules.csv': null,
    'fares.csv': FARES,
    'promo_codes.csv': null,
    ...files,
    ...more,
  });
}

type Trip = { line: string; id: string; calls: readonly string[]; start: string };

function listTrips({ id: line, calls, starts, isOneWay }: Line): Trip[] {
  return starts.flatMap((start, index) => [
    { line, id: `${line}-out-${index}`, calls, start },
    ...(isOneWay ? [] : [{ line, id: `${line}-back-${index}`, calls: calls.toReversed(), start }]),
  ]);
}

function listCalls({ id, calls, start }: Trip): string[] {
  const [hours = 0, minutes = 0] = start.split(':').map(Number);
  return calls.map((call, index) => {
    const [port = '', rule] = call.split(':');
    const arrives = hours * 60 + minutes + index * MINUTES_PER_STRETCH;
    const stop = port === 'Anacortes' ? 'Anacortes slip 1' : port;
    const [pickup, dropOff] = { board: ['', '1'], leave: ['1', ''], ask: ['2', '2'] }[rule ?? ''] ?? ['', ''];
    return [id, toClock(arrives), toClock(arrives + MINUTES_IN_PORT), stop, index, pickup, dropOff].join(',');
  });
}

/** As feeds have it without seconds, such as `9:05`. */
function toClock(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

function lineUp(header: string, rows: readonly string[]): string {
  return `${[header, ...rows].join('\n')}\n`;
}
