import { createHash } from 'node:crypto';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import { listDocuments } from '#contract/documents.ts';
import { forEachHost, HOSTS, type Host } from '#contract/hosts.ts';
import { matchesPath } from '#contract/page.ts';
import { findPage as describePage } from '#contract/pages.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import type { PageConfig, WebSettings } from '#contract/settings/schemas.ts';
import { translateSettings } from '#contract/settings/translate-settings.ts';
import { SETTINGS_PATH, SHELL_PATH, WORKER_PATH, type WorkerConfig } from '#contract/worker-messages.ts';
import type { Context } from '../context.ts';
import { type LoadedHomeData, loadHomeData } from '../sailings/home-data.ts';
import { findElectronicTerms, findSeller } from '../settings/seller.ts';
import { loadWebSettings, omitPrivate } from '../settings/web-settings.ts';
import { type Asset, createAsset } from './assets.ts';
import type { Build } from './build.ts';
import { composeManifest } from './manifest.ts';
import { composePage, composeStillPage, type Screen } from './page.ts';
import { createRefreshingCache, type RefreshingCache } from './refreshing-cache.ts';
import type { StoredDocument, StoredRelease } from './release-store.ts';

/** A page or script with its headers. */
export type SentDocument = { asset: Asset; headers: Record<string, string> };

/** The pages of one release on every host. */
export type FrontEnd = {
  version: string;
  /** False if the release is older than the host. */
  serves(host: Host): boolean;
  /** The page of a path, also of `SHELL_PATH`, in a language; null if the release has no such screen. */
  findPage(host: Host, pathname: string, language: string): Promise<SentDocument | null>;
  findWorker(host: Host): SentDocument;
};

/** The release of this process. */
export type OwnFrontEnd = FrontEnd & {
  screens: StoredRelease['screens'];
  loadData(): Promise<LiveData>;
  composeManifest(host: Host, language: string): Promise<Asset>;
  /** The ticket host's home page with settings that are not published; their language is that of the page. */
  composeStillHome(settings: WebSettings): Promise<string>;
  /** The worker's script and the documents it caches, in the operator's language, for processes of other releases. */
  composeDocuments(): Promise<StoredDocument[]>;
  /** Invalidates the pages after a change of the operator's data. */
  refresh(): void;
};

/** What pages are rendered from, at most a few seconds old. */
export type LiveData = { settings: WebSettings; home: LoadedHomeData; fingerprint: string };

/** Maximum delay until pages show changed operator data. */
const FRESH_MS = 5_000;

/** Renders the pages of this process's build with the operator's current data. */
export async function openOwnFrontEnd(context: Context, build: Build): Promise<OwnFrontEnd> {
  const composed = new Map<string, SentDocument>();
  const live = createLiveData(context, () => composed.clear());
  // Loaded before the first request, so that pages can be rendered while the database is unavailable.
  await live.load();
  const { hosts } = build.description;
  const shells = forEachHost((host) => createShell(build, host));
  const workers = forEachHost((host) => createWorker(context, build, host));

  async function compose(
    host: Host,
    screen: Screen,
    { pathname, language }: { pathname: string; language: string },
  ): Promise<SentDocument> {
    const { settings, home: loaded } = await live.load();
    const home = loaded.inLanguage(language);
    const address = findAddress(screen.path, pathname, home);
    const key = `${language} ${host} ${screen.path} ${address}`;
    const cached = composed.get(key);
    if (cached) return cached;
    const config = addOperatorZone(
      pageConfig(context, host, translateSettings(settings, language), build.version),
      loaded,
    );
    const isPrerendered = describePage(host, screen.path)?.isPrerendered === true;
    const page = await composePage({
      template: build.template,
      build: build.description,
      screen,
      address,
      config,
      operatorLanguage: settings.language,
      ...{ sky: loaded.sky, place: loaded.place },
      home: isPrerendered ? { data: home, markup: await build.renderHome(config, home) } : null,
    });
    composed.set(key, page);
    return page;
  }

  async function findPage(host: Host, pathname: string, language: string): Promise<SentDocument | null> {
    const screen =
      pathname === SHELL_PATH
        ? shells[host]
        : hosts[host].screens.find(({ path }) => matchesPath(path, pathname));
    return screen ? compose(host, screen, { pathname, language }) : null;
  }

  async function composeStillHome(settings: WebSettings): Promise<string> {
    const { home: loaded } = await live.load();
    const screen = hosts.tickets.screens.find(({ path }) => path === ticketPages.home);
    if (screen === undefined) throw new Error('The build has no home page.');
    const config = pageConfig(context, 'tickets', settings, build.version);
    const home = loaded.inLanguage(settings.language);
    return composeStillPage({
      ...{ template: build.template, build: build.description, screen, config },
      ...{ sky: loaded.sky, place: loaded.place },
      home: { data: home, markup: await build.renderHome(config, home) },
    });
  }

  async function composeDocuments(): Promise<StoredDocument[]> {
    const documents: StoredDocument[] = [];
    for (const host of HOSTS) {
      const { settings, fingerprint } = await live.load();
      const config = JSON.stringify(pageConfig(context, host, settings, build.version));
      const source = createHash('sha256').update(config).update(fingerprint).digest('base64url');
      documents.push(toStored(host, WORKER_PATH, workers[host], source));
      for (const path of listDocuments(host)) {
        const page = await findPage(host, path, settings.language);
        if (page) documents.push(toStored(host, path, page, source));
      }
    }
    return documents;
  }

  return {
    version: build.version,
    serves: () => true,
    screens: forEachHost((host) => hosts[host].screens.map(({ path }) => path)),
    findPage,
    findWorker: (host) => workers[host],
    loadData: live.load,
    composeManifest: async (host, language) => {
      const { settings } = await live.load();
      return createAsset(
        '/manifest.webmanifest',
        composeManifest(host, translateSettings(settings, language)),
      );
    },
    composeStillHome,
    composeDocuments,
    refresh: live.expire,
  };
}

