import { sql } from 'drizzle-orm';

/**
 * A source row (`with async_commit as materialized (${ASYNC_COMMIT}) … from async_commit`) that lets a statement's
 * commit return before it is on disk. The log is written in order, so the next ordinary commit flushes it too; a
 * database crash before that loses it. In a transaction it applies to all of its statements.
 *
 * Written this way, and why a loss is harmless:
 * - Rate limit counters: a few attempts are not counted.
 * - Idempotency claims and stored responses: a claim precedes its effect in the log, so an effect on disk has its
 * claim. A lost response is rebuilt from effects that are unique by themselves: one order per hold, one open payment
 * per order, one ledger entry per cause.
 * - Holds: an order is an ordinary commit later in the log, so no order loses its hold. A hold without an order may be
 * lost after it was acknowledged; its order then answers `not_found` for `hold_id`, and the places are available again.
 * - A wrong password's count with its security event and mail: lost together or not at all.
 *
 * Orders, payments, refunds, tickets, trip card entries, accounts and sessions are never written this way.
 */
export const ASYNC_COMMIT = sql`select set_config('synchronous_commit', 'off', true)`;
