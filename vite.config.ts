import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type BuildEnvironmentOptions, defineConfig } from 'vite';
import type { TestProjectConfiguration } from 'vitest/config';
import { supportedBrowsers } from './src/contract/supported-browsers.ts';
import { LOWEST_POSTGRES } from './src/server/database/server-version.ts';
import { classicScriptsPlugin } from './src/web/build/classic-scripts.ts';
import { packingPlugin } from './src/web/build/packing-plugin.ts';
import { pagesPlugin } from './src/web/build/pages-plugin.ts';
import { createSharedChunks } from './src/web/build/shared-chunks.ts';
import { srgbColors } from './src/web/build/srgb-colors.ts';
import { workerPlugin } from './src/web/build/worker-plugin.ts';
import { findLowestPostgres } from './tests/setup/lowest-postgres.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
// Inherited by the workers of the tests, which load the same packages for every file.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/compiled`;
const consoleGuard = `${root}tests/setup/console-guard.ts`;

const target = Object.entries(supportedBrowsers).map(([browser, version]) => `${browser}${version}`);

const sharedChunkOf = createSharedChunks(root.replace(/\/$/, ''));

const browserBuild: BuildEnvironmentOptions = {
  outDir: `${root}dist/web`,
  emptyOutDir: true,
  target,
  cssTarget: target,
  manifest: true,
  // The chunk loader requests scripts.
  modulePreload: {
    polyfill: false,
    resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
  },
  // Files only: the pages' policy allows no data: URLs.
  assetsInlineLimit: 0,
  rolldownOptions: {
    output: {
      codeSplitting: {
        includeDependenciesRecursively: false,
        // What first screens load comes in few files: each further one costs headers and packs worse.
        groups: [
          { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
          {
            name: sharedChunkOf,
            priority: 2,
          },
          // What only later screens share goes by folder.
          {
            name: 'saved-data',
            test: /\/platform\/saved-data\/|\/node_modules\/(idb-keyval|@tanstack\/query-persist-client-core)\//,
            priority: 1,
          },
          {
            name: 'shared',
            test: /\/src\/(web\/(ui|features|platform)|contract|domain)\//,
            minShareCount: 4,
          },
          {
            name: 'portal',
            // My Orders, where customers begin, would load all of it for one small part.
            test: /\/src\/web\/portal\/(?!orders\/)/,
            minShareCount: 3,
          },
        ],
      },
    },
  },
};

const prerenderBuild: BuildEnvironmentOptions = {
  outDir: `${root}dist/prerender`,
  emptyOutDir: true,
  rolldownOptions: { input: `${root}src/web/prerender.tsx`, output: { entryFileNames: 'tickets-home.js' } },
};

/** A third of their time these tests wait for timers, and for what loads later. */
const WORKERS = Math.ceil(availableParallelism() * 1.5);

/** Projects with another number of workers run after each other; the others are in group 0. */
const GROUPS = { pglite: 1, postgres: 2, 'lowest-postgres': 3, build: 4, process: 5 };

const neutralTests: TestProjectConfiguration = {
  extends: false,
  root,
  test: {
    name: 'rules',
    environment: 'node',
    include: ['tests/{contract,domain,sandbox,sw}/**/*.test.ts', 'tests/*.test.ts'],
    // Nothing here keeps a state of its own between files.
    isolate: false,
    setupFiles: [consoleGuard],
    testTimeout: 30_000,
    // Opening a database takes a while on a busy machine.
    hookTimeout: 60_000,
    maxWorkers: WORKERS,
  },
};

/**
 * In a context of a VM, Node's DOMException, ArrayBuffer and BroadcastChannel differ from the page's or are missing. The
 * tests that need them run in processes of their own.
 */
const needProcesses = [
  'tests/web/first-paint.test.ts',
  'tests/web/platform/passkeys/*.test.ts',
  'tests/web/platform/saved-data/*.test.ts',
  'tests/web/platform/updates/updates.test.ts',
  'tests/web/platform/worker/*.test.ts',
  'tests/web/portal/security/security-screen.test.tsx',
];

/** The real process, started from outside; needs the built web app, and is slow: `npm run process` runs it alone. */
const processTests: TestProjectConfiguration = {
  extends: false,
  root,
  test: {
    name: 'process',
    environment: 'node',
    include: ['tests/process/**/*.test.ts'],
    globalSetup: [`${root}tests/setup/prepared-servers.ts`],
    setupFiles: [consoleGuard],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A third of their time they wait for processes that start, stop and time out.
    maxWorkers: 3,
    sequence: { groupOrder: GROUPS.process },
  },
};

/** What the build weighs and shows; needs the built web app: `npm run budgets` runs it alone. */
const buildTests: TestProjectConfiguration = {
  extends: false,
  root,
  test: {
    name: 'build',
    environment: 'node',
    include: ['tests/build/**/*.test.ts'],
    setupFiles: [consoleGuard],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    sequence: { groupOrder: GROUPS.build },
  },
};

export default defineConfig(({ command, isSsrBuild }) => ({
  root: 'src/web',
  cacheDir: `${root}node_modules/.vite`,
  publicDir: isSsrBuild ? false : `${root}public`,
  plugins: [
    react(),
    pagesPlugin(target),
    classicScriptsPlugin(),
    packingPlugin(),
    // Only built pages have a worker: in development it would answer with what was there before.
    ...(command === 'build' && !isSsrBuild ? [workerPlugin(`${root}dist/web`, target)] : []),
  ],
  css: { postcss: { plugins: [srgbColors()] } },
  build: isSsrBuild ? prerenderBuild : browserBuild,
  // The prerender script stands alone: it must run where only the built files are.
  ssr: isSsrBuild ? { noExternal: true as const } : {},
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  test: {
    projects: [
      neutralTests,
      webTests('web', 'vmThreads', ['tests/web/**/*.test.{ts,tsx}'], needProcesses),
      webTests('web-forks', 'forks', needProcesses, []),
      serverTests('pglite'),
      serverTests('postgres'),
      ...lowestPostgresTests(),
      processTests,
      buildTests,
    ],
  },
}));

function webTests(
  name: string,
  pool: 'vmThreads' | 'forks',
  include: string[],
  exclude: string[],
): TestProjectConfiguration {
  return {
    extends: false,
    root,
    plugins: [react()],
    test: {
      name,
      pool,
      environment: 'happy-dom',
      include,
      exclude,
      setupFiles: [
        consoleGuard,
        `${root}tests/setup/slow-machines.ts`,
        `${root}tests/setup/tracked-stores.ts`,
        `${root}tests/setup/silent-scripts.ts`,
        `${root}tests/setup/no-network.ts`,
      ],
      testTimeout: 30_000,
      maxWorkers: WORKERS,
    },
  };
}

/**
 * What the other engine shows in another way, or what no engine changes. On the embedded engine every process test and
 * browser test starts with the demo, and `tests/process/` closes and removes it there.
 */
const onOneEngine = {
  postgres: ['tests/server/demo/*.test.ts'],
  pglite: [
    'tests/server/tickets/verify-command.test.ts',
    'tests/server/sailings/prepare-feed.test.ts',
    // They open no database and take long.
    'tests/server/sailings/feed.test.ts',
    'tests/server/sailings/feed-problems.test.ts',
    'tests/server/security/password-hash.test.ts',
  ],
};

/** What sells, changes, cancels, refunds and imports; ALL_ON_LOWEST_POSTGRES=1 runs the whole suite. */
const onLowestPostgres =
  process.env.ALL_ON_LOWEST_POSTGRES === '1'
    ? ['tests/server/**/*.test.ts']
    : [
        'tests/server/{cancellations,capacity,changes,checkout,database,rebooking}/*.test.ts',
        'tests/server/payments/{payments,late-payments,refund-order,trip-card-payments}.test.ts',
        'tests/server/{orders,passes,trip-cards}/*.test.ts',
        'tests/server/sailings/{import,offers,renamed-lines}.test.ts',
      ];

/** The server's tests on the oldest supported PostgreSQL, where it is installed. */
function lowestPostgresTests(): TestProjectConfiguration[] {
  const programs = findLowestPostgres();
  if (programs) {
    return [serverTests('postgres', { name: 'lowest-postgres', include: onLowestPostgres, programs })];
  }
  if (process.env.VITEST) {
    process.stderr.write(`PostgreSQL ${LOWEST_POSTGRES} is not installed: nothing is tested on it.\n`);
  }
  return [];
}

/** The rest of the server's suite runs on each engine; `tests/setup/database.ts` opens the one that is provided. */
function serverTests(
  engine: 'pglite' | 'postgres',
  {
    name = engine,
    include = ['tests/server/**/*.test.ts'],
    programs,
  }: { name?: keyof typeof GROUPS; include?: string[]; programs?: string } = {},
): TestProjectConfiguration {
  return {
    extends: false,
    root,
    test: {
      name,
      environment: 'node',
      include,
      exclude: onOneEngine[engine === 'pglite' ? 'postgres' : 'pglite'],
      // Each file has a database and a server of its own; loading the code once per worker saves a third of the time.
      isolate: false,
      provide: { engine, ...(programs ? { programs } : {}) },
      globalSetup: [`${root}tests/setup/engine.ts`],
      setupFiles: [consoleGuard],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // Half of the work on PostgreSQL is done by its own processes.
      maxWorkers: engine === 'pglite' ? 2 : 3,
      sequence: { groupOrder: GROUPS[name] },
    },
  };
}
