import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createTripCardNumber,
  formatTripCardNumber,
  parseTripCardNumber,
} from '#domain/trip-cards/trip-card-number.ts';

const digits = fc.array(fc.nat(9), { minLength: 14, maxLength: 14 });

function numberOf(random: readonly number[]): string {
  let index = 0;
  return createTripCardNumber(() => random[index++] ?? 0);
}

test('a card number has 16 digits and does not start like a payment card number', () => {
  expect(numberOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4])).toMatch(/^9123456789012347?\d$/);
});

test('the check digit is that of the Luhn algorithm', () => {
  expect(parseTripCardNumber('4242 4242 4242 4242')).toBe('4242424242424242');
  expect(parseTripCardNumber('4242 4242 4242 4241')).toBeNull();
});

test('a number is accepted as it is shown and in any typed format', () => {
  fc.assert(
    fc.property(digits, (random) => {
      const number = numberOf(random);
      expect(parseTripCardNumber(number)).toBe(number);
      expect(parseTripCardNumber(formatTripCardNumber(number))).toBe(number);
      expect(parseTripCardNumber(formatTripCardNumber(number).replaceAll(' ', '-'))).toBe(number);
    }),
  );
});

test('a number with one wrong digit is always refused', () => {
  fc.assert(
    fc.property(digits, fc.nat(15), fc.integer({ min: 1, max: 9 }), (random, at, by) => {
      const number = numberOf(random);
      const wrong = String((Number(number[at]) + by) % 10);
      expect(parseTripCardNumber(number.slice(0, at) + wrong + number.slice(at + 1))).toBeNull();
    }),
  );
});

test.each(['', '123', '12345678901234567', '424242424242424x', '４２４２４２４２４２４２４２４２'])(
  '%j is not a card number',
  (text) => {
    expect(parseTripCardNumber(text)).toBeNull();
  },
);
