import { setTimeout as delay } from 'node:timers/promises';
import type { HomeData, Port } from '#contract/catalogue/schemas.ts';
import { matchesPath } from '#contract/page.ts';
import { placePages, terminalAddress, vesselAddress } from '#contract/place-pages.ts';
import { HELP_PATH, routePages } from '#contract/route-pages.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { translateSettings } from '#contract/settings/translate-settings.ts';
import { getSkyAt, type Sky } from '#domain/time/sky.ts';
import { listOfferedLanguages } from '#messages/languages.ts';
import { translateTexts } from '#messages/translations.ts';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { listVesselRoutes } from '#server/departures/vessel-crossings.ts';
import type { CatalogueRecord } from '#server/sailings/queries.ts';
import type { LiveData, SentDocument } from '../front-end.ts';
import { createRefreshingCache, type RefreshingCache } from '../refreshing-cache.ts';
import { composeHelpPage } from './help-page.ts';
import { listNamedRoutes, type NamedRoute, routeAddress } from './named-route.ts';
import { readRoute, readRoutes, readTerminal } from './read-service.ts';
import { composeRoutePage } from './route-page.ts';
import { composeRoutesPage } from './routes-page.ts';
import type { Render } from './site-document.ts';
import { composeTerminalPage } from './terminal-page.ts';
import { composeVesselPage } from './vessel-page.ts';

/** How old what a page shows may be: one read per page in this time, however often it is requested. */
const FRESH_MS = 30_000;
/** After this a page without an earlier read is sent without it. */
const WAIT_MS = 1_000;

type SiteContext = Pick<Context, 'db' | 'clock' | 'log'>;

/** Reads what a page shows that changes during the day; null if it cannot be read at the moment. */
type Load = <Live>(read: () => Promise<Live>) => Promise<Live | null>;

type PreparedPage = { live: unknown; compose(render: Render): SentDocument };

/** A page without the app. */
type SitePage = {
  address: string;
  /** The sky in its header is that over the first of these; absent: over the operator's first port. */
  places?: readonly Port[];
  prepare(load: Load): PreparedPage | Promise<PreparedPage>;
};

/** A document with what it was composed from. */
type Composed = { data: LiveData; live: unknown; sky: Sky | null; document: SentDocument };

type SitePagesInput = {
  /** Style sheets of the app's ticket host. */
  styles: readonly string[];
  loadData(): Promise<LiveData>;
  createConfig(settings: LiveData['settings']): PageConfig;
};

export type SitePages = {
  /** The page of an address in a language; null if it is none of these. */
  find(pathname: string, language: string): Promise<SentDocument | null>;
  /** Invalidates what pages show after a change of the operator's data. */
  expire(): void;
};

/**
 * The pages without the app: help, a list of all routes, and one per route, boat and terminal. While the database is unavailable, they show
 * what was read last, or nothing that changes.
 */
export function createSitePages(
  context: SiteContext,
  { styles, loadData, createConfig }: SitePagesInput,
): SitePages {
  const caches = new Map<string, RefreshingCache<unknown>>();
  const composed = new Map<string, Composed>();

  async function load<Live>(key: string, read: () => Promise<Live>): Promise<Live | null> {
    const cache = (caches.get(key) ??
      createRefreshingCache(context, {
        name: 'live data of a public page',
        freshMs: FRESH_MS,
        read,
      })) as RefreshingCache<Live>;
    caches.set(key, cache);
    try {
      return await Promise.race([cache.load(), delay(WAIT_MS, null, { ref: false })]);
    } catch (error) {
      context.log.error('public page without live data', describeError(error));
      return null;
    }
  }

  /** Composes a page again only if what it shows has changed. */
  async function compose(page: SitePage, data: LiveData, language: string): Promise<SentDocument> {
    const key = `${language} ${page.address}`;
    const prepared = await page.prepare((read) => load(key, read));
    const { live } = prepared;
    const places = page.places ?? data.home.inLanguage(language).catalogue.ports;
    const sky = getSkyAt(context.clock.now().getTime(), places);
    const cached = composed.get(key);
    if (cached?.data === data && cached.live === live && cached.sky === sky) return cached.document;
    const document = prepared.compose({
      config: createConfig(translateSettings(data.settings, language)),
      operatorLanguage: data.settings.language,
      ...{ styles, sky },
    });
    composed.set(key, { data, live, sky, document });
    return document;
  }

  return {
    async find(pathname, language) {
      if (!isSitePath(pathname)) return null;
      const data = await loadData();
      const page = findPage(context, {
        ...{ pathname, language },
        home: data.home.inLanguage(language),
        catalogue: data.home.catalogue,
      });
      return page && compose(page, data, language);
    },
    expire() {
      for (const cache of caches.values()) cache.expire();
    },
  };
}

