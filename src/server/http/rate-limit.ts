import { lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { batched } from '../database/batched.ts';
import { type Database, queryRows } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import { rateLimits } from '../database/schema/system.ts';
import { ApiError } from './api-error.ts';

type Dependencies = Pick<Context, 'db' | 'vault' | 'clock'>;
type Counter = {
  /** Name of the limit: `sign-in-account`. */
  name: string;
  /** The subject whose attempts are counted; stored only as a keyed hash. */
  who: string;
};
export type Limit = Counter & {
  /** Attempts allowed per window. */
  limit: number;
  windowSeconds: number;
};

export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** For counters without a limit. */
const NO_LIMIT = 1_000_000;

/**
 * Counts one attempt in the database, so that the limit holds over all server processes and restarts. The attempt is
 * counted before its outcome is known, so parallel guesses are limited too.
 * @throws {ApiError} rate_limited, with the seconds until the window ends
 */
export async function rateLimit(
  context: Dependencies,
  { name, who, limit, windowSeconds }: Limit,
): Promise<void> {
  const now = context.clock.now();
  const windowEnd = new Date(now.getTime() + windowSeconds * 1000);
  const counted = await countHit(context.db)({
    key: buildKey(context, { name, who }),
    limit,
    now,
    windowEnd,
  });
  if (counted && counted.hits > limit) {
    throw new ApiError('rate_limited', { retryAfter: Math.max(1, counted.seconds_left) });
  }
}

type Hit = { key: string; limit: number; now: Date; windowEnd: Date };
type Counted = { key: string; hits: number; seconds_left: number };

const countHit = perDatabase((db) =>
  batched(
    async (hits: readonly Hit[]): Promise<(Counted | undefined)[]> => {
      const counted = await queryRows<Counted>(
        db,
        sql`
          with async_commit as materialized (${ASYNC_COMMIT}),
          hit as materialized (
            select h.* from async_commit, jsonb_to_recordset(${JSON.stringify(hits)}::jsonb) as h (
              key text, "limit" int, now timestamptz, "windowEnd" timestamptz
            )
          ),
          counted as (
            insert into rate_limits as r (key, hits, window_ends_at)
            select key, 1, "windowEnd" from hit order by key
            on conflict (key) do update set
              hits = case when r.window_ends_at <= (select now from hit where key = excluded.key) then 1
                          else least(r.hits, (select "limit" from hit where key = excluded.key)) + 1 end,
              window_ends_at = case when r.window_ends_at <= (select now from hit where key = excluded.key)
                                    then excluded.window_ends_at else r.window_ends_at end
            returning key, hits, window_ends_at
          )
          select c.key, c.hits, ceil(extract(epoch from c.window_ends_at - hit.now))::int as seconds_left
          from counted c join hit on hit.key = c.key
        `,
      );
      const byKey = new Map(counted.map((row) => [row.key, row]));
      return hits.map(({ key }) => byKey.get(key));
    },
    ({ key }) => key,
  ),
);

/** Counts one attempt like `rateLimit` and returns whether it is within the limit. */
export async function isWithinLimit(context: Dependencies, limit: Limit): Promise<boolean> {
  try {
    await rateLimit(context, limit);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limited') return false;
    throw error;
  }
}

/**
 * Counts distinct targets (mailboxes written to from one network): a target already counted in this window is not
 * counted again.
 * @throws {ApiError} rate_limited
 */
export async function rateLimitDistinct(context: Dependencies, limit: Limit, what: string): Promise<void> {
  const { name, who, windowSeconds } = limit;
  const each = { name: `${name}-each`, who: `${who}\0${what}` };
  const now = context.clock.now().toISOString();
  const counted = await queryRows(
    context.db,
    sql`select 1 from rate_limits where key = ${buildKey(context, each)} and window_ends_at > ${now}::timestamptz`,
  );
  if (counted.length > 0) return;
  await rateLimit(context, limit);
  await rateLimit(context, { ...each, limit: NO_LIMIT, windowSeconds });
}

/** Subtracts attempts that proved legitimate: all of the window's, or the given number. */
export async function subtractHits(context: Dependencies, counter: Counter, hits?: number): Promise<void> {
  const key = buildKey(context, counter);
  await context.db.execute(
    hits === undefined
      ? sql`delete from rate_limits where key = ${key}`
      : sql`update rate_limits set hits = greatest(hits - ${hits}::int, 0) where key = ${key}`,
  );
}

function buildKey({ vault }: Pick<Dependencies, 'vault'>, { name, who }: Counter): string {
  return `${name}:${vault.fingerprint('rate-limit', `${name}\0${who}`)}`;
}

export async function deleteOldCounters(db: Database, now: Date): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.windowEndsAt, now));
}
