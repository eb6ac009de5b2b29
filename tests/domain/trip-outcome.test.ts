import { expect, test } from 'vitest';
import { getTripOutcome } from '#domain/orders/trip-outcome.ts';

test.each([
  [['boarded', 'no_show'], 'used'],
  [['checked_in'], 'used'],
  [['no_show', 'no_show'], 'missed'],
  [['no_show', 'issued'], 'unknown'],
  [['issued'], 'unknown'],
  [[], 'unknown'],
] as const)('a past trip with tickets of the statuses %j is %s', (statuses, outcome) => {
  expect(getTripOutcome(statuses)).toBe(outcome);
});
