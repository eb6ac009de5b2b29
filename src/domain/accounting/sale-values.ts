import type { LineKind } from '../fares/fare-book.ts';
import type { LineItem } from '../fares/line-item.ts';
import { apportion } from '../fares/money.ts';
import {
  getTaxKey,
  getTaxParts,
  joinTaxParts,
  splitTax,
  type Taxation,
  type TaxPart,
} from '../fares/taxes.ts';
import { isFareLine } from '../refunds/paid-amounts.ts';

/** A line of a confirmed order. Amounts in minor units, tax included. */
export type LineOfSale = Taxation & {
  id: string;
  leg: string;
  sailingId: string;
  kind: LineKind;
  item: LineItem | null;
  typeCode: string | null;
  status: 'active' | 'canceled' | 'replaced';
  cancellationId: string | null;
  quantity: number;
  /** Negative for a discount. */
  amount: number;
  /** What was given back for it. */
  refund: number;
  /** The cancellation fee in what was kept of it, if it is taxed in its own way. */
  feeParts: TaxPart[] | null;
};

/** What a line is worth to the operator, by tax rate. Of a canceled line: what was kept. */
export type SaleValue = { line: LineOfSale; quantity: number; parts: TaxPart[] };

/**
 * What each line of a confirmed order is worth. The sum is what was paid for its tickets, less what was given back for them.
 * What was kept of canceled tickets is on their fare lines, and what a change kept of the tickets that it replaced is on its
 * line for earlier tickets.
 * @param lines in the order of their positions
 */
export function getSaleValues(lines: readonly LineOfSale[]): SaleValue[] {
  const canceled = Map.groupBy(
    lines.filter(({ status }) => status === 'canceled'),
    (line) => `${line.cancellationId} ${line.leg} ${getTaxKey(line)}`,
  );
  return [
    ...lines.filter(isSold).map((line) => ({
      ...{ line, quantity: isFareLine(line) ? line.quantity : 0, parts: getTaxParts(line) },
    })),
    ...[...canceled.values()].flatMap(getKeptValues),
    ...getReplacedValues(lines.filter((line) => line.status === 'replaced' && !isSold(line))),
  ];
}

/** The fee of a change stays due when the change's journey is replaced again. */
function isSold({ status, item }: LineOfSale): boolean {
  return status === 'active' || (status === 'replaced' && item === 'change_fee');
}

/** Of the lines of one cancellation, leg and taxation. Lines of which all was kept keep their amounts. */
function getKeptValues(lines: readonly LineOfSale[]): SaleValue[] {
  const fees = lines.flatMap(({ feeParts }) => feeParts ?? []);
  const fares = lines.filter(isFareLine);
  const kept = sum(lines.map(({ amount, refund }) => amount - refund));
  const isWhole = kept !== 0 && fees.length === 0 && lines.every(({ refund }) => refund === 0);
  if (isWhole || fares.length === 0) {
    return lines.map((line) => ({ line, quantity: 0, parts: getTaxParts(line) }));
  }
  const shares = apportion(
    kept - sum(fees.map(({ gross }) => gross)),
    fares.map(({ amount }) => amount),
  );
  return fares.map((line, index) => {
    const parts = splitTax(shares[index] ?? 0, getTaxParts(line));
    return { line, quantity: 0, parts: joinTaxParts([...parts, ...(line.feeParts ?? [])]) };
  });
}

/** What changes kept in all, on the line of the last one. */
function getReplacedValues(lines: readonly LineOfSale[]): SaleValue[] {
  const line = lines.findLast(({ item }) => item === 'earlier_tickets') ?? lines.at(-1);
  const gross = sum(lines.map(({ amount, refund }) => amount - refund));
  if (!line || gross === 0) return [];
  const largest = lines.reduce((most, each) => (each.amount > most.amount ? each : most));
  return [{ line, quantity: 0, parts: splitTax(gross, getTaxParts(largest)) }];
}

/** An entry of the books for a line at a tax rate. */
export type BookedValue = {
  lineId: string;
  taxBp: number;
  taxName: string;
  quantity: number;
  gross: number;
  tax: number;
};

/**
 * What has to be booked so that the sums of all entries are the values.
 * @param booked so far, one sum for each line and tax rate
 * @returns one difference for each line and tax rate that has one
 */
export function getSaleDifferences(
  lines: readonly LineOfSale[],
  booked: readonly BookedValue[],
): (BookedValue & { line: LineOfSale })[] {
  const values = new Map(getSaleValues(lines).map((value) => [value.line.id, value]));
  return lines.flatMap((line) => {
    const { quantity = 0, parts = [] } = values.get(line.id) ?? {};
    const value = parts.map(({ taxBp, name: taxName, gross, tax }, index) => ({
      ...{ lineId: line.id, taxBp, taxName, gross, tax },
      // Tickets are counted once, whatever the number of rates.
      quantity: index === 0 ? quantity : 0,
    }));
    const before = booked.filter(({ lineId }) => lineId === line.id);
    return subtract(value, before).map((difference) => ({ line, ...difference }));
  });
}

function subtract(value: readonly BookedValue[], booked: readonly BookedValue[]): BookedValue[] {
  const entries = [
    ...value,
    ...booked.map((each) => ({
      ...each,
      ...{ quantity: 0 - each.quantity, gross: 0 - each.gross, tax: 0 - each.tax },
    })),
  ];
  const rates = Map.groupBy(entries, ({ taxBp, taxName }) => `${taxBp} ${taxName}`);
  return [...rates.values()].flatMap((all) => {
    const [first] = all;
    const quantity = sum(all.map((each) => each.quantity));
    const gross = sum(all.map((each) => each.gross));
    const tax = sum(all.map((each) => each.tax));
    if (!first || (quantity === 0 && gross === 0 && tax === 0)) return [];
    return [{ ...first, quantity, gross, tax }];
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
