import type { LegName } from '#contract/orders/buy/legs.ts';
import { type Direction, getDirection } from './legs.ts';

/** Whether an offer was made for the boat of a ticket or line. A boat that had departed before is not part of it. */
export function isOffered(
  { direction, sailingIds }: { direction: Direction; sailingIds: readonly string[] },
  { leg, sailingId }: { leg: LegName; sailingId: string },
): boolean {
  return getDirection(leg) === direction && sailingIds.includes(sailingId);
}

/** When a journey leaves: the calendar day at its port, `YYYY-MM-DD`, and milliseconds since 1970. */
type Departure = { day: string; departsAt: number };

/**
 * Sorts journeys that a party may take instead of the booked one: those of the same day that leave later, then those
 * that leave earlier, then those of later days, then those of earlier days. Each group by departure.
 */
export function sortInsteadOf<Journey>(
  booked: Departure,
  journeys: readonly Journey[],
  getDeparture: (journey: Journey) => Departure,
): Journey[] {
  const rank = ({ day, departsAt }: Departure) => {
    if (day === booked.day) return departsAt >= booked.departsAt ? 0 : 1;
    return day > booked.day ? 2 : 3;
  };
  const departures = journeys.map((journey) => ({ journey, departure: getDeparture(journey) }));
  return departures
    .toSorted(
      (a, b) => rank(a.departure) - rank(b.departure) || a.departure.departsAt - b.departure.departsAt,
    )
    .map(({ journey }) => journey);
}
