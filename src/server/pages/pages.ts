import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { HomeData } from '#contract/catalogue.ts';
import { apiPaths, portalPages, ticketPages } from '#contract/paths.ts';
import type { PageConfig, WebSettings } from '#contract/settings.ts';
import {
  RESET_PATH,
  SETTINGS_PATH,
  SHELL_PATH,
  WORKER_PATH,
  type WorkerConfig,
} from '#contract/worker-messages.ts';
import { ConfigError } from '../config.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../log.ts';
import { loadHomeData } from '../sailings/home-data.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { type Asset, createAsset, loadAssets, sendAsset } from './assets.ts';
import { composeManifest } from './manifest.ts';
import { type BuildDescription, composePage, type Screen, versionOf } from './page.ts';
import { answerReset } from './reset-page.ts';
import { composeWorker, RETIRED_WORKER, workerHeaders } from './worker-script.ts';

export type Host = PageConfig['host'];

export type Pages = {
  /** Answers everything of a host that is not the API: pages, files of the build, version.txt. */
  handlerOf(host: Host): (request: Request) => Promise<Response>;
  /** The operator's data has changed: the next page shows it. */
  refresh(): void;
  stop(): Promise<void>;
};

type Live = { settings: WebSettings; home: HomeData };
type Build = {
  template: string;
  description: BuildDescription;
  assets: Map<string, Asset>;
  /** The service worker as built, not yet told where it runs. */
  worker: string;
  version: string;
  renderHome(config: PageConfig, data: HomeData): string;
};

const distFolder = fileURLToPath(new URL('../../../dist', import.meta.url));
/** Files of the build that are ours to read and nobody's to fetch. */
const PRIVATE_FILES = ['/index.html', '/pages.json', '/.vite/manifest.json', WORKER_PATH];
/** Screens that open without a network: the shell carries their styles, so that they are right at first paint. */
const READABLE: Record<Host, readonly string[]> = {
  tickets: [ticketPages.home, ticketPages.confirmation],
  portal: [
    portalPages.orders,
    portalPages.tripCards,
    portalPages.tripCardBalance,
    portalPages.tripCardTopUps,
  ],
};
/** How long a page may lag behind the operator's data. */
const LIVE_FOR_MS = 5_000;

/**
 * Opens the built web app.
 * @throws {ConfigError} when there is no build
 */
export async function openPages(deps: Deps): Promise<Pages> {
  const build = await openBuild();
  const composed = new Map<string, ReturnType<typeof composePage>>();
  const live = keepLive(deps, () => composed.clear());
  // Looked at once before anybody asks, so that there is something to show while the database is away.
  await live.load();

  async function page(host: Host, screen: Screen): Promise<ReturnType<typeof composePage>> {
    const { settings, home } = await live.load();
    const key = `${host} ${screen.path}`;
    const ready = composed.get(key);
    if (ready) return ready;
    const config = pageConfig(deps, host, settings, build.version);
    const isHome = host === 'tickets' && screen.path === ticketPages.home;
    const made = composePage({
      template: build.template,
      build: build.description,
      screen,
      config,
      home: isHome ? { data: home, markup: build.renderHome(config, home) } : null,
    });
    composed.set(key, made);
    return made;
  }

  const version = createAsset(apiPaths.version, build.version);
  const shells = { tickets: shellOf(build, 'tickets'), portal: shellOf(build, 'portal') };
  const workers = { tickets: workerOf(deps, build, 'tickets'), portal: workerOf(deps, build, 'portal') };
  return {
    handlerOf: (host) =>
      orFailure(deps, async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === RESET_PATH) return answerReset(request, deps.config.origins[host]);
        if (request.method !== 'GET' && request.method !== 'HEAD')
          return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
        if (pathname === WORKER_PATH) {
          const { asset, headers } = workers[host];
          return sendAsset(request, asset, headers);
        }
        if (pathname === apiPaths.version)
          return sendAsset(request, version, { 'Cache-Control': 'no-store' });
        if (pathname === '/manifest.webmanifest') {
          return sendAsset(
            request,
            createAsset(pathname, composeManifest(host, (await live.load()).settings)),
          );
        }
        const asset = build.assets.get(pathname);
        if (asset) return sendAsset(request, asset);
        if (pathname.startsWith('/assets/')) return new Response('Not found', { status: 404 });
        const screen =
          pathname === SHELL_PATH
            ? shells[host]
            : findScreen(build.description.hosts[host].screens, pathname);
        if (!screen) return Response.redirect(new URL('/404', deps.config.origins[host]), 302);
        const { asset: html, headers } = await page(host, screen);
        const response = sendAsset(request, html, headers);
        return pathname === '/404'
          ? new Response(response.body, { status: 404, headers: response.headers })
          : response;
      }),
    refresh: live.expire,
    stop: async () => {},
  };
}

