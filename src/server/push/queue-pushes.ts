import { and, eq, inArray, sql } from 'drizzle-orm';
import type { PushKind } from '#domain/orders/push-kinds.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { type PushSubscriptionRow, pushes, pushSubscriptions } from '../database/schema/push.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { isOfActiveSession } from './subscriptions.ts';

/**
 * Queues a push to every browser that is told about the orders; call it in the causing transaction, and
 * `wakeMessageWorkers` after the commit. A push that still waits is replaced: each is written from the order's state
 * when it is sent.
 */
export async function queuePushes(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { kind, orderIds }: { kind: PushKind; orderIds: readonly string[] },
): Promise<void> {
  const subscriptions = await findSubscriptions(tx, { clock }, orderIds);
  if (subscriptions.length === 0) return;
  const replaced = subscriptions.map(({ id }) => id);
  await tx
    .update(pushes)
    .set({ status: 'dropped' })
    .where(and(eq(pushes.status, 'queued'), inArray(pushes.subscriptionId, replaced)));
  const now = clock.now();
  const queued = { kind, status: 'queued', tryAt: now, insertedAt: now } as const;
  await tx
    .insert(pushes)
    .values(
      subscriptions.map(({ id, ...rest }) => ({ id: newId('psh'), subscriptionId: id, ...rest, ...queued })),
    );
}

/** The browsers that are told about some orders. */
export async function findSubscriptions(
  db: Database,
  { clock }: Pick<Context, 'clock'>,
  orderIds: readonly string[],
): Promise<Pick<PushSubscriptionRow, 'id' | 'orderId' | 'device'>[]> {
  const ids = sql`(select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb))`;
  return db
    .select({
      id: pushSubscriptions.id,
      orderId: pushSubscriptions.orderId,
      device: pushSubscriptions.device,
    })
    .from(pushSubscriptions)
    .where(and(sql`${pushSubscriptions.orderId} in ${ids}`, isOfActiveSession(clock.now())));
}

/** Fire and forget: has the queued mails, pushes and text messages sent; call it after the commit. See `wakeMailWorker`. */
export function wakeMessageWorkers(jobs: Pick<Jobs, 'trigger'>): void {
  wakeMailWorker(jobs);
  jobs.trigger('send-due-pushes');
  jobs.trigger('send-due-sms');
}
