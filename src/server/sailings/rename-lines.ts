import { eq, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { sailingExceptions } from '../database/schema/exceptions.ts';
import { ports, routes, voyages } from '../database/schema/timetable.ts';
import { topUps, tripCards } from '../database/schema/trip-cards.ts';
import type { PreparedFeed } from './feed/prepare-feed-worker.ts';

type Plan = Pick<PreparedFeed['plan'], 'routes' | 'unpricedRoutes'>;

/**
 * The lines whose `route_id` the feed has changed: a line that is gone and a new one with the same name and ports are
 * one, unless there are several such lines.
 * @returns the stored `route_id` by the new one
 */
export async function findRenamedLines(db: Database, plan: Plan): Promise<Map<string, string>> {
  const stops = new Map((await db.select().from(ports)).map(({ id, gtfsStopId }) => [id, gtfsStopId]));
  const stored = (await db.select().from(routes)).map(({ originPortId, destinationPortId, ...route }) => ({
    ...route,
    origin: stops.get(originPortId) ?? '',
    destination: stops.get(destinationPortId) ?? '',
  }));
  const storedIds = new Set(stored.map(({ gtfsRouteId }) => gtfsRouteId));
  const plannedIds = new Set([...plan.routes, ...plan.unpricedRoutes].map(({ gtfsRouteId }) => gtfsRouteId));
  const gone = describeLines(
    stored.filter(({ gtfsRouteId, active }) => active && !plannedIds.has(gtfsRouteId)),
  );
  const added = describeLines(plan.routes.filter(({ gtfsRouteId }) => !storedIds.has(gtfsRouteId)));
  const renamed = new Map<string, string>();
  for (const [description, [after, ...others]] of added) {
    const [before, ...more] = gone.get(description) ?? [];
    if (before && after && others.length === 0 && more.length === 0) renamed.set(after, before);
  }
  return renamed;
}

type Route = Record<'gtfsRouteId' | 'lineName' | 'origin' | 'destination', string>;

/** The `route_id` of the lines by their name and ports. */
function describeLines(all: readonly Route[]): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const [gtfsRouteId, own] of Map.groupBy(all, (route) => route.gtfsRouteId)) {
    const served = new Set(own.flatMap(({ origin, destination }) => [origin, destination]));
    const description = JSON.stringify([own[0]?.lineName, [...served].toSorted()]);
    lines.set(description, [...(lines.get(description) ?? []), gtfsRouteId]);
  }
  return lines;
}

/** Gives stored lines, with their voyages, exceptions and sold passes, the `route_id` of the feed. */
export async function renameLines(db: Database, renamed: ReadonlyMap<string, string>): Promise<void> {
  for (const [after, before] of renamed) {
    await db.update(routes).set({ gtfsRouteId: after }).where(eq(routes.gtfsRouteId, before));
    await db.update(voyages).set({ gtfsRouteId: after }).where(eq(voyages.gtfsRouteId, before));
    await db.update(sailingExceptions).set({ line: after }).where(eq(sailingExceptions.line, before));
    for (const table of [tripCards, topUps]) await renameInPasses(db, table, { before, after });
  }
}

async function renameInPasses(
  db: Database,
  table: typeof tripCards | typeof topUps,
  { before, after }: { before: string; after: string },
): Promise<void> {
  const lines = sql`${table.pass} -> 'lines'`;
  const renamed = sql`(${lines}) - ${before}::text || jsonb_build_array(${after}::text)`;
  await db
    .update(table)
    .set({ pass: sql`jsonb_set(${table.pass}, '{lines}', ${renamed})` })
    .where(sql`jsonb_typeof(${lines}) = 'array' and (${lines}) ? ${before}::text`);
}
