import { ticketPages } from '#contract/paths.ts';
import { getDirection } from '#domain/orders/legs.ts';
import type { Order } from '#web/platform/api/types.ts';

export type BookedTrip = Pick<Order, 'legs' | 'party'>;

/** The address of the trip form with the order's route and party; null for an order that a device saved without a party. */
export function bookAgainPath({ legs, party }: BookedTrip): string | null {
  const [first] = legs;
  if (!first || !party) return null;
  const direction = getDirection(first.leg);
  const last = legs.findLast(({ leg }) => getDirection(leg) === direction) ?? first;
  const isReturn = legs.some(({ leg }) => getDirection(leg) !== direction);
  return `${ticketPages.home}?${new URLSearchParams({
    from: first.origin.code,
    to: last.destination.code,
    ...(isReturn && { return: '1' }),
    party: JSON.stringify(party),
  })}`;
}
