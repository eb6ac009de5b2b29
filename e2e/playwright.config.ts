import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { WORKERS } from '#tests/setup/workers.ts';
import { ORIGINS, PORT } from './support/addresses.ts';
import { BROWSER_FLAGS, findHeadlessShell } from './support/find-browser.ts';

// Workers read this file again: the folder of the first reading is the one the server runs on.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'gangway-e2e-'));
// A copy of it is what further servers begin with.
process.env.E2E_DEMO_DIR ??= `${process.env.E2E_DATA_DIR}-demo`;
// Read at the end of the run by `server-log-setup.ts`.
process.env.E2E_SERVER_LOG ??= join(process.env.E2E_DATA_DIR, 'server.log');
// Servers that tests start load the same modules.
process.env.NODE_COMPILE_CACHE ??= join(process.env.E2E_DATA_DIR, 'compiled');

/** Tags of what runs only if it is named with --grep. */
const OPTIONAL = ['@screenshots', '@more'];

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  grepInvert: OPTIONAL.filter((tag) => !process.argv.includes(tag)).map((tag) => new RegExp(tag)),
  outputDir: '../test-results',
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  fullyParallel: true,
  workers: WORKERS,
  // Generous: machines of continuous integration are several times slower than a developer’s.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  globalSetup: './server-log-setup.ts',
  reporter: process.env.CI ? [['list']] : [['line']],
  use: {
    baseURL: ORIGINS.tickets,
    viewport: { width: 390, height: 844 },
    launchOptions: { executablePath: findHeadlessShell(), args: BROWSER_FLAGS },
    // Filling the worker's cache takes a fifth of the processor time of a test; the tests that need the worker allow it.
    serviceWorkers: 'block',
    // Animations take a seventh of it; the tests of motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
  webServer: {
    command: 'node e2e/demo-setup.ts && exec node src/server/main.js >"$E2E_SERVER_LOG"',
    cwd: '..',
    url: `http://127.0.0.1:${PORT}/readyz`,
    timeout: 240_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: { PORT: String(PORT), DATA_DIR: process.env.E2E_DATA_DIR, NODE_ENV: 'test', TRUST_PROXY: '1' },
  },
});
