import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';

const SCREEN_IMPORTS = [
  'src/web/features',
  'src/web/ui',
  'src/web/platform',
  'src/web/language',
  'src/contract',
  'src/domain',
  'src/messages',
  'src/sentences',
];

/** The modules a module may import, besides itself. A folder without an entry fails the first test. */
const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  'src/messages': [],
  // Run in Node.
  'src/messages/catalogues': ['src/messages'],
  'src/messages/build': ['src/messages', 'src/messages/catalogues'],
  'src/contract': ['src/messages'],
  'src/domain': ['src/contract', 'src/messages'],
  // What the domain returns as texts for people, for screens, mails and documents.
  'src/sentences': ['src/contract', 'src/domain', 'src/messages'],
  'src/server': ['src/contract', 'src/domain', 'src/messages', 'src/messages/catalogues', 'src/sentences'],
  'src/server/main.js': ['src/server', 'src/server/server.ts'],
  'src/server/restore.ts': ['src/server', 'src/sandbox'],
  'src/server/outside-services.ts': ['src/server', 'src/sandbox', 'src/contract'],
  'src/server/standby.js': ['src/server', 'src/server/main.js'],
  'src/server/server.ts': [
    'src/server',
    'src/server/outside-services.ts',
    'src/sandbox',
    'src/contract',
    'src/domain',
    'src/messages',
    'src/sentences',
  ],
  'src/sandbox': ['src/contract'],
  // Of the domain only how money and dates are written, which lint enforces.
  'src/web/ui': ['src/web/language', 'src/domain', 'src/messages'],
  'src/web/platform': ['src/web/language', 'src/contract', 'src/domain', 'src/messages'],
  'src/web/features': [
    'src/web/ui',
    'src/web/platform',
    'src/web/language',
    'src/contract',
    'src/domain',
    'src/messages',
    'src/sentences',
  ],
  // The language of the page and its texts.
  'src/web/language': ['src/messages'],
  'src/web/tickets': SCREEN_IMPORTS,
  'src/web/portal': SCREEN_IMPORTS,
  'src/web/staff': SCREEN_IMPORTS,
  'src/web/app': SCREEN_IMPORTS,
  // The entries combine the modules of the browser.
  'src/web/start-portal.ts': ['src/web/app', 'src/web/platform', 'src/web/portal'],
  'src/web/start-staff.ts': ['src/web/app', 'src/web/staff'],
  'src/web/start-tickets.ts': ['src/web/app', 'src/web/tickets'],
  'src/web/gallery.tsx': ['src/web/ui'],
  'src/web/prerender.tsx': [
    'src/web/app',
    'src/web/platform',
    'src/web/ui',
    'src/web/language',
    'src/web/tickets',
    'src/contract',
  ],
  // Runs before the app.
  'src/web/first-paint-script.ts': ['src/web/first-paint.ts', 'src/web/platform', 'src/web/language'],
  'src/web/first-paint.ts': [
    'src/web/features',
    'src/web/platform',
    'src/web/language',
    'src/contract',
    'src/messages',
  ],
  'src/web/start-check.ts': ['src/contract'],
  // Runs in Node on the build's output.
  'src/web/build': ['src/contract', 'src/messages/build'],
  sw: ['src/contract'],
};

/** Packages a module may use, if restricted further than by package.json. */
const PACKAGES: Record<string, readonly string[]> = {
  'src/contract': ['zod/mini'],
  'src/domain': [],
  'src/messages': ['icu-minify/format', '@schummar/icu-type-parser'],
  'src/web/ui': ['react', 'react-dom', 'react-router'],
};

/**
 * The folders of `src/web/platform`, lowest first. A folder imports only folders before it; files at the top of the
 * platform come before all folders. Type imports and dynamic imports count.
 */
const PLATFORM_LAYERS = [
  'session',
  'connection',
  'notifications',
  'reporting',
  'api',
  'idempotency',
  'account',
  'settings',
  'worker',
  'card-provider',
  'passkeys',
  'install',
  'push',
  'analytics',
  'query',
  'updates',
  'forms',
  'saved-data',
  'router',
];

const PLATFORM = 'src/web/platform/';

const files = ['src', 'sw'].flatMap(sourceFiles);
const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));
const importsWithTypes = files.flatMap((file) =>
  importsOf(file, { withTypes: true }).map((target) => ({ file, target })),
);

