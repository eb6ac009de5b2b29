import { and, eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { intentOf } from '../card-provider/intent-of.ts';
import { findAtProvider } from '../card-provider/provider.ts';
import { fromProviderMoney } from '../card-provider/provider-amounts.ts';
import type { Database } from '../database/database.ts';
import { type OrderRow, orders, type PaymentRow, payments, refunds } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { lockOrder } from '../orders/confirm-order.ts';
import { applyTopUpDispute } from '../trip-cards/disputed-top-up.ts';
import { settleIntent } from './any-intent.ts';
import { paidStatus, sumGivenBack } from './refunds.ts';

/** More news than this cannot come between two looks at a dispute. */
const LOOKS = 5;

/**
 * Brings what is known of a dispute up to date with the provider, for an event that tells of one. Events come in any
 * order and are worked on side by side, so what was applied is compared with another look: who read first and wrote
 * last sees it there. Call it outside of a transaction; safe to repeat.
 * @throws {ApiError} payment_unavailable; the provider sends the event again
 */
export async function followDispute(deps: Deps, event: Stripe.Event): Promise<void> {
  if (!isOfDispute(event)) return;
  const { id } = event.data.object;
  const intent = intentOf(event.data.object);
  // What is disputed was paid, though the news of that may still be on its way.
  if (intent !== '') {
    const paid = await findAtProvider(deps, () => deps.stripe.paymentIntents.retrieve(intent));
    if (paid) await settleIntent(deps, paid);
  }
  let applied: Stripe.Dispute['status'] | null = null;
  for (let look = 0; look < LOOKS; look += 1) {
    const dispute = await findAtProvider(deps, () => deps.stripe.disputes.retrieve(id));
    if (!dispute) return deps.log.error('dispute unknown to the provider', { dispute: id });
    if (dispute.status === applied) return;
    await inTransaction(deps.db, (tx) => applyDispute(tx, deps, dispute));
    applied = dispute.status;
  }
}

/** An inquiry becomes a dispute, and money comes and goes, between the first news of it and the last. */
function isOfDispute(event: Stripe.Event): event is Stripe.Event & { data: { object: Stripe.Dispute } } {
  return event.type.startsWith('charge.dispute.');
}

/**
 * Notes that a card holder contests a charge, and how that ended. Of an order, what the bank took back for good counts
 * as given back, and the tickets stay as they are; of a top-up, the value comes off the trip card.
 */
async function applyDispute(tx: Database, deps: Deps, dispute: Stripe.Dispute): Promise<void> {
  const intent = intentOf(dispute);
  const [payment] = await tx.select().from(payments).where(eq(payments.providerReference, intent));
  const order = payment && (await lockOrder(tx, payment.orderId));
  if (!order) {
    if (await applyTopUpDispute(tx, deps, intent, dispute)) return;
    return deps.log.error('dispute of no payment of ours', { dispute: dispute.id });
  }
  deps.log.warn('payment disputed', { reference: order.reference, dispute_status: dispute.status });
  if (dispute.status === 'lost') await noteLoss(tx, deps, payment, dispute);
  const refunded = dispute.status === 'lost' ? await sumGivenBack(tx, order) : order.refunded;
  const paymentStatus = statusAfter({ ...order, refunded }, dispute.status);
  if (paymentStatus === order.paymentStatus && refunded === order.refunded) return;
  await tx
    .update(orders)
    .set({ paymentStatus, refunded, version: order.version + 1, updatedAt: deps.clock.now() })
    .where(eq(orders.id, order.id));
}

/** What the bank took is kept as a refund that nobody here asked for, so that it is not given back once more. */
async function noteLoss(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  payment: PaymentRow,
  dispute: Stripe.Dispute,
): Promise<void> {
  const ofPayment = await tx
    .select({ amount: refunds.amount, reason: refunds.reason, status: refunds.status })
    .from(refunds)
    .where(
      and(
        eq(refunds.paymentId, payment.id),
        sql`${refunds.providerReference} is distinct from ${dispute.id}`,
      ),
    );
  const given = ofPayment.filter(({ status }) => status === 'succeeded');
  const left = given.reduce((rest, { amount }) => rest - amount, payment.amount);
  const amount = Math.min(fromProviderMoney(dispute).amount, left);
  if (amount <= 0) return;
  const now = clock.now();
  // Nothing can be given back of it any more, and nothing needs to be.
  await tx
    .update(refunds)
    .set({ status: 'failed', tryAt: null, updatedAt: now })
    .where(and(eq(refunds.paymentId, payment.id), eq(refunds.status, 'requested')));
  await tx
    .insert(refunds)
    .values({
      id: newId('rfd'),
      orderId: payment.orderId,
      paymentId: payment.id,
      amount,
      reason: ofPayment.some(({ reason }) => reason === 'duplicate') ? 'duplicate' : 'dispute',
      status: 'succeeded',
      providerReference: dispute.id,
      insertedAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: refunds.providerReference });
}

/** Once it is over, the money stands as what was given back says; one that ends well gave back nothing. */
function statusAfter(order: OrderRow, dispute: Stripe.Dispute['status']): OrderRow['paymentStatus'] {
  switch (dispute) {
    case 'lost':
    case 'won':
    case 'warning_closed':
      return order.refunded > 0 || order.paymentStatus === 'disputed'
        ? paidStatus(order)
        : order.paymentStatus;
    default:
      return ['paid', 'partly_refunded'].includes(order.paymentStatus) ? 'disputed' : order.paymentStatus;
  }
}
