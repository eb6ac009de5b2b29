import { describe, expect, test } from 'vitest';
import { getSaleDifferences, getSaleValues, type LineOfSale } from '#domain/accounting/sale-values.ts';

function buildLine(values: Partial<LineOfSale>): LineOfSale {
  return {
    ...{
      id: 'adults',
      leg: 'out',
      sailingId: 'slg_1',
      kind: 'passenger',
      item: 'passenger',
      typeCode: 'adult',
    },
    ...{
      status: 'active',
      cancellationId: null,
      quantity: 2,
      amount: 2200,
      refund: 0,
      taxBp: 1000,
      tax: 200,
      ...{ taxParts: null, feeParts: null },
    },
    ...values,
  };
}

const sums = (lines: readonly LineOfSale[]) =>
  getSaleValues(lines).flatMap(({ line: { id }, quantity, parts }) =>
    parts.map(({ gross, tax }) => [id, quantity, gross, tax]),
  );

describe('getSaleValues', () => {
  test('values active lines at their amounts, and counts no tickets of discounts', () => {
    const lines = [
      buildLine({}),
      buildLine({ id: 'promo', kind: 'discount', item: 'promo_code', quantity: 1, amount: -220, tax: -20 }),
    ];
    expect(sums(lines)).toEqual([
      ['adults', 2, 2200, 200],
      ['promo', 0, -220, -20],
    ]);
  });

  test('values canceled tickets at what was kept, with the tax in it', () => {
    const canceled = { status: 'canceled', cancellationId: 'can_1' } as const;
    expect(sums([buildLine({ ...canceled, refund: 1100 })])).toEqual([['adults', 0, 1100, 100]]);
  });

  test('splits what was kept of discounted tickets over their fares, and leaves nothing on the discount', () => {
    const canceled = { status: 'canceled', cancellationId: 'can_1' } as const;
    const lines = [
      buildLine({ ...canceled, refund: 1000 }),
      buildLine({ ...canceled, id: 'child', quantity: 1, amount: 1100, tax: 100, refund: 485 }),
      buildLine({ ...canceled, id: 'promo', kind: 'discount', amount: -330, tax: -30 }),
    ];
    expect(sums(lines)).toEqual([
      ['adults', 0, 990, 90],
      ['child', 0, 495, 45],
    ]);
  });

  test('keeps the amounts of canceled tickets for which nothing was given back', () => {
    expect(sums([buildLine({ status: 'canceled', cancellationId: 'can_1' })])).toEqual([
      ['adults', 0, 2200, 200],
    ]);
  });

  test('values what a change kept on its line for earlier tickets, and the fee of the change on its own', () => {
    const lines = [
      buildLine({ id: 'old', status: 'replaced' }),
      buildLine({ id: 'new', amount: 1650, tax: 150 }),
      buildLine({
        id: 'fee',
        status: 'replaced',
        kind: 'fee',
        item: 'change_fee',
        amount: 500,
        taxBp: 0,
        tax: 0,
      }),
      buildLine({
        ...{ id: 'earlier', status: 'replaced', kind: 'discount', item: 'earlier_tickets' },
        ...{ amount: -1650, taxBp: 0, tax: -200 },
      }),
    ];
    expect(sums(lines)).toEqual([
      ['new', 2, 1650, 150],
      ['fee', 0, 500, 0],
      ['earlier', 0, 550, 50],
    ]);
  });
});

describe('getSaleDifferences', () => {
  test('books nothing twice', () => {
    const lines = [buildLine({})];
    const first = getSaleDifferences(lines, []);
    expect(first).toHaveLength(1);
    expect(getSaleDifferences(lines, first)).toEqual([]);
  });

  test('takes back what a line is no longer worth, at the tax rate at which it was booked', () => {
    const booked = [{ lineId: 'adults', taxBp: 700, taxName: '', quantity: 2, gross: 2200, tax: 144 }];
    const canceled = buildLine({ status: 'canceled', cancellationId: 'can_1', refund: 2200, taxBp: 700 });
    expect(getSaleDifferences([canceled], booked)).toEqual([
      {
        ...{ line: canceled, lineId: 'adults', taxBp: 700, taxName: '' },
        quantity: -2,
        gross: -2200,
        tax: -144,
      },
    ]);
  });
});
