/** A date, or milliseconds since 1970. */
type Instant = { valueOf(): number };

/** By the timetable. */
export type ScheduledTimes = { departsAt: Instant; arrivesAt: Instant; delayMinutes: number };

/** When a sailing is expected to depart and arrive, in milliseconds since 1970: a delay moves both. */
export function getExpectedTimes({ departsAt, arrivesAt, delayMinutes }: ScheduledTimes) {
  const delay = delayMinutes * 60_000;
  return { departsAt: departsAt.valueOf() + delay, arrivesAt: arrivesAt.valueOf() + delay };
}
