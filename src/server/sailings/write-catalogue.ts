import { and, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import {
  fareClasses,
  fares,
  passengerTypes,
  passProducts,
  ports,
  promoCodes,
  routes,
  taxRules,
  vehicleTypes,
  vessels,
} from '../database/schema/timetable.ts';
import { upsertRows } from './bulk.ts';
import type { PreparedFeed } from './feed/prepare-feed-worker.ts';
import type { PlannedFare } from './feed/prices/prices.ts';
import { findRenamedLines, renameLines } from './rename-lines.ts';

type Plan = PreparedFeed['plan'];

/** Database ids by the plan's keys. `lines`: the stored `route_id` of lines that the plan has under another one. */
export type CatalogueIds = Record<'ports' | 'routes' | 'vessels' | 'lines', ReadonlyMap<string, string>>;

/**
 * Writes a plan without its sailings. Rows that keep their key keep their id; rows missing from the plan become
 * inactive, because orders refer to them.
 */
export async function writeCatalogue(db: Database, plan: Plan): Promise<CatalogueIds> {
  await renameLines(db, await findRenamedLines(db, plan));
  await releaseCodes(db, plan);
  const portIds = await writeByKey(db, ports, { prefix: 'prt', planned: plan.ports, key: 'gtfsStopId' });
  const routeIds = await writeRoutes(db, plan, portIds);
  const vesselIds = await writeByKey(db, vessels, { prefix: 'ves', planned: plan.vessels });
  const passengerIds = await writeByKey(db, passengerTypes, { prefix: 'pty', planned: plan.passengerTypes });
  const vehicles = plan.vehicleTypes.map(({ includedDriver, ...type }) => ({
    ...type,
    includedDriverTypeId: includedDriver === null ? null : (passengerIds.get(includedDriver) ?? null),
  }));
  const vehicleIds = await writeByKey(db, vehicleTypes, { prefix: 'vty', planned: vehicles });
  const classIds = await writeByKey(db, fareClasses, { prefix: 'fcl', planned: plan.fareClasses });
  await writeByKey(db, promoCodes, { prefix: 'prm', planned: plan.promoCodes });
  await writeByKey(db, passProducts, { prefix: 'psp', planned: plan.passes });
  await writeTaxes(db, plan, routeIds);
  await writeFares(db, plan.fares, { routeIds, passengerIds, vehicleIds, classIds });
  return { ports: portIds, routes: routeIds, vessels: vesselIds, lines: new Map() };
}

/**
 * The stored ids of what a plan refers to, without writing. A port, route or vessel that is not stored yet has its key
 * in place of an id.
 */
export async function findCatalogueIds(db: Database, plan: Plan): Promise<CatalogueIds> {
  const storedPorts = new Map((await db.select().from(ports)).map((row) => [row.gtfsStopId, row.id]));
  const storedVessels = new Map((await db.select().from(vessels)).map((row) => [row.code, row.id]));
  const storedRoutes = new Map((await db.select().from(routes)).map((row) => [identifyRoute(row), row.id]));
  const resolvePort = (stopId: string) => storedPorts.get(stopId) ?? stopId;
  const lines = await findRenamedLines(db, plan);
  return {
    lines,
    ports: new Map(plan.ports.map(({ gtfsStopId }) => [gtfsStopId, resolvePort(gtfsStopId)])),
    vessels: new Map(plan.vessels.map(({ code }) => [code, storedVessels.get(code) ?? code])),
    routes: new Map(
      plan.routes.map(({ key, gtfsRouteId, origin, destination }) => {
        const identity = {
          gtfsRouteId: lines.get(gtfsRouteId) ?? gtfsRouteId,
          originPortId: resolvePort(origin),
          destinationPortId: resolvePort(destination),
        };
        return [key, storedRoutes.get(identifyRoute(identity)) ?? key];
      }),
    ),
  };
}

/** A code may move from one port to another, which would violate the unique constraint row by row. */
async function releaseCodes(db: Database, plan: Plan): Promise<void> {
  const planned = new Map(plan.ports.map((port) => [port.code, port.gtfsStopId]));
  const stored = await db.select().from(ports);
  const moved = stored.filter(({ code, gtfsStopId }) => (planned.get(code) ?? gtfsStopId) !== gtfsStopId);
  if (moved.length === 0) return;
  const ids = moved.map(({ id }) => id);
  await db
    .update(ports)
    .set({ code: sql`${ports.id}` })
    .where(inArray(ports.id, ids));
}

async function writeRoutes(
  db: Database,
  plan: Plan,
  portIds: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const identities = plan.routes.map((route) => ({
    route,
    originPortId: portIds.get(route.origin) ?? '',
    destinationPortId: portIds.get(route.destination) ?? '',
  }));
  const rows = identities.map(({ route, originPortId, destinationPortId }) => {
    const { key: _key, origin: _origin, destination: _destination, ...columns } = route;
    return { id: newId('rte'), ...columns, originPortId, destinationPortId, active: true };
  });
  await upsertRows(db, routes, [routes.gtfsRouteId, routes.originPortId, routes.destinationPortId], rows);
  const stored = await db.select().from(routes);
  const storedIds = new Map(stored.map((row) => [identifyRoute(row), row.id]));
  const ids = new Map<string, string>();
  for (const { route, originPortId, destinationPortId } of identities) {
    const id = storedIds.get(
      identifyRoute({ gtfsRouteId: route.gtfsRouteId, originPortId, destinationPortId }),
    );
    if (id) ids.set(route.key, id);
  }
  await deactivateOthers(db, routes, routes.id, [...ids.values()]);
  return ids;
}

function identifyRoute({
  gtfsRouteId,
  originPortId,
  destinationPortId,
}: Pick<typeof routes.$inferSelect, 'gtfsRouteId' | 'originPortId' | 'destinationPortId'>): string {
  return JSON.stringify([gtfsRouteId, originPortId, destinationPortId]);
}

type KeyedTable = PgTable & { id: PgColumn; active: PgColumn };

type PlannedRows<Table extends KeyedTable> = {
  prefix: Parameters<typeof newId>[0];
  planned: readonly Omit<Table['$inferInsert'], 'id' | 'active'>[];
  key?: string;
};

/** @returns the ids of all rows by their keys */
async function writeByKey<Table extends KeyedTable>(
  db: Database,
  table: Table,
  { prefix, planned, key = 'code' }: PlannedRows<Table>,
): Promise<Map<string, string>> {
  const column = (table as unknown as Record<string, PgColumn>)[key] as PgColumn;
  const rows = planned.map((each) => ({ id: newId(prefix), ...each, active: true }));
  await upsertRows(db, table as PgTable, [column], rows);
  const keys = planned.map((each) => (each as unknown as Record<string, string>)[key] ?? '');
  await deactivateOthers(db, table, column, keys);
  const stored = await db.select({ id: table.id, key: column }).from(table as PgTable);
  return new Map(stored.map(({ id, key }) => [key, id] as [string, string]));
}

async function deactivateOthers(
  db: Database,
  table: PgTable & { active: PgColumn },
  key: PgColumn,
  activeKeys: readonly string[],
): Promise<void> {
  const isOther: SQL | undefined = activeKeys.length > 0 ? notInArray(key, [...activeKeys]) : undefined;
  await db
    .update(table as typeof ports)
    .set({ active: false })
    .where(and(eq(table.active, true), isOther));
}

async function writeTaxes(db: Database, plan: Plan, routeIds: ReadonlyMap<string, string>): Promise<void> {
  await db.delete(taxRules);
  const rows = plan.taxes.map(({ routeKey, ...tax }, position) => ({
    ...{ position, ...tax, routeId: routeIds.get(routeKey) ?? '' },
  }));
  await upsertRows(db, taxRules, [taxRules.position], rows);
}

type FareIds = Record<'routeIds' | 'passengerIds' | 'vehicleIds' | 'classIds', ReadonlyMap<string, string>>;

/** A fare's key is what it applies to; a changed amount does not make it another fare. */
async function writeFares(db: Database, planned: readonly PlannedFare[], ids: FareIds): Promise<void> {
  const stored = await db.select().from(fares);
  const storedIds = new Map(stored.map((fare) => [identifyFare(fare), fare.id]));
  const rows = planned.map(({ routeKey, fareClass, passengerType, vehicleType, ...fare }) => {
    const named = {
      ...fare,
      routeId: ids.routeIds.get(routeKey) ?? '',
      fareClassId: ids.classIds.get(fareClass) ?? '',
      passengerTypeId: passengerType === null ? null : (ids.passengerIds.get(passengerType) ?? null),
      vehicleTypeId: vehicleType === null ? null : (ids.vehicleIds.get(vehicleType) ?? null),
    };
    return { id: storedIds.get(identifyFare(named)) ?? newId('far'), ...named };
  });
  const currentIds = new Set(rows.map((row) => row.id));
  const removed = stored.filter((fare) => !currentIds.has(fare.id)).map((fare) => fare.id);
  if (removed.length > 0) await db.delete(fares).where(inArray(fares.id, removed));
  await upsertRows(db, fares, [fares.id], rows);
}

function identifyFare(fare: Omit<typeof fares.$inferInsert, 'id'>): string {
  return JSON.stringify([
    fare.routeId,
    fare.fareClassId,
    fare.kind,
    fare.passengerTypeId,
    fare.vehicleTypeId,
    fare.validFrom,
    fare.validUntil,
    fare.weekdays,
    fare.priority,
  ]);
}
