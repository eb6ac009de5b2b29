import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import type { Leg } from '#web/platform/api/types.ts';

type Times = Pick<Leg, 'departsAt' | 'arrivesAt' | 'delayMinutes'>;

/** When a crossing is expected to depart, in milliseconds. */
export function expectedDeparture(leg: Times): number {
  return expectedTimes(leg).departsAt;
}

/** When a crossing is expected to arrive, in milliseconds. */
export function expectedArrival(leg: Times): number {
  return expectedTimes(leg).arrivesAt;
}

function expectedTimes({ departsAt, arrivesAt, delayMinutes }: Times) {
  return getExpectedTimes({
    departsAt: Date.parse(departsAt),
    arrivesAt: Date.parse(arrivesAt),
    delayMinutes,
  });
}
