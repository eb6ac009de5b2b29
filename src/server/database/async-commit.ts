import { sql } from 'drizzle-orm';

/**
 * A statement's source row (`with async_commit as materialized (${ASYNC_COMMIT}) … from async_commit`) that lets its commit answer
 * before it is on disk. The log is written in order, so the next ordinary commit takes it along; a crash of the
 * database before that loses it. Only for statements outside a transaction: inside one it holds for the whole.
 *
 * What is written this way, and why losing it is harmless:
 * - Counters of limits: a few tries are not counted.
 * - Idempotency claims and kept answers: a claim is earlier in the log than the effect it stands for, so an effect on
 *   disk has its claim. A lost answer is made again, from effects that are unique by themselves: one order of a hold,
 *   one open payment of an order, one entry of a cause.
 * - Holds: an order is an ordinary commit later in the log, so no order loses its hold. A hold without an order may be
 *   lost after it was acknowledged; its order then answers `not_found` for `hold_id`, and the places can be taken again.
 * - A wrong password's count with its security event and mail: lost together or not at all.
 *
 * Orders, payments, refunds, tickets, entries of trip cards, accounts and sessions are never written this way.
 */
export const ASYNC_COMMIT = sql`select set_config('synchronous_commit', 'off', true)`;
