import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardCurrencyCodes } from '#contract/payments/card-currencies.ts';
import { calculateForfeit } from '#domain/changes/forfeited-value.ts';
import { inheritDeadlines } from '#domain/changes/inherit-deadlines.ts';
import { numberParty, type PartyMember } from '#domain/changes/number-party.ts';
import { settleDifference, splitWaived } from '#domain/changes/settle-difference.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';

describe('numberParty', () => {
  const family: PartyMember[] = [
    { key: 'adult', partyIndex: 1 },
    { key: 'adult', partyIndex: 2 },
    { key: 'child', partyIndex: 3 },
    { key: 'vehicle', partyIndex: 4 },
  ];

  test('leaves travelers their numbers', () => {
    expect(numberParty(['adult', 'adult', 'child', 'vehicle'], { own: family, others: [] })).toEqual([
      1, 2, 3, 4,
    ]);
    expect(numberParty(['adult', 'child'], { own: family, others: family })).toEqual([1, 3]);
  });

  test('gives an added traveler the lowest number that no other has', () => {
    expect(numberParty(['adult', 'infant'], { own: family, others: [] })).toEqual([1, 2]);
    expect(numberParty(['adult', 'infant'], { own: family, others: family })).toEqual([1, 5]);
  });

  test('finds the travelers of an added journey on the other journey', () => {
    expect(numberParty(['adult', 'child', 'bicycle'], { own: [], others: family })).toEqual([1, 3, 5]);
  });

  test('never gives one number twice, whatever the parties', () => {
    const key = fc.constantFrom('adult', 'child', 'vehicle', 'bicycle');
    const member = fc.record({ key, partyIndex: fc.integer({ min: 1, max: 9 }) });
    const members = fc.uniqueArray(member, { maxLength: 6, selector: ({ partyIndex }) => partyIndex });
    void fc.assert(
      fc.property(fc.array(key, { maxLength: 8 }), members, members, (keys, own, others) => {
        const numbers = numberParty(keys, { own, others });
        expect(new Set(numbers).size).toBe(keys.length);
        expect(Math.min(1, ...numbers)).toBe(1);
      }),
    );
  });
});

describe('inheritDeadlines', () => {
  const replaced = [
    { partyIndex: 1, countsFrom: 500 },
    { partyIndex: 2, countsFrom: 300 },
    { partyIndex: 2, countsFrom: 200 },
  ];

  test('gives a traveler the earliest departure of the own replaced tickets', () => {
    expect([...inheritDeadlines([1, 2], replaced)]).toEqual([
      [1, 500],
      [2, 200],
    ]);
  });

  test('gives what other travelers leave to those who come in their place, and nothing to added ones', () => {
    expect([...inheritDeadlines([1, 3, 4], replaced)]).toEqual([
      [1, 500],
      [3, 200],
    ]);
    expect([...inheritDeadlines([1], [])]).toEqual([]);
  });
});

describe('calculateForfeit', () => {
  test('is what a cancellation keeps, as far as no added ticket uses the value', () => {
    const removed = { paid: 1000, refund: 600, fee: 100 };
    expect(calculateForfeit({ ...removed, added: 0 })).toEqual({ amount: 400, fee: 100 });
    expect(calculateForfeit({ ...removed, added: 500 })).toEqual({ amount: 200, fee: 50 });
    expect(calculateForfeit({ ...removed, added: 1000 })).toEqual({ amount: 0, fee: 0 });
    expect(calculateForfeit({ paid: 0, refund: 0, fee: 0, added: 0 })).toEqual({ amount: 0, fee: 0 });
  });
});

describe('settleDifference', () => {
  const anyCurrency = fc.constantFrom(...cardCurrencyCodes, 'USD', 'ISK', 'UGX', 'MGA', 'KWD', 'JPY');
  const anyChange = fc.record({
    currency: anyCurrency,
    price: fc.nat(100_000),
    fee: fc.nat(5000),
    carried: fc.nat(100_000),
    forfeited: fc.nat(20_000),
    available: fc.nat(100_000),
  });

  test('is an amount that a card can be charged or refunded, to the cent, whatever the currency', () => {
    void fc.assert(
      fc.property(anyChange, ({ currency, available, ...wanted }) => {
        const { smallest, step } = getChargeRules(currency);
        const due = wanted.price + wanted.fee + wanted.forfeited - wanted.carried;
        const { waived, difference, ...kept } = settleDifference(wanted, { currency, available });
        expect(kept).toEqual(wanted);
        expect(Math.abs(difference) % step).toBe(0);
        expect(difference <= 0 || difference >= smallest).toBe(true);
        expect(waived).toBeGreaterThanOrEqual(0);
        if (due >= 0) {
          expect(difference + waived).toBe(due);
          expect(waived).toBeLessThan(Math.max(smallest, step));
        } else {
          expect(waived).toBe(0);
          expect(-difference).toBeLessThanOrEqual(Math.min(-due, available));
          expect(Math.min(-due, available) + difference).toBeLessThan(step);
        }
        const split = splitWaived({ fee: wanted.fee, waived });
        expect(split.fee + waived - split.discount).toBe(wanted.fee);
        expect(Math.min(split.fee, split.discount)).toBe(0);
      }),
    );
  });
});
