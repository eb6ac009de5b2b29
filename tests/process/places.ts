import { randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/database/database.ts';
import { newFolder } from './server-process.ts';

/** A server's data, separate for each caller: a folder or a database with the demo operator. */
export type Place = {
  env: Record<string, string>;
  /** Direct access to the database. The embedded one opens only while no server uses it. */
  openDatabase(): Promise<OpenDatabase>;
  remove(): Promise<void>;
};

export function newEmbeddedPlace(): Place {
  const folder = newFolder();
  const data = join(folder, 'data');
  cpSync(inject('preparedFolder'), data, { recursive: true });
  return {
    env: { DATA_DIR: data },
    openDatabase: () => openDatabase({ url: null, folder: data }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An empty database without tables. */
export async function newPostgresPlace({ isEmpty = false } = {}): Promise<Place & { url: string }> {
  const folder = newFolder();
  const name = `process_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} template ${isEmpty ? 'template0' : 'prepared'}`);
  const url = new URL(inject('preparedCluster'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    env: { DATA_DIR: folder, DATABASE_URL: url.href },
    openDatabase: () => openDatabase({ url: url.href, folder: null }),
    async remove() {
      await asAdmin(`drop database ${name} with (force)`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('preparedCluster') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
