import { eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Database } from '../database/database.ts';
import { orders, payments } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { lockOrder, type OrderRow } from '../orders/confirm-order.ts';
import { paidStatus } from './refunds.ts';

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
  const paymentStatus = statusAfter(order, dispute.status);
  if (paymentStatus === order.paymentStatus) return;
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

/** A dispute that ends well leaves the money as it was, also what was given back meanwhile. */
function statusAfter(order: OrderRow, dispute: Stripe.Dispute['status']): OrderRow['paymentStatus'] {
  switch (dispute) {
    case 'lost':
      return 'refunded';
    case 'won':
    case 'warning_closed':
      return order.paymentStatus === 'disputed' ? paidStatus(order) : order.paymentStatus;
    default:
      return ['paid', 'partly_refunded'].includes(order.paymentStatus) ? 'disputed' : order.paymentStatus;
  }
}
