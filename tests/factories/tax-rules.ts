import { randomUUID } from 'node:crypto';
import type { TaxProduct, TaxShare } from '#domain/fares/taxes.ts';
import type { Database } from '#server/database/database.ts';
import { feed, routes, taxRules } from '#server/database/schema/timetable.ts';

/** 30 % of a price at 10 %, the rest outside the scope of the tax. */
export const ABROAD: TaxShare[] = [
  { shareBp: 3000, taxBp: 1000, name: '' },
  { shareBp: 7000, taxBp: 0, name: 'Outside the scope' },
];

/** Taxes products on every route in these shares from now on; others stay at the rates of their fares. */
export async function setTaxShares(
  db: Database,
  products: Partial<Record<TaxProduct, readonly TaxShare[]>>,
): Promise<void> {
  const stored = await db.select({ id: routes.id }).from(routes);
  const rows = stored.flatMap(({ id: routeId }) =>
    Object.entries(products).flatMap(([product, shares]) =>
      shares.map((share) => ({ routeId, product: product as TaxProduct, ...share })),
    ),
  );
  await db.delete(taxRules);
  await db
    .insert(taxRules)
    .values(
      rows.map((row, position) => ({ ...row, position, validFrom: null, validUntil: null, priority: 0 })),
    );
  await db.update(feed).set({ revision: randomUUID() });
}
