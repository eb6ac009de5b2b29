import { describe, expect, it } from 'vitest';
import { getClockTime, getZoneLabel } from '#domain/time/port-time.ts';
import { describeCrossingTimes, writeShownTime } from '#sentences/crossing-times.ts';
import { textsIn } from '#server/core/texts.ts';

const t = textsIn('en');
const HOUR_MS = 3_600_000;
const DEPARTS_AT = Date.parse('2026-06-05T21:00:00Z');
const crossing = {
  departsAt: DEPARTS_AT,
  arrivesAt: DEPARTS_AT + HOUR_MS,
  delayMinutes: 35,
  isCanceled: false,
};

function writeIn(zone: string) {
  return (instant: number) => `${getClockTime(instant, zone)} ${getZoneLabel(instant, zone)}`;
}
const clocks = { departure: writeIn('America/Los_Angeles'), arrival: writeIn('America/Denver') };

describe('describeCrossingTimes', () => {
  it('gives a late crossing new times, each on the clock of its port, and the replaced ones', () => {
    expect(describeCrossingTimes(t, crossing, clocks)).toEqual({
      departs: { instant: DEPARTS_AT + 35 * 60_000, text: '14:35 PDT', replaced: '14:00 PDT' },
      arrives: { instant: DEPARTS_AT + HOUR_MS + 35 * 60_000, text: '16:35 MDT', replaced: '16:00 MDT' },
      lateness: '35 min late',
    });
  });

  it.each([
    ['on time', { ...crossing, delayMinutes: 0 }],
    ['canceled after a delay', { ...crossing, isCanceled: true }],
  ])('shows only the timetable for a crossing that is %s', (_, planned) => {
    expect(describeCrossingTimes(t, planned, clocks)).toEqual({
      departs: { instant: DEPARTS_AT, text: '14:00 PDT', replaced: null },
      arrives: { instant: DEPARTS_AT + HOUR_MS, text: '16:00 MDT', replaced: null },
      lateness: null,
    });
  });

  it('writes the new time in the zone that holds then', () => {
    const beforeChange = Date.parse('2026-11-01T08:45:00Z');
    const { departs } = describeCrossingTimes(
      t,
      { ...crossing, departsAt: beforeChange, arrivesAt: beforeChange + HOUR_MS },
      clocks,
    );
    expect(departs).toMatchObject({ text: '01:20 PST', replaced: '01:45 PDT' });
  });
});

describe('writeShownTime', () => {
  it('names the new time first, and what it replaces', () => {
    const { departs } = describeCrossingTimes(t, crossing, clocks);
    expect(writeShownTime(t, departs)).toBe('14:35 PDT instead of 14:00 PDT');
    expect(writeShownTime(t, departs, (time) => `~${time}~`)).toBe('14:35 PDT instead of ~14:00 PDT~');
    expect(writeShownTime(t, { ...departs, replaced: null })).toBe('14:35 PDT');
  });
});
