import type { sailingCalls } from '#contract/sailings/schemas.ts';
import { localDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/api-error.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import {
  presentFares,
  presentPassengerType,
  presentPort,
  presentRoutes,
  presentVehicleType,
} from './catalogue-presenter.ts';
import { loadHomeData } from './home-data.ts';
import { presentTimetableEntry } from './presenter.ts';
import {
  type CatalogueFacts,
  listSailings,
  listTimetable,
  loadCatalogue,
  requireSailings,
} from './queries.ts';
import { requireDay, timetableDays } from './query-days.ts';
import { offerSailing, type PartyQuery, readSearchContext } from './search.ts';

/** Only imports change these lists; a delay of a minute is acceptable. */
const LISTS_MAX_AGE = 60;
/** Shorter, because a timetable shows today's cancellations. */
const TIMETABLE_MAX_AGE = 15;

/** Handlers for ports, routes, fares and sailings; public. */
export function createSailingHandlers(context: Pick<Context, 'db' | 'clock'>): Handlers<typeof sailingCalls> {
  const { db, clock } = context;
  const todayOf = ({ feed }: CatalogueFacts) => localDay(clock.now().getTime(), feed.timeZone);
  const fromCatalogue = async <Data>(select: (facts: CatalogueFacts) => Data) =>
    new Reply(select(await loadCatalogue(db)), { maxAge: LISTS_MAX_AGE });

  return {
    getCatalogue: async () => new Reply((await loadHomeData(context)).catalogue, { maxAge: LISTS_MAX_AGE }),
    listPorts: () => fromCatalogue((facts) => facts.ports.map(presentPort)),
    listRoutes: () => fromCatalogue((facts) => presentRoutes(facts, todayOf(facts))),
    listPassengerTypes: () => fromCatalogue((facts) => facts.passengerTypes.map(presentPassengerType)),
    listVehicleTypes: () => fromCatalogue((facts) => facts.vehicleTypes.map(presentVehicleType)),

    listFares: ({ query }) =>
      fromCatalogue((facts) => {
        requireRoute(facts, query.route_id);
        return presentFares(facts, query.route_id, requireDay(query.date ?? todayOf(facts), 'date'));
      }),

    getTimetable: async ({ params, query }) => {
      const facts = await loadCatalogue(db);
      requireRoute(facts, params.id);
      const days = timetableDays(query, todayOf(facts));
      const now = clock.now();
      const sailings = await listTimetable(db, params.id, days);
      const entries = sailings.map((sailing) => presentTimetableEntry(sailing, now));
      return new Reply(entries, { maxAge: TIMETABLE_MAX_AGE });
    },

    searchSailings: async ({ query }, c) => {
      requireDay(query.date, 'date');
      const facts = await loadCatalogue(db);
      requireRoute(facts, query.route_id);
      const asker = await readSearchContext(context, query, facts, await boothPhone(context));
      const sailings = await listSailings(db, query.route_id, { from: query.date, to: query.date });
      const now = clock.now();
      c.var.headers['Cache-Control'] = 'no-cache';
      return sailings.map((sailing) => offerSailing(sailing, asker, facts, now));
    },

    getSailing: async ({ params }, c) => {
      const [sailing] = await requireSailings(db, [params.id]);
      if (!sailing) throw notFound();
      const facts = await loadCatalogue(db);
      const asker = await readSearchContext(context, anyone, facts, await boothPhone(context));
      c.var.headers['Cache-Control'] = 'no-cache';
      return offerSailing(sailing, asker, facts, clock.now());
    },
  };
}

const anyone: PartyQuery = { passengers: {} };

async function boothPhone(context: Pick<Context, 'db'>): Promise<string> {
  const { contact } = await loadWebSettings(context);
  return contact.phone ?? '';
}

/** @throws {ApiError} not_found */
function requireRoute(facts: CatalogueFacts, id: string): void {
  if (!facts.routes.some((route) => route.id === id)) throw notFound();
}