/** A page that cannot be made is noted, and answered without words about why. */
function orFailure(
  { log }: Pick<Deps, 'log'>,
  handler: (request: Request) => Promise<Response>,
): typeof handler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      log.error('page failed', describeError(error));
      return new Response('Something went wrong', { status: 500, headers: { 'Cache-Control': 'no-store' } });
    }
  };
}

/** What each page is told of where it runs. */
export function pageConfig(deps: Deps, host: Host, settings: WebSettings, version: string): PageConfig {
  const { config, provider } = deps;
  return {
    host,
    origins: {
      tickets: config.origins.tickets,
      portal: config.origins.portal,
      storage: config.origins.storage,
    },
    parent_domain: config.parentDomain,
    secure_cookies: config.origins.tickets.startsWith('https:'),
    password_min_length: config.passwordMinLength,
    provider: {
      publishable_key: provider.publishableKey,
      script_url: provider.scriptUrl,
      is_test: provider.isTest,
    },
    sentry_dsn: config.sentryDsn,
    version,
    settings: { ...settings, sw: { disabled: settings.sw?.disabled === true || !config.hasWorker } },
  };
}

/** The document a host's worker answers navigations with: no screen of its own, but what the readable ones need. */
function shellOf({ description }: Build, host: Host): Screen {
  const { screens } = description.hosts[host];
  const readable = screens.filter(({ path }) => READABLE[host].includes(path));
  const first = screens.find(({ path }) => path === READABLE[host][0]);
  return {
    path: SHELL_PATH,
    title: null,
    modulepreload: first?.modulepreload ?? [],
    styles: [...new Set(readable.flatMap(({ styles }) => styles))],
  };
}

function workerOf(
  { config }: Deps,
  build: Build,
  host: Host,
): { asset: Asset; headers: Record<string, string> } {
  const worker: WorkerConfig = {
    build: build.version,
    host,
    settings_url: new URL(SETTINGS_PATH, config.origins.storage).href,
  };
  const script = config.hasWorker ? composeWorker(build.worker, worker) : RETIRED_WORKER;
  return { asset: createAsset(WORKER_PATH, script), headers: workerHeaders(worker) };
}

type LiveData = { load(): Promise<Live>; expire(): void };

/** Settings and catalogue of a few seconds ago at most; tells when they changed. */
function keepLive(deps: Deps, changed: () => void): LiveData {
  let last: { at: number; key: string; value: Live } | null = null;
  let expiries = 0;

  async function load(): Promise<Live> {
    const now = deps.clock.now().getTime();
    if (last && now - last.at < LIVE_FOR_MS) return last.value;
    const expiriesBefore = expiries;
    try {
      const value = { settings: await loadWebSettings(deps), home: await loadHomeData(deps) };
      // The catalogue says when it was read; that alone is no change.
      const key = JSON.stringify(value, (name, field) => (name === 'as_of' ? undefined : field));
      if (last?.key !== key) changed();
      const at = expiries === expiriesBefore ? now : Number.NEGATIVE_INFINITY;
      last = { at, key, value: last?.key === key ? last.value : value };
    } catch (error) {
      // A page of a minute ago is better than none while the database is away.
      if (!last) throw error;
      deps.log.error('live page data failed', describeError(error));
      last.at = now;
    }
    return last.value;
  }

  function expire(): void {
    expiries += 1;
    if (last) last.at = Number.NEGATIVE_INFINITY;
  }

  return { load, expire };
}

async function openBuild(): Promise<Build> {
  try {
    const web = join(distFolder, 'web');
    const template = readFileSync(join(web, 'index.html'), 'utf8');
    const description: BuildDescription = JSON.parse(readFileSync(join(web, 'pages.json'), 'utf8'));
    const worker = readFileSync(join(web, WORKER_PATH), 'utf8');
    const assets = loadAssets(web);
    for (const path of PRIVATE_FILES) assets.delete(path);
    const prerender = pathToFileURL(join(distFolder, 'prerender', 'tickets-home.js')).href;
    const { renderHome } = (await import(prerender)) as Pick<Build, 'renderHome'>;
    return {
      template,
      description,
      assets,
      worker,
      version: versionOf([
        template,
        JSON.stringify(description),
        worker,
        ...[...assets].flatMap(([path, { etag }]) => [path, etag]).toSorted(),
      ]),
      renderHome,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ConfigError(
      'The web app is not built. Run "npm run build" first, or "npm start", which does it.',
    );
  }
}

/** The screen whose path pattern (`/orders/{id}/confirmation`) fits. */
function findScreen(screens: readonly Screen[], pathname: string): Screen | undefined {
  return screens.find(({ path }) => {
    const pattern = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}/?$`).test(pathname);
  });
}
