import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardCurrencyCodes, findCardCurrency } from '#contract/payments/card-currencies.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import {
  fromProviderMoney,
  isSameMoney,
  toProviderMoney,
} from '#server/payments/provider/provider-amounts.ts';

describe('toProviderMoney', () => {
  test('converts to the provider’s units', () => {
    const converted = [
      [1275, 'USD'],
      [1500, 'ISK'],
      [20_000, 'UGX'],
      [2550, 'JPY'],
      [5120, 'KWD'],
      [175_000, 'HUF'],
      [1_200_000, 'MGA'],
    ].map(([amount, currency]) => toProviderMoney({ amount: Number(amount), currency: String(currency) }));
    expect(converted).toEqual([
      { amount: 1275, currency: 'usd' },
      { amount: 150_000, currency: 'isk' },
      { amount: 2_000_000, currency: 'ugx' },
      { amount: 2550, currency: 'jpy' },
      { amount: 5120, currency: 'kwd' },
      { amount: 175_000, currency: 'huf' },
      { amount: 12_000, currency: 'mga' },
    ]);
  });

  test('refuses an amount that the provider cannot charge', () => {
    for (const [amount, currency] of [
      [5124, 'KWD'],
      [1_200_050, 'MGA'],
      [1000, 'IQD'],
      [1000, 'LYD'],
    ] as const) {
      expect(() => toProviderMoney({ amount, currency })).toThrow(RangeError);
    }
  });

  test('returns an amount that converts back unchanged and is a multiple of the currency’s step', () => {
    void fc.assert(
      fc.property(fc.constantFrom(...cardCurrencyCodes), fc.nat(900_000), (currency, units) => {
        const { step } = getChargeRules(currency);
        const ours = { amount: units - (units % step), currency };
        const theirs = toProviderMoney(ours);
        expect(theirs.amount % (findCardCurrency(currency)?.step ?? 0)).toBe(0);
        expect(fromProviderMoney(theirs)).toEqual(ours);
        expect(isSameMoney(theirs, ours)).toBe(true);
        expect(isSameMoney({ ...theirs, amount: theirs.amount + 1 }, ours)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('isSameMoney', () => {
  test('is false for another currency and for one that the provider does not accept', () => {
    expect(isSameMoney({ amount: 1500, currency: 'usd' }, { amount: 1500, currency: 'EUR' })).toBe(false);
    expect(isSameMoney({ amount: 1500, currency: 'isk' }, { amount: 1500, currency: 'ISK' })).toBe(false);
    expect(isSameMoney({ amount: 1500, currency: 'iqd' }, { amount: 1500, currency: 'IQD' })).toBe(false);
  });
});
