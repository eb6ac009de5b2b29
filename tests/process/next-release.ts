import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder, node, root } from './server-process.ts';

const run = promisify(execFile);
const COPIED = ['src', 'sw', 'public', 'package.json', 'manifest.webmanifest', 'vite.config.ts'];

/** Another release of the product: its sources with a change that every page notices, built. */
export type NextRelease = { root: string; remove(): void };

export async function buildNextRelease(): Promise<NextRelease> {
  const folder = newFolder();
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // In what all screens share, and in the scripts and styles of the first page.
  appendFileSync(join(folder, 'src/web/main.tsx'), `\ndocument.documentElement.dataset.release = 'next';\n`);
  appendFileSync(
    join(folder, 'src/web/first-paint.ts'),
    `\ndocument.documentElement.dataset.paint = 'next';\n`,
  );
  appendFileSync(join(folder, 'src/web/ui/button.module.css'), '\n.next { order: 1; }\n');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  for (const options of [[], ['--ssr']]) await run(node, [vite, 'build', ...options], { cwd: folder });
  return { root: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
