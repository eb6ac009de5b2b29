import { join } from 'node:path';
import type { Plugin } from 'vite';
import { buildStandalone } from './standalone-script.ts';

const FILE_NAME = 'first-paint.js';

/** Builds the script that paints saved data into one file without imports: nothing may stand between it and the screen. */
export function firstPaintPlugin(target: string[]): Plugin {
  let root = '';
  return {
    name: 'first-paint',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved(config) {
      root = config.root;
    },
    async generateBundle() {
      const source = await buildStandalone(join(root, 'first-paint-script.ts'), { target, minify: true });
      this.emitFile({ type: 'asset', name: FILE_NAME, source });
    },
  };
}

/** Whether a file of the build is that script; its name changes with its content. */
export function isFirstPaint(file: string): boolean {
  return /^assets\/first-paint-[\w-]+\.js$/.test(file);
}
