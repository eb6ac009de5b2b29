import { and, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { orderChanges, orders, payments, refunds } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import { OPEN_PAYMENT } from '#server/payments/payment-status.ts';
import { isOpenChange } from '../change/end-change.ts';
import { isUnpaid } from '../unpaid.ts';
import { closeOpenPayment, readPayment } from './open-payments.ts';
import { processOrderRefund } from './order-refunds.ts';

const MINUTE_MS = 60_000;
const BATCH = 200;
/** So that the same open rows do not always fill the batch. */
const ANY_ORDER = sql`random()`;

/** Registers the jobs for refunds and for the reconciliation with the card provider, every minute. */
export async function registerPaymentJobs(context: Context): Promise<void> {
  await context.jobs.work('refund', async ({ refund_id: refundId }) => {
    if (refundId) await processOrderRefund(context, refundId);
  });
  await context.jobs.work('reconcile-payments', () => reconcilePayments(context));
  await context.jobs.schedule('reconcile-payments', '* * * * *');
}

/**
 * Asks the provider about payments and refunds whose end has been unknown for a minute, because a webhook was lost or
 * a process died. One failure does not stop the rest.
 */
export async function reconcilePayments(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - MINUTE_MS);
  const open = await context.db
    .select({
      id: payments.id,
      orderId: payments.orderId,
      orderStatus: orders.status,
      changeStatus: orderChanges.status,
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .leftJoin(orderChanges, eq(orderChanges.id, payments.changeId))
    .where(and(inArray(payments.status, [...OPEN_PAYMENT]), lt(payments.updatedAt, before)))
    .orderBy(ANY_ORDER)
    .limit(BATCH);
  for (const { id, orderId, orderStatus, changeStatus } of open) {
    const canStillBePaid = changeStatus
      ? isOpenChange({ status: changeStatus })
      : isUnpaid({ status: orderStatus });
    await withoutStopping(context, () =>
      canStillBePaid
        ? readPayment(context, { orderId, paymentId: id, language: SOURCE_LANGUAGE })
        : closeOpenPayment(context, orderId),
    );
  }
  const unfinished = await context.db
    .select({ id: refunds.id })
    .from(refunds)
    .where(
      and(
        inArray(refunds.status, ['requested', 'pending']),
        lt(refunds.updatedAt, before),
        or(isNull(refunds.tryAt), lte(refunds.tryAt, context.clock.now())),
      ),
    )
    .orderBy(ANY_ORDER)
    .limit(BATCH);
  for (const { id } of unfinished) await withoutStopping(context, () => processOrderRefund(context, id));
}

async function withoutStopping(context: Context, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Already paid, in progress, or no answer: the next run looks again.
    if (!(error instanceof ApiError)) context.log.error('not reconciled', describeError(error));
  }
}
