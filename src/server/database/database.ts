import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SQL } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { ConfigError } from '../config.ts';
import { makeDataPrivate } from '../core/private-files.ts';
import { openEmbeddedEngine } from './embedded-engine.ts';
import { copyTemplate } from './embedded-template.ts';
import { lockFolder } from './folder-lock.ts';
import { createPreparer } from './prepared-statements.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { schema } from './schema.ts';
import { explainOldServer } from './server-version.ts';
import type { SqlStore } from './sql-store.ts';
import { DatabaseNotSetUp } from './unavailable.ts';

/** A connection or transaction of either engine: the first parameter of every query and command. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

export type OpenDatabase = {
  engine: 'pglite' | 'postgres';
  db: Database;
  store: SqlStore;
  readiness: Readiness;
  /** Connections of the pool; null on the embedded engine. */
  readPool(): { total: number; idle: number; waiting: number } | null;
  /** Runs work while no other process of the installation does, so that first-start data is created once. */
  withAdvisoryLock<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));
const JOURNAL = 'drizzle.__drizzle_migrations';
/** A request that has waited this long for a connection is refused. */
const CONNECT_WITHIN_MS = 10_000;
/** Connections of a process to PostgreSQL. */
export const POOL_SIZE = 10;

/**
 * Opens PostgreSQL if `url` is given, otherwise the embedded engine on `folder` (null: in memory), and migrates the
 * tables. Several processes may do this at once on PostgreSQL; a folder belongs to one process.
 * @throws {FolderInUseError} if another live process uses the folder
 * @throws {ConfigError} if the tables are from before the first release, or the server is too old
 */
export async function openDatabase(where: {
  url: string | null;
  folder: string | null;
  /** Dump of a migrated embedded database to start from; for tests. */
  snapshot?: Blob;
  /** Called when the embedded engine has aborted: no statement succeeds until the process is started again. */
  onLost?: () => void;
}): Promise<OpenDatabase> {
  const { url, folder, snapshot, onLost } = where;
  const database = url
    ? connectPostgres(url)
    : await connectPglite(folder, { snapshot, onLost, hasTemplate: snapshot === undefined });
  try {
    await database.withAdvisoryLock(() => database.migrate());
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** A database whose tables may be missing or older than this release. */
export type UnmigratedDatabase = OpenDatabase & {
  /** @throws {ConfigError} if the tables are from before the first release, or the server is too old */
  migrate(): Promise<void>;
};

/**
 * Opens a database without changing it.
 * @throws {FolderInUseError} if another live process uses the folder
 */
export async function connectDatabase(where: {
  url: string | null;
  folder: string;
}): Promise<UnmigratedDatabase> {
  return where.url ? connectPostgres(where.url) : connectPglite(where.folder, { hasTemplate: false });
}

/**
 * Opens a database that has the tables of this release, and creates and migrates nothing.
 * @throws {DatabaseNotSetUp}
 * @throws {FolderInUseError} if another live process uses the folder
 */
export async function openExistingDatabase(where: {
  url: string | null;
  folder: string;
}): Promise<OpenDatabase> {
  const { url, folder } = where;
  if (url === null && !existsSync(join(folder, 'database')))
    throw new DatabaseNotSetUp(`There is no database in the folder ${folder}: the first start creates it.`);
  const database = await connectDatabase(where);
  try {
    const problem = await explainOldServer(async (text) => ({ rows: await database.store.query(text) }));
    if (problem !== null) throw new DatabaseNotSetUp(problem);
    const [journal] = await database.store.query(`select 1 where to_regclass('${JOURNAL}') is not null`);
    const [last] = journal
      ? await database.store.query<{ time: string }>(`select max(created_at)::text as time from ${JOURNAL}`)
      : [];
    if (Number(last?.time ?? 0) < (readMigrations().at(-1)?.folderMillis ?? 0))
      throw new DatabaseNotSetUp('The database has no tables of this release: the next start creates them.');
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The migrations of this release, oldest first. */
export function readMigrations(): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder });
}

/** Rows of a hand-written statement, typed by the caller. */
export async function queryRows<Row>(db: Database, statement: SQL): Promise<Row[]> {
  const result = (await db.execute(statement)) as unknown as { rows: Row[] };
  return result.rows;
}

/** The row that a statement with `returning` has written. */
export function writtenRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A row was not written.');
  return row;
}

