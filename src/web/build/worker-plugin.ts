import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest, PluginOption } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { HOSTS } from '#contract/hosts.ts';
import { hasSnapshots } from '#contract/pages.ts';
import { LISTED_LANGUAGE } from '#messages/build/built-catalogues.ts';
import { catalogueOf, startCatalogue } from '#messages/build/message-groups.ts';
import type { Pages } from './pages-plugin.ts';
import { hostsOfFiles } from './precache.ts';

/** Cached for every host. */
const ICON = 'icon.svg';
/** Messages of a language for the pages of a host, or for a module that is loaded on demand. */
const CATALOGUE = /^assets\/messages-[^/]+\/([^/]+)\/(.+)\.js$/;
/** No single file should cost a phone on a weak connection more. */
const LARGEST_FILE = 512 * 1024;

/**
 * Builds the service worker from `sw/` into `sw.js`, with the list of all files and the hosts that need them. The server
 * prepends its configuration, and pages register the worker themselves.
 */
export function workerPlugin(outDir: string, target: string[]): PluginOption {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: '../../sw',
    filename: 'sw.ts',
    outDir,
    injectRegister: false,
    manifest: false,
    injectManifest: {
      rollupFormat: 'iife',
      target,
      globPatterns: ['assets/**/*.{js,css,woff2}', ICON],
      // Their names change with their content.
      dontCacheBustURLsMatching: /^assets\//,
      maximumFileSizeToCacheInBytes: LARGEST_FILE,
      manifestTransforms: [
        async (entries) => {
          const hosts = await readHosts(outDir);
          return {
            manifest: entries.flatMap(({ url, revision, size }) => {
              const [, language, name] = CATALOGUE.exec(url) ?? [];
              const needing = hosts.get(name ?? url);
              if (needing === undefined) return [];
              if (name === undefined) return [{ url: `/${url}`, revision, size, hosts: needing }];
              if (language !== LISTED_LANGUAGE) return [];
              const path = url.replace(`/${language}/`, '/{language}/');
              return [{ url: `/${path}`, revision, size, hosts: needing }];
            }),
          };
        },
      ],
    },
  });
}

/** By file, and by name of the catalogues. Empty after a failed build, so that the build's own error is reported. */
async function readHosts(outDir: string): Promise<ReturnType<typeof hostsOfFiles>> {
  const file = join(outDir, 'pages.json');
  if (!existsSync(file)) return new Map();
  const pages = JSON.parse(await readFile(file, 'utf8')) as Pages;
  const manifest = JSON.parse(await readFile(join(outDir, '.vite/manifest.json'), 'utf8')) as Manifest;
  const hosts = hostsOfFiles(manifest)
    .set(ICON, [...HOSTS])
    .set(pages.startCheck.slice(1), [...HOSTS]);
  hosts.set(pages.firstPaint.slice(1), HOSTS.filter(hasSnapshots));
  for (const host of HOSTS) hosts.set(startCatalogue(host), [host]);
  for (const [module, { file }] of Object.entries(manifest)) {
    const needing = hosts.get(file);
    const name = catalogueOf(`/src/web/${module}`);
    if (needing && name !== null) hosts.set(name, needing);
  }
  return hosts;
}
