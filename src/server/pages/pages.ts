import type { PreviewedPage } from '#contract/desk/settings/preview.ts';
import { listDocuments } from '#contract/documents.ts';
import type { Host } from '#contract/hosts.ts';
import { ticketPages } from '#contract/paths.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { RELEASE_PARAMETER, RESET_PATH, VERSION_PATH, WORKER_PATH } from '#contract/worker-messages.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Context } from '../context.ts';
import { findPageLanguage } from '../http/request-language.ts';
import { getLastLanguage } from '../settings/web-settings.ts';
import { createAsset, sendAsset } from './assets.ts';
import { openBuild } from './build.ts';
import { answerFailedPage } from './failed-page.ts';
import { type FrontEnd, openOwnFrontEnd, pageConfig, UNREGISTERING_WORKER } from './front-end.ts';
import { createOrderPages, isOrderPage } from './order-page.ts';
import { openReleases } from './releases.ts';
import { handleReset } from './reset-page.ts';
import { composeHelpPreview } from './site/help-page.ts';
import { createPictures } from './site/pictures.ts';
import { createSitePages } from './site/site-pages.ts';
import { answerWellKnown } from './well-known.ts';

/** Paths of files. One that is missing answers 404, to a person with the not-found page; a page that is missing redirects to the not-found page. */
const FILE_PATH = /^\/(?:assets|\.well-known)\/|\.[a-z0-9]{1,12}$/i;

/** The same on every host. */
const NOT_FOUND_PATH = ticketPages.notFound;

/** Files of a release, which its front end serves. */
const RELEASE_PATHS = [VERSION_PATH, WORKER_PATH];

/** The pages that are shown with settings before they are published. */
export type PublicPreview = Exclude<PreviewedPage, 'mail'>;

export type Pages = {
  /** Version of the release that this process runs. */
  readonly release: string;
  /** The handler for everything of a host except the API: pages, built files, version.txt. */
  createHandler(host: Host): (request: Request) => Promise<Response>;
  /**
   * A public page as it would be with settings that are not published, without scripts. Their language is that of the page.
   * @returns HTML; null if this process cannot render the page
   */
  composePreview(page: PublicPreview, settings: WebSettings): Promise<string | null>;
  /** Invalidates the pages after a change of the operator's data. */
  refresh(): void;
  stop(): Promise<void>;
};

/**
 * Opens the built web app and publishes its release to other processes.
 * @throws {ConfigError} if there is no build
 */
export async function openPages(context: Context): Promise<Pages> {
  const { config } = context;
  const build = await openBuild();
  const own = await openOwnFrontEnd(context, build);
  const releases = await openReleases(context, own, {
    assets: build.assets,
    isAlone: config.databaseUrl === null,
  });
  const { hosts, styles } = build.description;
  const siteStyles = hosts.tickets.styles.flatMap((href) => styles[href] ?? []);
  const sitePages = createSitePages(context, {
    styles: siteStyles,
    loadData: own.loadData,
    createConfig: (settings) => pageConfig(context, 'tickets', settings, build.version),
  });
  const findPicture = createPictures(context);
  const sendOrderPage = createOrderPages(context);
  const retiredWorker = createAsset(WORKER_PATH, UNREGISTERING_WORKER);

  async function findFrontEnd(host: Host, requested: string | null): Promise<FrontEnd> {
    const found = await releases.findFrontEnd(requested);
    return found.serves(host) ? found : own;
  }

  async function answer(request: Request, host: Host): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const language = findPageLanguage(host, request, getLastLanguage(context));
    const t = textsIn(language);
    if (pathname === RESET_PATH) return handleReset(request, { origin: config.origins[host], language });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
    if (pathname === '/manifest.webmanifest') {
      return sendAsset(request, await own.composeManifest(host, language));
    }
    const wellKnown = await answerWellKnown(context, { host, pathname, loadData: own.loadData });
    if (wellKnown) return wellKnown;
    if (servedHosts[host].isPublic) {
      const sitePage = await sitePages.find(pathname, language);
      if (sitePage) return sendAsset(request, sitePage.asset, sitePage.headers);
      const picture = await findPicture(pathname);
      if (picture) return sendAsset(request, picture);
    }
    const file = build.assets.get(pathname) ?? (await releases.findFile(pathname));
    if (file) return sendAsset(request, file);
    if (FILE_PATH.test(pathname) && !RELEASE_PATHS.includes(pathname)) {
      return acceptsPage(request)
        ? answerFrom(await findFrontEnd(host, null), request, { host, pathname: NOT_FOUND_PATH, language })
        : new Response(t('Not found'), {
            status: 404,
            headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
          });
    }
    const requested = listDocuments(host).includes(pathname) ? searchParams.get(RELEASE_PARAMETER) : null;
    return answerFrom(await findFrontEnd(host, requested), request, { host, pathname, language });
  }

  async function answerFrom(
    frontEnd: FrontEnd,
    request: Request,
    { host, pathname, language }: { host: Host; pathname: string; language: string },
  ): Promise<Response> {
    if (pathname === VERSION_PATH) {
      const version = createAsset(VERSION_PATH, frontEnd.version);
      return sendAsset(request, version, { 'Cache-Control': 'no-store' });
    }
    if (pathname === WORKER_PATH) {
      const { asset, headers } = frontEnd.findWorker(host);
      return sendAsset(request, config.hasWorker ? asset : retiredWorker, headers);
    }
    const page = await frontEnd.findPage(host, pathname, language);
    if (!page) return Response.redirect(new URL(NOT_FOUND_PATH, config.origins[host]), 302);
    if (isOrderPage(pathname)) return sendOrderPage(request, page);
    const response = sendAsset(request, page.asset, page.headers);
    return pathname === NOT_FOUND_PATH
      ? new Response(response.body, { status: 404, headers: response.headers })
      : response;
  }

  return {
    release: build.version,
    createHandler: (host) => respondOrFail(context, host, (request) => answer(request, host)),
    async composePreview(page, settings) {
      if (page === 'home') return own.composeStillHome(settings);
      return composeHelpPreview(pageConfig(context, 'tickets', settings, build.version), siteStyles);
    },
    refresh() {
      own.refresh();
      sitePages.expire();
    },
    stop: () => releases.stop(),
  };
}

/** Whether the answer is shown to a person, as that of a followed link is. */
function acceptsPage({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/html') ?? false;
}

function respondOrFail(
  context: Pick<Context, 'db' | 'log'>,
  host: Host,
  handler: (request: Request) => Promise<Response>,
): typeof handler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      return answerFailedPage(context, request, {
        error,
        language: findPageLanguage(host, request, getLastLanguage(context)),
      });
    }
  };
}
