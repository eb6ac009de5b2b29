import { getExpectedTimes, type ScheduledTimes } from './expected-times.ts';

type Crossing = ScheduledTimes & { isCanceled: boolean };

/** The share of a crossing that a boat has behind it by the timetable and its delay; null if it is not under way. */
export function getProgress({ isCanceled, ...times }: Crossing, now: number): number | null {
  const { departsAt, arrivesAt } = getExpectedTimes(times);
  return isCanceled || now < departsAt || now >= arrivesAt
    ? null
    : (now - departsAt) / (arrivesAt - departsAt);
}
