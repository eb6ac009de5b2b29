import { eq } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { type OrderChangeRow, type OrderRow, orders, type RefundRow } from '#server/database/schema/sales.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { withdrawOffers } from '#server/sailings/offers/end-offers.ts';
import { isOperatorsFault } from '../crossings/needs-attention.ts';
import { replaceJourneys } from '../crossings/replace-journeys.ts';
import { paidStatus, sumRefunded } from '../pay/order-refunds.ts';
import { type RefundContext, refundAmount } from '../pay/refund-payments.ts';
import type { StoredOrder } from '../queries.ts';

/**
 * Applies a change whose difference is paid, or gives a negative one back. The transaction has locked the order.
 * @param input note: why staff make it beyond the fare's rules, stored with the refunds
 * @returns the refunds; null, with nothing changed, if the additional places are not free any more
 * @throws {TicketsChanged}
 * @throws {TripCardGone}
 */
export async function completeChange(
  tx: Database,
  context: RefundContext & Pick<Context, 'ticketSigner'>,
  { sold, change, note = null }: { sold: StoredOrder; change: OrderChangeRow; note?: string | null },
): Promise<RefundRow[] | null> {
  const order = await replaceJourneys(tx, context, {
    sold,
    change,
    isByOperator: isOperatorsFault(sold.order),
  });
  if (!order) return null;
  await withdrawOffers(tx, context, { orderId: order.id, journeys: change.journeys });
  const refunds = await refundAmount(tx, context, {
    sold,
    destination: null,
    amount: Math.max(0, -change.difference),
    trips: [],
    reason: 'customer',
    note,
    cancellationId: null,
    changeId: change.id,
  });
  if (order.paid > 0) await writeRefunded(tx, order);
  await queueOrderMail(tx, context, { kind: 'order-changed', orderId: order.id, changeId: change.id });
  return refunds;
}

async function writeRefunded(tx: Database, order: OrderRow): Promise<void> {
  const refunded = await sumRefunded(tx, order);
  const paymentStatus = paidStatus({ paid: order.paid, refunded });
  await tx.update(orders).set({ refunded, paymentStatus }).where(eq(orders.id, order.id));
}
