import type { FeedFiles } from '#server/sailings/feed/feed-files.ts';
import { buildFeed } from './timetable.ts';

/** A call of a trip: port, arrival and departure; then pickup_type and drop_off_type if they are not regular. */
export type TestCall = [port: string, arrives: string, departs: string, pickup?: string, dropOff?: string];

/** The ports of the island line from west to east, each in the fare zone named here. */
export const ISLAND_PORTS = {
  mainland: 'coast',
  lopez: 'near',
  shaw: 'near',
  orcas: 'far',
  friday: 'far',
} as const;

/** 09:00 from the mainland over three islands to Friday Harbor, every 20 minutes one port. */
export const EASTBOUND: TestCall[] = [
  ['mainland', '9:00:00', '9:00:00'],
  ['lopez', '9:20:00', '9:22:00'],
  ['shaw', '9:40:00', '9:42:00'],
  ['orcas', '10:00:00', '10:02:00'],
  ['friday', '10:20:00', '10:20:00'],
];

/** One price for every pair of ports. */
export const ONE_FARE =
  'fare_class,kind,passenger_type,vehicle_type,amount\nsaver,passenger,adult,,8.25\nsaver,passenger,child,,4.00\nsaver,vehicle,,car,20.00\nsaver,bicycle,,,1.00\n';

/**
 * A feed of the line "Islands" with these trips, on a boat for ten people and two bicycles. Files can be replaced by
 * text, or taken away with null.
 */
export function buildIslandFeed(
  trips: Record<string, TestCall[]> = { 'east-9': EASTBOUND },
  changes: Record<string, string | null> = {},
): FeedFiles {
  const stops = Object.entries(ISLAND_PORTS).map(([id, zone]) => `${id},${nameOf(id)},${zone}\n`);
  const stopTimes = Object.entries(trips).flatMap(([tripId, calls]) =>
    calls.map(
      ([port, arrives, departs, pickup = '', dropOff = ''], index) =>
        `${tripId},${arrives},${departs},${port},${index},${pickup},${dropOff}\n`,
    ),
  );
  return buildFeed({
    'stops.txt': `stop_id,stop_name,zone_id\n${stops.join('')}`,
    'routes.txt': 'route_id,route_long_name,route_type\nislands,Islands,4\n',
    'trips.txt': `route_id,service_id,trip_id\n${Object.keys(trips)
      .map((id) => `islands,daily,${id}\n`)
      .join('')}`,
    'stop_times.txt': `trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n${stopTimes.join('')}`,
    'route_rules.csv': 'route_id,carries_vehicles,carries_bicycles\nislands,yes,yes\n',
    'fares.csv': ONE_FARE,
    'promo_codes.csv': null,
    ...changes,
  });
}

/** `mainland` is named Mainland. */
function nameOf(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1);
}
