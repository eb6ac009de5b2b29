import { setTimeout as delay } from 'node:timers/promises';
import { getTableName, sql } from 'drizzle-orm';
import { type Database, queryRows, readMigrations, type UnmigratedDatabase } from '../database/database.ts';
import { pushes } from '../database/schema/push.ts';
import { smsMessages } from '../database/schema/sms.ts';
import { mails } from '../database/schema/system.ts';
import type { UnfinishedJob } from '../jobs/unfinished-jobs.ts';
import { BackupError, type BackupHeader, type OpenBackup } from './backup-file.ts';
import { continueSequences, dropEverything, listTables, run, type Table, withoutChecks } from './tables.ts';

const OTHERS_END_WITHIN_MS = 3000;

/** Characters of rows that one statement inserts. */
const BATCH_CHARACTERS = 1_000_000;

const MESSAGE_TABLES = [mails, pushes, smsMessages];

export type RestoreOptions = {
  /** Whether the present content of the database is deleted. */
  isReplacing: boolean;
  /** Whether mails, pushes and text messages that waited at the time of the backup count as sent. */
  areMailsSent: boolean;
  /** Creates the tables of the stand-ins of card provider and mail server. */
  createSandboxTables(tx: Database): Promise<void>;
  /** Runs on the restored tables in the same transaction; throws if they cannot be used. */
  finish(tx: Database): Promise<void>;
};

export type Restored = { rows: number; jobs: readonly UnfinishedJob[]; messagesQueued: number };

/**
 * Writes a backup into an empty database and brings it up to date. All or nothing.
 * @returns what was restored; the jobs still have to be sent
 * @throws {BackupError} if the file is damaged or from a newer release, or the database has content or is in use
 */
export async function restoreBackup(
  database: UnmigratedDatabase,
  { header, lines }: OpenBackup,
  options: RestoreOptions,
): Promise<Restored> {
  const migrations = chooseMigrations(header);
  const restored = await database.db.transaction(async (tx) => {
    if (database.engine === 'postgres') await requireUnused(tx);
    if (options.isReplacing) await dropEverything(tx);
    await requireEmpty(tx);
    await createTables(tx, header, migrations);
    if (header.tables.some((name) => name.startsWith('sandbox.'))) await options.createSandboxTables(tx);
    const tables = await listTables(tx);
    const { rows, jobs } = await loadTables(tx, tables, lines);
    for (const table of tables) await continueSequences(tx, table);
    const messagesQueued = await settleMessages(tx, tables, options);
    await options.finish(tx);
    return { rows, jobs, messagesQueued };
  });
  await database.migrate();
  return restored;
}

/** The statements of the migrations that the backup's tables had. */
function chooseMigrations({ migrations }: BackupHeader): string[] {
  const statementsByTime = new Map(
    readMigrations().map(({ folderMillis, sql: statements }) => [folderMillis, statements]),
  );
  const unknown = migrations.filter(({ created_at: time }) => !statementsByTime.has(time));
  if (unknown.length > 0) {
    throw new BackupError(
      'The backup was made by a newer release, whose tables this one does not know. Restore it with that release.',
    );
  }
  return migrations.flatMap(({ created_at: time }) => statementsByTime.get(time) ?? []);
}

/**
 * A server would write between the rows; a starting one waits for this lock. Connections of a process that has just
 * stopped end a little later.
 */
async function requireUnused(tx: Database): Promise<void> {
  await run(tx, 'select pg_advisory_xact_lock(7241990)');
  const deadline = performance.now() + OTHERS_END_WITHIN_MS;
  for (;;) {
    const others = await countOtherConnections(tx);
    if (others === 0) return;
    if (performance.now() > deadline) {
      throw new BackupError(
        `The database is in use by ${others} other connections. Stop all server processes, then repeat.`,
      );
    }
    await delay(100);
  }
}

