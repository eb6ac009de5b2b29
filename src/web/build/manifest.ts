import { relative } from 'node:path';
import type { Manifest, ManifestChunk, Rolldown } from 'vite';

/** The module that starts the app. */
export const ENTRY = 'main.tsx';

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
  const found: ManifestChunk[] = [];
  const seen = new Set<string>();
  function visit(key: string): void {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The manifest has no ${key}; does a route table import it?`);
    if (seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const imported of importsOf(chunk)) visit(imported);
    found.push(chunk);
  }
  for (const key of keys) visit(key);
  return found;
}
