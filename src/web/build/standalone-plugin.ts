import { join } from 'node:path';
import { build, type Plugin } from 'vite';

type Standalone = {
  name: 'first-paint' | 'start-check';
  entry: string;
  target: string | string[];
  minify: boolean;
};

/** Builds a script and everything it imports into one classic script, which waits for no other file. */
export function standalonePlugin({ name, entry, target, minify }: Standalone): Plugin {
  let root = '';
  return {
    name,
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
          target,
          minify,
          write: false,
          lib: {
            entry: join(root, entry),
            formats: ['iife'],
            name: 'standalone',
            fileName: () => 'standalone.js',
          },
        },
      });
      const [output] = [result].flat();
      if (output === undefined || !('output' in output)) throw new Error(`${entry} was not built.`);
      this.emitFile({ type: 'asset', name: `${name}.js`, source: output.output[0].code });
    },
  };
}

/** True for the built script of that name. Its file name contains a hash of its content. */
export function isStandalone(name: Standalone['name'], file: string): boolean {
  return new RegExp(`^assets/${name}-[\\w-]+\\.js$`).test(file);
}
