import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BookedValue, getSaleDifferences, type LineOfSale } from '#domain/accounting/sale-values.ts';
import { calculateDiscountLines } from '#domain/fares/discounts.ts';
import type { PricedLine, SailingToPrice } from '#domain/fares/fare-book.ts';
import { apportion } from '#domain/fares/money.ts';
import {
  findTaxShares,
  getTaxKey,
  getTaxParts,
  joinTaxParts,
  leaveTaxParts,
  splitTax,
  type TaxedAmount,
  type TaxRule,
  type TaxShare,
  takeTaxParts,
  toTaxation,
} from '#domain/fares/taxes.ts';

const ABROAD: TaxShare[] = [
  { shareBp: 3000, taxBp: 1000, name: '' },
  { shareBp: 7000, taxBp: 0, name: 'Outside the scope' },
];

const sum = <Field extends string>(all: readonly Record<Field, number>[], field: Field) =>
  all.reduce((total, each) => total + each[field], 0);

describe('findTaxShares', () => {
  const rule = (values: Partial<TaxRule>): TaxRule => ({
    ...{ routeId: 'r', product: 'passenger', shareBp: 10_000, taxBp: 1000, name: '' },
    ...{ validFrom: null, validUntil: null, priority: 0, ...values },
  });
  const find = (rules: TaxRule[], day = '2026-07-01') =>
    findTaxShares(rules, { routeId: 'r', product: 'passenger', day })?.map(({ taxBp }) => taxBp) ?? null;

  test('finds the shares of the route, product and day', () => {
    const rules = [
      rule({ routeId: 'other' }),
      rule({ product: 'vehicle' }),
      rule({ taxBp: 500, validUntil: '2026-06-30' }),
      rule({ taxBp: 700, validFrom: '2026-07-01' }),
    ];
    expect(find(rules)).toEqual([700]);
    expect(find(rules, '2026-06-30')).toEqual([500]);
    expect(find(rules.slice(0, 2))).toBeNull();
  });

  test('lets the highest priority of the day win', () => {
    const rules = [rule({ taxBp: 500 }), rule({ taxBp: 700, priority: 1, validFrom: '2026-07-01' })];
    expect(find(rules)).toEqual([700]);
    expect(find(rules, '2026-06-30')).toEqual([500]);
  });
});

describe('splitTax', () => {
  test('taxes each share once', () => {
    expect(splitTax(10_000, ABROAD)).toEqual([
      { ...ABROAD[0], gross: 3000, tax: 273 },
      { ...ABROAD[1], gross: 7000, tax: 0 },
    ]);
    expect(toTaxation(splitTax(10_000, ABROAD))).toMatchObject({ taxBp: 280, tax: 273 });
  });

  test('stores no parts for one rate without a name', () => {
    const parts = splitTax(1100, [{ shareBp: 10_000, taxBp: 1000, name: '' }]);
    expect(toTaxation(parts)).toEqual({ taxBp: 1000, tax: 100, taxParts: null });
  });
});

test('joinTaxParts keeps the shares of parts that were split alike, and otherwise takes those of the sum', () => {
  const alike = joinTaxParts([...splitTax(1000, ABROAD), ...splitTax(3, ABROAD)]);
  expect(alike.map(({ shareBp, gross }) => [shareBp, gross])).toEqual([
    [3000, 301],
    [7000, 702],
  ]);
  const home: TaxShare[] = [{ shareBp: 10_000, taxBp: 1000, name: '' }];
  const mixed = joinTaxParts([...splitTax(1000, ABROAD), ...splitTax(1000, home)]);
  expect(mixed.map(({ shareBp, gross }) => [shareBp, gross])).toEqual([
    [6500, 1300],
    [3500, 700],
  ]);
});

