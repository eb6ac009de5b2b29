import { TAX_NAME_LENGTH } from '#contract/limits.ts';
import { TAX_PRODUCTS, type TaxProduct } from '#domain/fares/taxes.ts';
import { addDays } from '#domain/time/days.ts';
import type { Translations } from '#messages/translations.ts';
import type { Row } from '#server/csv/table.ts';
import type { taxRules } from '#server/database/schema/timetable.ts';
import { type FeedInput, readFeedTable } from '../feed-tables.ts';
import { requireShortNames } from '../keyed-rows.ts';
import type { PlannedRoute } from '../network.ts';
import { findPricedRoutes, isCarried, type ParsedFeed, readValidity } from './route-columns.ts';

export type PlannedTax = Omit<typeof taxRules.$inferSelect, 'position' | 'routeId'> & { routeKey: string };

type TaxOfRow = { row: Row; tax: PlannedTax; route: PlannedRoute };

const WHOLE_BP = 10_000;

/** Parses taxes.csv, as docs/timetable.md describes it. */
export function readTaxes(source: FeedInput, feed: ParsedFeed): PlannedTax[] {
  const taxes = readFeedTable(source, 'taxes.csv').flatMap((row) => readTax(row, feed));
  requireWholeShares(taxes);
  return shareTranslations(taxes.map(({ tax }) => tax));
}

/** Books keep the name alone, so every row with a name has all of its translations. */
function shareTranslations(taxes: readonly PlannedTax[]): PlannedTax[] {
  const byName = new Map<string, Translations>();
  for (const { name, translations } of taxes) byName.set(name, { ...byName.get(name), ...translations });
  return taxes.map((tax) => ({ ...tax, translations: byName.get(tax.name) ?? {} }));
}

function readTax(row: Row, feed: ParsedFeed): TaxOfRow[] {
  const named = { name: row.text('name'), translations: row.translations() };
  requireShortNames(row, named, TAX_NAME_LENGTH);
  const tax = {
    shareBp: readPercent(row, 'share_percent'),
    taxBp: readPercent(row, 'tax_percent'),
    ...named,
    ...readValidity(row),
    priority: row.int('priority', { min: -1000, max: 1000 }) ?? 0,
  };
  const product = row.oneOf('product', TAX_PRODUCTS, null);
  return findPricedRoutes(row, feed).flatMap((route) =>
    listProducts(product, route).map((each) => ({
      ...{ row, route },
      tax: { ...tax, routeKey: route.key, product: each },
    })),
  );
}

/** Basis points. */
function readPercent(row: Row, column: string): number {
  row.required(column);
  const percent = row.amount(column, 2) ?? 0;
  if (percent > WHOLE_BP) row.problem(column, 'More than 100 percent.');
  return percent;
}

/** Fees have a tax only where a row names them. */
function listProducts(product: TaxProduct | null, route: PlannedRoute): TaxProduct[] {
  if (product === 'fee') return [product];
  return TAX_PRODUCTS.filter(
    (each) => each !== 'fee' && (product === null || each === product) && isCarried(each, route),
  );
}

/** The shares of a product's prices make the whole on every day that has any. */
function requireWholeShares(taxes: readonly TaxOfRow[]): void {
  const groups = Map.groupBy(taxes, ({ tax: { routeKey, product, priority } }) =>
    JSON.stringify([routeKey, product, priority]),
  );
  const named = new Set<Row>();
  for (const group of groups.values()) {
    for (const day of listChanges(group)) {
      const valid = group.filter(({ tax }) => isValid(tax, day));
      const last = valid.at(-1);
      if (!last || named.has(last.row)) continue;
      const problem = findProblem(valid);
      if (!problem) continue;
      named.add(last.row);
      const { route, tax } = last;
      const from = day === ALWAYS ? '' : `from ${day}, `;
      last.row.problem('share_percent', `For ${tax.product}, ${route.name}, ${from}${problem}`);
    }
  }
}

function findProblem(valid: readonly TaxOfRow[]): string | null {
  const lines = valid.map(({ row }) => row.line).join(', ');
  const sum = valid.reduce((total, { tax }) => total + tax.shareBp, 0);
  if (sum !== WHOLE_BP) return `the shares of lines ${lines} add up to ${sum / 100} percent, not 100.`;
  const rates = new Set(valid.map(({ tax: { taxBp, name } }) => `${taxBp} ${name}`));
  return rates.size < valid.length ? `lines ${lines} have the same rate and name twice.` : null;
}

/** Before the first day that a row names. */
const ALWAYS = '';

/** The days on which other rows become valid. */
function listChanges(group: readonly TaxOfRow[]): Set<string> {
  return new Set(
    group.flatMap(({ tax: { validFrom, validUntil } }) => [
      validFrom ?? ALWAYS,
      ...(validUntil === null ? [] : [addDays(validUntil, 1)]),
    ]),
  );
}

function isValid({ validFrom, validUntil }: PlannedTax, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validUntil === null || validUntil >= day);
}
