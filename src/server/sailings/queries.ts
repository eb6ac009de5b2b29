import { and, asc, eq, getTableColumns, gte, lt, sql } from 'drizzle-orm';
import { alias, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import type { DrawnCoastline } from '#domain/map/coastline.ts';
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
  sailings,
  taxRules,
  vehicleTypes,
  vessels,
  voyageCapacity,
  voyages,
} from '../database/schema/timetable.ts';
import { type StopBetween, stopsBetween } from '../database/stops-between.ts';

export type Feed = Pick<
  typeof feed.$inferSelect,
  | 'currency'
  | 'timeZone'
  | 'maxParty'
  | 'choiceHours'
  | 'choiceDelayMinutes'
  | 'assistanceNoticeHours'
  | 'windowUntil'
  | 'windowDays'
  | 'revision'
>;

/** The catalogue without the sailings: active rows in display order. */
export type CatalogueRecord = {
  feed: Feed;
  ports: (typeof ports.$inferSelect)[];
  routes: (typeof routes.$inferSelect)[];
  vessels: (typeof vessels.$inferSelect)[];
  passengerTypes: (typeof passengerTypes.$inferSelect)[];
  vehicleTypes: (typeof vehicleTypes.$inferSelect)[];
  fareClasses: (typeof fareClasses.$inferSelect)[];
  fares: (typeof fares.$inferSelect)[];
  taxes: (typeof taxRules.$inferSelect)[];
  /** Null: the feed has none. */
  coastline: DrawnCoastline | null;
};

/** Of the stretch with the fewest free places. */
type Capacity = Pick<
  typeof voyageCapacity.$inferSelect,
  'resource' | 'total' | 'sellableOnline' | 'held' | 'sold'
>;

/** A sailing with all data shown in a timetable. */
export type TimetableRecord = typeof sailings.$inferSelect & {
  route: typeof routes.$inferSelect;
  origin: typeof ports.$inferSelect;
  destination: typeof ports.$inferSelect;
  vessel: typeof vessels.$inferSelect;
  stopsBetween: StopBetween[];
};

/** A sailing with the data for pricing and selling it. A resource without an entry is not carried. */
export type SailingRecord = TimetableRecord & { capacity: Capacity[] };

/** Before the first import nothing is on sale. */
const noFeed: Feed = {
  currency: 'USD',
  timeZone: 'UTC',
  maxParty: 1,
  choiceHours: 72,
  choiceDelayMinutes: 90,
  assistanceNoticeHours: null,
  windowUntil: '1970-01-01',
  windowDays: 0,
  revision: '',
};

const byRevision = new LRUCache<string, CatalogueRecord>({ max: 4 });

/**
 * The catalogue of the last import, cached, because only imports change it. The database is queried only for the id of
 * the last import.
 */
export async function loadCatalogue(db: Database): Promise<CatalogueRecord> {
  const [last] = await feedQuery(db).execute();
  return last ? readRevision(db, last) : readCatalogue(db, noFeed);
}

/** The zone of a port, by which its days are counted. */
export function findZone({ feed, ports }: CatalogueRecord, portId: string | undefined): string {
  return ports.find(({ id }) => id === portId)?.timeZone ?? feed.timeZone;
}

export type PromoCode = typeof promoCodes.$inferSelect;
/** Sailings by id, in no particular order; unknown ids are omitted. */
export async function findSailings(db: Database, ids: readonly string[]): Promise<SailingRecord[]> {
  if (ids.length === 0) return [];
  return withCapacity(db, await findTimetable(db, ids));
}

/** Like `findSailings`, without capacity. */
export async function findTimetable(db: Database, ids: readonly string[]): Promise<TimetableRecord[]> {
  if (ids.length === 0) return [];
  return (await sailingsQuery(db).execute({ ids: ids.join(' ') })).map(joinSailing);
}

/** Instants of departure in milliseconds since 1970, without the last one. */
type Period = { from: number; until: number };

/** Sailings of routes that depart in a period by the timetable, ordered by departure. */
export async function listSailings(
  db: Database,
  routeIds: readonly string[],
  period: Period,
): Promise<SailingRecord[]> {
  return withCapacity(db, await listTimetable(db, routeIds, period));
}

