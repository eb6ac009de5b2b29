import { and, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { orders, payments, refunds } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { describeError } from '../log.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import { OPEN_PAYMENT } from '../payments/payment-status.ts';
import { closeOpenPayment } from './close-payment.ts';
import { processOrderRefund } from './order-refunds.ts';
import { readPayment } from './read-payment.ts';

const MINUTE_MS = 60_000;
const BATCH = 200;
/** So that the same open rows do not always fill the batch. */
const ANY_ORDER = sql`random()`;

/** Registers the jobs for refunds and for the reconciliation with the card provider, every minute. */
export async function registerPaymentJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('refund', async ({ refund_id: refundId }) => {
    if (refundId) await processOrderRefund(deps, refundId);
  });
  await deps.jobs.work('reconcile-payments', () => reconcilePayments(deps));
  await deps.jobs.schedule('reconcile-payments', '* * * * *');
}

/**
 * Asks the provider about payments and refunds whose end has been unknown for a minute, because a webhook was lost or
 * a process died. One failure does not stop the rest.
 */
export async function reconcilePayments(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - MINUTE_MS);
  const open = await deps.db
    .select({ id: payments.id, orderId: payments.orderId, orderStatus: orders.status })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(inArray(payments.status, [...OPEN_PAYMENT]), lt(payments.updatedAt, before)))
    .orderBy(ANY_ORDER)
    .limit(BATCH);
  for (const { id, orderId, orderStatus } of open) {
    await withoutStopping(deps, () =>
      isUnpaid({ status: orderStatus }) ? readPayment(deps, orderId, id) : closeOpenPayment(deps, orderId),
    );
  }
  const unfinished = await deps.db
    .select({ id: refunds.id })
    .from(refunds)
    .where(
      and(
        inArray(refunds.status, ['requested', 'pending']),
        lt(refunds.updatedAt, before),
        or(isNull(refunds.tryAt), lte(refunds.tryAt, deps.clock.now())),
      ),
    )
    .orderBy(ANY_ORDER)
    .limit(BATCH);
  for (const { id } of unfinished) await withoutStopping(deps, () => processOrderRefund(deps, id));
}

async function withoutStopping(deps: Deps, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Already paid, in progress, or no answer: the next run looks again.
    if (!(error instanceof ApiError)) deps.log.error('not reconciled', describeError(error));
  }
}
