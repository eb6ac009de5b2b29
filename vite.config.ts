import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { TestProjectConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const consoleGuard = `${root}tests/setup/console-guard.ts`;

const neutralTests: TestProjectConfiguration = {
  extends: false,
  root,
  test: {
    name: 'rules',
    environment: 'node',
    include: ['tests/{contract,domain,sandbox,sw}/**/*.test.ts', 'tests/*.test.ts'],
    setupFiles: [consoleGuard],
  },
};

const webTests: TestProjectConfiguration = {
  extends: false,
  root,
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'happy-dom',
    include: ['tests/web/**/*.test.{ts,tsx}'],
    setupFiles: [consoleGuard],
  },
};

export default defineConfig({
  root: 'src/web',
  publicDir: `${root}public`,
  plugins: [react()],
  build: { outDir: `${root}dist/web`, emptyOutDir: true },
  test: {
    projects: [neutralTests, webTests, ...(['pglite', 'postgres'] as const).map(serverTests)],
  },
});

/** The server's suite runs whole on each engine; `tests/setup/database.ts` opens the one that is provided. */
function serverTests(engine: 'pglite' | 'postgres'): TestProjectConfiguration {
  return {
    extends: false,
    root,
    test: {
      name: engine,
      environment: 'node',
      include: ['tests/server/**/*.test.ts'],
      provide: { engine },
      globalSetup: [`${root}tests/setup/engine.ts`],
      setupFiles: [consoleGuard],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      maxWorkers: 2,
    },
  };
}
