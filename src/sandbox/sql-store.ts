/**
 * The sandbox's only requirement of a database: run one statement with `$1`-style parameters. PGlite and a PostgreSQL
 * pool both satisfy it. Several server processes may share it, and an embedded engine has a single connection, so the
 * sandbox never opens a transaction: atomic changes are one statement.
 */
export type SqlStore = {
  query<Row>(sql: string, params: unknown[]): Promise<Row[]>;
};

/**
 * Runs `create … if not exists` statements. PostgreSQL may still fail if another process creates the same table
 * concurrently, so a failure is retried.
 */
export async function prepareTables(store: SqlStore, statements: readonly string[]): Promise<void> {
  for (const statement of ['create schema if not exists sandbox', ...statements]) {
    await retryOnConflict(store, statement);
  }
}

const conflictCodes = new Set(['23505', '42P06', '42P07', 'XX000', '40P01']);

async function retryOnConflict(store: SqlStore, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await store.query(statement, []);
      return;
    } catch (error) {
      if (attempt === 5 || !conflictCodes.has(getSqlState(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
    }
  }
}

/** The SQLSTATE of a database error or its causes; empty for other errors. */
export function getSqlState(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? getSqlState(error.cause) : '';
}
