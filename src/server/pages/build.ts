import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import { ticketPages } from '#contract/paths.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { WORKER_PATH } from '#contract/worker-messages.ts';
import { matchLanguage, SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Catalogue } from '#messages/translate.ts';
import { ConfigError } from '../config.ts';
import { type Asset, loadAssets } from './assets.ts';
import { type BuildDescription, hashVersion } from './page.ts';

/** The web app as built by `npm run build`. */
export type Build = {
  template: string;
  description: BuildDescription;
  /** Public files by path. */
  assets: Map<string, Asset>;
  /** The service worker's script without its configuration. */
  worker: string;
  version: string;
  renderHome(config: PageConfig, data: HomeData): Promise<string>;
};

type Prerender = {
  renderHome(config: PageConfig, data: HomeData, catalogues: readonly Catalogue[]): string;
};

const distFolder = fileURLToPath(new URL('../../../dist', import.meta.url));
/** Files of the build for the server only. */
const PRIVATE_FILES = ['/index.html', '/pages.json', '/.vite/manifest.json', WORKER_PATH];

/** @throws {ConfigError} if there is no build */
export async function openBuild(): Promise<Build> {
  try {
    const web = join(distFolder, 'web');
    const template = readFileSync(join(web, 'index.html'), 'utf8');
    const description: BuildDescription = JSON.parse(readFileSync(join(web, 'pages.json'), 'utf8'));
    const worker = readFileSync(join(web, WORKER_PATH), 'utf8');
    const assets = loadAssets(web);
    for (const path of PRIVATE_FILES) assets.delete(path);
    const prerender = pathToFileURL(join(distFolder, 'prerender', 'tickets-home.js')).href;
    const { renderHome } = (await import(prerender)) as Prerender;
    return {
      template,
      description,
      assets,
      worker,
      version: hashVersion([
        template,
        JSON.stringify(description),
        worker,
        ...[...assets].flatMap(([path, { etag }]) => [path, etag]).toSorted(),
      ]),
      renderHome: async (config, data) => {
        const catalogues = await loadHomeCatalogues(web, description, config.settings.language);
        return renderHome(config, data, catalogues);
      },
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ConfigError(
      'The web app is not built. Run "npm run build" first, or "npm start", which does it.',
    );
  }
}

/** The messages of the home page, as the app in the browser loads them. */
async function loadHomeCatalogues(
  web: string,
  { messages, hosts }: BuildDescription,
  tag: string,
): Promise<Catalogue[]> {
  const language = matchLanguage(tag) ?? SOURCE_LANGUAGE;
  if (language === SOURCE_LANGUAGE) return [];
  const home = hosts.tickets.screens.find(({ path }) => path === ticketPages.home);
  const names = ['tickets/start', home?.catalogue].filter((name) => typeof name === 'string');
  return Promise.all(
    names.map(async (name) => {
      const file = pathToFileURL(join(web, messages, language, `${name}.js`)).href;
      return ((await import(file)) as { default: Catalogue }).default;
    }),
  );
}
