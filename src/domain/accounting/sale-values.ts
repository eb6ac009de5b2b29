import type { LineKind } from '../fares/fare-book.ts';
import type { LineItem } from '../fares/line-item.ts';
import { apportion, getContainedTax } from '../fares/money.ts';
import { isFareLine } from '../refunds/paid-amounts.ts';

/** A line of a confirmed order. Amounts in minor units, tax included. */
export type LineOfSale = {
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
  taxBp: number;
  tax: number;
};

/** What a line is worth to the operator. Of a canceled line: what was kept. */
export type SaleValue = { line: LineOfSale; quantity: number; gross: number; tax: number };

/**
 * What each line of a confirmed order is worth. The sum is what was paid for its tickets, less what was given back for them.
 * What was kept of canceled tickets is on their fare lines, and what a change kept of the tickets that it replaced is on its
 * line for earlier tickets.
 * @param lines in the order of their positions
 */
export function getSaleValues(lines: readonly LineOfSale[]): SaleValue[] {
  const canceled = Map.groupBy(
    lines.filter(({ status }) => status === 'canceled'),
    ({ cancellationId, leg, taxBp }) => `${cancellationId} ${leg} ${taxBp}`,
  );
  return [
    ...lines.filter(isSold).map((line) => ({
      ...{ line, quantity: isFareLine(line) ? line.quantity : 0 },
      ...{ gross: line.amount - line.refund, tax: line.tax },
    })),
    ...[...canceled.values()].flatMap(getKeptValues),
    ...getReplacedValues(lines.filter((line) => line.status === 'replaced' && !isSold(line))),
  ];
}

/** The fee of a change stays due when the change's journey is replaced again. */
function isSold({ status, item }: LineOfSale): boolean {
  return status === 'active' || (status === 'replaced' && item === 'change_fee');
}

/** Of the lines of one cancellation, leg and tax rate. Without a refund they keep their amounts. */
function getKeptValues(lines: readonly LineOfSale[]): SaleValue[] {
  const isWhole = lines.every(({ refund }) => refund === 0);
  const fares = lines.filter(isFareLine);
  const kept = sum(lines.map(({ amount, refund }) => amount - refund));
  if (isWhole || fares.length === 0) {
    return lines.map((line) => ({ line, quantity: 0, gross: line.amount - line.refund, tax: line.tax }));
  }
  const shares = apportion(
    kept,
    fares.map(({ amount }) => amount),
  );
  return fares.map((line, index) => {
    const gross = shares[index] ?? 0;
    return { line, quantity: 0, gross, tax: getContainedTax(gross, line.taxBp) };
  });
}

/** What changes kept in all, on the line of the last one. */
function getReplacedValues(lines: readonly LineOfSale[]): SaleValue[] {
  const line = lines.findLast(({ item }) => item === 'earlier_tickets') ?? lines.at(-1);
  const gross = sum(lines.map(({ amount, refund }) => amount - refund));
  if (!line || gross === 0) return [];
  const { taxBp } = lines.reduce((largest, each) => (each.amount > largest.amount ? each : largest));
  return [{ line: { ...line, taxBp }, quantity: 0, gross, tax: getContainedTax(gross, taxBp) }];
}

/** What was booked for a line so far. */
export type BookedValue = { lineId: string; taxBp: number; quantity: number; gross: number; tax: number };

/**
 * What has to be booked so that the sums of all entries are the values.
 * @returns one difference per line that has one
 */
export function getSaleDifferences(
  lines: readonly LineOfSale[],
  booked: readonly BookedValue[],
): SaleValue[] {
  const values = getSaleValues(lines);
  return lines.flatMap((line) => {
    const value = values.find((each) => each.line.id === line.id);
    const before = booked.filter(({ lineId }) => lineId === line.id);
    const difference = {
      quantity: (value?.quantity ?? 0) - sum(before.map(({ quantity }) => quantity)),
      gross: (value?.gross ?? 0) - sum(before.map(({ gross }) => gross)),
      tax: (value?.tax ?? 0) - sum(before.map(({ tax }) => tax)),
    };
    if (difference.quantity === 0 && difference.gross === 0 && difference.tax === 0) return [];
    const taxBp = value?.line.taxBp ?? before[0]?.taxBp ?? line.taxBp;
    return [{ line: { ...line, taxBp }, ...difference }];
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
