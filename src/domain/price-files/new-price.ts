import { getCurrencyExponent, toDecimal } from '../fares/money.ts';
import type { CsvRow } from './csv-text.ts';

/**
 * How a price changes: to an amount in minor units, or by a percentage (5, or -2.5) and then rounded to the nearest multiple of
 * a step in minor units.
 */
export type PriceChange =
  | { kind: 'amount'; amount: number }
  | { kind: 'percent'; percent: number; step: number };

/**
 * The rows of fares.csv that take the place of one whose price changes from a day of travel on: it ends the day before, and
 * a copy with the new price begins. A row that ends earlier, or whose price stays the same, stays; one that begins later only
 * gets the new price.
 * @param input from: `YYYY-MM-DD`, and `dayBefore` the last day of the old price
 */
export function startNewPrice(
  row: CsvRow,
  {
    from,
    dayBefore,
    change,
    currency,
  }: { from: string; dayBefore: string; change: PriceChange; currency: string },
): CsvRow[] {
  const begins = toIsoDay(row.valid_from ?? '');
  const ends = toIsoDay(row.valid_until ?? '');
  if (ends !== '' && ends < from) return [row];
  const prices = changePrices(row, { change, currency });
  const read = (text: string | undefined) => readDecimal(text ?? '', currency);
  if (Object.entries(prices).every(([column, price]) => read(row[column]) === read(price))) return [row];
  const priced = { ...row, ...prices };
  if (begins >= from) return [priced];
  return [
    { ...row, valid_until: dayBefore },
    { ...priced, valid_from: from },
  ];
}

/** A day of a file, `YYYYMMDD` or `YYYY-MM-DD`, as the latter; other text as it is. */
export function toIsoDay(text: string): string {
  return text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
}

/** A percentage also changes what each further step of a vehicle's length costs. */
function changePrices(row: CsvRow, { change, currency }: { change: PriceChange; currency: string }): CsvRow {
  if (change.kind === 'amount') return { amount: toDecimal(change.amount, currency) };
  const changed = ['amount', 'step_amount'].flatMap((column) => {
    const amount = readDecimal(row[column] ?? '', currency);
    if (amount === null) return [];
    const exact = (amount * (100 + change.percent)) / 100;
    // Without the rest of a binary fraction, which would round 1.155 down.
    const rounded = Math.round(Number((exact / change.step).toFixed(6))) * change.step;
    return [[column, toDecimal(Math.max(rounded, 0), currency)] as const];
  });
  return Object.fromEntries(changed);
}

/** Decimal text of a file in minor units; null if it is no amount. */
function readDecimal(text: string, currency: string): number | null {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const exponent = getCurrencyExponent(currency);
  if (whole === undefined || decimals.length > exponent) return null;
  return Number(whole + decimals.padEnd(exponent, '0'));
}
