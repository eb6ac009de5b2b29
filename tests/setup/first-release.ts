import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '#server/database/database.ts';
import { createDatabase, type TestDatabase } from './database.ts';

export const MIGRATIONS = 'src/server/database/migrations';
export const FIRST_MIGRATION = '0000_first-release';
const ROWS = 'tests/server/database/first-release.sql';

/** What the rows of the first release hold. */
export const FIRST_RELEASE = {
  appSecret: 'a secret of the tests, thirty-two or more',
  email: 'demo@harborline.example',
  password: 'by ferry across the sound',
  /** Of the customer's session. */
  token: 'gw_ka5AkPhqz3mXCHoyMEpbpPSnv4-EVGTBlLWgrYi-RMM',
  /** Of two adults, a week before they travel. */
  guestOrder: { id: 'ord_19s8pwanb8t6m92zx7cmgc8kbv', reference: 'V9FG-NE6P' },
  nextDay: '2026-11-24T15:00:00.000Z',
};

/** A database that an installation of the first release filled, brought up to date by the present one. */
export async function openFirstReleaseDatabase(): Promise<TestDatabase> {
  if (inject('engine') === 'pglite') {
    const client = await PGlite.create();
    await withFirstMigration((migrationsFolder) =>
      migratePglite(drizzlePglite(client), { migrationsFolder }),
    );
    await client.exec(readRows());
    const snapshot = await client.dumpDataDir('none');
    await client.close();
    return { ...(await openDatabase({ url: null, folder: null, snapshot })), url: null };
  }
  const { url, drop } = await createDatabase('template0');
  await fillAsFirstRelease(url);
  const database = await openDatabase({ url, folder: null });
  const close = async () => {
    await database.close();
    await drop();
  };
  return { ...database, url, close };
}

/** Makes an empty PostgreSQL database one that an installation of the first release filled. */
export async function fillAsFirstRelease(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await withFirstMigration((migrationsFolder) =>
    migratePostgres(drizzlePostgres(client), { migrationsFolder }),
  );
  await client.query(readRows());
  await client.end();
}

function readRows(): string {
  return `set session_replication_role = replica; ${readFileSync(ROWS, 'utf8')} reset session_replication_role;`;
}

async function withFirstMigration(work: (migrationsFolder: string) => Promise<void>): Promise<void> {
  const folder = copyFirstMigration();
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function copyFirstMigration(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-first-release-'));
  mkdirSync(join(folder, 'meta'));
  const journal: { entries: unknown[] } = JSON.parse(
    readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8'),
  );
  writeFileSync(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, 1) }),
  );
  cpSync(join(MIGRATIONS, `${FIRST_MIGRATION}.sql`), join(folder, `${FIRST_MIGRATION}.sql`));
  return folder;
}
