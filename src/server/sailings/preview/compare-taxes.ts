import { asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { TaxProduct, TaxShare } from '#domain/fares/taxes.ts';
import type { Database } from '#server/database/database.ts';
import { ports, routes, taxRules } from '#server/database/schema/timetable.ts';
import type { PreparedFeed } from '../feed/prepare-feed-worker.ts';

/** A share of prices and when it applies: service days; null: without a limit. */
export type DatedShare = TaxShare & { validFrom: string | null; validUntil: string | null };

/** How a product is taxed on a route until an import and afterwards. Empty: at the rates of its fares. */
export type TaxChange = { route: string; product: TaxProduct; before: DatedShare[]; after: DatedShare[] };

type Rule = DatedShare & {
  pair: string[];
  name: string;
  route: string;
  product: TaxProduct;
  priority: number;
};

/**
 * Compares the stored tax rules with those of a plan.
 * @param lines the stored `route_id` of lines that the plan has under another one
 */
export async function compareTaxes(
  db: Database,
  plan: Pick<PreparedFeed['plan'], 'taxes' | 'routes'>,
  lines: ReadonlyMap<string, string>,
): Promise<TaxChange[]> {
  const before = Map.groupBy(await readStoredRules(db), identify);
  const after = Map.groupBy(listPlannedRules(plan, lines), identify);
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const [old, planned] = [before.get(key) ?? [], after.get(key) ?? []];
    const [first] = [...planned, ...old];
    if (!first || describe(old) === describe(planned)) return [];
    const { route, product } = first;
    return [{ route, product, before: old.map(pickShare), after: planned.map(pickShare) }];
  });
}

function identify({ pair, product }: Rule): string {
  return JSON.stringify([pair, product]);
}

function describe(rules: readonly Rule[]): string {
  return JSON.stringify(rules.map((rule) => [pickShare(rule), rule.priority]));
}

function pickShare({ shareBp, taxBp, name, validFrom, validUntil }: Rule): DatedShare {
  return { shareBp, taxBp, name, validFrom, validUntil };
}

function listPlannedRules(
  { taxes, routes: planned }: Pick<PreparedFeed['plan'], 'taxes' | 'routes'>,
  lines: ReadonlyMap<string, string>,
): Rule[] {
  const byKey = new Map(planned.map((route) => [route.key, route]));
  return taxes.flatMap((tax) => {
    const route = byKey.get(tax.routeKey);
    if (!route) return [];
    const { gtfsRouteId, origin, destination } = route;
    return [
      { ...tax, pair: [lines.get(gtfsRouteId) ?? gtfsRouteId, origin, destination], route: route.name },
    ];
  });
}

async function readStoredRules(db: Database): Promise<Rule[]> {
  const origins = alias(ports, 'origins');
  const destinations = alias(ports, 'destinations');
  const rows = await db
    .select({
      tax: taxRules,
      pair: sql<string[]>`array[${routes.gtfsRouteId}, ${origins.gtfsStopId}, ${destinations.gtfsStopId}]`,
      route: routes.name,
    })
    .from(taxRules)
    .innerJoin(routes, eq(routes.id, taxRules.routeId))
    .innerJoin(origins, eq(origins.id, routes.originPortId))
    .innerJoin(destinations, eq(destinations.id, routes.destinationPortId))
    .orderBy(asc(taxRules.position));
  return rows.map(({ tax, ...of }) => ({ ...tax, ...of }));
}