const anyShares = fc
  .array(
    fc.record({ weight: fc.integer({ min: 1, max: 100 }), taxBp: fc.constantFrom(0, 500, 1000, 1900, 2500) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((all) => {
    const shares = apportion(
      10_000,
      all.map(({ weight }) => weight),
    );
    return all.map(
      ({ taxBp }, index): TaxShare => ({
        shareBp: shares[index] ?? 0,
        taxBp,
        name: index === 0 ? '' : `share ${index}`,
      }),
    );
  });

const anyAmount = fc.oneof(fc.nat(30), fc.nat(50_000));

/** Whether the parts make the whole amount and tax, each part with less tax than it is worth. */
function expectWhole(line: TaxedAmount): void {
  const parts = getTaxParts(line);
  expect(sum(parts, 'gross')).toBe(line.amount);
  expect(sum(parts, 'tax')).toBe(line.tax);
  for (const { gross, tax } of parts) {
    expect(Number.isSafeInteger(gross) && Number.isSafeInteger(tax)).toBe(true);
    expect(Math.abs(tax)).toBeLessThanOrEqual(Math.abs(gross));
  }
}

const sailing = { leg: 'out', sailingId: 'slg' } as SailingToPrice;

/** A purchase of lines that share a few ways of being taxed, with a discount on each of them. */
const anySale = fc
  .record({
    ways: fc.tuple(anyShares, anyShares),
    fares: fc.array(
      fc.record({ way: fc.nat(1), quantity: fc.integer({ min: 1, max: 4 }), unitAmount: anyAmount }),
      { minLength: 1, maxLength: 4 },
    ),
    discount: fc.option(fc.nat(10_000)),
  })
  .map(({ ways, fares, discount }) => {
    const lines = fares.map(({ way, quantity, unitAmount }): PricedLine => {
      const amount = quantity * unitAmount;
      return {
        ...{ leg: 'out', sailingId: 'slg', kind: 'passenger', typeCode: 'adult', item: 'passenger' },
        ...{ description: 'Adult', quantity, unitAmount, amount },
        ...toTaxation(splitTax(amount, ways[way] ?? ABROAD)),
      };
    });
    if (discount === null) return lines;
    const promo = { code: 'P', kind: 'percent_bp', value: discount, routeCodes: null } as const;
    return [...lines, ...calculateDiscountLines(lines, [sailing], promo)];
  });

test('parts of random prices and discounts add up to each line, and no rate gets less than nothing', () => {
  void fc.assert(
    fc.property(anySale, (lines) => {
      for (const line of lines) expectWhole(line);
      const rates = Map.groupBy(lines.flatMap(getTaxParts), ({ taxBp, name }) => `${taxBp} ${name}`);
      for (const parts of rates.values()) {
        expect(sum(parts, 'gross')).toBeGreaterThanOrEqual(0);
        expect(sum(parts, 'tax')).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('a line that is divided keeps its parts', () => {
  void fc.assert(
    fc.property(anyShares, anyAmount, fc.nat(100), fc.boolean(), (shares, unit, percent, isDiscount) => {
      const amount = isDiscount ? 0 - unit : unit;
      const line = { amount, ...toTaxation(splitTax(amount, shares)) };
      const taken = Math.trunc((amount * percent) / 100);
      const parts = takeTaxParts(line, taken);
      expectWhole({ amount: taken + 0, ...toTaxation(parts) });
      expectWhole({ amount: amount - taken, ...toTaxation(leaveTaxParts(line, parts)) });
      expect(joinTaxParts([...parts, ...leaveTaxParts(line, parts)])).toEqual(splitTax(amount, shares));
    }),
  );
});

/** The books of an order, and the lines as they are. */
type Books = { lines: LineOfSale[]; entries: BookedValue[] };

function book({ lines, entries }: Books): Books {
  const added = getSaleDifferences(lines, entries).map(({ line: _, ...entry }) => entry);
  // As the table of entries demands.
  for (const { gross, tax } of added) expect(gross === 0 || Math.abs(tax) <= Math.abs(gross)).toBe(true);
  return { lines, entries: [...entries, ...added] };
}

/** Cancels tickets of a line, as the server does: a part of a line becomes a line of its own. */
function cancel(
  { lines, entries }: Books,
  step: { line: number; count: number; refundPercent: number; fee: number; feeShares: TaxShare[] | null },
): Books {
  const fares = lines.filter(({ status, kind }) => status === 'active' && kind === 'passenger');
  const line = fares[step.line % Math.max(1, fares.length)];
  if (!line) return { lines, entries };
  const count = 1 + (step.count % line.quantity);
  const group = lines.filter((each) => each.status === 'active' && getTaxKey(each) === getTaxKey(line));
  const isLast = group.filter(({ kind }) => kind === 'passenger').length === 1 && count === line.quantity;
  const cancellationId = `can_${entries.length}_${lines.length}`;
  const ended = { status: 'canceled' as const, cancellationId };
  const changed: LineOfSale[] = [];
  const amount = (line.amount / line.quantity) * count;
  const discounts = group.filter(({ kind }) => kind === 'discount');
  const paid =
    amount +
    discounts.reduce(
      (total, discount) => total + (isLast ? discount.amount : takeShare(discount, amount, group)),
      0,
    );
  const share = Math.round((paid * step.refundPercent) / 100);
  const fee = Math.min(step.fee, share);
  const canceled = {
    ...{ ...ended, refund: share - fee },
    feeParts: fee > 0 && step.feeShares ? splitTax(fee, step.feeShares) : null,
  };
  if (count === line.quantity) changed.push({ ...line, ...canceled });
  else changed.push(...divide(line, amount, canceled, count));
  for (const discount of discounts) {
    const part = isLast ? discount.amount : takeShare(discount, amount, group);
    if (part === discount.amount) changed.push({ ...discount, ...ended });
    else if (part !== 0) changed.push(...divide(discount, part, ended, 0));
  }
  const kept = lines.filter(({ id }) => !changed.some((each) => each.id === id));
  return { lines: [...kept, ...changed], entries };
}

function takeShare(discount: LineOfSale, amount: number, group: readonly LineOfSale[]): number {
  const fares = sum(
    group.filter(({ kind }) => kind === 'passenger'),
    'amount',
  );
  return fares === 0 ? 0 : Math.trunc((discount.amount * amount) / fares) + 0;
}

function divide(line: LineOfSale, amount: number, ended: Partial<LineOfSale>, count: number): LineOfSale[] {
  const taken = takeTaxParts(line, amount);
  const left = { amount: line.amount - amount, ...toTaxation(leaveTaxParts(line, taken)) };
  return [
    { ...line, ...left, quantity: line.quantity - count },
    {
      ...line,
      ...toTaxation(taken),
      ...ended,
      amount,
      quantity: count,
      id: `${line.id}+${ended.cancellationId}`,
    },
  ];
}

const anyCancellation = fc.record({
  line: fc.nat(10),
  count: fc.nat(10),
  refundPercent: fc.oneof(fc.constant(100), fc.nat(100)),
  fee: fc.constantFrom(0, 0, 500),
  feeShares: fc.option(anyShares),
});

function startBooks(priced: readonly PricedLine[]): Books {
  const lines = priced.map(
    (line, index): LineOfSale => ({
      ...line,
      ...{ id: `oln_${index}`, status: 'active', cancellationId: null, refund: 0, feeParts: null },
    }),
  );
  return book({ lines, entries: [] });
}

test('the books of random purchases and cancellations are exact to the minor unit at each rate', () => {
  void fc.assert(
    fc.property(anySale, fc.array(anyCancellation, { maxLength: 4 }), (priced, cancellations) => {
      let books = startBooks(priced);
      for (const step of cancellations) {
        books = book(cancel(books, step));
        const { lines, entries } = books;
        expect(sum(entries, 'gross')).toBe(sum(lines, 'amount') - sum(lines, 'refund'));
        const sold = lines.filter(({ status, kind }) => status === 'active' && kind === 'passenger');
        expect(sum(entries, 'quantity')).toBe(sum(sold, 'quantity'));
        expect(getSaleDifferences(lines, entries)).toEqual([]);
      }
    }),
  );
});

test('canceling everything for all of its price takes back what was booked at each rate', () => {
  void fc.assert(
    fc.property(anySale, (priced) => {
      let books = startBooks(priced);
      const whole = { line: 0, count: 99, refundPercent: 100, fee: 0, feeShares: null };
      for (let step = 0; step < 40; step += 1) books = book(cancel(books, { ...whole, count: step }));
      expect(books.lines.filter(({ status }) => status === 'active')).toEqual([]);
      const rates = Map.groupBy(books.entries, ({ taxBp, taxName }) => `${taxBp} ${taxName}`);
      for (const entries of rates.values()) {
        expect([sum(entries, 'gross'), sum(entries, 'tax'), sum(entries, 'quantity')]).toEqual([0, 0, 0]);
      }
    }),
  );
});