/** The address of a port's departures; all other pages are the same for every value of their parameters. */
function findAddress(path: string, pathname: string, { catalogue }: HomeData): string {
  if (path !== ticketPages.portDepartures) return path;
  const port = catalogue.ports.find(
    ({ code }) => pathname === fillPath(ticketPages.portDepartures, { code }),
  );
  return port === undefined ? path : pathname;
}

/** The configuration embedded in each page. */
export function pageConfig(context: Context, host: Host, settings: WebSettings, version: string): PageConfig {
  const { config, provider } = context;
  const { seller, ...shown } = omitPrivate(settings);
  const electronic = findElectronicTerms({ seller });
  return {
    host,
    origins: { ...forEachHost((each) => config.origins[each]), storage: config.origins.storage },
    parent_domain: config.parentDomain,
    password_min_length: config.passwordMinLength,
    provider: {
      publishable_key: provider.publishableKey,
      script_url: provider.scriptUrl,
      is_test: provider.isTest,
    },
    ...(config.sms === null ? {} : { sends_text_messages: true }),
    ...(findSeller({ seller }) ? { issues_receipts: true } : {}),
    ...(electronic ? { seller_country: electronic.sellerCountry } : {}),
    sentry_dsn: config.sentryDsn,
    version,
    settings: { ...shown, sw: { disabled: settings.sw?.disabled === true || !config.hasWorker } },
  };
}

/** Adds the operator's zone to the configuration of a page that shows times on the operator's clock. */
export function addOperatorZone(config: PageConfig, { catalogue }: LoadedHomeData): PageConfig {
  const isOnOperatorClock = servedHosts[config.host].clock === 'operator';
  return isOnOperatorClock ? { ...config, time_zone: catalogue.feed.timeZone } : config;
}

/**
 * The document with which a host's worker answers navigations. It renders no screen but contains the styles of the
 * screens readable offline, for a correct first paint.
 */
function createShell({ description }: Build, host: Host): Screen {
  const readable = description.hosts[host].screens.filter(
    ({ path }) => describePage(host, path)?.isReadableOffline,
  );
  return {
    path: SHELL_PATH,
    title: null,
    catalogue: null,
    scripts: readable[0]?.scripts ?? [],
    styles: [...new Set(readable.flatMap(({ styles }) => styles))],
  };
}

function createWorker({ config }: Context, { version, worker }: Build, host: Host): SentDocument {
  const workerConfig: WorkerConfig = {
    build: version,
    host,
    settings_url: new URL(SETTINGS_PATH, config.origins.storage).href,
  };
  return {
    asset: createAsset(WORKER_PATH, composeWorker(worker, workerConfig)),
    headers: workerHeaders(workerConfig),
  };
}

/** Settings and catalogue, at most a few seconds old; calls `changed` when they differ. */
function createLiveData(context: Context, changed: () => void): RefreshingCache<LiveData> {
  let last: LiveData | null = null;
  return createRefreshingCache(context, {
    name: 'live page data',
    freshMs: FRESH_MS,
    read: async () => {
      const data = { settings: await loadWebSettings(context), home: await loadHomeData(context) };
      const { revision, sky } = data.home;
      const home = data.home.inLanguage(data.settings.language);
      const shown = { ...home, settings: data.settings, revision, sky };
      // The catalogue contains the time it was read, which is not a change.
      const fingerprint = JSON.stringify(shown, (name, field) => (name === 'as_of' ? undefined : field));
      if (last?.fingerprint === fingerprint) return last;
      changed();
      last = { ...data, fingerprint };
      return last;
    },
  });
}

function toStored(
  host: Host,
  path: string,
  { asset, headers }: SentDocument,
  fingerprint: string,
): StoredDocument {
  return { host, path, fingerprint, headers, content: Buffer.from(asset.plain).toString('utf8') };
}

/** Prepends the server's configuration to the built worker. Every process writes the same bytes. */
export function composeWorker(script: string, config: WorkerConfig): string {
  return `self.workerConfig=${JSON.stringify(config)};\n${script}`;
}

/** A worker obeys the policy of its script: it connects to our origin and the settings. */
export function workerHeaders({ settings_url }: Pick<WorkerConfig, 'settings_url'>): Record<string, string> {
  const { origin } = new URL(settings_url);
  return {
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; connect-src 'self' ${origin}`,
    'Referrer-Policy': 'no-referrer',
  };
}

/**
 * Replaces the worker when it is disabled, and in development: activates at once, deletes all caches, and unregisters
 * itself. Tabs keep running without a worker.
 */
export const UNREGISTERING_WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(retire()));
async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
`;
