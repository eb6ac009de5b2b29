import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest, PluginOption } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { HOSTS, hostsOfFiles } from './precache.ts';

/** Cached for both hosts. */
const ICON = 'icon.svg';
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
              const wantedBy = url === ICON ? HOSTS : hosts.get(url);
              return wantedBy ? [{ url: `/${url}`, revision, size, hosts: wantedBy }] : [];
            }),
          };
        },
      ],
    },
  });
}

/** Empty after a failed build, whose own error matters more. */
async function readHosts(outDir: string): Promise<ReturnType<typeof hostsOfFiles>> {
  const file = join(outDir, '.vite/manifest.json');
  if (!existsSync(file)) return new Map();
  return hostsOfFiles(JSON.parse(await readFile(file, 'utf8')) as Manifest);
}