function connectPostgres(url: string): UnmigratedDatabase {
  const pool = openPool(url);
  const db = drizzlePostgres(pool, { schema });
  const store: SqlStore = {
    async query<Row>(text: string, params: unknown[] = []) {
      const result = await (params.length > 0 ? pool.query(text, params) : pool.query(text));
      return lastResult(result).rows as Row[];
    },
  };
  const readiness = createReadiness(store);
  return {
    engine: 'postgres',
    db,
    store: readiness.watch(store),
    readiness,
    readPool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    withAdvisoryLock: (work) => withAdvisoryLock(pool, work),
    async migrate() {
      const problem = await explainOldServer((text) => pool.query(text));
      if (problem !== null) throw new ConfigError(problem);
      await requireSameFirstMigration((text) => pool.query(text), 'Set DATABASE_URL to an empty database.');
      await migratePostgres(db, { migrationsFolder });
    },
    close: () => pool.end(),
  };
}

/**
 * A pool that survives lost connections. A lost connection emits 'error', which ends the process if unhandled: the pool
 * handles it while the connection is idle, this listener always. The statement in progress, or the next one, fails with
 * an error that `isDatabaseUnavailable` recognizes; the pool reconnects when needed.
 */
function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', createPreparer());
  pool.on('connect', releaseAfterFailedBegin);
  return pool;
}

/** The query builder does not release a connection whose transaction failed to begin, so the pool would run out. */
function releaseAfterFailedBegin(client: pg.PoolClient): void {
  const send = client.query;
  client.query = function query(this: pg.PoolClient, ...given: unknown[]) {
    const answer: unknown = Reflect.apply(send, this, given);
    const { text = given[0] } = Object(given[0]) as { text?: unknown };
    if (typeof text === 'string' && text.startsWith('begin') && answer instanceof Promise) {
      answer.catch((error: Error) => this.release(error));
    }
    return answer;
  } as typeof send;
}

/**
 * Serializes first-start work of processes that start together. The lock number is arbitrary. The lock ends with its
 * connection, so work that lost it fails even if all its statements succeeded.
 */
async function withAdvisoryLock<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('select pg_advisory_lock(7241990)');
    const result = await work();
    await client.query('select pg_advisory_unlock(7241990)');
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After a failure, closing the connection releases the lock as well.
    client.release(failure);
  }
}

async function connectPglite(
  folder: string | null,
  {
    snapshot,
    onLost,
    hasTemplate,
  }: { snapshot?: Blob | undefined; onLost?: (() => void) | undefined; hasTemplate: boolean },
): Promise<UnmigratedDatabase> {
  const unlock = folder ? lockFolder(folder) : () => {};
  const dataDir = folder ? join(folder, 'database') : undefined;
  if (dataDir) {
    if (hasTemplate) copyTemplate(dataDir);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  }
  const { client, query } = await openEmbeddedEngine({
    ...(dataDir ? { dataDir } : {}),
    ...(snapshot ? { loadDataDir: snapshot } : {}),
  });
  // After the start, because the engine makes a new database with files that others can write.
  if (folder) makeDataPrivate(folder);
  const db = drizzlePglite(client, { schema });
  const store: SqlStore = { query: (text, params = []) => query(text, params) };
  const readiness = createReadiness(store, onLost);
  return {
    engine: 'pglite',
    db,
    store: readiness.watch(store),
    readiness,
    readPool: () => null,
    // The folder's lock already guarantees this.
    withAdvisoryLock: (work) => work(),
    async migrate() {
      await requireSameFirstMigration(
        (text) => client.query(text),
        `Delete the folder ${folder}, or set DATA_DIR to another one.`,
      );
      await migratePglite(db, { migrationsFolder });
    },
    async close() {
      await client.close();
      unlock();
    },
  };
}

function lastResult<Result>(result: Result | Result[]): Result {
  return Array.isArray(result) ? (result.at(-1) as Result) : result;
}

/**
 * Refuses a database that does not begin with the first migration. Later migrations may be unknown: during an upgrade
 * processes of the old release start on the tables of the new one.
 * @param query sends a statement to the database
 * @param remedy what the operator has to do with such a database
 * @throws {ConfigError}
 */
async function requireSameFirstMigration(
  query: (statement: string) => Promise<{ rows: unknown[] }>,
  remedy: string,
): Promise<void> {
  const journal = await query(`select 1 where to_regclass('${JOURNAL}') is not null`);
  if (journal.rows.length === 0) return;
  const { rows } = await query(`select created_at::text as time from ${JOURNAL} order by created_at limit 1`);
  const [first] = rows as { time: string }[];
  const firstOfRelease = readMigrations()[0]?.folderMillis;
  if (first === undefined || Number(first.time) === firstOfRelease) return;
  throw new ConfigError(
    `The database was made by a version from before the first release and cannot be upgraded. ${remedy}`,
  );
}
