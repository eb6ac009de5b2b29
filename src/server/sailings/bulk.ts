import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../database/database.ts';

const ROWS_PER_STATEMENT = 2000;

/**
 * Inserts or updates many rows by key with few statements; an update keeps the id. All rows must set the same columns.
 * Other requests are served between two statements, even with the embedded database, which runs statements on this
 * thread.
 */
export async function upsertRows<Table extends PgTable>(
  db: Database,
  table: Table,
  key: readonly PgColumn[],
  rows: readonly Table['$inferInsert'][],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = pickColumns(table, Object.keys(first));
  const names = columns.map((column) => sql.identifier(column.name));
  const updated = columns.filter((column) => column.name !== 'id' && !key.includes(column));
  const assignments = updated.map(
    (column) => sql`${sql.identifier(column.name)} = excluded.${sql.identifier(column.name)}`,
  );
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const part = rows.slice(start, start + ROWS_PER_STATEMENT);
    await db.execute(sql`
      insert into ${table} (${list(names)})
      select ${list(names)} from ${recordset(columns, table, part)}
      on conflict (${list(key.map((column) => sql.identifier(column.name)))})
      do update set ${list(assignments)}`);
    await nextEventLoopTurn();
  }
}

/** Calls `work` with the ids in chunks that fit one statement, as a list for `in (…)`. */
export async function forEachChunk(
  ids: readonly string[],
  work: (list: SQL) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += ROWS_PER_STATEMENT) {
    const part = ids.slice(start, start + ROWS_PER_STATEMENT);
    await work(sql`(select jsonb_array_elements_text(${JSON.stringify(part)}::jsonb))`);
    await nextEventLoopTurn();
  }
}

/** A statement's table `rows` with the types of the table's columns, passed as a single parameter. */
function recordset(columns: readonly PgColumn[], table: PgTable, rows: readonly object[]): SQL {
  const properties = Object.entries(getTableColumns(table));
  const named = rows.map((row) =>
    Object.fromEntries(
      properties
        .filter(([property]) => property in row)
        .map(([property, column]) => [column.name, (row as Record<string, unknown>)[property] ?? null]),
    ),
  );
  const types = columns.map((column) => sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}`);
  return sql`jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as rows(${list(types)})`;
}

function pickColumns(table: PgTable, properties: readonly string[]): PgColumn[] {
  const columns = getTableColumns(table);
  return properties.map((property) => {
    const column = columns[property];
    if (!column) throw new TypeError(`${getTableName(table)} has no column for ${property}.`);
    return column;
  });
}

function list(parts: readonly SQL[] | readonly ReturnType<typeof sql.identifier>[]): SQL {
  return sql.join([...parts], sql`, `);
}
