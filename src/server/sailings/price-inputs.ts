import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import { feed, promoCodes, routes, sailings, vessels, voyages } from '../database/schema/timetable.ts';
import { notFound } from '../http/api-error.ts';
import {
  type CatalogueRecord,
  destination,
  feedFields,
  isListedSailing,
  joinSailing,
  origin,
  type PromoCode,
  readRevision,
  type TimetableRecord,
  timetableFields,
} from './queries.ts';

/** Everything that a price depends on: the sailings in the requested order, and the promo code if it is active. */
export type PriceInputs = {
  catalogue: CatalogueRecord;
  sailings: TimetableRecord[];
  promo: PromoCode | null;
};

/**
 * Reads them in one query.
 * @throws {ApiError} not_found if a sailing does not exist
 */
export async function loadPriceInputs(
  db: Database,
  { sailingIds, promoCode }: { sailingIds: readonly string[]; promoCode: string | null },
): Promise<PriceInputs> {
  const code = promoCode?.toUpperCase() ?? null;
  const rows = await priceQuery(db).execute({ ids: sailingIds.join(' '), code });
  const [first] = rows;
  const ordered = sailingIds.map((id) => rows.find(({ sailing }) => sailing.id === id));
  if (!first || !ordered.every((row) => row !== undefined)) throw notFound();
  return {
    catalogue: await readRevision(db, first.feed),
    sailings: ordered.map(({ feed: _, promo: __, ...row }) => joinSailing(row)),
    promo: first.promo,
  };
}

const priceQuery = perDatabase((db) => {
  const isCode = eq(promoCodes.code, sql`${sql.placeholder('code')}::text`);
  return db
    .select({ ...timetableFields, feed: feedFields, promo: promoCodes })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(vessels, eq(vessels.id, voyages.vesselId))
    .innerJoin(feed, sql`true`)
    .leftJoin(promoCodes, and(isCode, eq(promoCodes.active, true)))
    .where(isListedSailing)
    .prepare('price_inputs');
});
