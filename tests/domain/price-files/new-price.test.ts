import { describe, expect, it } from 'vitest';
import { type PriceChange, startNewPrice } from '#domain/price-files/new-price.ts';

const FROM = '2027-01-01';
const start = (row: Record<string, string>, change: PriceChange, currency = 'USD') =>
  startNewPrice(row, { from: FROM, dayBefore: '2026-12-31', change, currency });
const FIVE_PERCENT: PriceChange = { kind: 'percent', percent: 5, step: 5 };

describe('startNewPrice', () => {
  it('ends the row the day before, and begins a copy with the new amount', () => {
    const row = { fare_class: 'saver', amount: '9.25', valid_from: '', valid_until: '' };
    expect(start(row, { kind: 'amount', amount: 1075 })).toEqual([
      { ...row, valid_until: '2026-12-31' },
      { ...row, amount: '10.75', valid_from: FROM },
    ]);
  });

  it('keeps the last day of the row in its copy', () => {
    const [before, after] = start({ amount: '9.25', valid_until: '20270630' }, FIVE_PERCENT);
    expect([before?.valid_until, after?.valid_until]).toEqual(['2026-12-31', '20270630']);
  });

  it('leaves a row that ends before, and changes only the price of one that begins later', () => {
    const ended = { amount: '8.00', valid_until: '2026-12-31' };
    expect(start(ended, FIVE_PERCENT)).toEqual([ended]);
    const later = { amount: '8.00', valid_from: '20270401' };
    expect(start(later, FIVE_PERCENT)).toEqual([{ ...later, amount: '8.40' }]);
    const same = { amount: '8.00', valid_from: FROM };
    expect(start(same, FIVE_PERCENT)).toEqual([{ ...same, amount: '8.40' }]);
  });

  it('leaves a row whose price stays the same', () => {
    const free = { amount: '0.00', step_amount: '0', valid_from: '', valid_until: '' };
    expect(start(free, FIVE_PERCENT)).toEqual([free]);
    const same = { amount: '9.25' };
    expect(start(same, { kind: 'amount', amount: 925 })).toEqual([same]);
  });

  it.each([
    ['9.25', 5, 5, '9.70'],
    ['9.25', 5, 1, '9.71'],
    ['9.25', -10, 50, '8.50'],
    ['0.00', 5, 5, '0.00'],
    ['2.10', 2.5, 5, '2.15'],
    ['10', -200, 5, '0.00'],
  ])('makes %s by %d percent in steps of %d to %s', (amount, percent, step, expected) => {
    expect(start({ amount }, { kind: 'percent', percent, step }).at(-1)?.amount).toBe(expected);
  });

  it('raises what further length costs, too', () => {
    expect(start({ amount: '21.75', step_amount: '1.10' }, FIVE_PERCENT).at(-1)).toMatchObject({
      ...{ amount: '22.85', step_amount: '1.15' },
    });
  });

  it('leaves what is no amount to the check of the upload', () => {
    expect(start({ amount: 'free' }, FIVE_PERCENT).at(-1)?.amount).toBe('free');
  });

  it('counts in the currency’s own minor unit', () => {
    expect(start({ amount: '950' }, { kind: 'percent', percent: 5, step: 10 }, 'JPY').at(-1)?.amount).toBe(
      '1000',
    );
  });
});
