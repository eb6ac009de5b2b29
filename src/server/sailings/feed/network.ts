import { renameField } from '#messages/translations.ts';
import type { ports, routes } from '#server/database/schema/timetable.ts';
import type { Gtfs } from './gtfs.ts';
import type { Planned } from './keyed-rows.ts';
import { defaultRouteRules, type OperatorFiles } from './operator-files.ts';
import { findPairs, keyOfPair, type Pair } from './pairs.ts';
import { assignCodes } from './port-codes.ts';

type PlannedPort = Planned<typeof ports>;

/** One direction between two ports on a line; `key` identifies it within a feed. */
export type PlannedRoute = Omit<Planned<typeof routes>, 'originPortId' | 'destinationPortId'> &
  Record<'key' | 'origin' | 'destination', string>;

export type Network = { ports: PlannedPort[]; routes: PlannedRoute[] };

/** The ports served, and each pair of them that a trip connects as a route. */
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
  const used = new Set(gtfs.trips.flatMap(({ calls }) => calls.map(({ stopId }) => stopId)));
  const taken = new Map<string, string>();
  for (const [stopId, { row, code }] of operator.ports) {
    if (code === '' || !used.has(stopId)) continue;
    if (taken.has(code)) row.problem('code', `The stop ${taken.get(code)} has the code ${code} too.`);
    taken.set(code, stopId);
  }
  const stops = [...gtfs.stops.values()].filter(({ id }) => used.has(id));
  const codes = assignCodes(stops, taken);
  return stops.map((stop) => {
    const extra = operator.ports.get(stop.id);
    return {
      gtfsStopId: stop.id,
      code: codes.get(stop.id) ?? '',
      name: stop.name,
      timeZone: stop.timeZone,
      lat: stop.lat,
      lon: stop.lon,
      address: extra?.address ?? '',
      description: stop.description,
      url: stop.url,
      facilities: extra?.facilities ?? '',
      parking: extra?.parking ?? '',
      directions: extra?.directions ?? '',
      picture: extra?.picture ?? null,
      pictureAlt: extra?.pictureAlt ?? '',
      stepFree: extra?.stepFree ?? stop.stepFree,
      transferMinutes: findTransferMinutes(gtfs, operator, stop.id),
      translations: { ...stop.translations, ...extra?.translations },
    };
  });
}

/** ports.csv counts before transfers.txt, and that before operator.csv. */
function findTransferMinutes({ transfers }: Gtfs, { ports, transferMinutes }: OperatorFiles, stopId: string) {
  const own = ports.get(stopId)?.transferMinutes;
  if (own !== undefined) return own;
  const transfer = transfers.get(stopId);
  return transfer === undefined ? transferMinutes : transfer;
}

function planRoutes(gtfs: Gtfs, operator: OperatorFiles, ports: readonly PlannedPort[]): PlannedRoute[] {
  const byStop = new Map(ports.map((port) => [port.gtfsStopId, port]));
  const served = gtfs.trips.flatMap((trip) => findPairs(trip).map((pair) => ({ trip, pair })));
  const byKey = Map.groupBy(served, ({ trip, pair }) => keyOfPair(trip.routeId, pair));
  const routes: PlannedRoute[] = [];
  const codes = new Map<string, string>();
  for (const [key, services] of byKey) {
    const [service] = services;
    const origin = service && byStop.get(service.pair.origin);
    const destination = service && byStop.get(service.pair.destination);
    const gtfsRoute = service && gtfs.routes.get(service.trip.routeId);
    if (!origin || !destination || !gtfsRoute || origin === destination) continue;
    const rules = operator.routeRules.get(gtfsRoute.id)?.rules ?? defaultRouteRules;
    const code = unusedCode(`${origin.code}-${destination.code}`, codes);
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
      crossingMinutes: mostFrequentMinutes(services.map(({ pair }) => pair)),
      carriesVehicles: rules.carriesVehicles ?? services.some(({ trip }) => trip.takesVehicles),
      carriesBicycles: rules.carriesBicycles ?? services.some(({ trip }) => trip.takesBicycles),
      sort: gtfsRoute.sort,
      translations: renameField(gtfsRoute.translations, 'lineName'),
    });
  }
  return routes.toSorted((a, b) => a.sort - b.sort).map((route, sort) => ({ ...route, sort }));
}

function unusedCode(preferred: string, taken: ReadonlyMap<string, string>): string {
  for (let number = 1; ; number += 1) {
    const code = number === 1 ? preferred : `${preferred}-${number}`;
    if (!taken.has(code)) return code;
  }
}

/** The most frequent crossing time; the shorter of two equally frequent ones. */
function mostFrequentMinutes(pairs: readonly Pair[]): number {
  const counts = new Map<number, number>();
  for (const { duration } of pairs) {
    const minutes = Math.max(1, Math.round(duration / 60));
    counts.set(minutes, (counts.get(minutes) ?? 0) + 1);
  }
  const byFrequency = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return byFrequency[0]?.[0] ?? 1;
}
