import { setTimeout as delay } from 'node:timers/promises';
import { routePages } from '#contract/route-pages.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { listRouteSailings } from '../sailings/route-sailings.ts';
import type { LiveData, SentDocument } from './front-end.ts';
import { createRefreshingCache, type RefreshingCache } from './refreshing-cache.ts';
import {
  composeRoutePage,
  composeRoutesPage,
  type NamedRoute,
  type RouteSailings,
  routeAddress,
} from './route-page.ts';

/** How old the sailings of a page may be: one query per route in this time, however often it is requested. */
const FRESH_MS = 30_000;
/** After this a page without earlier sailings is sent without them. */
const WAIT_MS = 1_000;

/** A page with what it was composed from. */
type Composed = { data: LiveData; sailings: RouteSailings | null; document: SentDocument };

type RoutePagesInput = {
  /** Style sheets of the app's ticket host. */
  styles: readonly string[];
  loadData(): Promise<LiveData>;
  createConfig(settings: LiveData['settings']): PageConfig;
};

export type RoutePages = {
  /** The page of an address; null if it is none of a route. */
  find(pathname: string): Promise<SentDocument | null>;
  /** Invalidates the sailings after a change of the operator's data. */
  expire(): void;
};

/**
 * The pages of routes: a list of all, and one per route with the sailings of today and tomorrow. While the database is
 * unavailable, they show the last sailings read, or none.
 */
export function createRoutePages(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  { styles, loadData, createConfig }: RoutePagesInput,
): RoutePages {
  const caches = new Map<string, RefreshingCache<RouteSailings>>();
  const composed = new Map<string, Composed>();

  /** Composes a page again only if what it shows has changed. */
  function compose(
    address: string,
    made: Pick<Composed, 'data' | 'sailings'>,
    create: (config: PageConfig) => SentDocument,
  ): SentDocument {
    const cached = composed.get(address);
    if (cached && cached.data === made.data && cached.sailings === made.sailings) return cached.document;
    const document = create(createConfig(made.data.settings));
    composed.set(address, { ...made, document });
    return document;
  }

  function findCache(named: NamedRoute): RefreshingCache<RouteSailings> {
    const address = routeAddress(named);
    const existing = caches.get(address);
    if (existing) return existing;
    const cache = createRefreshingCache(context, {
      name: 'sailings of a route page',
      freshMs: FRESH_MS,
      read: async () => {
        const now = context.clock.now();
        const today = getLocalDay(now.getTime(), named.origin.time_zone);
        return { today, asOf: now, sailings: await listRouteSailings(context, named.route, today) };
      },
    });
    caches.set(address, cache);
    return cache;
  }

  async function findSailings(named: NamedRoute): Promise<RouteSailings | null> {
    try {
      return await Promise.race([findCache(named).load(), delay(WAIT_MS, null, { ref: false })]);
    } catch (error) {
      context.log.error('route page without sailings', describeError(error));
      return null;
    }
  }

  return {
    async find(pathname) {
      if (pathname !== routePages.all && !pathname.startsWith(`${routePages.all}/`)) return null;
      const data = await loadData();
      const { currency } = data.home.catalogue;
      const routes = listNamedRoutes(data.home);
      if (pathname === routePages.all) {
        return compose(pathname, { data, sailings: null }, (config) =>
          composeRoutesPage({ config, styles }, { routes, currency }),
        );
      }
      const named = routes.find((each) => routeAddress(each).toUpperCase() === pathname.toUpperCase());
      if (!named) return null;
      const sailings = await findSailings(named);
      return compose(routeAddress(named), { data, sailings }, (config) =>
        composeRoutePage({ config, styles }, { ...named, currency, upcoming: sailings }),
      );
    },
    expire() {
      for (const cache of caches.values()) cache.expire();
    },
  };
}

/** All routes on sale, by the names of their ports. */
export function listNamedRoutes({ catalogue }: LiveData['home']): NamedRoute[] {
  const ports = new Map(catalogue.ports.map((port) => [port.id, port]));
  return catalogue.routes.flatMap((route) => {
    const origin = ports.get(route.origin_port_id);
    const destination = ports.get(route.destination_port_id);
    return origin && destination ? { route, origin, destination } : [];
  });
}
