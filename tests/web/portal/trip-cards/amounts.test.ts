// @vitest-environment node
import { expect, test } from 'vitest';
import { describeLimits, formatAmountInput, parseAmount } from '#web/portal/trip-cards/amounts.tsx';

test.each([
  ['12.50', 1250],
  ['12.5', 1250],
  ['12.', 1200],
  ['12,50', 1250],
  [' $12 ', 1200],
  ['1,200', 120_000],
  ['1,234,567.89', null],
  ['999,999.99', 99_999_999],
  ['0', 0],
])('“%s” is read as %s', (text, amount) => {
  expect(parseAmount(text, 'USD')).toBe(amount);
});

test.each(['', 'ten', '€12', '1,2', '1,2000', ',200', '12.505', '-5', '1.2.3', '12.50,000'])(
  'an ambiguous text is not an amount: “%s”',
  (text) => {
    expect(parseAmount(text, 'USD')).toBeNull();
  },
);

test('formatAmountInput and parseAmount use the decimals of the currency', () => {
  expect(formatAmountInput(5, 'USD')).toBe('0.05');
  expect(formatAmountInput(1200, 'JPY')).toBe('1200');
  expect(parseAmount(formatAmountInput(1200, 'JPY'), 'JPY')).toBe(1200);
});

test('describeLimits names the limits, and the step if it is more than one cent', () => {
  const limits = { presets: [], min: 500, max: 50_000, step: 1 };
  expect(describeLimits(limits, 'USD')).toBe('Enter an amount from $5.00 to $500.00.');
  expect(describeLimits({ ...limits, step: 10 }, 'KWD').replaceAll(/\s/g, ' ')).toBe(
    'Enter an amount from KWD 0.500 to KWD 50.000, in steps of KWD 0.010.',
  );
});
