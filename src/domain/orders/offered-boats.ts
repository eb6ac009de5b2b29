import type { LegName } from '#contract/checkout/legs.ts';
import { getWay, type Way } from './legs.ts';

/** Whether an offer was made for the boat of a ticket or line. A boat that had departed before is not part of it. */
export function isOffered(
  { way, sailingIds }: { way: Way; sailingIds: readonly string[] },
  { leg, sailingId }: { leg: LegName; sailingId: string },
): boolean {
  return getWay(leg) === way && sailingIds.includes(sailingId);
}
