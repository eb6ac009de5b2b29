import type { SAILING_STATUSES } from '#contract/sailings/schemas.ts';
import { getExpectedTimes, type ScheduledTimes } from './expected-times.ts';

export type SailingStatus = (typeof SAILING_STATUSES)[number];

/** What a sailing's status is derived from; instants in milliseconds since 1970. */
export type SailingStatusInput = ScheduledTimes & {
  /** Set by the operator's staff. */
  decided: 'scheduled' | 'suspended' | 'canceled';
  checkInOpensAt: number;
  checkInClosesAt: number;
  /** Whether the gate has closed check-in or reported the departure. Absent: it reports nothing. */
  reported?: 'check_in_closed' | 'departed' | null;
};

/**
 * The status of a sailing at an instant. A delay moves departure and arrival but not check-in, because the vessel may
 * make up time and passengers must not arrive too late.
 */
export function getSailingStatus(sailing: SailingStatusInput, now: number): SailingStatus {
  if (sailing.decided !== 'scheduled') return sailing.decided;
  const expected = getExpectedTimes(sailing);
  if (now >= expected.arrivesAt) return 'arrived';
  if (sailing.reported === 'departed' || now >= expected.departsAt) return 'departed';
  if (sailing.reported === 'check_in_closed' || now >= sailing.checkInClosesAt) return 'check_in_closed';
  return now >= sailing.checkInOpensAt ? 'check_in_open' : 'scheduled';
}
