import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';

const dialect = new PgDialect();

/**
 * A hand-written statement whose text is built once, because building a long one costs more than sending it.
 * @param statement with a placeholder for each value
 */
export function prepareRows<Row>(
  db: Database,
  statement: SQL,
): (values: Record<string, unknown>) => Promise<Row[]> {
  const prepared = db._.session.prepareQuery(dialect.sqlToQuery(statement), undefined, undefined, false);
  return async (values) => ((await prepared.execute(values)) as { rows: Row[] }).rows;
}