describe('modules', () => {
  test('every source file belongs to a module with import rules', () => {
    expect(files.filter((file) => moduleOf(file) === null)).toEqual([]);
  });

  test('no module imports a module that its rules do not allow', () => {
    const broken = imports.filter(({ file, target }) => {
      const from = moduleOf(file);
      const to = moduleOf(target);
      if (from === null || isPackage(target)) return false;
      return to === null || !(from === to || allowedModules(from).includes(to));
    });
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test('modules with restricted packages use no others', () => {
    const broken = imports.filter(({ file, target }) => {
      const allowed = PACKAGES[moduleOf(file) ?? ''];
      return allowed !== undefined && isPackage(target) && !allowed.includes(target);
    });
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test('only the adapter of the card provider, and its stand-in, import the provider’s SDK', () => {
    const users = files.filter((file) => /\bfrom 'stripe'/.test(readFileSync(file, 'utf8'))).map(dirname);
    expect([...new Set(users)].sort()).toEqual([
      'src/sandbox/card-provider',
      'src/sandbox/card-provider/api',
      'src/server/payments/provider',
    ]);
  });

  test('the design system knows only the links of the router', () => {
    const imported = files
      .filter((file) => file.startsWith('src/web/ui/'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^import (.*) from 'react-router';$/gm)])
      .map(([, names]) => names);
    expect([...new Set(imported)].sort()).toEqual(['{ Link }', '{ Link, type LinkProps }', '{ NavLink }']);
  });

  test('no module of the server imports the routes of another', () => {
    const broken = imports.filter(
      ({ file, target }) =>
        /^src\/server\/[^/]+\/.*routes\.ts$/.test(target) &&
        file.startsWith('src/server/') &&
        file !== 'src/server/app.ts' &&
        dirname(file) !== dirname(target),
    );
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test('only routes, http and pages of the server use the HTTP context', () => {
    const users = files
      .filter((file) => file.startsWith('src/server/'))
      .filter((file) => /\bHttpContext\b|from 'hono'/.test(readFileSync(file, 'utf8')))
      .filter((file) => !/^src\/server\/(app\.ts|(http|pages)\/|.*routes\.ts)/.test(file));
    expect(users).toEqual([]);
  });

  test('files import other modules by subpath imports, never through ../../', () => {
    const broken = files.filter((file) => /from '(\.\.\/){2,}/.test(readFileSync(file, 'utf8')));
    expect(broken).toEqual([]);
  });

  test('browser code passes scripts and markup only through Trusted Types', () => {
    const sinks =
      /\.(innerHTML|outerHTML|srcdoc) = (?!trustedMarkup\()|\.src = (?!trustedScript\()|new (Worker|SharedWorker|Workbox)\((?!trustedScript\()|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|parseFromString|document\.write|dangerouslySetInnerHTML|\beval\(|new Function\(/;
    const found = files
      .filter((file) => file.startsWith('src/web/') && !file.startsWith('src/web/build/'))
      .filter((file) => sinks.test(readFileSync(file, 'utf8')));
    expect(found).toEqual([]);
  });

  test('no files import each other in a cycle, nor each other’s types', () => {
    expect(findCycle(importsWithTypes)).toBeNull();
  });

  test('modules of the server import each other in one direction', () => {
    const arrows = imports.flatMap(({ file, target }) => {
      const [from, to] = [serverModuleOf(file), serverModuleOf(target)];
      return from && to && from !== to ? [{ file: from, target: to }] : [];
    });
    expect(arrows.length).toBeGreaterThan(100);
    expect(findCycle(arrows)).toBeNull();
  });

  test('the folders of the web platform import only folders of lower layers', () => {
    const broken = files
      .filter((file) => file.startsWith(PLATFORM))
      .flatMap((file) => importsOf(file, { withTypes: true }).map((target) => ({ file, target })))
      .filter(({ target }) => target.startsWith(PLATFORM))
      .filter(({ file, target }) => layerOf(target) > layerOf(file) || !Number.isInteger(layerOf(target)));
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test('no folder holds more than 25 files, except migrations, which are only added, and the demo’s timetable', () => {
    const entries = ['src', 'sw'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    );
    const byFolder = Map.groupBy(entries, ({ parentPath }) => parentPath);
    const crowded = [...byFolder]
      .filter(
        ([folder, inside]) =>
          inside.length > 25 && !folder.endsWith('/migrations') && !folder.endsWith('/demo/feed'),
      )
      .map(([folder]) => folder);
    expect(crowded).toEqual([]);
  });

  test('no code chooses by the name of a host, so that a new host needs no search', () => {
    const choosing = [...files, ...sourceFiles('tests'), ...sourceFiles('e2e'), 'vite.config.ts']
      .filter((file) => file !== 'tests/architecture.test.ts')
      .filter((file) => choosesByHost(readFileSync(file, 'utf8')));
    expect(choosing).toEqual([]);
  });

  test.each([
    "if (config.host !== 'portal')",
    "'tickets' === host",
    "switch (pageConfig().host) { case 'tickets': }",
    "case 'portal':",
    "hostName == 'my' ? 1 : 2",
    "['tickets', 'portal'].includes(host)",
    "for (const host of ['tickets', 'my'])",
    "test.each(['tickets', 'my'])",
    "const NAMES = ['my', 'staff'] as const;",
    'origin === config.origins.portal',
    'location.origin !== pageConfig().origins.tickets',
    'origins.staff == origin',
    'if (url.startsWith(origins.tickets))',
    'isPortal() ? 1 : 2',
  ])('the test for choices by host finds %s', (code) => {
    expect(choosesByHost(code)).toBe(true);
  });

  test.each([
    'const url = config.origins.tickets + ticketPages.home;',
    "pageConfig(context, 'tickets', settings)",
    '{ tickets: findTickets, portal: findLists, staff: () => [] }[host]',
  ])('the test for choices by host allows %s', (code) => {
    expect(choosesByHost(code)).toBe(false);
  });

  test('no source file is longer than 400 lines', () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 401);
    expect(long).toEqual([]);
  });
});

const HOST_NAMES = [...new Set(HOSTS.flatMap((host) => [host, servedHosts[host].subdomain]))].join('|');
const HOST = `'(?:${HOST_NAMES})'`;
const ORIGIN = `[\\w.()]*\\borigins\\.(?:${HOSTS.join('|')})\\b`;

/** What does for some hosts something that other hosts do not get: comparisons, and lists of some of them. */
const CHOICES_BY_HOST = [
  `host\\w*\\s*[!=]==?\\s*${HOST}`,
  `${HOST}\\s*[!=]==?\\s*[\\w.]*host`,
  `\\bswitch \\(.*host\\w*\\) \\{`,
  // The other names mean other things too.
  `\\bcase '(?:portal|my)':`,
  `[!=]==?\\s*${ORIGIN}(?!\\s*\\+)|${ORIGIN}\\s*[!=]==?`,
  `startsWith\\(${ORIGIN}`,
  `\\[\\s*${HOST}[^\\]]*\\]\\.(?:includes|some|indexOf)\\(`,
  `(?:\\bof |\\beach\\(|= |\\s\\(|\\.{3}\\()\\[\\s*${HOST},\\s*${HOST}`,
  `\\bis(?:${HOSTS.join('|')})(?:Host)?\\(`,
].map((pattern) => new RegExp(pattern, 'i'));

function choosesByHost(code: string): boolean {
  return CHOICES_BY_HOST.some((pattern) => pattern.test(code));
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js)$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'));
}

/** The most specific entry of ALLOWED_IMPORTS for a path. */
function moduleOf(path: string): string | null {
  const modules = Object.keys(ALLOWED_IMPORTS).filter(
    (module) => path === module || path.startsWith(`${module}/`),
  );
  return modules.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** `capacity` of `src/server/capacity/places.ts`; null for files at the top of the server. */
function serverModuleOf(path: string): string | null {
  return /^src\/server\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** The position in PLATFORM_LAYERS, -1 for files at the top of the platform, NaN for a folder without a layer. */
function layerOf(path: string): number {
  const [folder, file] = path.slice(PLATFORM.length).split('/');
  if (file === undefined || folder === undefined) return -1;
  return PLATFORM_LAYERS.includes(folder) ? PLATFORM_LAYERS.indexOf(folder) : Number.NaN;
}

function allowedModules(module: string): readonly string[] {
  return ALLOWED_IMPORTS[module] ?? [];
}

function isPackage(target: string): boolean {
  return !/^(src|sw|tests|e2e)\//.test(target);
}

/** What a file imports when it runs, and with `withTypes` its types too: paths from the top, or package names. */
function importsOf(file: string, { withTypes = false } = {}): string[] {
  const text = readFileSync(file, 'utf8');
  const statements = withTypes
    ? /^\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm
    : /^\s*(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm;
  const specifiers = [...text.matchAll(statements), ...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)];
  return specifiers
    .map((match) => resolve(file, match[1] ?? ''))
    .filter((target) => !/\.(css|svg)$/.test(target));
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative('.', normalize(join(dirname(file), specifier)));
  const alias = /^#(contract|domain|messages|sentences|server|sandbox|web)\/(.*)$/.exec(specifier);
  if (alias) return `src/${alias[1]}/${alias[2]}`;
  return specifier.startsWith('#sw/') ? `sw/${specifier.slice(4)}` : specifier;
}

function findCycle(arrows: typeof imports): string[] | null {
  const graph = Map.groupBy(arrows, ({ file }) => file);
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const { target } of graph.get(file) ?? []) {
      const cycle = visit(target, [...trail, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return null;
}
