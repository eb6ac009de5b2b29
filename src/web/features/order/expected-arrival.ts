import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import type { Leg } from '#web/platform/api/types.ts';

/** When a crossing is expected to arrive, in milliseconds. */
export function expectedArrival({
  departsAt,
  arrivesAt,
  delayMinutes,
}: Pick<Leg, 'departsAt' | 'arrivesAt' | 'delayMinutes'>): number {
  const times = { departsAt: Date.parse(departsAt), arrivesAt: Date.parse(arrivesAt), delayMinutes };
  return getExpectedTimes(times).arrivesAt;
}
