import { describe, expect, test } from 'vitest';
import {
  codeProblem,
  expiryProblem,
  findBrand,
  formatExpiry,
  formatNumber,
  numberProblem,
} from '#sandbox/card-provider/browser/card-rules.ts';
import { testCards } from '#sandbox/card-provider/test-cards.ts';

describe('card rules', () => {
  test.each(testCards.map(({ number, brand }) => [number, brand] as const))(
    'the number %s is valid and recognized as %s',
    (number, brand) => {
      expect(numberProblem(number)).toBeNull();
      expect(findBrand(number)).toBe(brand);
    },
  );

  test('a number is shown in the groups of its brand', () => {
    expect(formatNumber('4242424242424242')).toBe('4242 4242 4242 4242');
    expect(formatNumber('378282246310005')).toBe('3782 822463 10005');
    expect(formatNumber('42424')).toBe('4242 4');
  });

  test('a short number is incomplete, one with a wrong digit invalid', () => {
    expect(numberProblem('')?.code).toBe('incomplete_number');
    expect(numberProblem('424242424242424')?.code).toBe('incomplete_number');
    expect(numberProblem('4242424242424241')?.code).toBe('invalid_number');
  });

  test.each([
    ['7', false, '07 / '],
    ['1', false, '1'],
    ['12', false, '12 / '],
    ['12', true, '12'],
    ['1230', false, '12 / 30'],
    ['12/2030', false, '12 / 30'],
    ['07 / 3', false, '07 / 3'],
  ])('the typed expiry "%s" (deleting: %s) becomes "%s"', (typed, deleting, shown) => {
    expect(formatExpiry(typed, deleting)).toBe(shown);
  });

  test('a card is valid through the last day of its month', () => {
    const lastDay = new Date(2026, 10, 30, 23, 59);
    const nextDay = new Date(2026, 11, 1);
    expect(expiryProblem(11, 2026, lastDay)).toBeNull();
    expect(expiryProblem(11, 2026, nextDay)?.code).toBe('invalid_expiry_month_past');
    expect(expiryProblem(12, 2025, nextDay)?.code).toBe('invalid_expiry_year_past');
    expect(expiryProblem(13, 2030, nextDay)?.code).toBe('incomplete_expiry');
  });

  test('a security code has three digits, four on American Express', () => {
    expect(codeProblem('123', '4242')).toBeNull();
    expect(codeProblem('123', '3782')?.code).toBe('incomplete_cvc');
    expect(codeProblem('1234', '3782')).toBeNull();
  });
});
