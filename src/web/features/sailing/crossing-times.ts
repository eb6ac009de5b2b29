import { type CrossingTimes, describeCrossingTimes } from '#sentences/crossing-times.ts';
import { t } from '#web/language/texts.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { formatClock, shiftLocalTime } from '../site/local-time.ts';

/** The fields that sailings and legs share. */
export type Crossing = Pick<
  Leg,
  'departsAt' | 'arrivesAt' | 'departsLocal' | 'arrivesLocal' | 'delayMinutes' | 'status'
>;

/** What passengers read about the times of a crossing, without zones: "8:40 AM". */
export function readCrossingTimes(crossing: Crossing): CrossingTimes {
  const { departsAt, arrivesAt, departsLocal, arrivesLocal, delayMinutes, status } = crossing;
  const departs = Date.parse(departsAt);
  const arrives = Date.parse(arrivesAt);
  return describeCrossingTimes(
    t,
    { departsAt: departs, arrivesAt: arrives, delayMinutes, isCanceled: status === 'canceled' },
    {
      departure: (instant) => formatClock(shiftLocalTime(departsLocal, instant - departs)),
      arrival: (instant) => formatClock(shiftLocalTime(arrivesLocal, instant - arrives)),
    },
  );
}
