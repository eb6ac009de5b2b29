import type { sailingCalls } from '#contract/sailings/schemas.ts';
import { addDays, countDays } from '#domain/time/days.ts';
import { getDayPeriod, getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import type { HttpContext } from '../http/api.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { cachedLanguage, requestLanguage } from '../http/request-language.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import {
  hasSamePorts,
  presentFares,
  presentPassengerType,
  presentPort,
  presentRoutes,
  presentVehicleType,
} from './catalogue-presenter.ts';
import { loadHomeData } from './home-data.ts';
import { presentTimetableEntry } from './presenter.ts';
import {
  type CatalogueRecord,
  findSailings,
  findZone,
  listSailings,
  listTimetable,
  loadCatalogue,
} from './queries.ts';
import { requireDay } from './require-day.ts';
import { listSailingDays } from './sailing-days.ts';
import { offerSailing, type PartyQuery, readSearchContext } from './search.ts';
import { searchConnections } from './search-connections.ts';
import { translateCatalogue } from './translate-catalogue.ts';

/** Only imports change these lists; a delay of a minute is acceptable. */
const LISTS_MAX_AGE = 60;
/** Shorter, because a timetable shows today's cancellations. */
const TIMETABLE_MAX_AGE = 15;
const LONGEST_TIMETABLE_DAYS = 7;
/** Of the page of a month: six weeks. */
const CALENDAR_DAYS = 42;

/** Handlers for ports, routes, fares and sailings; public. */
export function createSailingHandlers(context: Pick<Context, 'db' | 'clock'>): Handlers<typeof sailingCalls> {
  const { db, clock } = context;
  const getToday = ({ feed }: CatalogueRecord) => getLocalDay(clock.now().getTime(), feed.timeZone);
  const fromCatalogue = async <Data>(c: HttpContext, select: (catalogue: CatalogueRecord) => Data) => {
    const catalogue = translateCatalogue(await loadCatalogue(db), cachedLanguage(c));
    return new Reply(select(catalogue), { maxAge: LISTS_MAX_AGE });
  };

  return {
    getCatalogue: async (_, c) => {
      const { catalogue } = (await loadHomeData(context)).inLanguage(cachedLanguage(c));
      return new Reply(catalogue, { maxAge: LISTS_MAX_AGE });
    },
    listPorts: (_, c) => fromCatalogue(c, (catalogue) => catalogue.ports.map(presentPort)),
    listRoutes: (_, c) => fromCatalogue(c, (catalogue) => presentRoutes(catalogue, getToday(catalogue))),
    listPassengerTypes: (_, c) =>
      fromCatalogue(c, (catalogue) => catalogue.passengerTypes.map(presentPassengerType)),
    listVehicleTypes: (_, c) =>
      fromCatalogue(c, (catalogue) => catalogue.vehicleTypes.map(presentVehicleType)),

    listFares: ({ query }, c) =>
      fromCatalogue(c, (catalogue) => {
        requireRoutesOfPair(catalogue, query.route_id);
        return presentFares(catalogue, query.route_id, requireDay(query.date ?? getToday(catalogue), 'date'));
      }),

    getTimetable: async ({ params, query }, c) => {
      const catalogue = await loadCatalogue(db);
      const routeIds = requireRoutesOfPair(catalogue, params.id);
      const days = timetableDays(query, getToday(catalogue));
      const now = clock.now();
      const sailings = await listTimetable(db, routeIds, periodOf(catalogue, routeIds, days));
      const language = cachedLanguage(c);
      const entries = sailings.map((sailing) => presentTimetableEntry(sailing, now, language));
      return new Reply(entries, { maxAge: TIMETABLE_MAX_AGE });
    },

    searchSailings: async ({ query }, c) => {
      requireDay(query.date, 'date');
      const catalogue = await loadCatalogue(db);
      const routeIds = requireRoutesOfPair(catalogue, query.route_id);
      const texts = { phone: await readBoothPhone(context), language: requestLanguage(c) };
      const search = await readSearchContext(context, { query, catalogue, ...texts });
      const day = { from: query.date, to: query.date };
      const sailings = await listSailings(db, routeIds, periodOf(catalogue, routeIds, day));
      c.var.headers['Cache-Control'] = 'no-cache';
      return sailings.map((sailing) => offerSailing(sailing, search));
    },

    searchConnections: async ({ query }, c) => {
      requireDay(query.date, 'date');
      const catalogue = await loadCatalogue(db);
      requirePorts(catalogue, query);
      const texts = { phone: await readBoothPhone(context), language: requestLanguage(c) };
      const search = await readSearchContext(context, { query, catalogue, ...texts });
      c.var.headers['Cache-Control'] = 'no-cache';
      return searchConnections(context, { query, search });
    },

    listSailingDays: async ({ query }, c) => {
      const catalogue = await loadCatalogue(db);
      requirePeriod(query, CALENDAR_DAYS);
      requirePorts(catalogue, query);
      const search = await readSearchContext(context, {
        ...{ query, catalogue },
        ...{ phone: '', language: requestLanguage(c) },
      });
      return new Reply(await listSailingDays(context, { query, search }), { maxAge: TIMETABLE_MAX_AGE });
    },

    getSailing: async ({ params }, c) => {
      const [sailing] = await findSailings(db, [params.id]);
      if (!sailing) throw notFound();
      const catalogue = await loadCatalogue(db);
      const texts = { phone: await readBoothPhone(context), language: requestLanguage(c) };
      const search = await readSearchContext(context, { query: DEFAULT_PARTY, catalogue, ...texts });
      c.var.headers['Cache-Control'] = 'no-cache';
      return offerSailing(sailing, search);
    },
  };
}

const DEFAULT_PARTY: PartyQuery = { passengers: {} };

async function readBoothPhone(context: Pick<Context, 'db'>): Promise<string> {
  const { contact } = await loadWebSettings(context);
  return contact.phone ?? '';
}

/**
 * The ids of all routes with the ports of this one, because several lines may serve them.
 * @throws {ApiError} not_found
 */
function requireRoutesOfPair({ routes }: CatalogueRecord, id: string): string[] {
  const route = routes.find((each) => each.id === id);
  if (!route) throw notFound();
  return routes.filter((each) => hasSamePorts(each, route)).map((each) => each.id);
}

/** @throws {ApiError} not_found */
function requirePorts(
  { ports }: CatalogueRecord,
  query: { origin_port_id: string; destination_port_id: string },
): void {
  for (const id of [query.origin_port_id, query.destination_port_id]) {
    if (!ports.some((port) => port.id === id)) throw notFound();
  }
}

/** The period of calendar days, both inclusive, at the port from which some routes depart. */
function periodOf(
  catalogue: CatalogueRecord,
  [routeId]: readonly string[],
  { from, to }: { from: string; to: string },
): { from: number; until: number } {
  const zone = findZone(catalogue, catalogue.routes.find(({ id }) => id === routeId)?.originPortId);
  return { from: getDayPeriod(from, zone).from, until: getDayPeriod(to, zone).until };
}

/**
 * First and last day of a timetable; by default a week from today.
 * @throws {ApiError} invalid_input, also for more than 7 days
 */
function timetableDays(
  query: { from?: string | undefined; to?: string | undefined },
  today: string,
): { from: string; to: string } {
  const from = requireDay(query.from ?? today, 'from');
  const to = query.to ?? addDays(from, LONGEST_TIMETABLE_DAYS - 1);
  return requirePeriod({ from, to }, LONGEST_TIMETABLE_DAYS);
}

/**
 * First and last day of a period.
 * @throws {ApiError} invalid_input, also if it is longer
 */
function requirePeriod({ from, to }: { from: string; to: string }, longestDays: number) {
  const days = countDays(requireDay(from, 'from'), requireDay(to, 'to')) + 1;
  if (days < 1 || days > longestDays) throw new ApiError('invalid_input', { field: 'to' });
  return { from, to };
}
