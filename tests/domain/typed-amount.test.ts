import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardCurrencyCodes } from '#contract/payments/card-currencies.ts';
import { formatMoney, formatShortMoney } from '#domain/format/money.ts';
import { formatTypedAmount, parseTypedAmount } from '#domain/format/typed-amount.ts';

fc.configureGlobal({ seed: 20260724 });

const LANGUAGES = [
  ...['en-US', 'en-GB', 'en-IN', 'de', 'de-AT', 'de-CH', 'nb', 'fr', 'fr-CA', 'fr-CH'],
  ...['en-XA', 'ar-XB'],
];

test.each(LANGUAGES)('an amount of any currency that is written in %s is read back', (language) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...cardCurrencyCodes),
      fc.integer({ min: 0, max: 99_999_999 }),
      (currency, amount) => {
        const written = [formatMoney, formatShortMoney, formatTypedAmount].map((format) =>
          format(amount, currency, language),
        );
        expect(written.map((text) => parseTypedAmount(text, currency, language))).toEqual(
          Array(3).fill(amount),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test.each([
  ['en-US', '12.50'],
  ['de', '12,50'],
  ['nb', '12,50'],
  ['fr', '12,50'],
  ['de-CH', '12.50'],
])('a field in %s shows %s', (language, text) => {
  expect(formatTypedAmount(1250, 'EUR', language)).toBe(text);
  expect(formatTypedAmount(123_456, 'JPY', language)).toBe('123456');
});

describe.each(['de', 'nb', 'fr'])('in %s', (language) => {
  test.each([
    ['12,5', 1250],
    ['12,50 €', 1250],
    ['€ 12,50', 1250],
    ['12,50 eur', 1250],
    ['12.50', 1250],
    ['1234,50', 123_450],
    ['1 234,50', 123_450],
    ['1\u202f234,50\u00a0€', 123_450],
    ['1.234,50', 123_450],
    ['1’234,50', 123_450],
    ['1.234', 123_400],
    ['1,234.50', 123_450],
  ])('“%s” is %i cents', (text, amount) => {
    expect(parseTypedAmount(text, 'EUR', language)).toBe(amount);
  });

  test.each(['1,234', '12.5', '1.2345,00', '12 50', '1 234 5', '1.234 567', '12,50 $', '12,505', '-5', ','])(
    '“%s” is not an amount in euros',
    (text) => {
      expect(parseTypedAmount(text, 'EUR', language)).toBeNull();
    },
  );
});

test('a separator before three digits is the language’s decimal separator in a currency with three decimals', () => {
  expect(parseTypedAmount('1.234', 'KWD', 'en-US')).toBe(1234);
  expect(parseTypedAmount('1,234', 'KWD', 'en-US')).toBe(1_234_000);
  expect(parseTypedAmount('1,234', 'KWD', 'de')).toBe(1234);
  expect(parseTypedAmount('0,500', 'KWD', 'en-US')).toBe(500);
});

test('an amount of a currency without decimals may be grouped by any separator, and has no decimals', () => {
  const read = (text: string) => parseTypedAmount(text, 'JPY', 'en-US');
  expect(['1,200', '1.200', '1 200', '¥1200'].map(read)).toEqual(Array(4).fill(1200));
  expect(['12.5', '12,50'].map(read)).toEqual([null, null]);
});
