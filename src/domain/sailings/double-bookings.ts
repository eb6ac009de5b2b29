import { addDays } from '../time/days.ts';

/** A voyage of a vessel, with its times in milliseconds since 1970. */
export type VesselVoyage = {
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
export type DoubleBooking = { first: readonly [VesselVoyage, VesselVoyage]; days: number };

/** Whether two voyages need one vessel at the same time. It may depart again at the minute of its arrival. */
export function isDoubleBooked(a: VesselVoyage, b: VesselVoyage): boolean {
  return a.vessel === b.vessel && a.startsAt < b.endsAt && b.startsAt < a.endsAt;
}

/**
 * Finds vessels that are sold twice at the same time. Takes the voyages by ascending service day, in any number of steps,
 * and keeps those of two days only.
 */
export function createDoubleBookingFinder(): {
  add(voyages: readonly VesselVoyage[]): void;
  list(): DoubleBooking[];
} {
  const recent = new Map<string, VesselVoyage[]>();
  const bookings = new Map<string, { first: readonly [VesselVoyage, VesselVoyage]; days: Set<string> }>();

  function add(voyage: VesselVoyage): void {
    const { vessel, serviceDate } = voyage;
    const booking = bookings.get(vessel);
    if (booking?.days.has(serviceDate)) return;
    const yesterday = addDays(serviceDate, -1);
    const earlier = (recent.get(vessel) ?? []).filter((each) => each.serviceDate >= yesterday);
    recent.set(vessel, [...earlier, voyage]);
    const other = earlier.find((each) => isDoubleBooked(each, voyage));
    if (!other) return;
    if (booking) booking.days.add(serviceDate);
    else bookings.set(vessel, { first: [other, voyage], days: new Set([serviceDate]) });
  }

  return {
    add: (voyages) => voyages.forEach(add),
    list: () => [...bookings.values()].map(({ first, days }) => ({ first, days: days.size })),
  };
}

/** "MV Bluebird is sold twice at the same time on 90 days, first on 2026-06-01: …". */
export function describeDoubleBooking({ first: [a, b], days }: DoubleBooking): string {
  const where = days === 1 ? `on ${b.serviceDate}` : `on ${days} days, first on ${b.serviceDate}`;
  const [one, other] = [a, b].map(({ departure, line }) => `${departure} (${line})`);
  return `${a.vesselName} is sold twice at the same time ${where}: ${one} and ${other}`;
}
