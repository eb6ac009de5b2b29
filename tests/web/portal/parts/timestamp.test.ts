// @vitest-environment node
import { expect, test } from 'vitest';
import { formatDate, formatWhen } from '#web/features/site/timestamp.tsx';

const NOW = new Date(2026, 5, 5, 0, 12).getTime();

test.each([
  [new Date(2026, 5, 5, 0, 2), 'today, 12:02 AM'],
  [new Date(2026, 5, 4, 23, 59), 'yesterday, 11:59 PM'],
  [new Date(2026, 5, 3, 23, 59), 'Jun 3, 11:59 PM'],
  [new Date(2025, 11, 31, 8, 0), 'Dec 31, 2025'],
  [new Date(2027, 0, 1, 8, 0), 'Jan 1, 2027, 8:00 AM'],
])('%s is formatted as "%s"', (instant, text) => {
  expect(formatWhen(instant.toISOString(), NOW)).toBe(text);
});

test('a date without a time is formatted with its year', () => {
  expect(formatDate(new Date(2026, 2, 3, 12).toISOString())).toBe('Mar 3, 2026');
});
