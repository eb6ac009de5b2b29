import { sql } from 'drizzle-orm';

/**
 * A statement's source row (`with soon as materialized (${SOON_ON_DISK}) … from soon`) that lets its commit
 * answer before the disk has it. The log is written in order, so whatever later commits the usual way takes this
 * along; a crash before that loses the last half second of it. Right for counters and notes that may be lost with
 * the request they belong to, never for what somebody was promised. Only for statements outside a transaction:
 * inside one it would hold for the whole.
 */
export const SOON_ON_DISK = sql`select set_config('synchronous_commit', 'off', true)`;
