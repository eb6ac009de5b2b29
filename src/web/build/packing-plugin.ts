import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Plugin } from 'vite';

const pack = promisify(brotliCompress);

/**
 * Writes each script and style once more as `.br`, packed as small as it goes. That takes seconds, which a server
 * that starts, perhaps after a crash, does not have.
 */
export function packingPlugin(): Plugin {
  return {
    name: 'packing',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    writeBundle: {
      order: 'post',
      async handler({ dir = '' }, bundle) {
        const names = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name));
        await Promise.all(
          names.map(async (name) => {
            const file = join(dir, name);
            await writeFile(`${file}.br`, await pack(await readFile(file)));
          }),
        );
      },
    },
  };
}
