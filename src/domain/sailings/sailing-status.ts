import type { SAILING_STATUSES } from '#contract/sailings/schemas.ts';

export type SailingStatus = (typeof SAILING_STATUSES)[number];

/** What a sailing's status is derived from; instants in milliseconds since 1970. */
export type SailingStatusInput = {
  /** Set by the operator's staff. */
  decided: 'scheduled' | 'suspended' | 'canceled';
  departsAt: number;
  arrivesAt: number;
  delayMinutes: number;
  checkInOpensAt: number;
  checkInClosesAt: number;
};

/**
 * The status of a sailing at an instant. A delay moves departure and arrival but not check-in, because the vessel may
 * make up time and passengers must not arrive too late.
 */
export function getSailingStatus(sailing: SailingStatusInput, now: number): SailingStatus {
  if (sailing.decided !== 'scheduled') return sailing.decided;
  const delay = sailing.delayMinutes * 60_000;
  if (now >= sailing.arrivesAt + delay) return 'arrived';
  if (now >= sailing.departsAt + delay) return 'departed';
  if (now >= sailing.checkInClosesAt) return 'check_in_closed';
  return now >= sailing.checkInOpensAt ? 'check_in_open' : 'scheduled';
}
