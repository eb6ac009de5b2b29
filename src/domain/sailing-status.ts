import type { SAILING_STATUSES } from '#contract/sailings/schemas.ts';

export type SailingStatus = (typeof SAILING_STATUSES)[number];

/** What a sailing's status follows from; instants in milliseconds since 1970. */
export type SailingFacts = {
  /** What people decided. */
  decided: 'scheduled' | 'suspended' | 'cancelled';
  departsAt: number;
  arrivesAt: number;
  delayMinutes: number;
  checkInOpensAt: number;
  checkInClosesAt: number;
};

/**
 * What a sailing is doing at an instant. A delay moves departure and arrival but never check-in: a boat may
 * make up time, and nobody should miss it for having been told to come later.
 */
export function sailingStatus(sailing: SailingFacts, now: number): SailingStatus {
  if (sailing.decided !== 'scheduled') return sailing.decided;
  const delay = sailing.delayMinutes * 60_000;
  if (now >= sailing.arrivesAt + delay) return 'arrived';
  if (now >= sailing.departsAt + delay) return 'departed';
  if (now >= sailing.checkInClosesAt) return 'check_in_closed';
  return now >= sailing.checkInOpensAt ? 'check_in_open' : 'scheduled';
}
