import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import pg from 'pg';
import { inject } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/database/database.ts';
import type { SqlStore } from '#server/database/sql-store.ts';

export type TestDatabase = OpenDatabase & {
  /** Connection URL of this file's separate database; null on the embedded engine. */
  url: string | null;
};

/**
 * Databases that earlier files of this worker used. Starting an embedded one costs most of a second, creating and
 * dropping one on the cluster a fifth of a second, emptying one a few milliseconds.
 */
const idle: TestDatabase[] = [];

/** A separate, empty, migrated database on the engine of the running project. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const database = idle.pop() ?? (await createTestDatabase());
  return {
    ...database,
    async close() {
      await database.store.query('drop schema if exists pgboss, copied cascade');
      await emptyTables(database.store);
      idle.push(database);
    },
  };
}

async function createTestDatabase(): Promise<TestDatabase> {
  if (inject('engine') === 'pglite') return { ...(await startEmbedded()), url: null };
  const { url } = await createDatabase('gangway_template');
  return { ...(await openDatabase({ url, folder: null })), url };
}

/** A separate database on the PostgreSQL cluster, copied from the template. */
export async function createDatabase(
  template: 'gangway_template' | 'template0',
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `${inject('databasePrefix')}${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} template ${template}`);
  const url = new URL(inject('clusterUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(`drop database ${name} with (force)`) };
}

/** Deletes the rows of all tables of the product and of the sandbox except the tables named. */
export async function emptyTables(store: SqlStore, except: readonly string[] = []): Promise<void> {
  const tables = (await tablesOf(store)).filter((name) => !except.includes(name));
  await writeWithoutTriggers(
    store,
    // Row by row, which is fast with few rows.
    tables.map((name) => `delete from ${name}`),
  );
}

/**
 * Copies the rows of all tables, for tests that begin with the same data where creating it takes long.
 * @returns a function that replaces all rows by the copy
 */
export async function copyRows(store: SqlStore): Promise<() => Promise<void>> {
  const copies = (await tablesOf(store)).map((name) => ({ name, copy: `copied.${name.replace('.', '_')}` }));
  await store.query('create schema copied');
  for (const { name, copy } of copies) await store.query(`create table ${copy} as table ${name}`);
  return async () => {
    await emptyTables(store);
    await writeWithoutTriggers(
      store,
      copies.map(({ name, copy }) => `insert into ${name} overriding system value table ${copy}`),
    );
  };
}

async function tablesOf(store: SqlStore): Promise<string[]> {
  const tables = await store.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'sandbox')`,
  );
  return tables.map(({ name }) => name);
}

/** The ledger's triggers refuse deleted entries, and the foreign keys an arbitrary order of the tables. */
async function writeWithoutTriggers(store: SqlStore, statements: string[]): Promise<void> {
  await store.query(`
    begin;
    set local session_replication_role = replica;
    ${statements.join(';\n')};
    commit
  `);
}

async function startEmbedded(): Promise<OpenDatabase> {
  const snapshot = await openAsBlob(inject('snapshotFile'));
  return openDatabase({ url: null, folder: null, snapshot });
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('clusterUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
