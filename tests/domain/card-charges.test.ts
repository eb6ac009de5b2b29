import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardCurrencyCodes, findCardCurrency, LARGEST_CHARGE } from '#contract/payments/card-currencies.ts';
import { calculateDiscountLines } from '#domain/fares/discounts.ts';
import type { PricedLine, SailingToPrice } from '#domain/fares/fare-book.ts';
import { getCurrencyExponent, toDecimal } from '#domain/fares/money.ts';
import {
  getChargeRules,
  getMaxTripCardPart,
  getTopUpLimits,
  isTopUpAmount,
} from '#domain/trip-cards/card-charges.ts';

const currency = fc.constantFrom(...cardCurrencyCodes);

describe('findCardCurrency', () => {
  test('returns the decimals that the provider documents, which differ from ISO 4217 for some currencies', () => {
    const differing = cardCurrencyCodes.filter(
      (code) => findCardCurrency(code)?.digits !== getCurrencyExponent(code),
    );
    expect(differing).toEqual(['ISK', 'MGA', 'UGX']);
    expect(['ISK', 'UGX', 'MGA', 'JPY', 'KWD', 'HUF'].map(findCardCurrency)).toEqual([
      { digits: 2, step: 100, smallest: 10_000 },
      { digits: 2, step: 100, smallest: 200_000 },
      { digits: 0, step: 1, smallest: 5000 },
      { digits: 0, step: 1, smallest: 50 },
      { digits: 3, step: 10, smallest: 200 },
      { digits: 2, step: 1, smallest: 17_500 },
    ]);
  });

  test('has every currency once, and none that the provider does not accept', () => {
    expect(new Set(cardCurrencyCodes).size).toBe(139);
    expect(cardCurrencyCodes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect(['IQD', 'LYD', 'KPW', 'usd', ''].map(findCardCurrency)).toEqual(Array(5).fill(undefined));
  });

  test('has a smallest charge that can be charged in every currency', () => {
    for (const code of cardCurrencyCodes) {
      const { smallest = 0, step = 1 } = findCardCurrency(code) ?? {};
      expect([code, smallest > 0 && smallest < LARGEST_CHARGE && smallest % step === 0]).toEqual([
        code,
        true,
      ]);
    }
  });
});

describe('getChargeRules', () => {
  test('returns the documented smallest charge in our minor units', () => {
    const listed = [
      'USD',
      'GBP',
      'NOK',
      'SEK',
      'DKK',
      'HUF',
      'CZK',
      'JPY',
      'HKD',
      'MXN',
      'ISK',
      'KWD',
      'MGA',
    ];
    const smallest = listed.map((code) => toDecimal(getChargeRules(code).smallest, code));
    expect(smallest).toEqual([
      ...['0.50', '0.30', '3.00', '3.00', '2.50', '175.00', '15.00', '50', '4.00', '10.00'],
      ...['100', '0.200', '5000.00'],
    ]);
  });

  test('returns the step of charges in a currency', () => {
    const stepOf = (code: string) => toDecimal(getChargeRules(code).step, code);
    expect(['USD', 'JPY', 'ISK', 'KWD', 'MGA'].map(stepOf)).toEqual(['0.01', '1', '1', '0.010', '1.00']);
  });

  test('never allows more than the provider', () => {
    expect([getChargeRules('USD').largest, getChargeRules('ISK').largest]).toEqual([99_999_999, 999_999]);
  });
});

describe('getMaxTripCardPart', () => {
  test('leaves an amount that a payment card can be charged, in every currency', () => {
    void fc.assert(
      fc.property(currency, fc.nat(10_000_000), fc.nat(10_000_000), (code, units, spendable) => {
        const { step, smallest } = getChargeRules(code);
        const total = units - (units % step);
        const part = getMaxTripCardPart(total, spendable, code);
        expect(part === 0 || (part <= spendable && total - part >= smallest)).toBe(true);
        expect((total - part) % step).toBe(0);
      }),
    );
  });
});

describe('getTopUpLimits', () => {
  test('keeps the operator’s limits if a payment card can be charged them', () => {
    const wanted = { presets: [2000, 5000, 10_000], min: 500, max: 50_000 };
    expect(getTopUpLimits(wanted, 'USD')).toEqual({ ...wanted, step: 1 });
    expect(getTopUpLimits(wanted, 'HUF')).toEqual({ presets: [], min: 17_500, max: 50_000, step: 1 });
    expect(getTopUpLimits({ ...wanted, presets: [5005, 5010], min: 505 }, 'KWD')).toEqual({
      presets: [5010],
      min: 510,
      max: 50_000,
      step: 10,
    });
  });

  test('accepts one amount where the operator’s range lies between two that can be charged', () => {
    const limits = getTopUpLimits({ presets: [10_051], min: 10_051, max: 10_051 }, 'KWD');
    expect(limits).toEqual({ presets: [], min: 10_060, max: 10_060, step: 10 });
  });

  test('offers and accepts only amounts that can be charged, in every currency', () => {
    void fc.assert(
      fc.property(currency, fc.nat(100_000), fc.nat(1_000_000), (code, min, more) => {
        const limits = getTopUpLimits({ presets: [min, min + more], min, max: min + more }, code);
        expect(isTopUpAmount(limits.min, limits) && isTopUpAmount(limits.max, limits)).toBe(true);
        expect(limits.min).toBeGreaterThanOrEqual(getChargeRules(code).smallest);
      }),
    );
  });
});

describe('calculateDiscountLines', () => {
  const sailing = { leg: 'out', sailingId: 'slg', route: { code: 'a' } } as SailingToPrice;
  const line = (amount: number, taxBp: number) =>
    ({ leg: 'out', sailingId: 'slg', amount, taxBp, tax: 0 }) as PricedLine;

  test('limits a discount so that the rest can be charged', () => {
    const lines = [line(1230, 0), line(2570, 1000)];
    const taken = (kind: 'percent_bp' | 'amount', value: number) =>
      calculateDiscountLines(lines, [sailing], { code: 'TEN', kind, value, routeCodes: null }, 10).map(
        ({ amount }) => amount,
      );
    expect(taken('percent_bp', 1000)).toEqual([-120, -260]);
    expect(taken('percent_bp', 10_000)).toEqual([-1230, -2570]);
    expect(taken('amount', 505).reduce((sum, amount) => sum + amount, 0)).toBe(-500);
    expect(taken('amount', 505).every((amount) => amount % 10 === 0)).toBe(true);
  });
});
