import { join } from 'node:path';
import { build, type Plugin } from 'vite';

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
      const result = await build({
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        build: {
          write: false,
          target,
          lib: {
            entry: join(root, 'first-paint.ts'),
            formats: ['iife'],
            name: 'firstPaint',
            fileName: () => FILE_NAME,
          },
        },
      });
      const [output] = [result].flat();
      if (output === undefined || !('output' in output)) throw new Error('The first paint was not built.');
      this.emitFile({ type: 'asset', name: FILE_NAME, source: output.output[0].code });
    },
  };
}

/** Whether a file of the build is that script; its name changes with its content. */
export function isFirstPaint(file: string): boolean {
  return /^assets\/first-paint-[\w-]+\.js$/.test(file);
}
