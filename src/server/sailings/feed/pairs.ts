import type { GtfsTrip } from './gtfs-trips.ts';

/** Two calls of a trip between which tickets can be sold. Stops are indexes into its calls. */
export type Pair = {
  origin: string;
  destination: string;
  firstStop: number;
  lastStop: number;
  /** Seconds. */
  duration: number;
};

/**
 * The pairs of ports of a trip that passengers can travel between, in the order of its calls. A port that the trip
 * calls at several times makes one pair with another port: the fastest.
 */
export function findPairs({ calls }: Pick<GtfsTrip, 'calls'>): Pair[] {
  const fastest = new Map<string, Pair>();
  for (const [firstStop, from] of calls.entries()) {
    if (!from.canBoard) continue;
    for (const [lastStop, to] of calls.entries()) {
      const duration = to.arrives - from.departs;
      if (lastStop <= firstStop || !to.canAlight || to.stopId === from.stopId || duration <= 0) continue;
      const pair = { origin: from.stopId, destination: to.stopId, firstStop, lastStop, duration };
      const key = JSON.stringify([pair.origin, pair.destination]);
      if (duration < (fastest.get(key)?.duration ?? Number.POSITIVE_INFINITY)) fastest.set(key, pair);
    }
  }
  return [...fastest.values()];
}

/** Identifies the route of a pair within a feed. */
export function keyOfPair(routeId: string, { origin, destination }: Pair): string {
  return JSON.stringify([routeId, origin, destination]);
}
