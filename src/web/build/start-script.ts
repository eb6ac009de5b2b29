import { basename } from 'node:path';
import type { Manifest } from 'vite';
import type { Host } from '#contract/page.ts';
import { ENTRY, findChunks, findHostChunks, findStartChunks } from './manifest.ts';

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

/** What each chunk that is imported on demand imports itself, without what the start script has. */
function listLaterImports(manifest: Manifest, host: Host): Record<string, string[]> {
  const atStart = new Set(findStartChunks(manifest, host).map(({ file }) => file));
  const chunks = findHostChunks(manifest, host);
  const onDemand = new Set(
    chunks.flatMap(({ dynamicImports = [] }) => dynamicImports.map((key) => manifest[key]?.file)),
  );
  const imports = chunks
    .filter(({ file }) => onDemand.has(file) && !atStart.has(file))
    .map((chunk) => {
      const files = findChunks(manifest, chunk.imports ?? []).map(({ file }) => file);
      return [toImport(chunk.file), files.filter((file) => !atStart.has(file)).map(toImport)] as const;
    });
  return Object.fromEntries(imports.filter(([, files]) => files.length > 0));
}

/** As one chunk imports another: all are in the same folder. */
function toImport(file: string): string {
  return `./${basename(file)}`;
}
