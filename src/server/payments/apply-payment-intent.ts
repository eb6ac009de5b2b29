import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { type AfterCommit, nothingAfterCommit, runAfterCommit } from '../card-provider/after-commit.ts';
import { looksLikeCardTesting } from '../card-provider/card-testing.ts';
import { declineOf, isOpen, MAX_DECLINES, statusOf } from '../card-provider/intent-state.ts';
import { isSameMoney } from '../card-provider/provider-amounts.ts';
import type { Database } from '../database/database.ts';
import {
  holds,
  type OrderRow,
  orders,
  type PaymentRow,
  payments,
  refunds,
} from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { confirmOrder, isBoardingCodeTaken, lockOrder } from '../orders/confirm-order.ts';
import { releaseOrder } from '../orders/release-order.ts';
import { UNPAID } from '../orders/unpaid.ts';
import { findReservation, releaseReservations } from '../trip-cards/reservations.ts';
import { confirmWithTripCard } from './confirm-with-trip-card.ts';
import { findPayingCard, type PayingCard } from './paying-card.ts';

/** How long after taking the places they wait for a payment that is under way. */
const PAYING_MINUTES = 35;
const EXTENSION_MINUTES = 10;

/** Takes over what the provider says about an order's payment, in a transaction of its own, and what follows from it. */
export async function settlePaymentIntent(deps: Deps, intent: Stripe.PaymentIntent): Promise<void> {
  const payingCard = await findPayingCard(deps, intent);
  const followUp = await inTransaction(
    deps.db,
    (tx) => applyPaymentIntent(tx, deps, intent, payingCard),
    isBoardingCodeTaken,
  );
  await runAfterCommit(deps, followUp);
}

/**
 * Turns the provider's truth about an order's payment into ours: the one place that does, for webhooks, polling and
 * reconciliation alike. May be called any number of times with states in any order; each takes effect once,
 * and nothing un-pays what was paid.
 * @param tx a transaction; it locks the order first
 * @param payingCard what paid, as asked of the provider before the transaction
 */
export async function applyPaymentIntent(
  tx: Database,
  deps: Deps,
  intent: Stripe.PaymentIntent,
  payingCard: PayingCard | null,
): Promise<AfterCommit> {
  const after = nothingAfterCommit();
  const found = await lockPayment(tx, intent);
  if (!found) {
    deps.log.error('payment of no order of ours', { intent: intent.id });
    return after;
  }
  const { payment, order } = found;
  if (!isOurs(intent, payment)) {
    deps.log.error('payment does not match its order', { payment_id: payment.id, intent: intent.id });
    return after;
  }
  if (payment.providerReference === null) {
    await tx.update(payments).set({ providerReference: intent.id }).where(eq(payments.id, payment.id));
  }
  if (intent.status === 'succeeded') {
    await noteCard(tx, payment, payingCard);
    await applySuccess(tx, deps, intent, payment, order, after);
  } else await applyUnpaidState(tx, deps, intent, payment, order, after);
  return after;
}

/** Locks order, then payment. By our id in the metadata too: news may come before we kept the reference. */
async function lockPayment(
  tx: Database,
  intent: Stripe.PaymentIntent,
): Promise<{ payment: PaymentRow; order: OrderRow } | null> {
  const [known] = await tx
    .select({ id: payments.id, orderId: payments.orderId })
    .from(payments)
    .where(
      sql`${payments.providerReference} = ${intent.id}
        or (${payments.providerReference} is null and ${payments.id} = ${intent.metadata.payment_id ?? ''})`,
    );
  if (!known) return null;
  const order = await lockOrder(tx, known.orderId);
  const [payment] = await tx.select().from(payments).where(eq(payments.id, known.id)).for('no key update');
  return order && payment ? { payment, order } : null;
}

function isOurs(intent: Stripe.PaymentIntent, payment: PaymentRow): boolean {
  const amount = intent.status === 'succeeded' ? intent.amount_received : intent.amount;
  return (
    isSameMoney({ amount, currency: intent.currency }, payment) &&
    intent.metadata.order_id === payment.orderId
  );
}

async function noteCard(tx: Database, payment: PaymentRow, card: PayingCard | null): Promise<void> {
  if (card === null || payment.cardLastFour !== null) return;
  await tx
    .update(payments)
    .set({ cardNetwork: card.network, cardLastFour: card.lastFour, cardWallet: card.wallet })
    .where(eq(payments.id, payment.id));
}

