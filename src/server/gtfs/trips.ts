import { createHash } from 'node:crypto';
import type { PublishedVoyage } from './timetable-data.ts';

/** A call at a port, in seconds of the service day. */
type Call = { portId: string; arrives: number; departs: number; canBoard: boolean; canAlight: boolean };

/** Voyages with the same line, key, ports and times, on several service days. */
export type PublishedTrip = Pick<
  PublishedVoyage,
  'line' | 'tripKey' | 'carriesBicycles' | 'carriesVehicles'
> & {
  id: string;
  calls: Call[];
  /** In order. */
  days: string[];
};

/** What identifies a voyage of the timetable. */
export type VoyageKey = Pick<PublishedVoyage, 'line' | 'tripKey' | 'day'>;

export function keyOfVoyage({ line, tripKey, day }: VoyageKey): string {
  return `${day} ${line} ${tripKey}`;
}

/**
 * Groups voyages into trips. A trip has the `trip_id` of the imported feed, so it stays the same across imports. Where an
 * import has changed the times of a trip, the trip of the latest days keeps it, and the other one gets an addition that
 * depends on its times.
 * @param getStart the instant that a service day's times count from, in milliseconds
 * @returns ordered by id
 */
export function groupTrips(
  voyages: readonly PublishedVoyage[],
  getStart: (day: string) => number,
): PublishedTrip[] {
  const groups = Map.groupBy(voyages, (voyage) =>
    JSON.stringify([voyage.tripKey, voyage.line, listTimes(voyage, getStart(voyage.day))]),
  );
  const trips = [...groups].map(([pattern, group]) => ({ pattern, ...createTrip(group, getStart) }));
  const byKey = Map.groupBy(trips, ({ tripKey }) => tripKey);
  return [...byKey.values()]
    .flatMap((sameKey) => {
      const [latest] = sameKey.toSorted(
        (a, b) => lastDay(b).localeCompare(lastDay(a)) || a.pattern.localeCompare(b.pattern),
      );
      return sameKey.map(({ pattern, ...trip }) => ({
        ...trip,
        id: pattern === latest?.pattern ? trip.tripKey : `${trip.tripKey}~${shorten(pattern)}`,
      }));
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function listTimes({ stops }: PublishedVoyage, start: number): [string, number | null, number | null][] {
  const seconds = (instant: string | null) =>
    instant === null ? null : (Date.parse(instant) - start) / 1000;
  return stops.map(({ port_id, arrives_at, departs_at }) => [
    port_id,
    seconds(arrives_at),
    seconds(departs_at),
  ]);
}

function createTrip(
  group: readonly PublishedVoyage[],
  getStart: (day: string) => number,
): Omit<PublishedTrip, 'id'> {
  const [first] = group;
  if (!first) throw new Error('A trip needs a voyage.');
  // The sold sailings of a day may lack boats that left before the import, so the days complete each other.
  const boards = new Set(group.flatMap((voyage) => voyage.boards));
  const alights = new Set(group.flatMap((voyage) => voyage.alights));
  const calls = listTimes(first, getStart(first.day)).map(([portId, arrives, departs], index) => ({
    portId,
    arrives: arrives ?? departs ?? 0,
    departs: departs ?? arrives ?? 0,
    canBoard: boards.has(index),
    canAlight: alights.has(index),
  }));
  return {
    line: first.line,
    tripKey: first.tripKey,
    carriesBicycles: group.some(({ carriesBicycles }) => carriesBicycles),
    carriesVehicles: group.some(({ carriesVehicles }) => carriesVehicles),
    calls,
    days: [...new Set(group.map(({ day }) => day))].toSorted(),
  };
}

function lastDay({ days }: { days: readonly string[] }): string {
  return days.at(-1) ?? '';
}

function shorten(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}
