import { type SQL, sql } from 'drizzle-orm';

const HOUR_MS = 3_600_000;

/** Condition on `refunds r`: the bank returned it after all tries, and nothing has repeated it. */
export const isReturnedRefund = sql`r.status = 'failed'
  and not exists (select from refunds again where again.order_id = r.order_id and again.retry_of_id = r.id)`;

/**
 * Condition on `orders o`: a sailing does not run as bought, its refund was due at the deadline, and tickets for it are
 * still valid, because the payment was disputed or the trip card that paid is gone.
 */
export const isRefundOverdue = sql`o.payment_status <> 'refunded' and exists (
  select from rebooking_offers f
  join tickets t on t.order_id = f.order_id and t.status in ('issued', 'checked_in') and f.sailing_ids ? t.sailing_id
  where f.order_id = o.id and f.status = 'kept' and f.if_unanswered = 'refund')`;

/** Condition on `payments p`: still open long after the hold of its order has expired, so its outcome is unknown. */
export function isDoubtfulPayment(now: Date): SQL {
  const since = new Date(now.getTime() - HOUR_MS).toISOString();
  return sql`p.status in ('created', 'requires_action', 'processing') and p.inserted_at < ${since}::timestamptz`;
}
