import { and, eq, ne, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Database } from '../database/database.ts';
import { orders, payments, refunds } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { lockOrder } from '../orders/confirm-order.ts';
import { askProvider } from './provider.ts';

type RefundStatus = (typeof refunds.$inferSelect)['status'];

/** Sends a refund to the provider, or looks how it stands there. Safe to repeat: its id is the provider's key. */
export async function processRefund(deps: Deps, refundId: string): Promise<void> {
  const [found] = await deps.db
    .select({ refund: refunds, intent: payments.providerReference })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(eq(refunds.id, refundId));
  if (!found || found.intent === null) return;
  const { refund, intent } = found;
  if (refund.status === 'succeeded' || refund.status === 'failed') return;
  const { providerReference: reference } = refund;
  const truth = await askProvider(deps, () =>
    reference === null
      ? deps.stripe.refunds.create(
          {
            payment_intent: intent,
            amount: refund.amount,
            metadata: { refund_id: refund.id, order_id: refund.orderId },
          },
          { idempotencyKey: `refund:${refund.id}` },
        )
      : deps.stripe.refunds.retrieve(reference),
  );
  await inTransaction(deps.db, (tx) => applyRefund(tx, deps, truth));
}

/**
 * Turns the provider's truth about a refund into ours, in the caller's transaction. Money counts as given
 * back once, when the refund succeeds, and no longer should it fail after that.
 */
export async function applyRefund(tx: Database, deps: Deps, truth: Stripe.Refund): Promise<void> {
  const [known] = await tx
    .select({ id: refunds.id, orderId: refunds.orderId })
    .from(refunds)
    .where(
      sql`${refunds.providerReference} = ${truth.id}
        or (${refunds.providerReference} is null and ${refunds.id} = ${truth.metadata?.refund_id ?? ''})`,
    );
  if (!known) {
    deps.log.error('refund made outside of the ticket office', { refund: truth.id });
    return;
  }
  const order = await lockOrder(tx, known.orderId);
  const [refund] = await tx.select().from(refunds).where(eq(refunds.id, known.id)).for('update');
  if (!order || !refund) return;
  const status = nextStatus(refund.status, truth.status);
  const now = deps.clock.now();
  await tx
    .update(refunds)
    .set({ providerReference: truth.id, status, updatedAt: now })
    .where(eq(refunds.id, refund.id));
  if (status === refund.status) return;
  if (status === 'failed') deps.log.error('refund failed; pay it back by hand', { refund_id: refund.id });
  const change = status === 'succeeded' ? refund.amount : refund.status === 'succeeded' ? -refund.amount : 0;
  // A second payment of the same order never counted as paid, so giving it back takes nothing off.
  if (change === 0 || refund.reason === 'duplicate') return;
  const refunded = order.refunded + change;
  await tx
    .update(orders)
    .set({
      refunded,
      paymentStatus: paidStatus({ paid: order.paid, refunded }),
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, order.id));
}

/** How a paid order's money stands, by what was given back of it. */
export function paidStatus({
  paid,
  refunded,
}: {
  paid: number;
  refunded: number;
}): 'paid' | 'partly_refunded' | 'refunded' {
  if (refunded === 0) return 'paid';
  return refunded < paid ? 'partly_refunded' : 'refunded';
}

/** Ids of a payment's refunds whose end is not known. */
export async function findOpenRefunds(db: Database, intent: string): Promise<string[]> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(
        eq(payments.providerReference, intent),
        ne(refunds.status, 'succeeded'),
        ne(refunds.status, 'failed'),
      ),
    );
  return rows.map(({ id }) => id);
}

/** What is over stays over, except that a bank may still send a finished refund back. */
function nextStatus(current: RefundStatus, told: string | null): RefundStatus {
  if (told === 'failed' || told === 'canceled') return 'failed';
  if (current === 'succeeded' || current === 'failed') return current;
  return told === 'succeeded' ? 'succeeded' : 'pending';
}
