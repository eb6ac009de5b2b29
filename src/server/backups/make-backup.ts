import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { inSnapshot } from '../database/transactions.ts';
import { listUnfinishedJobs } from '../jobs/unfinished-jobs.ts';
import { GENERATED_SECRET } from '../secrets.ts';
import { type BackupHeader, formatLine, writeBackupFile } from './backup-file.ts';
import { recordBackup } from './last-backup.ts';
import { listSavedTables, run, type Table } from './tables.ts';

/** Rows read at once; fewer where they contain files. */
const ROWS_AT_ONCE = { plain: 500, withBytes: 8 };

type BackupContext = Pick<Context, 'db' | 'clock'>;

/**
 * Writes a consistent snapshot of the database to a new file while the server runs. The secret is not included.
 * @returns the number of rows
 * @throws {BackupError} if the file cannot be written
 */
export async function makeBackup(context: BackupContext, path: string): Promise<number> {
  const madeAt = context.clock.now();
  const counted = { rows: 0 };
  await inSnapshot(context.db, (tx) => writeBackupFile(path, readSnapshot(tx, madeAt, counted)));
  await recordBackup(context.db, madeAt);
  return counted.rows;
}

async function* readSnapshot(tx: Database, madeAt: Date, counted: { rows: number }): AsyncGenerator<string> {
  // Texts of values must not depend on the settings of this database.
  await run(tx, `set local datestyle = 'ISO'`);
  await run(tx, `set local intervalstyle = 'postgres'`);
  const migrations = await queryRows<BackupHeader['migrations'][number]>(
    tx,
    sql`select hash, created_at::float from drizzle.__drizzle_migrations order by created_at`,
  );
  const tables = await listSavedTables(tx);
  const header: BackupHeader = {
    gangway_backup: 1,
    made_at: madeAt.toISOString(),
    migrations,
    tables: tables.map(({ name }) => name),
  };
  yield formatLine(header);
  for (const table of tables) {
    yield formatLine({ table: table.name, columns: table.columns.map(({ name }) => name) });
    for await (const rows of readRows(tx, table)) {
      counted.rows += rows.length;
      yield rows.map(({ row }) => `${row}\n`).join('');
    }
  }
  for (const job of await listUnfinishedJobs(tx)) yield formatLine(job);
  yield formatLine({ rows: counted.rows });
}

async function* readRows(tx: Database, table: Table): AsyncGenerator<{ row: string }[]> {
  const columns = table.columns.map(({ name }) => `${name}::text`).join(', ');
  const isKept = table.name === 'public.secrets' ? `where name <> '${GENERATED_SECRET}'` : '';
  const count = table.hasBytes ? ROWS_AT_ONCE.withBytes : ROWS_AT_ONCE.plain;
  await run(
    tx,
    `declare backup_rows no scroll cursor for
     select array_to_json(array[${columns}])::text as row from ${table.name} ${isKept}`,
  );
  for (;;) {
    const rows = await queryRows<{ row: string }>(tx, sql.raw(`fetch ${count} from backup_rows`));
    if (rows.length > 0) yield rows;
    if (rows.length < count) break;
  }
  await run(tx, 'close backup_rows');
}
