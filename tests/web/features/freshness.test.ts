// @vitest-environment node
import { expect, test } from 'vitest';
import { formatAsOf, formatChecked, formatSaved } from '#web/features/saved-offline/freshness.ts';

const NOW = new Date(2026, 5, 5, 14, 30).getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('formatSaved describes the age of the oldest of several saved times', () => {
  const today = isoOf(NOW - 25 * MINUTE);
  expect(formatSaved([today], NOW)).toBe('Saved 2:05 PM today');
  expect(formatSaved([isoOf(NOW), today], NOW)).toBe('Saved 2:05 PM today');
  expect(formatSaved([isoOf(NOW - DAY)], NOW)).toBe('Saved yesterday, 2:30 PM');
  expect(formatSaved([isoOf(NOW - 3 * DAY)], NOW)).toBe('Saved Jun 2, 2:30 PM');
  expect(formatSaved([], NOW)).toBeNull();
});

test('formatSaved shows no time if a clock must be wrong', () => {
  expect(formatSaved([isoOf(NOW + 2 * DAY)], NOW)).toBe('Saved earlier');
  expect(formatSaved([isoOf(NOW + MINUTE)], NOW)).toBe('Saved 2:31 PM today');
});

test('formatChecked describes when the server was last asked', () => {
  expect(formatChecked([isoOf(NOW - 25 * MINUTE)], NOW)).toBe('Last checked 2:05 PM today');
  expect(formatChecked([isoOf(NOW - DAY)], NOW)).toBe('Last checked yesterday, 2:30 PM');
  expect(formatChecked([], NOW)).toBeNull();
});

test('formatAsOf marks a balance older than yesterday as possibly changed', () => {
  expect(formatAsOf(isoOf(NOW - MINUTE), NOW)).toBe('as of 2:29 PM today');
  expect(formatAsOf(isoOf(NOW - 20 * 60 * MINUTE), NOW)).toBe('as of 6:30 PM yesterday');
  expect(formatAsOf(isoOf(NOW - DAY), NOW)).toBe('as of 2:30 PM yesterday');
  expect(formatAsOf(isoOf(NOW - 2 * DAY), NOW)).toBe('last known, Jun 3, 2:30 PM; may have changed');
});

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
