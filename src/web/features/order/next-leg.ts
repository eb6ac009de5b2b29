import type { Leg } from '#web/platform/api/types.ts';

/** The crossing that is still to be made, or under way; `now` in milliseconds. */
export function findNextLeg(legs: readonly Leg[], now: number): Leg | null {
  const ahead = legs.filter((leg) => Date.parse(leg.arrivesAt) > now);
  return ahead.toSorted((a, b) => Date.parse(a.departsAt) - Date.parse(b.departsAt))[0] ?? null;
}
