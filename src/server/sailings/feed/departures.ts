import { addDays, getWeekdayBit, isOnWeekday } from '#domain/time/days.ts';
import { getServiceDayStart } from '#domain/time/port-time.ts';
import type { Problems } from '#server/csv/problems.ts';
import type { Gtfs } from './gtfs.ts';
import type { GtfsTrip } from './gtfs-trips.ts';
import type { GtfsService } from './gtfs-types.ts';
import type { PlannedRoute } from './network.ts';
import type { OperatorFiles } from './operator-files.ts';
import { findPairs, keyOfPair } from './pairs.ts';
import type { Assignment, Vessel } from './vessel-files.ts';

/** One run of a trip on a service day. Times are milliseconds since 1970. */
export type PlannedVoyage = {
  gtfsRouteId: string;
  vesselCode: string;
  serviceDate: string;
  tripKey: string;
  /** Calls at ports in order. */
  stops: { stopId: string; arrivesAt: number | null; departsAt: number | null }[];
  /** Its stretches that are sold. */
  sailings: PlannedSailing[];
};

type PlannedSailing = { routeKey: string; firstStop: number; lastStop: number; salesCloseAt: number };

/** The planned service days, both inclusive; of days before `today` only sailings that depart after `now`. */
type Window = { from: string; today: string; until: string; now: number };

/** More than a season of most operators. Bounds the time and memory of an import. */
export const MAX_SAILINGS = 250_000;

/**
 * Every voyage of the window that sells at least one pair of ports. Times of a GTFS feed are in the agency's zone,
 * regardless of the port's zone.
 * @param takeDay gets the voyages of one service day after the other, so that they need not all be in memory
 * @returns the number of voyages, and the last day that is complete: with too many sailings the window is cut
 */
export function planVoyages(
  gtfs: Gtfs,
  routes: readonly PlannedRoute[],
  findVessel: (trip: GtfsTrip, day: string) => string,
  window: Window,
  takeDay: (voyages: PlannedVoyage[]) => void,
): { voyages: number; until: string } {
  const tripsByService = groupSoldTrips(gtfs, routes);
  let voyages = 0;
  let sailings = 0;
  for (let day = window.from; day <= window.until; day = addDays(day, 1)) {
    const start = getServiceDayStart(day, gtfs.timeZone);
    const after = day < window.today ? window.now : null;
    const ofDay = [...tripsByService]
      .filter(([serviceId]) => runsOn(gtfs.services.get(serviceId), day))
      .flatMap(([, trips]) =>
        trips.flatMap((sold) =>
          planDepartures(sold, { day, start, vesselCode: findVessel(sold.trip, day), after }),
        ),
      );
    for (const voyage of ofDay) sailings += voyage.sailings.length;
    if (sailings > MAX_SAILINGS && day > window.today) return { voyages, until: addDays(day, -1) };
    voyages += ofDay.length;
    if (ofDay.length > 0) takeDay(ofDay);
  }
  return { voyages, until: window.until };
}

type SoldPair = { routeKey: string; firstStop: number; lastStop: number; salesCloseSeconds: number };
type SoldTrip = { trip: GtfsTrip; pairs: SoldPair[] };

/** The trips with a pair of ports that is a route, by service. */
function groupSoldTrips(gtfs: Gtfs, routes: readonly PlannedRoute[]): Map<string, SoldTrip[]> {
  const routeByKey = new Map(routes.map((route) => [route.key, route]));
  const sold = gtfs.trips.map((trip) => ({
    trip,
    pairs: findPairs(trip).flatMap((pair) => {
      const route = routeByKey.get(keyOfPair(trip.routeId, pair));
      if (!route) return [];
      const { firstStop, lastStop } = pair;
      return [{ routeKey: route.key, firstStop, lastStop, salesCloseSeconds: route.salesCloseMinutes * 60 }];
    }),
  }));
  return Map.groupBy(
    sold.filter(({ pairs }) => pairs.length > 0),
    ({ trip }) => trip.serviceId,
  );
}

/** @param on after: only sailings that depart later, if not null */
function planDepartures(
  { trip, pairs }: SoldTrip,
  on: { day: string; start: number; vesselCode: string; after: number | null },
): PlannedVoyage[] {
  const { calls, from, repeats } = trip;
  const departures = repeats.length > 0 ? repeats : [from.departs];
  return departures.flatMap((departs) => {
    const toInstant = (seconds: number) => on.start + (seconds + departs - from.departs) * 1000;
    const sailings = pairs.flatMap(({ routeKey, firstStop, lastStop, salesCloseSeconds }) => {
      const seconds = calls[firstStop]?.departs ?? 0;
      if (on.after !== null && toInstant(seconds) <= on.after) return [];
      return [{ routeKey, firstStop, lastStop, salesCloseAt: toInstant(seconds - salesCloseSeconds) }];
    });
    if (sailings.length === 0) return [];
    const stops = calls.map((call, index) => ({
      stopId: call.stopId,
      arrivesAt: index === 0 ? null : toInstant(call.arrives),
      departsAt: index === calls.length - 1 ? null : toInstant(call.departs),
    }));
    return [
      {
        ...{ gtfsRouteId: trip.routeId, vesselCode: on.vesselCode, serviceDate: on.day },
        tripKey: repeats.length > 0 ? `${trip.id}@${formatClock(departs)}` : trip.id,
        ...{ stops, sailings },
      },
    ];
  });
}

