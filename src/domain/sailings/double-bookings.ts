import { addDays } from '../time/days.ts';

/** A voyage of a vessel, with its times in milliseconds since 1970. */
export type VesselTrip = {
  /** What tells vessels apart. */
  vessel: string;
  vesselName: string;
  line: string;
  serviceDate: string;
  startsAt: number;
  endsAt: number;
  /** Departure as people name it: "12:00 North Pier". */
  departure: string;
};

/** A vessel that is sold for two voyages at the same time: the first pair, and the number of service days with one. */
export type DoubleBooking = { first: readonly [VesselTrip, VesselTrip]; days: number };

/** Whether two voyages need one vessel at the same time. It may depart again at the minute of its arrival. */
export function isDoubleBooked(a: VesselTrip, b: VesselTrip): boolean {
  return a.vessel === b.vessel && a.startsAt < b.endsAt && b.startsAt < a.endsAt;
}

/**
 * Finds vessels that are sold twice at the same time. Takes the voyages by ascending service day, in any number of steps,
 * and keeps those of two days only.
 */
export function createDoubleBookingFinder(): {
  add(trips: readonly VesselTrip[]): void;
  list(): DoubleBooking[];
} {
  const recent = new Map<string, VesselTrip[]>();
  const found = new Map<string, { first: readonly [VesselTrip, VesselTrip]; days: Set<string> }>();

  function add(trip: VesselTrip): void {
    const { vessel, serviceDate } = trip;
    const known = found.get(vessel);
    if (known?.days.has(serviceDate)) return;
    const yesterday = addDays(serviceDate, -1);
    const kept = (recent.get(vessel) ?? []).filter((each) => each.serviceDate >= yesterday);
    recent.set(vessel, [...kept, trip]);
    const other = kept.find((each) => isDoubleBooked(each, trip));
    if (!other) return;
    if (known) known.days.add(serviceDate);
    else found.set(vessel, { first: [other, trip], days: new Set([serviceDate]) });
  }

  return {
    add: (trips) => trips.forEach(add),
    list: () => [...found.values()].map(({ first, days }) => ({ first, days: days.size })),
  };
}

/** "MV Bluebird is sold twice at the same time on 90 days, first on 2026-06-01: …". */
export function describeDoubleBooking({ first: [a, b], days }: DoubleBooking): string {
  const where = days === 1 ? `on ${b.serviceDate}` : `on ${days} days, first on ${b.serviceDate}`;
  const [one, other] = [a, b].map(({ departure, line }) => `${departure} (${line})`);
  return `${a.vesselName} is sold twice at the same time ${where}: ${one} and ${other}`;
}
