import type { Translate } from '#messages/translate.ts';

/** A crossing by the timetable, and how late it runs. Instants in milliseconds since 1970. */
export type DelayedCrossing = {
  departsAt: number;
  arrivesAt: number;
  delayMinutes: number;
  /** A canceled crossing is not late. */
  isCanceled: boolean;
};

/** A departure or an arrival as passengers read it. */
export type ShownTime = {
  /** When it is expected, in milliseconds since 1970. */
  instant: number;
  text: string;
  /** The time of the timetable that no longer holds; null: `text` is that time. */
  replaced: string | null;
};

export type CrossingTimes = {
  departs: ShownTime;
  arrives: ShownTime;
  /** "35 min late"; null if it is not. */
  lateness: string | null;
};

/** Writes instants as times on the clocks of the two ports. */
type Clocks = { departure: (instant: number) => string; arrival: (instant: number) => string };

/**
 * What passengers read about the times of a crossing, the same on every surface: a late boat has new times, and those of
 * the timetable only as replaced ones. A delay does not move check-in.
 */
export function describeCrossingTimes(
  t: Translate,
  crossing: DelayedCrossing,
  clocks: Clocks,
): CrossingTimes {
  const minutes = crossing.isCanceled ? 0 : crossing.delayMinutes;
  return {
    departs: showTime(crossing.departsAt, minutes, clocks.departure),
    arrives: showTime(crossing.arrivesAt, minutes, clocks.arrival),
    lateness: minutes > 0 ? describeLateness(t, minutes) : null,
  };
}

/** "35 min late" */
export function describeLateness(t: Translate, minutes: number): string {
  return t('{minutes} min late', { minutes });
}

/**
 * A time in words: "2:35 PM PDT instead of 2:00 PM PDT".
 * @param strike marks the replaced time, where the surface can
 */
export function writeShownTime(
  t: Translate,
  { text, replaced }: Omit<ShownTime, 'instant'>,
  strike: (replaced: string) => string = (same) => same,
): string {
  return replaced === null
    ? text
    : t('{time} instead of {planned}', { time: text, planned: strike(replaced) });
}

function showTime(planned: number, minutes: number, write: (instant: number) => string): ShownTime {
  const instant = planned + minutes * 60_000;
  return { instant, text: write(instant), replaced: minutes > 0 ? write(planned) : null };
}
