import type { LegName } from '#contract/orders/buy/legs.ts';
import { findJourneyStarts, getDirection } from '../orders/legs.ts';

/** An instant of the database. */
type Instant = { getTime(): number };

/**
 * The departure that the refund deadlines of a ticket count from, in milliseconds since 1970: that of the first boat of
 * its journey, or an earlier one of a ticket that a change replaced; null if the order has no such journey.
 */
export function findTermsDeparture(
  legs: readonly { leg: LegName; sailing: { departsAt: Instant } }[],
  { leg, refundsCountFrom }: { leg: LegName; refundsCountFrom: Instant | null },
): number | null {
  const start = findJourneyStarts(legs).find((each) => getDirection(each.leg) === getDirection(leg));
  if (!start) return null;
  const departsAt = start.sailing.departsAt.getTime();
  return Math.min(departsAt, refundsCountFrom?.getTime() ?? departsAt);
}
