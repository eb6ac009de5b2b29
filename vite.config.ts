import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type BuildEnvironmentOptions, defineConfig } from 'vite';
import type { TestProjectConfiguration } from 'vitest/config';
import { forEachHost, HOSTS } from './src/contract/hosts.ts';
import { supportedBrowsers } from './src/contract/supported-browsers.ts';
import { messagesPlugin } from './src/messages/build/messages-plugin.ts';
import { LOWEST_POSTGRES } from './src/server/database/server-version.ts';
import { createClassNames } from './src/web/build/class-names.ts';
import { getEntry } from './src/web/build/manifest.ts';
import { packingPlugin } from './src/web/build/packing-plugin.ts';
import { pagesPlugin } from './src/web/build/pages-plugin.ts';
import { srgbColors } from './src/web/build/srgb-colors.ts';
import { workerPlugin } from './src/web/build/worker-plugin.ts';
import { findLowestPostgres } from './tests/setup/lowest-postgres.ts';
import {
  ENGINE_DEPENDENT,
  NOT_VERSION_DEPENDENT,
  ONLY_EMBEDDED,
  SERVER_TESTS,
  VERSION_DEPENDENT,
} from './tests/setup/server-tests.ts';
import { WORKERS } from './tests/setup/workers.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
// Inherited by the workers of the tests, which load the same packages for every file.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/compiled`;
const consoleGuard = `${root}tests/setup/console-guard.ts`;

const target = Object.entries(supportedBrowsers).map(([browser, version]) => `${browser}${version}`);

/** Many screens have them, but not all of those that are opened first, or only those of staff. */
const LATER_PARTS =
  /\/(ui\/(popup\/modal|data\/(table|definition-list))|features\/(site\/(dialogs|clock-change)|order\/journeys)|format\/typed-amount|language\/lists|payments\/brands|sentences\/payment-cards)\.|\/(web|contract)\/staff\//;

const browserBuild: BuildEnvironmentOptions = {
  outDir: `${root}dist/web`,
  emptyOutDir: true,
  target,
  cssTarget: target,
  manifest: true,
  modulePreload: { polyfill: false },
  // Files only: the pages' policy allows no data: URLs.
  assetsInlineLimit: 0,
  rolldownOptions: {
    input: HOSTS.map((host) => `${root}src/web/${getEntry(host)}`),
    output: {
      codeSplitting: {
        // What many screens share; the rest is split by the screens and dialogs that import it.
        groups: [
          { name: 'shared', minShareCount: 12, test: (id) => !LATER_PARTS.test(id) },
          // Small modules that would otherwise be scripts of their own.
          { name: 'lengths', test: /\/features\/site\/(lengths|units)\.ts/ },
          { name: 'limits', test: /\/contract\/(gate|gate-devices|desk)\/limits\.ts$/ },
          { name: 'later', test: /\/(platform\/use-idle|popup\/use-lazy-dialog)\.ts/ },
          { name: 'links', test: /\/staff\/(session\/permitted|orders\/order-link)\.tsx$/ },
          { name: 'boats', test: /\/staff\/boats\/(boat-queries|next-boats|places)\.ts$/ },
          // Also needed by the gate, which would otherwise split them into scripts of a few hundred bytes.
          {
            name: 'records',
            test: /\/(saved-data\/(records|encryption|device-keys)|orders\/reference)\.ts$/,
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

/** Set by `npm run test:more`: the embedded engine and the oldest PostgreSQL run all tests of the server. */
const IS_EVERY_ENGINE = process.env.ON_EVERY_ENGINE === '1';

const neutralTests: TestProjectConfiguration = {
  extends: false,
  root,
  test: {
    name: 'rules',
    environment: 'node',
    include: ['tests/{contract,domain,messages,sandbox,sentences,sw}/**/*.test.ts', 'tests/*.test.ts'],
    // Nothing here keeps a state of its own between files.
    isolate: false,
    setupFiles: [consoleGuard],
    testTimeout: 60_000,
    // Opening a database takes a while on a busy machine.
    hookTimeout: 120_000,
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
  'tests/web/platform/push/push.test.ts',
  'tests/web/platform/saved-data/*.test.ts',
  'tests/web/platform/updates/updates.test.ts',
  'tests/web/platform/worker/*.test.ts',
  'tests/web/portal/identity/security/security-screen.test.tsx',
  'tests/web/staff/gate/*.test.{ts,tsx}',
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
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: WORKERS,
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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: WORKERS,
  },
};

export default defineConfig(({ command, isSsrBuild }) => ({
  root: 'src/web',
  cacheDir: `${root}node_modules/.vite`,
  publicDir: isSsrBuild ? false : `${root}public`,
  plugins: [
    messagesPlugin(forEachHost((host) => `src/web/${getEntry(host)}`)),
    react(),
    pagesPlugin(target),
    packingPlugin(),
    // Only built pages have a worker: in development it would answer with what was there before.
    ...(command === 'build' && !isSsrBuild ? [workerPlugin(`${root}dist/web`, target)] : []),
  ],
  css: {
    modules: { generateScopedName: createClassNames(root) },
    postcss: { plugins: [srgbColors()] },
  },
  build: isSsrBuild ? prerenderBuild : browserBuild,
  // The prerender script stands alone: it must run where only the built files are.
  ssr: isSsrBuild ? { noExternal: true as const } : {},
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  test: {
    projects: [
      neutralTests,
      webTests('web', 'vmThreads', ['tests/web/**/*.test.{ts,tsx}'], needProcesses),
      webTests('web-forks', 'forks', needProcesses, []),
      serverTests('pglite', { name: 'pglite', include: IS_EVERY_ENGINE ? [SERVER_TESTS] : ENGINE_DEPENDENT }),
      serverTests('postgres', { name: 'postgres', include: [SERVER_TESTS], exclude: ONLY_EMBEDDED }),
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
      testTimeout: 60_000,
      maxWorkers: WORKERS,
    },
  };
}

/** The server's tests on the oldest supported PostgreSQL, where it is installed. */
function lowestPostgresTests(): TestProjectConfiguration[] {
  const programs = findLowestPostgres();
  if (programs) {
    const files = IS_EVERY_ENGINE
      ? { include: [SERVER_TESTS], exclude: ONLY_EMBEDDED }
      : { include: VERSION_DEPENDENT, exclude: NOT_VERSION_DEPENDENT };
    return [serverTests('postgres', { name: 'lowest-postgres', programs, ...files })];
  }
  if (process.env.VITEST) {
    process.stderr.write(`PostgreSQL ${LOWEST_POSTGRES} is not installed: nothing is tested on it.\n`);
  }
  return [];
}

type ServerProject = { name: string; include: string[]; exclude?: string[]; programs?: string };

/** Tests of the server; `tests/setup/database.ts` opens the engine that is provided. */
function serverTests(
  engine: 'pglite' | 'postgres',
  { name, include, exclude = [], programs }: ServerProject,
): TestProjectConfiguration {
  return {
    extends: false,
    root,
    test: {
      name,
      environment: 'node',
      include,
      exclude,
      // Each file has a database and a server of its own; loading the code once per worker saves a third of the time.
      isolate: false,
      provide: { engine, ...(programs ? { programs } : {}) },
      globalSetup: [`${root}tests/setup/engine.ts`],
      setupFiles: [consoleGuard],
      testTimeout: 60_000,
      hookTimeout: 120_000,
      maxWorkers: WORKERS,
    },
  };
}
