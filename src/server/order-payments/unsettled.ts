import { type SQL, sql } from 'drizzle-orm';

const HOUR_MS = 3_600_000;

/** Condition on `refunds r`: the bank returned it after all tries, and nothing has repeated it. */
export const isReturnedRefund = sql`r.status = 'failed'
  and not exists (select from refunds again where again.retry_of_id = r.id)`;

/** Condition on `payments p`: still open long after the hold of its order has expired, so its outcome is unknown. */
export function isDoubtfulPayment(now: Date): SQL {
  const since = new Date(now.getTime() - HOUR_MS).toISOString();
  return sql`p.status in ('created', 'requires_action', 'processing') and p.inserted_at < ${since}::timestamptz`;
}
