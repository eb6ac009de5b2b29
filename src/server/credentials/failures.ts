import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';

/** Consecutive wrong passwords after which the password is refused until it is changed or reset. */
export const PASSWORD_LOCKED_AFTER = 100;

/** Consecutive failures after which the second step is locked, each time. */
const FAILURES_PER_LOCK = 10;
const FIRST_LOCK_SECONDS = 15 * 60;
const LONGEST_LOCK_SECONDS = 24 * 3600;
/** Doublings after which the longest lock is reached. */
const MOST_DOUBLINGS = 7;

/** The row that counts an account's failures, in a table with `accountColumns`. */
type Account = { table: PgTable; id: string };

/**
 * Counts a wrong password against an account; for an unknown id the same statement changes no row.
 * @returns whether it was the one that locked the password
 */
export async function countWrongPassword(tx: Database, { table, id }: Account): Promise<boolean> {
  const [counted] = await queryRows<{ failures: number }>(
    tx,
    sql`
      update ${table} set password_failures = password_failures + 1
      where id = ${id} and password_hash is not null and password_failures < ${PASSWORD_LOCKED_AFTER}::int
      returning password_failures as failures
    `,
  );
  return counted?.failures === PASSWORD_LOCKED_AFTER;
}

/**
 * Counts a code of the second step as wrong until `forgetWrongCodes`, before it is compared, so that parallel guesses are
 * limited too. Every tenth consecutive failure locks the second step: for 15 minutes, then twice as long each time.
 * @returns whether it was the one that locked the second step
 * @throws {ApiError} rate_limited while it is locked
 */
export async function countWrongCode(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { table, id }: Account,
): Promise<boolean> {
  const now = clock.now().toISOString();
  const [counted] = await queryRows<{ misses: number }>(
    db,
    sql`
      update ${table} set
        second_step_misses = second_step_misses + 1,
        second_step_locked_until = case when (second_step_misses + 1) % ${FAILURES_PER_LOCK}::int = 0
          then ${now}::timestamptz + make_interval(secs => least(
            ${FIRST_LOCK_SECONDS}::int * power(2, least(
              (second_step_misses + 1) / ${FAILURES_PER_LOCK}::int - 1, ${MOST_DOUBLINGS}::int
            )),
            ${LONGEST_LOCK_SECONDS}::int
          )) end
      where id = ${id}
        and (second_step_locked_until is null or second_step_locked_until <= ${now}::timestamptz)
      returning second_step_misses as misses
    `,
  );
  if (counted) return counted.misses % FAILURES_PER_LOCK === 0;
  const [locked] = await queryRows<{ wait: number | null }>(
    db,
    sql`
      select ceil(extract(epoch from second_step_locked_until - ${now}::timestamptz))::int as wait
      from ${table} where id = ${id}
    `,
  );
  if (!locked || locked.wait === null) throw new ApiError('invalid_code');
  throw new ApiError('rate_limited', { retryAfter: Math.max(1, locked.wait) });
}

/** Takes back what was counted, after a correct code. */
export async function forgetWrongCodes(db: Database, { table, id }: Account): Promise<void> {
  await db.execute(sql`
    update ${table} set second_step_misses = 0, second_step_locked_until = null where id = ${id}`);
}
