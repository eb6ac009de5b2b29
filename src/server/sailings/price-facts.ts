import { and, eq, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { batched } from '../database/batched.ts';
import type { Database } from '../database/database.ts';
import { factsVersion, type KnownFacts } from '../database/facts-version.ts';
import { jsonElements } from '../database/json-elements.ts';
import { perDatabase } from '../database/per-database.ts';
import { feed, promoCodes, sailings, voyages } from '../database/schema/timetable.ts';
import { stopsBetween } from '../database/stops-between.ts';
import { notFound } from '../http/api-error.ts';
import {
  type CachedRevision,
  type CatalogueFacts,
  type Crossing,
  type Feed,
  feedFields,
  findTimetable,
  type PromoCode,
  readRevision,
  type TimetableRecord,
} from './queries.ts';

export type PriceFacts = {
  catalogue: CatalogueFacts;
  sailings: TimetableRecord[];
  promo: PromoCode | null;
  /** Of each sailing: `factsVersion`. */
  versions: string[];
};

/** How many requests' facts a process remembers. */
const MAX_RECENT = 2000;

/**
 * The facts of a request as they were read last. They may have changed since: a statement that relies on them compares
 * `listKnownFacts` with the current ones.
 */
export function recallPriceFacts(db: Database, wanted: WantedPrice): PriceFacts | undefined {
  return recentFacts(db).get(nameOf(wanted));
}

const recentFacts = perDatabase(() => new LRUCache<string, PriceFacts>({ max: MAX_RECENT }));

function nameOf({ sailingIds, promoCode }: WantedPrice): string {
  return [promoCode, ...sailingIds].join(' ');
}

/** The facts that a party's price was calculated with. */
export function listKnownFacts({ sailings, promo, versions }: PriceFacts): KnownFacts[] {
  return sailings.map(({ id }, index) => ({ id, code: promo?.code ?? null, version: versions[index] ?? '' }));
}

/**
 * All facts that a price depends on, in one query, which concurrent requests share: the catalogue, the sailings in the
 * requested order, and the promo code if it is active.
 * @throws {ApiError} not_found if a sailing does not exist
 */
export async function loadPriceFacts(db: Database, wanted: WantedPrice): Promise<PriceFacts> {
  return joinPriceFacts(db, await readPriceRows(db)(wanted), wanted);
}

/** What a price is wanted for. */
export type WantedPrice = { sailingIds: readonly string[]; promoCode: string | null };

/** The value of the placeholder of `joinsOfPrice.wanted`. */
export function listWantedPrices<Wanted extends WantedPrice>(wanted: readonly Wanted[]): { wanted: string } {
  const rows = wanted.flatMap(({ sailingIds, promoCode, ...others }, item) =>
    sailingIds.map((id) => ({ ...others, item, id, code: promoCode?.toUpperCase() ?? null })),
  );
  return { wanted: JSON.stringify(rows) };
}

type PriceRow = {
  sailing: typeof sailings.$inferSelect;
  vesselId: string;
  feed: Feed;
  promo: PromoCode | null;
  stopsBetween: TimetableRecord['stopsBetween'] | null;
  version: string;
};

/**
 * Completes rows with `priceFields` and remembers them.
 * @throws {ApiError} not_found if a sailing does not exist
 */
export async function joinPriceFacts(
  db: Database,
  rows: readonly PriceRow[],
  wanted: WantedPrice,
): Promise<PriceFacts> {
  const [first] = rows;
  const ordered = wanted.sailingIds.map((id) => rows.find(({ sailing }) => sailing.id === id));
  if (!first || !ordered.every((row) => row !== undefined)) throw notFound();
  const revision = await readRevision(db, first.feed);
  const found: TimetableRecord[] = [];
  for (const row of ordered) {
    const crossing = await findCrossing(db, revision, row);
    found.push({ ...row.sailing, ...crossing, stopsBetween: row.stopsBetween ?? [] });
  }
  const versions = ordered.map(({ version }) => version);
  const facts = { catalogue: revision.catalogue, sailings: found, promo: first.promo, versions };
  recentFacts(db).set(nameOf(wanted), facts);
  return facts;
}

async function findCrossing(
  db: Database,
  { crossings }: CachedRevision,
  { sailing: { id, routeId }, vesselId }: { sailing: typeof sailings.$inferSelect; vesselId: string },
): Promise<Crossing> {
  const key = `${routeId} ${vesselId}`;
  const known = crossings.get(key);
  if (known) return known;
  const [sailing] = await findTimetable(db, [id]);
  if (!sailing) throw notFound();
  const { route, origin, destination, vessel } = sailing;
  const crossing = { route, origin, destination, vessel };
  crossings.set(key, crossing);
  return crossing;
}

/** `item`: index in the list of `listWantedPrices`. */
export const priceFields = {
  ...{ sailing: sailings, vesselId: voyages.vesselId, feed: feedFields, promo: promoCodes },
  stopsBetween: stopsBetween.as('stops_between'),
  version: factsVersion.as('version'),
  item: sql<number>`(w.item ->> 'item')::int`.as('item'),
};

/** The joins of a query with `priceFields`. */
export const joinsOfPrice = {
  wanted: sql`${jsonElements(sql.placeholder('wanted'))} as w (item)`,
  sailings: sql`${sailings.id} = w.item ->> 'id'`,
  voyages: eq(voyages.id, sailings.voyageId),
  feed: sql`true`,
  promo: and(sql`${promoCodes.code} = w.item ->> 'code'`, eq(promoCodes.active, true)),
};

const readPriceRows = perDatabase((db) => {
  const query = db
    .select(priceFields)
    .from(sailings)
    .innerJoin(joinsOfPrice.wanted, joinsOfPrice.sailings)
    .innerJoin(voyages, joinsOfPrice.voyages)
    .innerJoin(feed, joinsOfPrice.feed)
    .leftJoin(promoCodes, joinsOfPrice.promo)
    .prepare('price_facts');
  return batched(async (wanted: readonly WantedPrice[]) => {
    const rows = await query.execute(listWantedPrices(wanted));
    return wanted.map((_, item) => rows.filter((row) => row.item === item));
  });
});
