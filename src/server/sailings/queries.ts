import { and, asc, between, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import {
  fareClasses,
  fares,
  feed,
  passengerTypes,
  ports,
  promoCodes,
  routes,
  sailingCapacity,
  sailings,
  vehicleTypes,
  vessels,
} from '../database/schema/timetable.ts';
import { notFound } from '../http/api-error.ts';

type Feed = Pick<
  typeof feed.$inferSelect,
  'currency' | 'timeZone' | 'maxParty' | 'windowUntil' | 'windowDays' | 'revision'
>;

/** The catalogue without the sailings: active rows in display order. */
export type CatalogueFacts = {
  feed: Feed;
  ports: (typeof ports.$inferSelect)[];
  routes: (typeof routes.$inferSelect)[];
  passengerTypes: (typeof passengerTypes.$inferSelect)[];
  vehicleTypes: (typeof vehicleTypes.$inferSelect)[];
  fareClasses: (typeof fareClasses.$inferSelect)[];
  fares: (typeof fares.$inferSelect)[];
};

export type Capacity = Pick<
  typeof sailingCapacity.$inferSelect,
  'resource' | 'total' | 'sellableOnline' | 'held' | 'sold'
>;

/** A sailing with all data shown in a timetable. */
export type TimetableRecord = typeof sailings.$inferSelect & {
  route: typeof routes.$inferSelect;
  origin: typeof ports.$inferSelect;
  destination: typeof ports.$inferSelect;
  vessel: typeof vessels.$inferSelect;
};

/** A sailing with the data for pricing and selling it. A resource without a row is not carried. */
export type SailingRecord = TimetableRecord & { capacity: Capacity[] };

/** Before the first import nothing is on sale. */
const noFeed: Feed = {
  currency: 'USD',
  timeZone: 'UTC',
  maxParty: 1,
  windowUntil: '1970-01-01',
  windowDays: 0,
  revision: '',
};

const byRevision = new Map<string, CatalogueFacts>();
const CACHED_REVISIONS = 4;

/**
 * The catalogue of the last import, cached, because only imports change it. The database is queried only for the id of
 * the last import.
 */
export async function loadCatalogue(db: Database): Promise<CatalogueFacts> {
  const [last] = await feedQuery(db).execute();
  return last ? catalogueOf(db, last) : readCatalogue(db, noFeed);
}

type PromoCode = typeof promoCodes.$inferSelect;

/**
 * All facts that a price depends on, in one query because every hold and every order needs them: the catalogue, the
 * sailings in the requested order, and the promo code if it is active.
 * @throws {ApiError} not_found if a sailing does not exist
 */
export async function loadPriceFacts(
  db: Database,
  sailingIds: readonly string[],
  promoCode: string | null,
): Promise<{ catalogue: CatalogueFacts; sailings: TimetableRecord[]; promo: PromoCode | null }> {
  const rows = await priceFactsQuery(db).execute({
    ids: idList(sailingIds),
    code: promoCode?.toUpperCase() ?? null,
  });
  const sailingRecords = inOrder(rows.map(joinSailing), sailingIds);
  const [first] = rows;
  if (!first) throw notFound();
  return {
    catalogue: await catalogueOf(db, first.feed),
    sailings: sailingRecords,
    promo: first.promo,
  };
}

/** Sailings by id, in no particular order; unknown ids are omitted. */
export async function findSailings(db: Database, ids: readonly string[]): Promise<SailingRecord[]> {
  if (ids.length === 0) return [];
  return withCapacity(db, await findTimetable(db, ids));
}

/** Like `findSailings`, without capacity. */
export async function findTimetable(db: Database, ids: readonly string[]): Promise<TimetableRecord[]> {
  if (ids.length === 0) return [];
  return (await sailingsQuery(db).execute({ ids: idList(ids) })).map(joinSailing);
}

/**
 * Sailings in the requested order.
 * @throws {ApiError} not_found if one does not exist
 */
export async function requireSailings(db: Database, ids: readonly string[]): Promise<SailingRecord[]> {
  return inOrder(await findSailings(db, ids), ids);
}

/** Service days, both inclusive. */
export type Days = { from: string; to: string };

/** Sailings of a route, ordered by departure. */
export async function listSailings(db: Database, routeId: string, days: Days): Promise<SailingRecord[]> {
  return withCapacity(db, await listTimetable(db, routeId, days));
}

/** Like `listSailings`, without capacity. */
export async function listTimetable(db: Database, routeId: string, days: Days): Promise<TimetableRecord[]> {
  return readSailings(
    db,
    and(eq(sailings.routeId, routeId), between(sailings.serviceDate, days.from, days.to)),
  );
}

/** An active promo code, matched case-insensitively. */
export async function findPromoCode(db: Database, code: string): Promise<PromoCode | null> {
  const [promo] = await promoQuery(db).execute({ code: code.toUpperCase() });
  return promo ?? null;
}

function inOrder<Sailing extends { id: string }>(found: Sailing[], ids: readonly string[]): Sailing[] {
  return ids.map((id) => {
    const sailing = found.find((each) => each.id === id);
    if (!sailing) throw notFound();
    return sailing;
  });
}

async function catalogueOf(db: Database, last: Feed): Promise<CatalogueFacts> {
  const known = byRevision.get(last.revision);
  if (known) return known;
  const facts = await readCatalogue(db, last);
  cacheRevision(last.revision, facts);
  return facts;
}

async function readCatalogue(db: Database, last: Feed): Promise<CatalogueFacts> {
  return {
    feed: last,
    ports: await db.select().from(ports).where(eq(ports.active, true)).orderBy(asc(ports.name)),
    routes: await db.select().from(routes).where(eq(routes.active, true)).orderBy(asc(routes.sort)),
    passengerTypes: await db
      .select()
      .from(passengerTypes)
      .where(eq(passengerTypes.active, true))
      .orderBy(asc(passengerTypes.sort)),
    vehicleTypes: await db
      .select()
      .from(vehicleTypes)
      .where(eq(vehicleTypes.active, true))
      .orderBy(asc(vehicleTypes.sort)),
    fareClasses: await db
      .select()
      .from(fareClasses)
      .where(eq(fareClasses.active, true))
      .orderBy(asc(fareClasses.sort)),
    fares: await db.select().from(fares).orderBy(asc(fares.id)),
  };
}

function cacheRevision(revision: string, facts: CatalogueFacts): void {
  byRevision.set(revision, facts);
  const [oldest] = byRevision.keys();
  if (byRevision.size > CACHED_REVISIONS && oldest !== undefined) byRevision.delete(oldest);
}

const origin = alias(ports, 'origin');
const destination = alias(ports, 'destination');

async function readSailings(db: Database, condition: SQL | undefined): Promise<TimetableRecord[]> {
  return (await selectSailings(db).where(condition)).map(joinSailing);
}

/** Ids as one parameter, so that lists of any length share one statement. */
const listedIds = sql`string_to_array(${sql.placeholder('ids')}::text, ' ')`;

function idList(ids: readonly string[]): string {
  return ids.join(' ');
}

const feedQuery = perDatabase((db) => db.select().from(feed).prepare('feed'));

const promoQuery = perDatabase((db) =>
  db
    .select()
    .from(promoCodes)
    .where(and(eq(promoCodes.code, sql.placeholder('code')), eq(promoCodes.active, true)))
    .prepare('promo_code'),
);

const sailingsQuery = perDatabase((db) =>
  selectSailings(db).where(sql`${sailings.id} = any(${listedIds})`).prepare('sailings_by_ids'),
);

const timetableFields = { sailing: sailings, route: routes, origin, destination, vessel: vessels };

const priceFactsQuery = perDatabase((db) =>
  db
    .select({ ...timetableFields, feed, promo: promoCodes })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .innerJoin(vessels, eq(vessels.id, sailings.vesselId))
    .innerJoin(feed, sql`true`)
    .leftJoin(
      promoCodes,
      and(eq(promoCodes.code, sql`${sql.placeholder('code')}::text`), eq(promoCodes.active, true)),
    )
    .where(sql`${sailings.id} = any(${listedIds})`)
    .prepare('price_facts'),
);

function selectSailings(db: Database) {
  return db
    .select(timetableFields)
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .innerJoin(vessels, eq(vessels.id, sailings.vesselId))
    .orderBy(asc(sailings.departsAt), asc(sailings.id))
    .$dynamic();
}

type JoinedSailing = Awaited<ReturnType<typeof selectSailings>>[number];

function joinSailing({ sailing, route, origin, destination, vessel }: JoinedSailing): TimetableRecord {
  return { ...sailing, route, origin, destination, vessel };
}

async function withCapacity(db: Database, records: readonly TimetableRecord[]): Promise<SailingRecord[]> {
  if (records.length === 0) return [];
  const ids = records.map((sailing) => sailing.id);
  const rooms = await db.select().from(sailingCapacity).where(inArray(sailingCapacity.sailingId, ids));
  const bySailing = Map.groupBy(rooms, (room) => room.sailingId);
  return records.map((sailing) => ({ ...sailing, capacity: bySailing.get(sailing.id) ?? [] }));
}
