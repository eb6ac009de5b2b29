import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { WORKER_PATH } from '#contract/worker-messages.ts';
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
  renderHome(config: PageConfig, data: HomeData): string;
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
    const { renderHome } = (await import(prerender)) as Pick<Build, 'renderHome'>;
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
      renderHome,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ConfigError(
      'The web app is not built. Run "npm run build" first, or "npm start", which does it.',
    );
  }
}
