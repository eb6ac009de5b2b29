import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { queryRows } from '#server/database/database.ts';
import type { TestServer } from '#tests/setup/server.ts';
import { type Contradiction, EVERY_QUERY, INVARIANTS, type Invariant } from './invariant-queries.ts';

/** Fails with the name of the first invariant that something contradicts. */
export function expectNone(contradictions: readonly Contradiction[]): void {
  const [first] = contradictions;
  if (!first) return;
  const sameInvariant = contradictions.filter(({ invariant }) => invariant === first.invariant);
  expect(
    sameInvariant.map((each) => each.found),
    describeBroken(first.invariant),
  ).toEqual([]);
}

/** The message of a failure. */
export function describeBroken(invariant: Invariant): string {
  const name = typeof invariant === 'string' ? `The promise about ${invariant}` : `Invariant ${invariant}`;
  return `${name} is broken: ${INVARIANTS[invariant]}`;
}

/**
 * Prepares one statement that finds the rows that contradict the invariants. Planning it takes several times as long as
 * running it.
 */
export function prepareQueries({ database }: Pick<TestServer, 'database'>): () => Promise<Contradiction[]> {
  const { db, engine, store } = database;
  // PostgreSQL's pool prepares the statements that have parameters.
  if (engine === 'postgres') return () => queryRows(db, sql`${sql.raw(EVERY_QUERY)} where ${true}`);
  let prepared: Promise<unknown> | undefined;
  const prepare = async () => {
    const existing = await store.query(
      `select from pg_prepared_statements where name = 'find_contradictions'`,
    );
    if (existing.length === 0) await store.query(`prepare find_contradictions as ${EVERY_QUERY}`);
  };
  return async () => {
    prepared ??= prepare();
    await prepared;
    return store.query<Contradiction>('execute find_contradictions');
  };
}
