import { sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { queryRows } from '#server/database/database.ts';
import { ApiError } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { abandonOpenChange } from './abandon-change.ts';

/** Changes per run of the job, which runs every minute. */
const BATCH = 500;

/** Registers the job that ends changes whose boats are canceled, every minute. */
export async function registerChangeJobs(context: Context): Promise<void> {
  await context.jobs.work('end-unpaid-changes', () => endUnpaidChanges(context));
  await context.jobs.schedule('end-unpaid-changes', '* * * * *');
}

/**
 * Ends changes that staff made and that wait for payment by a mailed link, if a new boat is canceled, or if the order can
 * be changed at no charge now. Their buyers are told. A payment that is in progress is left to end first.
 */
export async function endUnpaidChanges(context: Context): Promise<void> {
  const ended = await queryRows<{ orderId: string }>(
    context.db,
    sql`
    select c.order_id as "orderId"
    from holds h join order_changes c on c.hold_id = h.id join orders o on o.id = c.order_id
    where h.status = 'active' and c.actor = 'operator' and (
      o.needs_attention in ('sailing_canceled', 'no_room')
      or exists (
        select from hold_items i join sailings s on s.id = i.sailing_id
        where i.hold_id = h.id and s.status = 'canceled'))
    order by c.order_id limit ${BATCH}`,
  );
  for (const { orderId } of ended) {
    try {
      await abandonOpenChange(context, orderId, async (tx, { id: changeId }) => {
        await queueOrderMail(tx, context, { kind: 'order-change-ended', orderId, changeId });
      });
      wakeMailWorker(context.jobs);
    } catch (error) {
      if (error instanceof ApiError) continue;
      context.log.error('change not ended', { order_id: orderId, ...describeError(error) });
    }
  }
}
