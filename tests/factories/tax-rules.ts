import { randomUUID } from 'node:crypto';
import type { TaxProduct, TaxShare } from '#domain/fares/taxes.ts';
import type { Database } from '#server/database/database.ts';
import { feed, routes, taxRules } from '#server/database/schema/timetable.ts';

/** 30 % of a price at 10 %, the rest outside the scope of the tax. */
export const ABROAD: TaxShare[] = [
  { shareBp: 3000, taxBp: 1000, name: '' },
  { shareBp: 7000, taxBp: 0, name: 'Outside the scope' },
];

/** The shares of another year. */
export const ABROAD_LATER: TaxShare[] = [
  { shareBp: 2500, taxBp: 1200, name: '' },
  { shareBp: 1500, taxBp: 700, name: 'Coast' },
  { shareBp: 6000, taxBp: 0, name: 'Outside the scope' },
];

/**
 * Taxes products on every route in these shares; others stay at the rates of their fares.
 * @param from the first service day; absent: from now on, in place of all shares
 */
export async function setTaxShares(
  db: Database,
  products: Partial<Record<TaxProduct, readonly TaxShare[]>>,
  { from = null }: { from?: string | null } = {},
): Promise<void> {
  const stored = await db.select({ id: routes.id }).from(routes);
  const rows = stored.flatMap(({ id: routeId }) =>
    Object.entries(products).flatMap(([product, shares]) =>
      shares.map((share) => ({ routeId, product: product as TaxProduct, ...share })),
    ),
  );
  if (from === null) await db.delete(taxRules);
  const earlier = await db.$count(taxRules);
  await db.insert(taxRules).values(
    rows.map((row, index) => ({
      ...{ ...row, position: earlier + index, validFrom: from, validUntil: null },
      priority: from === null ? 0 : 1,
    })),
  );
  await db.update(feed).set({ revision: randomUUID() });
}
