import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { readMessages } from './read-messages.ts';

type SourceFile = {
  texts: readonly string[];
  /** Imported files, by paths. */
  imports: readonly string[];
  dynamicImports: readonly string[];
};

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const START = '/start';
const WEB = /\/src\/web\/(.+)\.tsx?$/;

/**
 * The texts of each built catalogue of the browser, by its name: one for each entry, and one for each module that is
 * loaded on demand, with what is not loaded before it.
 * @param entries paths from the top of the project, by host
 */
export function groupMessages(entries: Readonly<Record<string, string>>): Map<string, Set<string>> {
  const read = createReader();
  const groups = new Map<string, Set<string>>();
  for (const [host, entry] of Object.entries(entries)) {
    const start = join(ROOT, entry);
    for (const [path, texts] of divide(start, read)) {
      const name = path === start ? startCatalogue(host) : catalogueOf(path);
      if (name !== null) groups.set(name, new Set([...(groups.get(name) ?? []), ...texts]));
    }
  }
  return new Map([...groups].filter(([name, { size }]) => size > 0 || name.endsWith(START)));
}

/** The texts of an entry and of each module that is loaded on demand, without those of what loads it. */
function divide(entry: string, read: (path: string) => SourceFile): Map<string, Set<string>> {
  const modules = new Map<string, { texts: Set<string>; loadedBy: Set<string> }>();
  const visit = (path: string, loader: string | null): void => {
    const visited = modules.get(path);
    if (loader !== null) visited?.loadedBy.add(loader);
    if (visited) return;
    const { texts, dynamicImports } = collect(path, read);
    modules.set(path, { texts, loadedBy: new Set(loader === null ? [] : [loader]) });
    for (const imported of dynamicImports) visit(imported, path);
  };
  visit(entry, null);
  // What is loaded before a module: the entry, and all that leads to the module if there is one way only.
  const loadedBefore = (path: string): Set<string> => {
    const [loader, ...others] = modules.get(path)?.loadedBy ?? [];
    if (loader === undefined) return new Set();
    const via = others.length > 0 ? entry : loader;
    return new Set([...loadedBefore(via), ...(modules.get(via)?.texts ?? [])]);
  };
  return new Map(
    [...modules].map(([path, { texts }]) => {
      const before = loadedBefore(path);
      return [path, new Set([...texts].filter((text) => !before.has(text)))];
    }),
  );
}

/** The name of the catalogue of a module that is loaded on demand, such as `tickets/home/home-screen`. */
export function catalogueOf(path: string): string | null {
  return WEB.exec(path)?.[1] ?? null;
}

/** The texts of a file with all its imports, and the modules that these load on demand. */
function collect(
  entry: string,
  read: (path: string) => SourceFile,
): { texts: Set<string>; dynamicImports: Set<string> } {
  const seen = new Set([entry]);
  const texts = new Set<string>();
  const dynamicImports = new Set<string>();
  // A set also visits what is added during the iteration.
  for (const path of seen) {
    const file = read(path);
    for (const text of file.texts) texts.add(text);
    for (const imported of file.imports) seen.add(imported);
    for (const imported of file.dynamicImports) dynamicImports.add(imported);
  }
  return { texts, dynamicImports: new Set([...dynamicImports].filter((path) => !seen.has(path))) };
}

function createReader(): (path: string) => SourceFile {
  const files = new Map<string, SourceFile>();
  return (path) => {
    const file = files.get(path) ?? readSource(path);
    files.set(path, file);
    return file;
  };
}

function readSource(path: string): SourceFile {
  const code = readFileSync(path, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(path, code).module;
  // Types are imported by nothing that runs.
  const specifiers = [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ isType, moduleRequest }) => (isType ? [] : (moduleRequest?.value ?? []))),
    ),
  ];
  return {
    texts: readMessages(path, code).map(({ text }) => text),
    imports: specifiers.flatMap((specifier) => resolveSource(specifier, path)),
    dynamicImports: dynamicImports
      .map(({ moduleRequest }) => code.slice(moduleRequest.start + 1, moduleRequest.end - 1))
      .flatMap((specifier) => resolveSource(specifier, path)),
  };
}

/** The file of an import of the product's own source; none for packages and styles. */
export function resolveSource(specifier: string, importer: string): string[] {
  if (!/\.tsx?$/.test(specifier)) return [];
  const path = specifier.startsWith('#')
    ? join(ROOT, 'src', specifier.slice(1))
    : join(dirname(importer), specifier);
  return existsSync(path) ? [path] : [];
}

/** The name of the catalogue that is loaded before a host's pages show anything. */
export function startCatalogue(host: string): string {
  return host + START;
}