/** Like `listSailings`, without capacity. */
export async function listTimetable(
  db: Database,
  routeIds: readonly string[],
  { from, until }: Period,
): Promise<TimetableRecord[]> {
  const period = { from: new Date(from).toISOString(), until: new Date(until).toISOString() };
  return (await timetableQuery(db).execute({ ids: routeIds.join(' '), ...period })).map(joinSailing);
}

/** A calendar day with its period, and an instant. */
type DayOfSailings = { day: string; period: Period; after: number };

/**
 * Sailings of routes that depart on a day, with those of the night after it that belong to the service day, ordered by
 * departure. Those of earlier service days only if they are expected to depart after an instant.
 */
export async function listDayOfSailings(
  db: Database,
  routeIds: readonly string[],
  { day, period, after }: DayOfSailings,
): Promise<SailingRecord[]> {
  const parameters = {
    ...{ ids: routeIds.join(' '), day },
    after: new Date(after).toISOString(),
    until: new Date(period.until).toISOString(),
  };
  return withCapacity(db, (await dayQuery(db).execute(parameters)).map(joinSailing));
}

/** An active promo code, matched case-insensitively. */
export async function findPromoCode(db: Database, code: string): Promise<PromoCode | null> {
  const [promo] = await promoQuery(db).execute({ code: code.toUpperCase() });
  return promo ?? null;
}

/** The catalogue of a revision, which the caller has read with `feedFields`. */
export async function readRevision(db: Database, last: Feed): Promise<CatalogueRecord> {
  const cached = byRevision.get(last.revision);
  if (cached) return cached;
  const catalogue = await readCatalogue(db, last);
  byRevision.set(last.revision, catalogue);
  return catalogue;
}

async function readCatalogue(db: Database, last: Feed): Promise<CatalogueRecord> {
  return {
    feed: last,
    ports: await readActive(db, ports, ports.name),
    routes: await readActive(db, routes, routes.sort),
    vessels: await readActive(db, vessels, vessels.name),
    passengerTypes: await readActive(db, passengerTypes, passengerTypes.sort),
    vehicleTypes: await readActive(db, vehicleTypes, vehicleTypes.sort),
    fareClasses: await readActive(db, fareClasses, fareClasses.sort),
    fares: await db.select().from(fares).orderBy(asc(fares.id)),
    taxes: await db.select().from(taxRules).orderBy(asc(taxRules.position)),
    coastline: (await db.select({ coastline: feed.coastline }).from(feed))[0]?.coastline ?? null,
  };
}

async function readActive<Table extends PgTable & { active: PgColumn }>(
  db: Database,
  table: Table,
  order: PgColumn,
): Promise<Table['$inferSelect'][]> {
  return db
    .select()
    .from(table as PgTable)
    .where(eq(table.active, true))
    .orderBy(asc(order));
}

export const origin = alias(ports, 'origin');
export const destination = alias(ports, 'destination');

/** Ids as one parameter, so that lists of any length share one statement. */
const listedIds = sql`string_to_array(${sql.placeholder('ids')}::text, ' ')`;

/** PostgreSQL does not count the ids of a subquery, so it plans the statement once and not for each list. */
export const isListedSailing = sql`${sailings.id} = any(array(select unnest(${listedIds})))`;

const feedQuery = perDatabase((db) => db.select(feedFields).from(feed).prepare('feed'));

const promoQuery = perDatabase((db) =>
  db
    .select()
    .from(promoCodes)
    .where(and(eq(promoCodes.code, sql.placeholder('code')), eq(promoCodes.active, true)))
    .prepare('promo_code'),
);

const sailingsQuery = perDatabase((db) =>
  selectSailings(db).where(isListedSailing).prepare('sailings_by_ids'),
);

const timetableQuery = perDatabase((db) =>
  selectSailings(db)
    .where(
      and(
        sql`${sailings.routeId} = any(${listedIds})`,
        sql`${sailings.departsAt} >= ${sql.placeholder('from')}::timestamptz`,
        sql`${sailings.departsAt} < ${sql.placeholder('until')}::timestamptz`,
      ),
    )
    .prepare('timetable'),
);

