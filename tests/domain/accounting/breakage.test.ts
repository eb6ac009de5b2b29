import { describe, expect, test } from 'vitest';
import { getBreakage, type PassValue } from '#domain/accounting/breakage.ts';

/** A pass of ten trips for 80.00, of which three are unused. */
const pass: PassValue = {
  ...{ isOver: false, paid: 8000, spent: 7000 },
  ...{ boughtTrips: 10, usedTrips: 7, unusedTrips: 3 },
};
const over = { ...pass, isOver: true };
const atExpiry = { rule: 'at_expiry', percent: 10 } as const;
const proportional = { rule: 'proportional', percent: 10 } as const;

describe('getBreakage', () => {
  test('is nothing before the end, and the rest of the price from then on', () => {
    expect(getBreakage(pass, atExpiry)).toEqual({ trips: 0, amount: 0 });
    expect(getBreakage(over, atExpiry)).toEqual({ trips: 3, amount: 1000 });
  });

  test.each([
    [0, 0],
    [3, 267],
    [9, 800],
    [10, 800],
  ])('in proportion: after %i of the nine trips that are expected, it is %i of 800', (usedTrips, amount) => {
    expect(getBreakage({ ...pass, usedTrips }, proportional)).toEqual({ trips: 0, amount });
  });

  test('in proportion: is the rest of the price when the pass ends', () => {
    expect(getBreakage(over, proportional)).toEqual({ trips: 3, amount: 1000 });
  });
});
