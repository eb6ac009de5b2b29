import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder, node, root } from './server-process.ts';

const run = promisify(execFile);
const COPIED = [
  'src',
  'sw',
  'public',
  'package.json',
  'manifest.webmanifest',
  'tsconfig.base.json',
  'tsconfig.json',
  'vite.config.ts',
];

/** Like `npm run build`, but without resolving symbolic links of packages. */
const BUILD = `
  import { build } from 'vite';
  for (const ssr of [false, true]) await build({ build: { ssr }, resolve: { preserveSymlinks: true } });
`;

/** Builds another release of the product: its sources with a change that affects every page. */
export type NextRelease = { root: string; remove(): void };

export async function buildNextRelease(): Promise<NextRelease> {
  const folder = newFolder();
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // In the code that all screens share, and in the scripts and styles of the first page.
  appendFileSync(join(folder, 'src/web/main.tsx'), `\ndocument.documentElement.dataset.release = 'next';\n`);
  appendFileSync(
    join(folder, 'src/web/first-paint.ts'),
    `\ndocument.documentElement.dataset.paint = 'next';\n`,
  );
  appendFileSync(join(folder, 'src/web/ui/form/button.module.css'), '\n.next { order: 1; }\n');
  await run(node, ['--input-type=module', '--eval', BUILD], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return { root: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
