import type { sailingCalls } from '#contract/sailings/schemas.ts';
import { addDays, countDays } from '#domain/time/days.ts';
import { getDayPeriod, getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
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
import { offerSailing, type PartyQuery, readSearchContext } from './search.ts';
import { searchConnections } from './search-connections.ts';

/** Only imports change these lists; a delay of a minute is acceptable. */
const LISTS_MAX_AGE = 60;
/** Shorter, because a timetable shows today's cancellations. */
const TIMETABLE_MAX_AGE = 15;
const LONGEST_TIMETABLE_DAYS = 7;

/** Handlers for ports, routes, fares and sailings; public. */
export function createSailingHandlers(context: Pick<Context, 'db' | 'clock'>): Handlers<typeof sailingCalls> {
  const { db, clock } = context;
  const getToday = ({ feed }: CatalogueRecord) => getLocalDay(clock.now().getTime(), feed.timeZone);
  const fromCatalogue = async <Data>(select: (catalogue: CatalogueRecord) => Data) =>
    new Reply(select(await loadCatalogue(db)), { maxAge: LISTS_MAX_AGE });

  return {
    getCatalogue: async () => new Reply((await loadHomeData(context)).catalogue, { maxAge: LISTS_MAX_AGE }),
    listPorts: () => fromCatalogue((catalogue) => catalogue.ports.map(presentPort)),
    listRoutes: () => fromCatalogue((catalogue) => presentRoutes(catalogue, getToday(catalogue))),
    listPassengerTypes: () =>
      fromCatalogue((catalogue) => catalogue.passengerTypes.map(presentPassengerType)),
    listVehicleTypes: () => fromCatalogue((catalogue) => catalogue.vehicleTypes.map(presentVehicleType)),

    listFares: ({ query }) =>
      fromCatalogue((catalogue) => {
        requireRoutesOfPair(catalogue, query.route_id);
        return presentFares(catalogue, query.route_id, requireDay(query.date ?? getToday(catalogue), 'date'));
      }),

    getTimetable: async ({ params, query }) => {
      const catalogue = await loadCatalogue(db);
      const routeIds = requireRoutesOfPair(catalogue, params.id);
      const days = timetableDays(query, getToday(catalogue));
      const now = clock.now();
      const sailings = await listTimetable(db, routeIds, periodOf(catalogue, routeIds, days));
      const entries = sailings.map((sailing) => presentTimetableEntry(sailing, now));
      return new Reply(entries, { maxAge: TIMETABLE_MAX_AGE });
    },

    searchSailings: async ({ query }, c) => {
      requireDay(query.date, 'date');
      const catalogue = await loadCatalogue(db);
      const routeIds = requireRoutesOfPair(catalogue, query.route_id);
      const phone = await readBoothPhone(context);
      const search = await readSearchContext(context, { query, catalogue, phone });
      const day = { from: query.date, to: query.date };
      const sailings = await listSailings(db, routeIds, periodOf(catalogue, routeIds, day));
      c.var.headers['Cache-Control'] = 'no-cache';
      return sailings.map((sailing) => offerSailing(sailing, search));
    },

    searchConnections: async ({ query }, c) => {
      requireDay(query.date, 'date');
      const catalogue = await loadCatalogue(db);
      for (const id of [query.origin_port_id, query.destination_port_id]) {
        if (!catalogue.ports.some((port) => port.id === id)) throw notFound();
      }
      const phone = await readBoothPhone(context);
      const search = await readSearchContext(context, { query, catalogue, phone });
      c.var.headers['Cache-Control'] = 'no-cache';
      return searchConnections(context, { query, search });
    },

    getSailing: async ({ params }, c) => {
      const [sailing] = await findSailings(db, [params.id]);
      if (!sailing) throw notFound();
      const catalogue = await loadCatalogue(db);
      const phone = await readBoothPhone(context);
      const search = await readSearchContext(context, { query: DEFAULT_PARTY, catalogue, phone });
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
  const to = requireDay(query.to ?? addDays(from, LONGEST_TIMETABLE_DAYS - 1), 'to');
  const days = countDays(from, to) + 1;
  if (days < 1 || days > LONGEST_TIMETABLE_DAYS) throw new ApiError('invalid_input', { field: 'to' });
  return { from, to };
}
