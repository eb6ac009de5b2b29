import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { type OrderRow, type PaymentRow, refunds } from '#server/database/schema/sales.ts';
import type { ProviderDispute } from '#server/payments/provider/payment-provider.ts';
import { fromProviderMoney } from '#server/payments/provider/provider-amounts.ts';
import {
  findTakingDispute,
  returnDisputedValue,
  takeDisputedValue,
} from '#server/trip-cards/disputed-value.ts';

/**
 * Takes what was refunded to trip cards off them while the bank holds the payment, so that its card holder does not get
 * the money twice, and puts it back when the dispute is won. The transaction has locked the order.
 */
export async function disputeRefunds(
  tx: Database,
  context: Context,
  { payment, order, dispute }: { payment: PaymentRow; order: OrderRow; dispute: ProviderDispute },
): Promise<void> {
  if (dispute.status === 'inquiry') return;
  const onTripCards = await tx
    .select()
    .from(refunds)
    .where(
      and(
        ...[eq(refunds.paymentId, payment.id), eq(refunds.status, 'succeeded')],
        ...[isNotNull(refunds.tripCardId), isNull(refunds.trips)],
      ),
    )
    .orderBy(asc(refunds.tripCardId), asc(refunds.id));
  const isHeldByBank = dispute.status === 'open' || dispute.status === 'lost';
  let left = fromProviderMoney(dispute.money).amount;
  for (const { id: refundId, tripCardId, amount } of onTripCards) {
    const cardId = tripCardId ?? '';
    const value = { source: { refundId, orderId: order.id }, dispute };
    const takenBy = await findTakingDispute(tx, value);
    if (isHeldByBank) {
      const taken = Math.min(left, amount);
      left -= taken;
      if (takenBy !== null || taken === 0) continue;
      await takeDisputedValue(tx, context, { value, cardId, amount: taken, payerId: order.customerId });
    } else if (takenBy === dispute.id || takenBy === 'unknown') {
      await returnDisputedValue(tx, context, { value, cardId });
    }
  }
}
