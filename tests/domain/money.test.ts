import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  apportion,
  getContainedTax,
  getCurrencyExponent,
  scaleHalfEven,
  toDecimal,
} from '#domain/fares/money.ts';
import { formatMoney } from '#domain/format/money.ts';

const amount = fc.integer({ min: -99_999_999, max: 99_999_999 });

test('each currency is written with its own number of decimals', () => {
  expect([toDecimal(1275, 'USD'), toDecimal(1275, 'JPY'), toDecimal(1275, 'KWD')]).toEqual([
    '12.75',
    '1275',
    '1.275',
  ]);
  expect([toDecimal(5, 'USD'), toDecimal(-5, 'USD'), toDecimal(0, 'KWD')]).toEqual([
    '0.05',
    '-0.05',
    '0.000',
  ]);
  expect(
    ['USD', 'JPY']
      .map((currency) => formatMoney(1275, currency, 'en-US'))
      .concat(formatMoney(-500, 'USD', 'en-US')),
  ).toEqual(['$12.75', '¥1,275', '-$5.00']);
});

test('the decimal contains exactly the minor units, for every currency', () => {
  void fc.assert(
    fc.property(amount, fc.constantFrom('USD', 'EUR', 'JPY', 'KWD'), (minor, currency) => {
      const digits = Number(toDecimal(minor, currency).replace('.', ''));
      expect(digits === minor || (digits === 0 && minor === 0)).toBe(true);
      expect(toDecimal(minor, currency).split('.')[1]?.length ?? 0).toBe(getCurrencyExponent(currency));
    }),
  );
});

test('halves are rounded to the even neighbour', () => {
  expect([1, 3, 5, -1, -3, -5].map((value) => scaleHalfEven(value, 1, 2))).toEqual([0, 2, 2, 0, -2, -2]);
});

test('rounding is at most half a unit off and symmetric for negative amounts', () => {
  void fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (value, share) => {
      const rounded = scaleHalfEven(value, share, 10_000);
      expect(Math.abs(rounded * 10_000 - value * share)).toBeLessThanOrEqual(5000);
      expect(scaleHalfEven(-value, share, 10_000) + rounded).toBe(0);
    }),
  );
});

test('the tax contained in a price equals the tax added to the net price', () => {
  expect([getContainedTax(1100, 1000), getContainedTax(1275, 0), getContainedTax(1200, 2000)]).toEqual([
    100, 0, 200,
  ]);
});

test('parts of an amount add up to it, and each is less than a unit from its exact share', () => {
  void fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.array(fc.integer({ min: 0, max: 99_999_999 }), { minLength: 1, maxLength: 8 }),
      (whole, weights) => {
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        fc.pre(total > 0);
        const parts = apportion(whole, weights);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
        parts.forEach((part, index) => {
          expect(Math.abs(part - (whole * (weights[index] ?? 0)) / total)).toBeLessThan(1.001);
        });
      },
    ),
  );
});
