import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder, node, root } from './server-process.ts';

const run = promisify(execFile);
const COPIED = [
  'src',
  'sw',
  'public',
  'tests/setup',
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

/** A migration that only adds, as a release may. */
const MIGRATION = [
  `ALTER TABLE "orders" ADD COLUMN "next_release" text DEFAULT 'none' NOT NULL;`,
  'CREATE TABLE "next_release" ("id" text PRIMARY KEY NOT NULL, "order_id" text REFERENCES "orders"("id"));',
  'CREATE INDEX "orders_by_next_release" ON "orders" USING btree ("next_release");',
];

/** Builds another release of the product: its sources with a migration and a change that affects every page. */
export type NextRelease = { root: string; remove(): void };

export async function buildNextRelease(): Promise<NextRelease> {
  const folder = newFolder();
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // In the code that all screens share, and in the scripts and styles of the first page.
  appendFileSync(
    join(folder, 'src/web/app/start.tsx'),
    `\ndocument.documentElement.dataset.release = 'next';\n`,
  );
  appendFileSync(
    join(folder, 'src/web/first-paint.ts'),
    `\ndocument.documentElement.dataset.paint = 'next';\n`,
  );
  appendFileSync(join(folder, 'src/web/ui/form/button.module.css'), '\n.next { order: 1; }\n');
  addMigration(join(folder, 'src/server/database/migrations'));
  await run(node, ['--input-type=module', '--eval', BUILD], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return { root: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function addMigration(folder: string): void {
  const file = join(folder, 'meta/_journal.json');
  const journal: { entries: { idx: number; when: number }[] } = JSON.parse(readFileSync(file, 'utf8'));
  const last = journal.entries.at(-1);
  const tag = '9999_next-release';
  const entry = { ...last, idx: (last?.idx ?? 0) + 1, when: (last?.when ?? 0) + 1, tag };
  writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  writeFileSync(join(folder, `${tag}.sql`), MIGRATION.join('--> statement-breakpoint\n'));
}
