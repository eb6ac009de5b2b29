/** Boats of this long ago are listed too, because tickets of one that has left may board a later one. */
const HOURS_BEFORE = 12;
const HOURS_AFTER = 18;
const HOUR_MS = 3_600_000;

/** The departures that concern people at a port now, in milliseconds since 1970. */
export function getGateHours(now: number): { from: number; until: number } {
  return { from: now - HOURS_BEFORE * HOUR_MS, until: now + HOURS_AFTER * HOUR_MS };
}
