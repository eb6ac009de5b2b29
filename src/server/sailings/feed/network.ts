import type { ports, routes } from '#server/database/schema/timetable.ts';
import type { Gtfs } from './gtfs.ts';
import { portOf } from './gtfs-facts.ts';
import type { GtfsTrip } from './gtfs-trips.ts';
import { defaultRouteRules, type OperatorFiles, type Planned } from './operator-files.ts';

type PlannedPort = Planned<typeof ports>;

/** One direction between two ports; `key` identifies it within a feed. */
export type PlannedRoute = Omit<Planned<typeof routes>, 'originPortId' | 'destinationPortId'> &
  Record<'key' | 'origin' | 'destination', string>;

export type Network = { ports: PlannedPort[]; routes: PlannedRoute[] };

/** The route key of a trip. */
export function routeKeyOf(trip: GtfsTrip, stops: Gtfs['stops']): string {
  return JSON.stringify([trip.routeId, portOf(stops, trip.from.stopId), portOf(stops, trip.to.stopId)]);
}

/** The ports served, and each direction between two of them as a route. */
export function planNetwork(gtfs: Gtfs, operator: OperatorFiles): Network {
  for (const [stopId, { row }] of operator.ports) {
    if (!gtfs.stops.has(stopId)) row.problem('stop_id', `There is no stop ${stopId} in stops.txt.`);
  }
  for (const [routeId, { row }] of operator.routeRules) {
    if (!gtfs.routes.has(routeId)) row.problem('route_id', `There is no ferry route ${routeId}.`);
  }
  const ports = planPorts(gtfs, operator);
  return { ports, routes: planRoutes(gtfs, operator, ports) };
}

function planPorts(gtfs: Gtfs, operator: OperatorFiles): PlannedPort[] {
  const used = new Set(
    gtfs.trips.flatMap((trip) => [portOf(gtfs.stops, trip.from.stopId), portOf(gtfs.stops, trip.to.stopId)]),
  );
  const taken = new Map<string, string>();
  for (const [stopId, { row, code }] of operator.ports) {
    if (code === '' || !used.has(stopId)) continue;
    if (taken.has(code)) row.problem('code', `The stop ${taken.get(code)} has the code ${code} too.`);
    taken.set(code, stopId);
  }
  const ports: PlannedPort[] = [];
  for (const stop of gtfs.stops.values()) {
    if (!used.has(stop.id)) continue;
    const extra = operator.ports.get(stop.id);
    const code = extra?.code || generateCode(stop.code, stop.name, taken);
    taken.set(code, stop.id);
    ports.push({
      gtfsStopId: stop.id,
      code,
      name: stop.name,
      timeZone: stop.timeZone,
      lat: stop.lat,
      lon: stop.lon,
      address: extra?.address ?? '',
      stepFree: extra?.stepFree ?? stop.stepFree,
    });
  }
  return ports;
}

/** The feed's code if it is short, otherwise the first letters of the name, with a number if necessary. */
function generateCode(stopCode: string, name: string, taken: ReadonlyMap<string, string>): string {
  const letters = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  const preferred = /^[A-Z0-9]{2,8}$/i.test(stopCode)
    ? stopCode.toUpperCase()
    : letters.slice(0, 3) || 'PORT';
  return unusedCode(preferred, taken, '');
}

function planRoutes(gtfs: Gtfs, operator: OperatorFiles, ports: readonly PlannedPort[]): PlannedRoute[] {
  const byStop = new Map(ports.map((port) => [port.gtfsStopId, port]));
  const tripsByKey = Map.groupBy(gtfs.trips, (trip) => routeKeyOf(trip, gtfs.stops));
  const routes: PlannedRoute[] = [];
  const codes = new Map<string, string>();
  for (const [key, trips] of tripsByKey) {
    const [trip] = trips;
    const origin = trip && byStop.get(portOf(gtfs.stops, trip.from.stopId));
    const destination = trip && byStop.get(portOf(gtfs.stops, trip.to.stopId));
    const gtfsRoute = trip && gtfs.routes.get(trip.routeId);
    if (!origin || !destination || !gtfsRoute || origin === destination) continue;
    const rules = operator.routeRules.get(gtfsRoute.id)?.rules ?? defaultRouteRules;
    const code = unusedCode(`${origin.code}-${destination.code}`, codes, '-');
    codes.set(code, key);
    routes.push({
      ...rules,
      key,
      gtfsRouteId: gtfsRoute.id,
      code,
      name: `${origin.name} to ${destination.name}`,
      lineName: gtfsRoute.name,
      origin: origin.gtfsStopId,
      destination: destination.gtfsStopId,
      crossingMinutes: mostFrequentMinutes(trips),
      carriesVehicles: rules.carriesVehicles ?? trips.some((each) => each.takesVehicles),
      carriesBicycles: rules.carriesBicycles ?? trips.some((each) => each.takesBicycles),
      sort: gtfsRoute.sort,
    });
  }
  return routes.toSorted((a, b) => a.sort - b.sort).map((route, sort) => ({ ...route, sort }));
}

function unusedCode(preferred: string, taken: ReadonlyMap<string, string>, separator: string): string {
  for (let number = 1; ; number += 1) {
    const code = number === 1 ? preferred : preferred + separator + number;
    if (!taken.has(code)) return code;
  }
}

/** The most frequent crossing time; the shorter of two equally frequent ones. */
function mostFrequentMinutes(trips: readonly GtfsTrip[]): number {
  const counts = new Map<number, number>();
  for (const { from, to } of trips) {
    const minutes = Math.max(1, Math.round((to.arrives - from.departs) / 60));
    counts.set(minutes, (counts.get(minutes) ?? 0) + 1);
  }
  const byFrequency = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return byFrequency[0]?.[0] ?? 1;
}
