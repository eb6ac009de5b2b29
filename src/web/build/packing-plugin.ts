import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);

/**
 * Writes a `.br` copy of each script, style and WebAssembly module, at the highest compression. At the server's start it would take too
 * long.
 */
export function packingPlugin(): Plugin {
  return {
    name: 'packing',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    writeBundle: {
      order: 'post',
      async handler({ dir = '' }) {
        const files = await readdir(dir, { recursive: true });
        const names = files.filter((name) => /\.(js|css|wasm)$/.test(name));
        await Promise.all(
          names.map(async (name) => {
            const file = join(dir, name);
            await writeFile(`${file}.br`, await compress(await readFile(file)));
          }),
        );
      },
    },
  };
}