async function applySuccess(
  tx: Database,
  deps: Deps,
  intent: Stripe.PaymentIntent,
  payment: PaymentRow,
  order: OrderRow,
  after: AfterCommit,
): Promise<void> {
  const now = deps.clock.now();
  const [succeeded] = await tx
    .update(payments)
    .set({ status: 'succeeded', failureCode: null, updatedAt: now })
    .where(and(eq(payments.id, payment.id), ne(payments.status, 'succeeded')))
    .returning({ id: payments.id });
  if (!succeeded) return;
  after.paid = intent;
  const aside = await findReservation(tx, payment.id);
  const due = order.total - (aside?.amount ?? 0);
  if (order.confirmedAt !== null || order.paid > 0 || payment.amount !== due) {
    deps.log.warn('order paid twice, or at another price; this payment goes back', {
      payment_id: payment.id,
    });
    await releaseReservations(tx, deps, { paymentId: payment.id });
    after.refunds.push(await requestRefund(tx, payment, 'duplicate', now));
    return;
  }
  const failure = aside
    ? await confirmWithTripCard(tx, deps, order, payment)
    : (await confirmOrder(tx, deps, order))
      ? null
      : 'no_room';
  after.hasMail = true;
  if (failure === null) return;
  await releaseOrder(tx, order);
  await releaseReservations(tx, deps, { paymentId: payment.id });
  await tx
    .update(orders)
    .set({
      status: 'cancelled',
      paymentStatus: 'paid',
      paid: payment.amount,
      notice: NOTICES[failure],
      cancelledAt: now,
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, order.id));
  after.refunds.push(await requestRefund(tx, payment, failure, now));
  await queueOrderMail(tx, deps, failure === 'no_room' ? 'order-refunded' : 'order-value-gone', order.id);
}

const NOTICES = {
  no_room: 'Your payment came too late: there was no room left. Your money is on its way back to your card.',
  no_value:
    'Your payment came too late: the rest was no longer on your trip card. Your money is on its way back to your card.',
};

async function requestRefund(
  tx: Database,
  payment: PaymentRow,
  reason: 'duplicate' | 'no_room' | 'no_value',
  now: Date,
): Promise<string> {
  const id = newId('rfd');
  await tx.insert(refunds).values({
    id,
    orderId: payment.orderId,
    paymentId: payment.id,
    amount: payment.amount,
    reason,
    status: 'requested',
    insertedAt: now,
    updatedAt: now,
  });
  return id;
}

async function applyUnpaidState(
  tx: Database,
  deps: Deps,
  intent: Stripe.PaymentIntent,
  payment: PaymentRow,
  order: OrderRow,
  after: AfterCommit,
): Promise<void> {
  // Blocked, and yet tried again: the provider did not hear that it was to be cancelled.
  if (payment.status === 'failed' && intent.status !== 'canceled') after.intentsToCancel.push(intent.id);
  if (!isOpen(payment)) return;
  const now = deps.clock.now();
  const decline = declineOf(intent);
  const isNewDecline = decline !== null && !payment.declinedCharges.includes(decline.charge);
  const declines = order.declines + (isNewDecline ? 1 : 0);
  const isTesting = isNewDecline && (await looksLikeCardTesting(tx, payment.startedFrom, now, 1));
  const isBlocked = (declines >= MAX_DECLINES || isTesting) && intent.status !== 'processing';
  const status = isBlocked ? 'failed' : statusOf(intent.status);
  const failureCode = decline ? decline.code : intent.status === 'canceled' ? payment.failureCode : null;
  if (!isNewDecline && status === payment.status && failureCode === payment.failureCode) return;
  // A card waiting for the next try says nothing new about one that is being charged again.
  const isStaleDecline = decline !== null && !isNewDecline && payment.failureCode === null;
  if (isStaleDecline) return;

  await tx
    .update(payments)
    .set({
      status,
      failureCode,
      ...(isNewDecline ? { declinedCharges: [...payment.declinedCharges, decline.charge] } : {}),
      updatedAt: now,
    })
    .where(eq(payments.id, payment.id));
  await tx
    .update(orders)
    .set({
      declines,
      paymentStatus: decline ? 'failed' : paymentStatusOf(status),
      version: order.version + 1,
      updatedAt: now,
    })
    .where(and(eq(orders.id, order.id), inArray(orders.status, [...UNPAID])));
  // After a decline nobody may come back to try again; whoever does has it set aside anew.
  if (isNewDecline || status === 'failed' || status === 'cancelled') {
    await releaseReservations(tx, deps, { paymentId: payment.id });
  }
  if (isBlocked) after.intentsToCancel.push(intent.id);
  if (status === 'processing' || status === 'requires_action') await keepPlaces(tx, order.holdId, now);
}

/** A bank looking at a payment takes its time: the places wait, at most 35 minutes from when they were taken. */
async function keepPlaces(tx: Database, holdId: string, now: Date): Promise<void> {
  const longest = sql`${holds.insertedAt} + make_interval(mins => ${PAYING_MINUTES}::int)`;
  const wanted = new Date(now.getTime() + EXTENSION_MINUTES * 60_000).toISOString();
  await tx
    .update(holds)
    .set({
      expiresAtMax: longest,
      expiresAt: sql`greatest(${holds.expiresAt}, least(${longest}, ${wanted}::timestamptz))`,
    })
    .where(and(eq(holds.id, holdId), eq(holds.status, 'active')));
}

function paymentStatusOf(status: PaymentRow['status']): OrderRow['paymentStatus'] {
  if (status === 'processing') return 'processing';
  return status === 'cancelled' ? 'none' : 'requires_action';
}