type Requested = {
  pathname: string;
  language: string;
  home: HomeData;
  /** In the operator's language. */
  catalogue: CatalogueRecord;
};

function findPage(context: SiteContext, requested: Requested): SitePage | null {
  const { pathname, language, home } = requested;
  if (pathname === HELP_PATH)
    return { address: pathname, prepare: () => ({ live: null, compose: composeHelpPage }) };
  if (matchesPath(placePages.vessel, pathname)) return findVesselPage(context, requested);
  if (matchesPath(placePages.terminal, pathname)) return findTerminalPage(context, requested);
  const routes = listNamedRoutes(home);
  const { currency } = home.catalogue;
  if (pathname === routePages.all) {
    return {
      address: pathname,
      prepare: async (load) => {
        const live = await load(() => readRoutes(context, language));
        return { live, compose: (render) => composeRoutesPage(render, { routes, currency, live }) };
      },
    };
  }
  const named = routes.find((each) => routeAddress(each).toUpperCase() === pathname.toUpperCase());
  if (!named) return null;
  return {
    address: routeAddress(named),
    places: [named.origin],
    prepare: async (load) => {
      const live = await load(() => readRoute(context, named, language));
      const page = { ...named, lines: routes, currency, upcoming: live };
      return { live, compose: (render) => composeRoutePage(render, page) };
    },
  };
}

function findVesselPage(context: SiteContext, requested: Requested): SitePage | null {
  const { pathname, language, home, catalogue } = requested;
  const own = catalogue.vessels.find((each) => listVesselAddresses(each).includes(pathname));
  if (!own) return null;
  const vessel = translateTexts(own, language);
  const address = vesselAddress(own.name);
  return {
    address,
    prepare: async (load) => {
      const live = await load(() => listVesselRoutes(context, own.id));
      const isServed = ({ origin, destination }: NamedRoute) =>
        live?.some(
          ({ originId, destinationId }) => originId === origin.id && destinationId === destination.id,
        );
      const routes = live && listNamedRoutes(home).filter(isServed);
      return { live, compose: (render) => composeVesselPage(render, { vessel, address, routes }) };
    },
  };
}

/** Under the name of the boat in each language: links are written from the name that is shown. */
function listVesselAddresses(vessel: CatalogueRecord['vessels'][number]): string[] {
  return listOfferedLanguages().map((language) => vesselAddress(translateTexts(vessel, language).name));
}

function findTerminalPage(context: SiteContext, requested: Requested): SitePage | null {
  const { pathname, language, home, catalogue } = requested;
  const isShown = ({ code }: { code: string }) =>
    terminalAddress(code).toUpperCase() === pathname.toUpperCase();
  const shown = home.catalogue.ports.find(isShown);
  const own = catalogue.ports.find(isShown);
  if (!shown || !own) return null;
  const port = translateTexts(own, language);
  const lines = listNamedRoutes(home);
  return {
    address: terminalAddress(port.code),
    places: [shown],
    prepare: async (load) => {
      const live = await load(() => readTerminal(context, port, language));
      return { live, compose: (render) => composeTerminalPage(render, { port, lines, live }) };
    },
  };
}

const SITE_PATHS = [HELP_PATH, routePages.all, routePages.one, placePages.vessel, placePages.terminal];

function isSitePath(pathname: string): boolean {
  return SITE_PATHS.some((path) => matchesPath(path, pathname));
}
