import { type CrossingTimes, describeCrossingTimes } from '#domain/sailings/crossing-times.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { formatClock, shiftLocalTime } from '../site/local-time.ts';

/** The fields that sailings and legs share. */
type Crossing = Pick<
  Leg,
  'departsAt' | 'arrivesAt' | 'departsLocal' | 'arrivesLocal' | 'delayMinutes' | 'status'
>;

/** What passengers read about the times of a crossing, without zones: "8:40 AM". */
export function readCrossingTimes(crossing: Crossing): CrossingTimes {
  const { departsAt, arrivesAt, departsLocal, arrivesLocal, delayMinutes, status } = crossing;
  const departs = Date.parse(departsAt);
  const arrives = Date.parse(arrivesAt);
  return describeCrossingTimes(
    { departsAt: departs, arrivesAt: arrives, delayMinutes, isCanceled: status === 'canceled' },
    {
      departure: (instant) => formatClock(shiftLocalTime(departsLocal, instant - departs)),
      arrival: (instant) => formatClock(shiftLocalTime(arrivesLocal, instant - arrives)),
    },
  );
}

/** When a crossing is expected to arrive, in milliseconds. */
export function expectedArrival({
  arrivesAt,
  delayMinutes,
}: Pick<Leg, 'arrivesAt' | 'delayMinutes'>): number {
  return Date.parse(arrivesAt) + delayMinutes * 60_000;
}