export function runsOn(service: GtfsService | undefined, day: string): boolean {
  if (!service || service.removed.has(day)) return false;
  if (service.added.has(day)) return true;
  return service.from <= day && day <= service.until && isOnWeekday(service.weekdays, day);
}

function formatClock(seconds: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`;
}

type Fleet = { vessels: Vessel[]; findVessel: (trip: GtfsTrip, day: string) => string };

/**
 * Assigns a vessel to each trip. A line of assignments.csv that names the trip precedes one that names the weekdays,
 * which precedes one that names only the route; two equally specific lines are refused.
 */
export function planFleet(gtfs: Gtfs, operator: OperatorFiles, problems: Problems): Fleet {
  const [first] = operator.vessels.values();
  if (!first) {
    const vessels = defaultVessels(gtfs);
    return { vessels, findVessel: (trip) => defaultCode(trip.routeId) };
  }
  const vessels = [...operator.vessels.values()];
  if (operator.assignments.length === 0) return { vessels, findVessel: () => first.code };
  checkAssignments(gtfs, operator.assignments);
  const ties = new Set<Assignment>();
  const byTrip = new Map<string, readonly string[]>();
  for (const trip of gtfs.trips) {
    byTrip.set(
      trip.id,
      WEEKDAY_BITS.map((bit) => assignedTo(trip, bit, operator.assignments, ties)),
    );
  }
  const left = gtfs.trips.filter((trip) => byTrip.get(trip.id)?.includes(''));
  for (const routeId of new Set(left.map((trip) => trip.routeId))) {
    const message = `No vessel for all days of the route ${routeId}.`;
    problems.add('assignments.csv', null, 'vessel', message);
  }
  return {
    vessels,
    findVessel: (trip, day) => byTrip.get(trip.id)?.[Math.log2(getWeekdayBit(day))] || first.code,
  };
}

const WEEKDAY_BITS = [1, 2, 4, 8, 16, 32, 64] as const;

function checkAssignments(gtfs: Gtfs, assignments: readonly Assignment[]): void {
  const trips = new Map(gtfs.trips.map((trip) => [trip.id, trip]));
  for (const { row, routeId, tripId } of assignments) {
    if (routeId !== '' && !gtfs.routes.has(routeId)) {
      row.problem('route_id', `There is no ferry route ${routeId}.`);
    }
    if (tripId && trips.get(tripId)?.routeId !== routeId) {
      row.problem('trip_id', `There is no trip ${tripId} that is sold on this route.`);
    }
  }
}

function assignedTo(
  trip: GtfsTrip,
  weekday: number,
  assignments: readonly Assignment[],
  ties: Set<Assignment>,
): string {
  let best: Assignment | null = null;
  for (const each of assignments) {
    const applies =
      each.routeId === trip.routeId &&
      (each.tripId === null || each.tripId === trip.id) &&
      (each.weekdays === null || (each.weekdays & weekday) !== 0);
    if (!applies) continue;
    if (best && specificity(each) === specificity(best) && each.vessel !== best.vessel && !ties.has(each)) {
      ties.add(each);
      each.row.problem('vessel', `Line ${best.row.line} gives the same sailings the vessel ${best.vessel}.`);
    }
    if (!best || specificity(each) > specificity(best)) best = each;
  }
  return best?.vessel ?? '';
}

function specificity(assignment: Assignment): number {
  return (assignment.tripId === null ? 0 : 2) + (assignment.weekdays === null ? 0 : 1);
}

/** Begins the codes of boats that are assumed where the operator names none: one of them may be several boats. */
export const ASSUMED_VESSEL = 'DEFAULT-';

function defaultCode(routeId: string): string {
  return ASSUMED_VESSEL + routeId;
}

function defaultVessels(gtfs: Gtfs): Vessel[] {
  const routeIds = new Set(gtfs.trips.map((trip) => trip.routeId));
  const withBicycles = new Set(gtfs.trips.filter((trip) => trip.takesBicycles).map((trip) => trip.routeId));
  return [...routeIds].map((routeId) => ({
    code: defaultCode(routeId),
    name: gtfs.routes.get(routeId)?.name ?? routeId,
    passengerCapacity: 100,
    laneCm: 0,
    tallLaneCm: 0,
    normalClearanceCm: null,
    tallClearanceCm: null,
    bicycleCapacity: withBicycles.has(routeId) ? 20 : 0,
    onlinePercent: 100,
    wheelchairPlaces: null,
    accessibilityNotes: '',
    description: '',
    facilities: '',
    masterEmail: null,
    picture: null,
    pictureAlt: '',
    translations: {},
  }));
}
