import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { payments } from '../database/schema/sales.ts';

/** Declined cards from one network within the hour; more looks like somebody trying out stolen numbers. */
const DECLINES_PER_NETWORK = 20;
/** How far back declines count. */
export const LOOK_BACK_MS = 3_600_000;

/**
 * Whether a network has had too many cards declined of late, over all its orders.
 * @param startedFrom keyed hash of the network, as attempts keep it
 * @param more declines that are not written down yet
 */
export async function looksLikeCardTesting(
  db: Database,
  startedFrom: string,
  now: Date,
  more = 0,
): Promise<boolean> {
  const since = new Date(now.getTime() - LOOK_BACK_MS);
  const [tried] = await db
    .select({ declines: sql<number>`coalesce(sum(jsonb_array_length(${payments.declinedCharges})), 0)::int` })
    .from(payments)
    .where(and(eq(payments.startedFrom, startedFrom), gt(payments.updatedAt, since)));
  return (tried?.declines ?? 0) + more >= DECLINES_PER_NETWORK;
}
