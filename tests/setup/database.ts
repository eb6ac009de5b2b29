import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import pg from 'pg';
import { inject } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/database/database.ts';

export type TestDatabase = OpenDatabase & {
  /** Connection URL of this file's own database; null on the embedded engine. */
  url: string | null;
};

/** An empty, migrated database of the caller's own, on the engine of the running project. */
export async function openTestDatabase(): Promise<TestDatabase> {
  if (inject('engine') === 'pglite') {
    const snapshot = await openAsBlob(inject('snapshotFile'));
    return { ...(await openDatabase({ url: null, folder: null, snapshot })), url: null };
  }
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} template gangway_template`);
  const url = new URL(inject('clusterUrl'));
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href, folder: null });
  return {
    ...database,
    url: url.href,
    async close() {
      await database.close();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
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
