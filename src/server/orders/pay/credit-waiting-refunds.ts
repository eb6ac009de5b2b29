import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { type OrderRow, refunds } from '#server/database/schema/sales.ts';
import { readStoredOrder } from '../queries.ts';
import { storeRefunded } from './order-refunds.ts';
import { type RefundContext, repeatFailedRefunds } from './refund-payments.ts';

/**
 * Takes refunds of an invoice that wait to be paid out off what is owed on it, as far as its transfers do not cover them
 * any more.
 * @param tx a transaction that has locked the order
 */
export async function creditWaitingRefunds(
  tx: Database,
  context: RefundContext,
  { order, invoiceId }: { order: OrderRow; invoiceId: string },
): Promise<void> {
  const now = context.clock.now();
  const sold = await readStoredOrder(tx, order);
  const payments = sold.payments.filter((payment) => payment.invoiceId === invoiceId);
  const ids = payments.map(({ id }) => id);
  const waiting = await tx
    .update(refunds)
    .set({ status: 'failed', updatedAt: now })
    .where(and(inArray(refunds.paymentId, ids), eq(refunds.status, 'awaiting_payout')))
    .returning({ id: refunds.id });
  if (waiting.length === 0) return;
  const { refunds: all } = await readStoredOrder(tx, order);
  await repeatFailedRefunds(tx, context, {
    ...{ sold: { ...sold, payments, refunds: all }, destination: null, note: null },
  });
  await storeRefunded(tx, context, order);
}
