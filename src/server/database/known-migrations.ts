import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { ConfigError } from '../config.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

const JOURNAL = 'drizzle.__drizzle_migrations';

/**
 * Refuses a database that does not begin with the first migration. Later migrations may be unknown: during an upgrade
 * processes of the old release start on the tables of the new one.
 * @param query sends a statement to the database
 * @param remedy what the operator has to do with such a database
 * @throws {ConfigError}
 */
export async function requireKnownMigrations(
  query: (statement: string) => Promise<{ rows: unknown[] }>,
  remedy: string,
): Promise<void> {
  const journal = await query(`select 1 where to_regclass('${JOURNAL}') is not null`);
  if (journal.rows.length === 0) return;
  const { rows } = await query(`select created_at::text as time from ${JOURNAL} order by created_at limit 1`);
  const [first] = rows as { time: string }[];
  const known = readMigrationFiles({ migrationsFolder })[0]?.folderMillis;
  if (first === undefined || Number(first.time) === known) return;
  throw new ConfigError(
    `The database was made by a version from before the first release and cannot be upgraded. ${remedy}`,
  );
}
