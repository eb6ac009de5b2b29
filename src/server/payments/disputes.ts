import { eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Database } from '../database/database.ts';
import { orders, payments } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { lockOrder } from '../orders/confirm-order.ts';

/** Notes that a card holder contests a charge, and how that ended. The tickets stay as they are. */
export async function applyDispute(tx: Database, deps: Deps, dispute: Stripe.Dispute): Promise<void> {
  const intent =
    typeof dispute.payment_intent === 'string' ? dispute.payment_intent : dispute.payment_intent?.id;
  const [known] = await tx
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.providerReference, intent ?? ''));
  const order = known && (await lockOrder(tx, known.orderId));
  if (!order) {
    deps.log.error('dispute of no order of ours', { dispute: dispute.id });
    return;
  }
  deps.log.warn('payment disputed', { reference: order.reference, dispute_status: dispute.status });
  const isLost = dispute.status === 'lost';
  const isOver = isLost || dispute.status === 'won' || dispute.status === 'warning_closed';
  const paymentStatus = isLost ? 'refunded' : isOver ? 'paid' : 'disputed';
  const isLate = !isOver && order.paymentStatus !== 'paid' && order.paymentStatus !== 'partly_refunded';
  if (paymentStatus === order.paymentStatus || isLate) return;
  await tx
    .update(orders)
    .set({
      paymentStatus,
      ...(isLost ? { refunded: order.paid } : {}),
      version: order.version + 1,
      updatedAt: deps.clock.now(),
    })
    .where(eq(orders.id, order.id));
}
