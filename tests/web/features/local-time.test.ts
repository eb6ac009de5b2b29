// @vitest-environment node
import { expect, test } from 'vitest';
import { formatClockChange } from '#web/features/site/clock-change.ts';
import {
  formatClock,
  formatDay,
  formatDuration,
  formatShortDay,
  formatTime,
  localDay,
  shiftLocalTime,
} from '#web/features/site/local-time.ts';

test('a local time is formatted with its own digits, whatever the device’s time zone', () => {
  expect(formatDay(localDay('2026-06-05T08:40:00-07:00'))).toBe('Fri, June 5, 2026');
  expect(formatTime('2026-06-05T08:40:00-07:00', 'PDT')).toBe('8:40 AM PDT');
  // Midnight in Tokyo and in Honolulu are 19 hours apart; both are the first minute of their own day.
  for (const local of ['2026-01-01T00:05:00+09:00', '2026-01-01T00:05:00-10:00']) {
    expect(`${formatDay(localDay(local))}, ${formatClock(local)}`).toBe('Thu, January 1, 2026, 12:05 AM');
  }
});

test('the hour that a clock change repeats or skips is formatted as the port’s clock shows it', () => {
  expect(formatTime('2026-11-01T01:30:00-07:00', 'PDT')).toBe('1:30 AM PDT');
  expect(formatTime('2026-11-01T01:30:00-08:00', 'PST')).toBe('1:30 AM PST');
  expect(formatTime('2026-03-29T03:00:00+02:00', 'CEST')).toBe('3:00 AM CEST');
});

test('noon and midnight are formatted as 12', () => {
  expect(formatClock('2026-06-05T12:00:00-07:00')).toBe('12:00 PM');
  expect(formatClock('2026-06-05T00:00:00-07:00')).toBe('12:00 AM');
  expect(formatClock('2026-06-05T23:59:00-07:00')).toBe('11:59 PM');
});

test('days are formatted with weekday and month names', () => {
  expect(localDay('2026-06-05T23:40:00-07:00')).toBe('2026-06-05');
  expect(formatDay('2028-02-29')).toBe('Tue, February 29, 2028');
  expect(formatShortDay('2026-06-05')).toBe('Fri, Jun 5');
});

test('a shifted local time goes on to the next day', () => {
  expect(shiftLocalTime('2026-06-30T23:40:00-07:00', 35 * 60_000)).toBe('2026-07-01T00:15:00-07:00');
  expect(shiftLocalTime('2026-06-05T08:40:00-07:00', 0)).toBe('2026-06-05T08:40:00-07:00');
});

test('durations are formatted in hours and minutes', () => {
  expect(formatDuration(35)).toBe('35 min');
  expect(formatDuration(60)).toBe('1 h');
  expect(formatDuration(95)).toBe('1 h 35 min');
});

test.each([
  ['2026-06-05T08:40:00-07:00', '2026-06-05T09:15:00-07:00', null],
  ['2026-06-05T08:40:00-03:00', '2026-06-05T08:15:00-04:00', '1 hour earlier'],
  ['2026-06-05T08:40:00+01:00', '2026-06-05T12:15:00+03:00', '2 hours later'],
  ['2026-06-05T08:40:00-04:00', '2026-06-05T10:15:00-03:30', '30 min later'],
  ['2026-06-05T08:40:00-03:30', '2026-06-05T08:15:00-05:00', '1 h 30 min earlier'],
])('formatClockChange of %s and %s returns %s', (departs, arrives, text) => {
  expect(formatClockChange(departs, arrives)).toBe(text);
});
