// @vitest-environment node
import { expect, test } from 'vitest';
import { isDayBefore } from '#web/features/site/device-time.ts';

test('yesterday is determined by the calendar, not by 24 hours', () => {
  const now = new Date(2026, 2, 1, 0, 5);
  expect(isDayBefore(new Date(2026, 1, 28, 23, 59), now)).toBe(true);
  expect(isDayBefore(new Date(2026, 1, 28, 0, 0), now.getTime())).toBe(true);
  expect(isDayBefore(new Date(2026, 1, 27, 23, 59), now)).toBe(false);
  expect(isDayBefore(new Date(2026, 2, 1, 0, 1), now)).toBe(false);
  expect(isDayBefore(new Date(2026, 1, 28, 12), new Date(2026, 2, 1, 23, 59))).toBe(true);
});
