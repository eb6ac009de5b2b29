import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer, type Manifest, type Plugin } from 'vite';
import { ENTRY, findChunks, withModules } from './manifest.ts';
import { buildStandalone } from './standalone-script.ts';

type Screen = { path: string; title: string | null; module: string | null };
type Style = { href: string; content: string; hash: string };
type PageFiles = { scripts: string[]; styles: string[] };
type HostPages = PageFiles & {
  /** The path, title and additional files of every screen. */
  screens: (PageFiles & { path: string; title: string | null })[];
};
type Pages = {
  entry: string;
  /** What the entry imports, in the order that the page runs it. */
  entryImports: string[];
  /** The script for browsers that cannot start the app. */
  startCheck: string;
  /** The portal's script that paints the saved snapshot before the app runs. */
  firstPaint: string;
  hosts: { tickets: HostPages; portal: HostPages };
  /** Contents to inline by href, with the hash a Content-Security-Policy allows them by. */
  styles: Record<string, Style>;
};

const TEMPLATE = 'index.html';
/** What the entry imports on every page, one after the other. */
const STEPS = ['../../node_modules/react-dom/client.js', 'app/start.tsx'];

/**
 * Writes `pages.json` beside the built files: the styles and preloads that the server adds to the HTML of each host and
 * path, so that the browser requests everything the first screen needs at once. They are removed from index.html, as is
 * the app's script.
 */
export function pagesPlugin(target: string[]): Plugin {
  let outDir = '';
  let root = '';
  let emitted: Record<'firstPaint' | 'startCheck', string>;
  return {
    name: 'pages',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved(config) {
      outDir = config.build.outDir;
      root = config.root;
    },
    async generateBundle() {
      const emit = async (name: string, options: Parameters<typeof buildStandalone>[1]) =>
        this.emitFile({
          type: 'asset',
          name: name.replace('-script.ts', '.js').replace('.ts', '.js'),
          source: await buildStandalone(join(root, name), options),
        });
      emitted = {
        firstPaint: await emit('first-paint-script.ts', { target, minify: true }),
        // For browsers that cannot start the app. Not minified, because that writes newer syntax.
        startCheck: await emit('start-check.ts', { target: 'es2015', minify: false }),
      };
    },
    async writeBundle(_, bundle) {
      const manifestFile = join(outDir, '.vite/manifest.json');
      const manifest = withModules(JSON.parse(await readFile(manifestFile, 'utf8')), bundle, root);
      await writeFile(manifestFile, JSON.stringify(manifest));
      const described = await describePages(manifest, root, (file) => readFile(join(outDir, file), 'utf8'));
      const firstPaint = `/${this.getFileName(emitted.firstPaint)}`;
      const startCheck = `/${this.getFileName(emitted.startCheck)}`;
      const pages: Pages = { ...described, firstPaint, startCheck };
      await writeFile(join(outDir, 'pages.json'), JSON.stringify(pages, null, 2));
      const html = await readFile(join(outDir, TEMPLATE), 'utf8');
      await writeFile(
        join(outDir, TEMPLATE),
        html.replace(/\s*<(link rel="(stylesheet|modulepreload)"[^>]*>|script [^>]*><\/script>)/g, ''),
      );
    },
  };
}

async function describePages(
  manifest: Manifest,
  root: string,
  read: (file: string) => Promise<string>,
): Promise<Omit<Pages, 'firstPaint' | 'startCheck'>> {
  const entry = manifest[ENTRY];
  if (entry === undefined) throw new Error('The manifest has no entry.');
  const [tickets, portal] = await Promise.all(
    ['tickets', 'portal'].map(async (host) => {
      const table = `${host}/routes.tsx`;
      return describeHost(manifest, table, await readScreens(table, root, host));
    }),
  );
  if (tickets === undefined || portal === undefined) throw new Error('A host has no route table.');
  const hrefs = new Set(
    [tickets, portal].flatMap(({ styles, screens }) => [styles, ...screens.map((s) => s.styles)]).flat(),
  );
  const styles = await Promise.all(
    [...hrefs].map(async (href) => [href, await readStyle(href, read)] as const),
  );
  return {
    entry: `/${entry.file}`,
    entryImports: findChunks(manifest, entry.imports ?? []).map(({ file }) => `/${file}`),
    hosts: { tickets, portal },
    styles: Object.fromEntries(styles),
  };
}

export function describeHost(manifest: Manifest, table: string, screens: readonly Screen[]): HostPages {
  // Preloaded although the entry imports them in steps; the other host's screens are left out.
  const own = listFiles(manifest, [ENTRY, ...STEPS, table]);
  const entryFile = `/${manifest[ENTRY]?.file}`;
  return {
    scripts: own.scripts.filter((file) => file !== entryFile),
    styles: own.styles,
    screens: screens.map(({ path, title, module }) => {
      const files = module === null ? { scripts: [], styles: [] } : listFiles(manifest, [module]);
      return {
        path,
        title,
        scripts: files.scripts.filter((file) => !own.scripts.includes(file)),
        styles: files.styles.filter((file) => !own.styles.includes(file)),
      };
    }),
  };
}

/** The files of some modules and of everything they import statically, styles in the order of import. */
function listFiles(manifest: Manifest, keys: readonly string[]): PageFiles {
  const chunks = findChunks(manifest, keys);
  return {
    scripts: chunks.map(({ file }) => `/${file}`),
    styles: [...new Set(chunks.flatMap(({ css = [] }) => css.map((file) => `/${file}`)))],
  };
}

async function readStyle(href: string, read: (file: string) => Promise<string>): Promise<Style> {
  const content = (await read(href.slice(1))).trim();
  const hash = `sha256-${createHash('sha256').update(content).digest('base64')}`;
  return { href, content, hash };
}

type Handle =
  | { path: string; title: string | null; lazy: (() => unknown) | null; redirectTo?: never }
  | { path: string; redirectTo: string };
type Route = { handle?: Handle; children?: Route[] };

/** Reads which module each path loads from the source of the route's `lazy` function. */
async function readScreens(table: string, root: string, host: string): Promise<Screen[]> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const module = (await server.ssrLoadModule(`/${table}`)) as { routes: Route[] };
    return listScreens(
      flatten(module.routes).flatMap(({ handle }) => handle ?? []),
      host,
    );
  } finally {
    await server.close();
  }
}

/** A redirect needs the files of its target. */
function listScreens(handles: readonly Handle[], host: string): Screen[] {
  return handles.flatMap((handle) => {
    const { redirectTo, path } = handle;
    if (path === '*') return [];
    const shown = redirectTo === undefined ? handle : handles.find((other) => other.path === redirectTo);
    if (shown === undefined || shown.redirectTo !== undefined) return [];
    return [{ path, title: shown.title, module: importedModule(shown.lazy, host) }];
  });
}

function flatten(routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => [route, ...flatten(route.children ?? [])]);
}

function importedModule(lazy: (() => unknown) | null, host: string): string | null {
  if (lazy === null) return null;
  const specifier = /import\w*\(\s*["']([^"']+)["']/.exec(lazy.toString())?.[1];
  if (specifier === undefined)
    throw new Error(`A lazy screen of ${host} imports nothing: ${lazy.toString()}`);
  const inside = specifier.indexOf(`/${host}/`);
  return inside === -1 ? `${host}/${specifier.replace(/^\.?\//, '')}` : specifier.slice(inside + 1);
}
