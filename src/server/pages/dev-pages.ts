import { readFileSync } from 'node:fs';
import { forEachHost, type Host } from '#contract/hosts.ts';
import { findPage } from '#contract/pages.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { RESET_PATH, WORKER_PATH } from '#contract/worker-messages.ts';
import type { Context } from '../context.ts';
import { loadHomeData } from '../sailings/home-data.ts';
import { getLastLanguage, loadWebSettings } from '../settings/web-settings.ts';
import { createAsset, sendAsset } from './assets.ts';
import { addOperatorZone, pageConfig, UNREGISTERING_WORKER } from './front-end.ts';
import { composeManifest } from './manifest.ts';
import { composePage } from './page.ts';
import type { Pages } from './pages.ts';
import { handleReset } from './reset-page.ts';
import { composeHelpPreview } from './site/help-page.ts';
import { createSitePages } from './site/site-pages.ts';

/** Styles of the app that the pages of routes share. */
const STYLE_SHEETS = ['theme.css', 'base.css', 'layout/site-header.css'];

/**
 * Serves the pages with hot reload: Vite serves the modules in the parent process (`development.ts`), the HTML of each
 * host is rendered here.
 */
export function openDevPages(context: Context): Pages {
  const viteOrigin = `http://127.0.0.1:${context.config.port + 1}`;
  const styles = STYLE_SHEETS.map((file) =>
    readFileSync(new URL(`../../web/ui/${file}`, import.meta.url), 'utf8'),
  );
  const sitePages = createSitePages(context, {
    styles,
    loadData: async () => ({
      settings: await loadWebSettings(context),
      home: await loadHomeData(context),
      fingerprint: '',
    }),
    createConfig: (settings) => pageConfig(context, 'tickets', settings, 'development'),
  });
  return {
    createHandler: (host) => async (request) => {
      const url = new URL(request.url);
      const isPage = request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');
      if (url.pathname === RESET_PATH)
        return handleReset(request, {
          origin: context.config.origins[host],
          language: getLastLanguage(context),
        });
      // A browser that ran the built app on this port before may still have its worker.
      if (url.pathname === WORKER_PATH)
        return sendAsset(request, createAsset(WORKER_PATH, UNREGISTERING_WORKER));
      if (url.pathname === '/version.txt') return new Response('development');
      if (url.pathname === '/manifest.webmanifest') {
        return sendAsset(
          request,
          createAsset(url.pathname, composeManifest(host, await loadWebSettings(context))),
        );
      }
      const sitePage = servedHosts[host].isPublic
        ? await sitePages.find(url.pathname, getLastLanguage(context))
        : null;
      if (sitePage) return sendAsset(request, sitePage.asset, sitePage.headers);
      return isPage ? devPage(context, viteOrigin, host, url.pathname) : forwardToVite(viteOrigin, url);
    },
    // The home page is rendered by the build, and by the browser while developing.
    composePreview: async (page, settings) =>
      page === 'home'
        ? null
        : composeHelpPreview(pageConfig(context, 'tickets', settings, 'development'), styles),
    release: 'development',
    refresh: () => {},
    stop: async () => {},
  };
}

async function devPage(
  context: Context,
  viteOrigin: string,
  host: Host,
  pathname: string,
): Promise<Response> {
  const template = await (await fetch(`${viteOrigin}/index.html`)).text();
  const home = await loadHomeData(context);
  const settings = await loadWebSettings(context);
  const config = addOperatorZone(pageConfig(context, host, settings, 'development'), home);
  const files = { entry: `/start-${host}.ts`, scripts: [], styles: [], screens: [] };
  const { asset } = await composePage({
    template,
    build: { hosts: forEachHost(() => files), styles: {}, messages: '' },
    screen: { path: pathname, title: null, catalogue: null, scripts: [], styles: [] },
    config,
    operatorLanguage: config.settings.language,
    ...{ sky: null, place: null },
    home: findPage(host, pathname)?.isPrerendered
      ? { data: home.inLanguage(config.settings.language), markup: '' }
      : null,
  });
  // Without a policy, because hot reload uses inline styles and scripts and its own socket.
  return new Response(asset.plain, { headers: { 'Content-Type': asset.type, 'Cache-Control': 'no-store' } });
}

async function forwardToVite(origin: string, url: URL): Promise<Response> {
  const response = await fetch(`${origin}${url.pathname}${url.search}`);
  const headers = new Headers(response.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(response.body, { status: response.status, headers });
}
