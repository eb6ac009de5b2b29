import type { Manifest, ManifestChunk } from 'vite';

/** The chunks of some modules and of everything they import, each after its imports. */
export function findChunks(
  manifest: Manifest,
  keys: readonly string[],
  importsOf = ({ imports = [] }: ManifestChunk): readonly string[] => imports,
): ManifestChunk[] {
  const found: ManifestChunk[] = [];
  const seen = new Set<string>();
  function visit(key: string): void {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The manifest has no ${key}; does a route table import it?`);
    for (const imported of importsOf(chunk)) visit(imported);
    found.push(chunk);
  }
  for (const key of keys) visit(key);
  return found;
}