const dayQuery = perDatabase((db) =>
  selectSailings(db)
    .where(
      and(
        sql`${sailings.routeId} = any(${listedIds})`,
        sql`case when ${sailings.serviceDate} = ${sql.placeholder('day')}
          then ${sailings.departsAt} < ${sql.placeholder('until')}::timestamptz + interval '1 day'
          else ${sailings.serviceDate} < ${sql.placeholder('day')}
            and ${sailings.departsAt} < ${sql.placeholder('until')}::timestamptz
            and ${sailings.departsAt} > ${sql.placeholder('after')}::timestamptz - interval '1 day'
            and ${sailings.departsAt} + ${sailings.delayMinutes} * interval '1 minute'
              > ${sql.placeholder('after')}::timestamptz end`,
      ),
    )
    .prepare('day_of_sailings'),
);

export const timetableFields = {
  ...{ sailing: sailings, route: routes, origin, destination, vessel: vessels },
  stopsBetween: stopsBetween.as('stops_between'),
};

const { currency, timeZone, maxParty, choiceHours, choiceDelayMinutes, ...feedWindow } =
  getTableColumns(feed);
const { assistanceNoticeHours, windowUntil, windowDays, revision } = feedWindow;
export const feedFields = {
  ...{ currency, timeZone, maxParty, choiceHours, choiceDelayMinutes },
  ...{ assistanceNoticeHours, windowUntil, windowDays, revision },
};

function selectSailings(db: Database) {
  return db
    .select(timetableFields)
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(vessels, eq(vessels.id, voyages.vesselId))
    .orderBy(asc(sailings.departsAt), asc(sailings.id))
    .$dynamic();
}

type JoinedSailing = Awaited<ReturnType<typeof selectSailings>>[number];

export function joinSailing({ sailing, stopsBetween, ...joined }: JoinedSailing): TimetableRecord {
  return { ...sailing, ...joined, stopsBetween: stopsBetween ?? [] };
}

/** A sailing has the places of its tightest stretch. As in `takeAllOrNone`, no more than the share of the vessel without what is held back is sellable. */
const capacityQuery = perDatabase((db) => {
  const { resource, total, held, sold } = voyageCapacity;
  const share = sql`${total} * ${vessels.onlinePercent} / 100 - ${voyageCapacity.heldBack}`;
  const sellableOnline = sql<number>`least(${voyageCapacity.sellableOnline}, ${share})`;
  return db
    .selectDistinctOn([sailings.id, resource], {
      sailingId: sailings.id,
      ...{ resource, total, sellableOnline: sellableOnline.as('sellable'), held, sold },
    })
    .from(sailings)
    .innerJoin(
      voyageCapacity,
      and(
        eq(voyageCapacity.voyageId, sailings.voyageId),
        gte(voyageCapacity.stretch, sailings.firstStop),
        lt(voyageCapacity.stretch, sailings.lastStop),
      ),
    )
    .innerJoin(voyages, eq(voyages.id, voyageCapacity.voyageId))
    .innerJoin(vessels, eq(vessels.id, voyages.vesselId))
    .where(isListedSailing)
    .orderBy(sailings.id, resource, sql`${sellableOnline} - ${held} - ${sold}`)
    .prepare('sailings_capacity');
});

async function withCapacity(db: Database, records: readonly TimetableRecord[]): Promise<SailingRecord[]> {
  if (records.length === 0) return [];
  const ids = records.map((sailing) => sailing.id).join(' ');
  const bySailing = Map.groupBy(await capacityQuery(db).execute({ ids }), ({ sailingId }) => sailingId);
  return records.map((sailing) => ({
    ...sailing,
    capacity: (bySailing.get(sailing.id) ?? []).filter(({ resource }) => isCarried(resource, sailing.route)),
  }));
}

/** A vessel with a vehicle deck may also serve ports that cannot load vehicles. */
function isCarried(resource: Capacity['resource'], route: TimetableRecord['route']): boolean {
  if (resource === 'passenger') return true;
  return resource === 'bicycle' ? route.carriesBicycles : route.carriesVehicles;
}
