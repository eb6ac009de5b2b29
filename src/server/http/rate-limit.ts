import { lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { batched } from '../database/batched.ts';
import { type Database, queryRows } from '../database/database.ts';
import { jsonElements } from '../database/json-elements.ts';
import { perDatabase } from '../database/per-database.ts';
import { prepareRows } from '../database/prepare-rows.ts';
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
export async function rateLimit(context: Dependencies, limit: Limit): Promise<void> {
  const now = context.clock.now();
  const { isOver, secondsLeft } = await countHit(context.db)({
    key: buildKey(context, limit),
    limit: limit.limit,
    now,
    windowEnd: new Date(now.getTime() + limit.windowSeconds * 1000),
  });
  if (isOver) throw new ApiError('rate_limited', { retryAfter: Math.max(1, secondsLeft) });
}

/** An attempt to count. */
type Hit = { key: string; limit: number; now: Date; windowEnd: Date };

/** Whether the window had more than its limit with this attempt, and the seconds until the window ends. */
type CountedHit = { isOver: boolean; secondsLeft: number };

/** Concurrent attempts share a statement; those under one key are counted in the order of their items. */
const countHit = perDatabase((db) => {
  const send = prepareRows<CountedHit>(
    db,
    sql`
      with async_commit as materialized (${ASYNC_COMMIT}),
      given as materialized (
        select g.* from async_commit, ${jsonElements(sql.placeholder('hits'))} as e (element), jsonb_to_record(e.element) as g (
          item int, key text, "limit" int, now timestamptz, "windowEnd" timestamptz
        )
      ),
      hits_of_key as materialized (
        select key, count(*)::int as hits, min("limit") as "limit", max(now) as now, max("windowEnd") as "windowEnd"
        from given group by key
      ),
      counters as (
        insert into rate_limits as r (key, hits, window_ends_at)
        select key, hits, "windowEnd" from hits_of_key order by key
        on conflict (key) do update set
          hits = case when r.window_ends_at <= (select now from hits_of_key where key = excluded.key) then 0
                      else least(r.hits, (select "limit" from hits_of_key where key = excluded.key)) end + excluded.hits,
          window_ends_at = case when r.window_ends_at <= (select now from hits_of_key where key = excluded.key)
                                then excluded.window_ends_at else r.window_ends_at end
        returning key, hits, window_ends_at
      )
      select c.hits - k.hits + row_number() over (partition by h.key order by h.item) > h."limit" as "isOver",
        ceil(extract(epoch from c.window_ends_at - h.now))::int as "secondsLeft"
      from given h join hits_of_key k on k.key = h.key join counters c on c.key = h.key
      order by h.item
    `,
  );
  return batched((hits: readonly Hit[]) =>
    send({ hits: JSON.stringify(hits.map((hit, item) => ({ item, ...hit }))) }),
  );
});

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
