import { basename } from 'node:path';
import type { Manifest, ManifestChunk } from 'vite';
import type { Host } from '#contract/page.ts';
import { ENTRY, findHostChunks, findStartChunks } from './manifest.ts';

/**
 * The script that a host's pages start with: the chunks that each of its screens needs, and the loader of the others. One
 * file, because each further one takes a slow phone about ten milliseconds, also from the worker's cache.
 * @param scripts of the chunks
 * @param loader `chunk-loader.ts`, built
 */
export function composeStartScript(
  manifest: Manifest,
  host: Host,
  { scripts, loader }: { scripts: readonly string[]; loader: string },
): string {
  const entry = JSON.stringify(toImport(manifest[ENTRY]?.file ?? ''));
  const imports = JSON.stringify(listLaterImports(manifest, host));
  return `${scripts.join('')}{const ENTRY=${entry},IMPORTS=${imports};${loader}}`;
}

/** What each chunk outside of the start script imports that is outside, too. */
function listLaterImports(manifest: Manifest, host: Host): Record<string, string[]> {
  const atStart = new Set(findStartChunks(manifest, host));
  const isLater = (chunk: ManifestChunk | undefined) => chunk !== undefined && !atStart.has(chunk);
  const imports = findHostChunks(manifest, host)
    .filter(isLater)
    .map(({ file, imports: keys = [] }) => {
      const later = keys.map((key) => manifest[key]).filter(isLater);
      return [toImport(file), later.map((chunk) => toImport(chunk?.file ?? ''))] as const;
    });
  return Object.fromEntries(imports.filter(([, files]) => files.length > 0));
}

/** As one chunk imports another: all are in the same folder. */
function toImport(file: string): string {
  return `./${basename(file)}`;
}
