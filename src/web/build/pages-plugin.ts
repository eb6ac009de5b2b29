import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer, type Manifest, type ManifestChunk, type Plugin } from 'vite';
import { HOSTS, type Host } from '#contract/hosts.ts';
import { LISTED_LANGUAGE } from '#messages/build/built-catalogues.ts';
import { catalogueOf } from '#messages/build/message-groups.ts';
import { findChunks, findStartChunks, getRouteTable, withModules } from './manifest.ts';
import { buildStandalone } from './standalone-script.ts';

type Screen = { path: string; title: string | null; module: string | null; catalogue: string | null };
type PageFiles = { scripts: string[]; styles: string[] };
/** `scripts` and `styles`: what the entry imports. */
type HostPages = PageFiles & {
  entry: string;
  /** The path, title, additional files and name of the messages of every screen. */
  screens: (PageFiles & { path: string; title: string | null; catalogue: string | null })[];
};
export type Pages = {
  /** The script for browsers that cannot start the app. */
  startCheck: string;
  /** The script that paints the saved snapshot before the app runs, on hosts with snapshots. */
  firstPaint: string;
  hosts: Record<Host, HostPages>;
  /** The folder with the catalogues of the languages. */
  messages: string;
  /** Contents to inline by path. */
  styles: Record<string, string>;
};

const TEMPLATE = 'index.html';

/**
 * Writes `pages.json` beside the built files: the styles and scripts that the server
 * adds to the HTML of each host and path, so that the browser requests everything the first screen needs at once.
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
      const read = (file: string) => readFile(join(outDir, file), 'utf8');
      const messages = findMessagesFolder(Object.keys(bundle));
      const hasCatalogue = (name: string) => `${messages}/${LISTED_LANGUAGE}/${name}.js`.slice(1) in bundle;
      const described = await describePages(manifest, { root, read, hasCatalogue });
      const firstPaint = `/${this.getFileName(emitted.firstPaint)}`;
      const startCheck = `/${this.getFileName(emitted.startCheck)}`;
      const pages: Pages = { ...described, messages, firstPaint, startCheck };
      await writeFile(join(outDir, 'pages.json'), JSON.stringify(pages, null, 2));
      await copyFile(join(root, TEMPLATE), join(outDir, TEMPLATE));
    },
  };
}

function findMessagesFolder(files: readonly string[]): string {
  const folder = files.flatMap((file) => /^(assets\/messages-[^/]+)\//.exec(file)?.[1] ?? [])[0];
  if (folder === undefined) throw new Error('The build has no catalogues.');
  return `/${folder}`;
}

type Sources = {
  root: string;
  read: (file: string) => Promise<string>;
  hasCatalogue: (name: string) => boolean;
};

async function describePages(
  manifest: Manifest,
  { root, read, hasCatalogue }: Sources,
): Promise<Pick<Pages, 'hosts' | 'styles'>> {
  const described = await Promise.all(
    HOSTS.map(async (host) => {
      const screens = await readScreens(getRouteTable(host), root, host);
      const withCatalogues = screens.map((screen) => {
        const name = screen.module === null ? null : catalogueOf(`/src/web/${screen.module}`);
        return { ...screen, catalogue: name !== null && hasCatalogue(name) ? name : null };
      });
      return [host, describeHost(manifest, host, withCatalogues)] as const;
    }),
  );
  const hosts = Object.fromEntries(described) as Pages['hosts'];
  const hrefs = new Set(
    Object.values(hosts).flatMap(({ styles, screens }) => [styles, ...screens.map((s) => s.styles)].flat()),
  );
  const styles = await Promise.all(
    [...hrefs].map(async (href) => [href, (await read(href.slice(1))).trim()] as const),
  );
  return { hosts, styles: Object.fromEntries(styles) };
}

export function describeHost(manifest: Manifest, host: Host, screens: readonly Screen[]): HostPages {
  const start = findStartChunks(manifest, host);
  const { scripts, styles } = listFiles(start);
  const entry = scripts.pop();
  if (entry === undefined) throw new Error(`${host} has no entry.`);
  return {
    entry,
    scripts,
    styles,
    screens: screens.map(({ path, title, module, catalogue }) => {
      const files = listFiles(module === null ? [] : findChunks(manifest, [module]));
      return {
        path,
        title,
        catalogue,
        scripts: files.scripts.filter((file) => file !== entry && !scripts.includes(file)),
        styles: files.styles.filter((file) => !styles.includes(file)),
      };
    }),
  };
}

/** The files of some chunks, styles in the order of import. */
function listFiles(chunks: readonly ManifestChunk[]): PageFiles {
  return {
    scripts: chunks.map(({ file }) => `/${file}`),
    styles: [...new Set(chunks.flatMap(({ css = [] }) => css.map((file) => `/${file}`)))],
  };
}

type Handle =
  | { path: string; title: string | null; lazy: (() => unknown) | null; redirectTo?: never }
  | { path: string; redirectTo: string };
type Route = { handle?: Handle; children?: Route[] };

/** Reads which module each path loads from the source of the route's `lazy` function. */
async function readScreens(table: string, root: string, host: string): Promise<Omit<Screen, 'catalogue'>[]> {
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
function listScreens(handles: readonly Handle[], host: string): Omit<Screen, 'catalogue'>[] {
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
