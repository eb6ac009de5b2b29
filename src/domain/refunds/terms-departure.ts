import type { LegName } from '#contract/orders/buy/legs.ts';
import { findWayStarts, getWay } from '../orders/legs.ts';

/** An instant of the database. */
type Instant = { getTime(): number };

/**
 * The departure that the refund deadlines of a ticket count from, in milliseconds since 1970: that of the first boat of
 * its way, or an earlier one of a ticket that a change replaced; null if the order has no such way.
 */
export function findTermsDeparture(
  legs: readonly { leg: LegName; sailing: { departsAt: Instant } }[],
  { leg, refundsCountFrom }: { leg: LegName; refundsCountFrom: Instant | null },
): number | null {
  const start = findWayStarts(legs).find((each) => getWay(each.leg) === getWay(leg));
  if (!start) return null;
  const departsAt = start.sailing.departsAt.getTime();
  return Math.min(departsAt, refundsCountFrom?.getTime() ?? departsAt);
}
