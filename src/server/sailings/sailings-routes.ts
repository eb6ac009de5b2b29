import type { Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import { localDay } from '#domain/port-time.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { notFound } from '../http/api-error.ts';
import { readId } from '../http/params.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { answerCacheable } from './answer-cacheable.ts';
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
import { readFaresQuery, readSailingsQuery, readTimetableQuery } from './query-params.ts';
import { offerSailing, type PartyQuery, readAsker } from './search.ts';

/** The operator's own lists change by imports; a minute late is soon enough. */
const LISTS_MAX_AGE = 60;
/** A timetable carries what was cancelled today. */
const TIMETABLE_MAX_AGE = 15;

/** What is sailed, when, and for how much; public. */
export function createSailingsRoutes(deps: Pick<Deps, 'db' | 'clock'>): Hono<ApiEnv> {
  const routes = createRouter();
  const { db, clock } = deps;
  const todayOf = ({ feed }: CatalogueFacts) => localDay(clock.now().getTime(), feed.timeZone);

  routes.get(apiPaths.catalogue, async (c) => {
    const { catalogue } = await loadHomeData(deps);
    return answerCacheable(c, catalogue, LISTS_MAX_AGE);
  });

  routes.get(apiPaths.ports, async (c) => {
    const facts = await loadCatalogue(db);
    return answerCacheable(c, facts.ports.map(presentPort), LISTS_MAX_AGE);
  });

  routes.get(apiPaths.routes, async (c) => {
    const facts = await loadCatalogue(db);
    return answerCacheable(c, presentRoutes(facts, todayOf(facts)), LISTS_MAX_AGE);
  });

  routes.get(honoPath(apiPaths.timetable), async (c) => {
    const id = readId(c);
    const facts = await loadCatalogue(db);
    requireRoute(facts, id);
    const days = readTimetableQuery(c, todayOf(facts));
    const now = clock.now();
    const sailings = await listTimetable(db, id, days);
    const entries = sailings.map((sailing) => presentTimetableEntry(sailing, now));
    return answerCacheable(c, entries, TIMETABLE_MAX_AGE);
  });

  routes.get(apiPaths.passengerTypes, async (c) => {
    const facts = await loadCatalogue(db);
    return answerCacheable(c, facts.passengerTypes.map(presentPassengerType), LISTS_MAX_AGE);
  });

  routes.get(apiPaths.vehicleTypes, async (c) => {
    const facts = await loadCatalogue(db);
    return answerCacheable(c, facts.vehicleTypes.map(presentVehicleType), LISTS_MAX_AGE);
  });

  routes.get(apiPaths.fares, async (c) => {
    const facts = await loadCatalogue(db);
    const { routeId, day } = readFaresQuery(c, todayOf(facts));
    requireRoute(facts, routeId);
    return answerCacheable(c, presentFares(facts, routeId, day), LISTS_MAX_AGE);
  });

  routes.get(apiPaths.sailings, async (c) => {
    const query = readSailingsQuery(c);
    const facts = await loadCatalogue(db);
    requireRoute(facts, query.route_id);
    const asker = await readAsker(deps, query, facts, await boothPhone(deps));
    const sailings = await listSailings(db, query.route_id, { from: query.date, to: query.date });
    const now = clock.now();
    c.var.headers['Cache-Control'] = 'no-cache';
    return ok(
      c,
      sailings.map((sailing) => offerSailing(sailing, asker, facts, now)),
    );
  });

  routes.get(honoPath(apiPaths.sailing), async (c) => {
    const [sailing] = await requireSailings(db, [readId(c)]);
    if (!sailing) throw notFound();
    const facts = await loadCatalogue(db);
    const asker = await readAsker(deps, anyone, facts, await boothPhone(deps));
    c.var.headers['Cache-Control'] = 'no-cache';
    return ok(c, offerSailing(sailing, asker, facts, clock.now()));
  });

  return routes;
}

const anyone: PartyQuery = { passengers: {} };

async function boothPhone(deps: Pick<Deps, 'db'>): Promise<string> {
  const { contact } = await loadWebSettings(deps);
  return contact.phone ?? '';
}

/** @throws {ApiError} not_found */
function requireRoute(facts: CatalogueFacts, id: string): void {
  if (!facts.routes.some((route) => route.id === id)) throw notFound();
}
