import type { ServiceStatus } from '#contract/departures/schemas.ts';
import type { Sailing } from '#contract/sailings/schemas.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { type CanceledSailing, listCanceledSailings } from '#server/departures/canceled-sailings.ts';
import { listPortNotices, listRouteNotices } from '#server/departures/port-notices.ts';
import { loadServiceStatus } from '#server/departures/service-status.ts';
import { type CatalogueRecord, loadCatalogue } from '#server/sailings/queries.ts';
import { listRouteSailings } from '#server/sailings/route-sailings.ts';
import type { NamedRoute } from './named-route.ts';

type SiteContext = Pick<Context, 'db' | 'clock'>;

export type RouteService = {
  /** The day at the port of departure. */
  today: string;
  /** Of the day and the next. */
  sailings: readonly Sailing[];
  /** What the operator says today about the ports or the line. */
  notices: readonly string[];
  asOf: Date;
  service: ServiceStatus;
};

export async function readRoute(
  context: SiteContext,
  { route, origin }: NamedRoute,
  language: string,
): Promise<RouteService> {
  const asOf = context.clock.now();
  const today = getLocalDay(asOf.getTime(), origin.time_zone);
  const day = { day: today, language };
  const sailings = await listRouteSailings(context, route, day);
  const notices = await listRouteNotices(context.db, route, day);
  return { today, asOf, sailings, notices, service: await loadServiceStatus(context, language) };
}

export type AllRoutesService = { service: ServiceStatus; canceled: readonly CanceledSailing[] };

export async function readRoutes(context: SiteContext, language: string): Promise<AllRoutesService> {
  const service = await loadServiceStatus(context, language);
  return { service, canceled: await listCanceledSailings(context) };
}

export type TerminalService = { notices: readonly string[]; service: ServiceStatus };

export async function readTerminal(
  context: SiteContext,
  { id, timeZone }: Pick<CatalogueRecord['ports'][number], 'id' | 'timeZone'>,
  language: string,
): Promise<TerminalService> {
  const day = getLocalDay(context.clock.now().getTime(), timeZone);
  const { routes } = await loadCatalogue(context.db);
  const own = routes.filter(({ originPortId }) => originPortId === id);
  const lines = new Set(own.map(({ gtfsRouteId }) => gtfsRouteId));
  return {
    notices: await listPortNotices(context.db, { portId: id, lines, day, language }),
    service: await loadServiceStatus(context, language),
  };
}
