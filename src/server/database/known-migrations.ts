import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { ConfigError } from '../config.ts';
import { type Database, rowsOf } from './database.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Refuses a database that does not begin with the first migration. Later migrations may be unknown: during an upgrade
 * processes of the old release start on the tables of the new one.
 * @param remedy what the operator has to do with such a database
 * @throws {ConfigError}
 */
export async function requireKnownMigrations(db: Database, remedy: string): Promise<void> {
  const [journal] = await rowsOf<{ exists: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  );
  if (!journal?.exists) return;
  const [first] = await rowsOf<{ time: string }>(
    db,
    sql`select created_at::text as time from drizzle.__drizzle_migrations order by created_at limit 1`,
  );
  const known = readMigrationFiles({ migrationsFolder })[0]?.folderMillis;
  if (first === undefined || Number(first.time) === known) return;
  throw new ConfigError(
    `The database was made by a version from before the first release and cannot be upgraded. ${remedy}`,
  );
}
