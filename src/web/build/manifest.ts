import { relative } from 'node:path';
import type { Manifest, ManifestChunk, Rolldown } from 'vite';
import type { Host } from '#contract/hosts.ts';

/** The module that starts the app on a host's pages. */
export function getEntry(host: Host): string {
  return `start-${host}.ts`;
}

/** Adds the modules that share a chunk with others: the manifest has keys only for modules with their own. */
export function withModules(manifest: Manifest, bundle: Rolldown.OutputBundle, root: string): Manifest {
  const chunks = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]));
  const modules = Object.values(bundle).flatMap((output) => {
    const chunk = chunks.get(output.fileName);
    return output.type === 'chunk' && chunk ? output.moduleIds.map((id) => [relative(root, id), chunk]) : [];
  });
  return { ...Object.fromEntries(modules), ...manifest };
}

/** The chunks of some modules and of everything they import, each after its imports. */
export function findChunks(
  manifest: Manifest,
  keys: readonly string[],
  importsOf = ({ imports = [] }: ManifestChunk): readonly string[] => imports,
): ManifestChunk[] {
  const chunks: ManifestChunk[] = [];
  const seen = new Set<string>();
  function visit(key: string): void {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The manifest has no ${key}; does a route table import it?`);
    if (seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const imported of importsOf(chunk)) visit(imported);
    chunks.push(chunk);
  }
  for (const key of keys) visit(key);
  return chunks;
}

export function getRouteTable(host: Host): string {
  return `${host}/routes.tsx`;
}

/** What the pages of a host run before they load the screen. */
export function findStartChunks(manifest: Manifest, host: Host): ManifestChunk[] {
  return findChunks(manifest, [getEntry(host)]);
}

/**
 * The chunks that a host's pages import, at once or on demand.
 * @param isIncluded whether an import on demand counts
 */
export function findHostChunks(
  manifest: Manifest,
  host: Host,
  isIncluded: (key: string) => boolean = () => true,
): ManifestChunk[] {
  return findChunks(manifest, [getEntry(host)], ({ imports = [], dynamicImports = [] }) => [
    ...imports,
    ...dynamicImports.filter(isIncluded),
  ]);
}