async function countOtherConnections(tx: Database): Promise<number> {
  // A transaction sees the list as it was at its first look.
  await run(tx, 'select pg_stat_clear_snapshot()');
  const [others] = await queryRows<{ count: number }>(
    tx,
    sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
        and backend_type = 'client backend'`,
  );
  return others?.count ?? 0;
}

async function requireEmpty(tx: Database): Promise<void> {
  const tables = await listTables(tx);
  if (tables.length === 0) return;
  throw new BackupError(
    'The database is not empty, and nothing was changed. Restore into an empty one, or repeat with --replace, ' +
      'which deletes what it contains.',
  );
}

async function createTables(tx: Database, header: BackupHeader, migrations: string[]): Promise<void> {
  await run(tx, 'create schema drizzle');
  await run(
    tx,
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  for (const { hash, created_at: time } of header.migrations) {
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${time}::bigint)`,
    );
  }
  for (const statement of migrations) await run(tx, statement);
}

async function loadTables(
  tx: Database,
  tables: readonly Table[],
  lines: OpenBackup['lines'],
): Promise<{ rows: number; jobs: UnfinishedJob[] }> {
  const jobs: UnfinishedJob[] = [];
  let rows = 0;
  let expected: number | null = null;
  await run(tx, `set local datestyle = 'ISO'`);
  await run(tx, `set local intervalstyle = 'postgres'`);
  await withoutChecks(tx, tables, async () => {
    let batch = openBatch(tx, null);
    for await (const line of lines) {
      if (line.kind === 'row') {
        rows += 1;
        await batch.add(line.json);
        continue;
      }
      await batch.flush();
      if (line.kind === 'table') batch = openBatch(tx, buildInsert(tables, line));
      if (line.kind === 'job') jobs.push({ job: line.job, data: line.data });
      if (line.kind === 'end') expected = line.rows;
    }
  });
  if (rows !== expected) throw new BackupError('The backup is incomplete, and nothing was changed.');
  return { rows, jobs };
}

type Insert = { head: string; values: string };

/** Each value is written from its text, so that every type arrives exactly as it was. */
function buildInsert(
  tables: readonly Table[],
  { table: name, columns }: { table: string; columns: string[] },
): Insert {
  const table = tables.find((each) => each.name === name);
  const types = columns.map((column) => table?.columns.find((each) => each.name === column)?.type);
  if (types.includes(undefined))
    throw new BackupError(`The backup contains ${name} with unknown columns, and nothing was changed.`);
  return {
    head: `insert into ${name} (${columns.join(', ')}) overriding system value select`,
    values: types.map((type, index) => `(r ->> ${index})::${type}`).join(', '),
  };
}

function openBatch(tx: Database, insert: Insert | null) {
  let texts: string[] = [];
  let size = 0;
  const flush = async () => {
    if (insert === null || texts.length === 0) return;
    const { head, values } = insert;
    const rows = `[${texts.join(',')}]`;
    texts = [];
    size = 0;
    await tx.execute(
      sql`${sql.raw(`${head} ${values}`)} from jsonb_array_elements(${rows}::text::jsonb) as r`,
    );
  };
  const add = async (json: string) => {
    texts.push(json);
    size += json.length;
    if (size > BATCH_CHARACTERS) await flush();
  };
  return { add, flush };
}

/**
 * Settles the messages that waited. A backup of an older release may lack a table.
 * @returns how many will be sent
 */
async function settleMessages(
  tx: Database,
  tables: readonly Table[],
  { areMailsSent }: RestoreOptions,
): Promise<number> {
  let queued = 0;
  for (const table of MESSAGE_TABLES) {
    if (!tables.some(({ name }) => name === `public.${getTableName(table)}`)) continue;
    if (areMailsSent) await tx.execute(sql`update ${table} set status = 'sent' where status = 'queued'`);
    else queued += await tx.$count(table, sql`status = 'queued'`);
  }
  if (areMailsSent) await tx.execute(sql`update ${mails} set encrypted_data = null`);
  return queued;
}
