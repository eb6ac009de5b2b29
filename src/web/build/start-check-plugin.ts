import { join } from 'node:path';
import type { Plugin } from 'vite';
import { buildStandalone } from './standalone-script.ts';

/** Builds the script for browsers that cannot start the app. Not minified, because that writes newer syntax. */
export function startCheckPlugin(): Plugin {
  let root = '';
  return {
    name: 'start-check',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved(config) {
      root = config.root;
    },
    async generateBundle() {
      const source = await buildStandalone(join(root, 'start-check.ts'), { target: 'es2015', minify: false });
      this.emitFile({ type: 'asset', name: 'start-check.js', source });
    },
  };
}

/** Whether a file of the build is that script. */
export function isStartCheck(file: string): boolean {
  return /^assets\/start-check-[\w-]+\.js$/.test(file);
}
