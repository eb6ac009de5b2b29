import { createHash } from 'node:crypto';
import { and, asc, eq, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { pushes, pushSubscriptions } from '../database/schema/push.ts';
import { orders } from '../database/schema/sales.ts';
import { daysBefore, type RetentionRule } from '../retention.ts';

/** Condition on subscriptions: not of a session that has ended. */
export function isOfActiveSession(now: Date): SQL {
  return sql`(${pushSubscriptions.sessionId} is null or exists (
    select from sessions s
    where s.id = ${pushSubscriptions.sessionId} and s.revoked_at is null
      and s.expires_at > ${now.toISOString()}::timestamptz))`;
}

/** The name of an endpoint in addresses, which must not contain it. */
export function hashEndpoint(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64url');
}

/** Deletes subscriptions, and drops what was to be sent to them. */
export async function endSubscriptions(db: Database, which: SQL | undefined): Promise<void> {
  const ended = db.select({ id: pushSubscriptions.id }).from(pushSubscriptions).where(which);
  await db
    .update(pushes)
    .set({ status: 'dropped' })
    .where(and(eq(pushes.status, 'queued'), inArray(pushes.subscriptionId, ended)));
  await db.delete(pushSubscriptions).where(which);
}

/** The browsers that are told about an order, oldest first. */
export async function listSubscriptions(db: Database, orderId: string) {
  return db
    .select({ device: pushSubscriptions.device, insertedAt: pushSubscriptions.insertedAt })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.orderId, orderId))
    .orderBy(asc(pushSubscriptions.insertedAt), asc(pushSubscriptions.id));
}

/**
 * Deletes the subscriptions of ended sessions and of orders that have ended: canceled, or a day after their last
 * sailing. What was sent is kept as long as mails.
 */
export const deleteOldPushes: RetentionRule = async (db, now, keepDays) => {
  const yesterday = sql`${daysBefore(now, 1).toISOString()}::timestamptz`;
  const hasEnded = sql`not ${isOfActiveSession(now)} or not exists (
    select from ${orders} o
      join order_lines l on l.order_id = o.id and l.status = 'active'
      join sailings s on s.id = l.sailing_id
    where o.id = ${pushSubscriptions.orderId} and o.status in ('confirmed', 'partly_canceled')
      and s.arrives_at + make_interval(mins => s.delay_minutes) > ${yesterday})`;
  const isWaited = sql`exists (
    select from pushes p where p.subscription_id = ${pushSubscriptions.id} and p.status = 'queued')`;
  // The push that says so may still wait.
  await endSubscriptions(db, and(hasEnded, sql`not ${isWaited}`));
  await db
    .delete(pushes)
    .where(and(ne(pushes.status, 'queued'), lt(pushes.insertedAt, daysBefore(now, keepDays.mails))));
};
