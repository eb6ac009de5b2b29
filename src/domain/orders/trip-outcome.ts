import type { Order } from '#contract/orders/schemas.ts';

export type TripOutcome = NonNullable<Order['trip_outcome']>;

/**
 * How a past trip ended, by the statuses of its valid tickets. Without a gate that reports what it scans, it is not known
 * who boarded.
 */
export function getTripOutcome(ticketStatuses: readonly string[]): TripOutcome {
  if (ticketStatuses.some((status) => status === 'boarded' || status === 'checked_in')) return 'used';
  const isMissed = ticketStatuses.length > 0 && ticketStatuses.every((status) => status === 'no_show');
  return isMissed ? 'missed' : 'unknown';
}
