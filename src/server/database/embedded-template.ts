import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TEMPLATES = fileURLToPath(new URL('../../../dist/database', import.meta.url));
const JOURNAL = fileURLToPath(new URL('./migrations/meta/_journal.json', import.meta.url));

/** The folder of an empty, migrated database for these migrations and this version of the engine. */
function templateFolder(): string {
  const sources = [JOURNAL, findPackageJSON('@electric-sql/pglite', import.meta.url) ?? ''];
  const digest = createHash('sha256');
  for (const source of sources) digest.update(readFileSync(source));
  return join(TEMPLATES, digest.digest('hex').slice(0, 16));
}

/**
 * Begins a new embedded database with a copy of the template, because creating one takes seconds and half a gigabyte of
 * memory. Does nothing if there is no template or already a database.
 */
export function copyTemplate(dataDir: string): void {
  const template = templateFolder();
  if (existsSync(dataDir) || !existsSync(template)) return;
  // Renamed once it is complete, because a start may be interrupted.
  const copy = `${dataDir}.new`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(template, copy, { recursive: true });
  renameSync(copy, dataDir);
}

/**
 * Makes the template if it is missing.
 * @param create makes a database in the folder `database` of the given folder
 */
export async function makeTemplate(create: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(templateFolder())) return;
  rmSync(TEMPLATES, { recursive: true, force: true });
  const draft = join(TEMPLATES, 'new');
  await create(draft);
  renameSync(join(draft, 'database'), templateFolder());
  rmSync(draft, { recursive: true });
}
