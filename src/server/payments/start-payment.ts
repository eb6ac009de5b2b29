import { and, eq, gt, inArray, max, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { StartedPayment } from '#contract/orders.ts';
import type { Database } from '../database/database.ts';
import { holds, orders, payments } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { networkOf } from '../http/rate-limit.ts';
import { newId } from '../ids.ts';
import { confirmFreeOrder, lockOrder, type OrderRow } from '../orders/confirm-order.ts';
import { lapseHold } from '../orders/lapse.ts';
import { requirePlate } from '../orders/plate.ts';
import { presentPayment } from '../orders/presenter.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import { settlePaymentIntent } from './apply-payment-intent.ts';
import { LOOK_BACK_MS, looksLikeCardTesting } from './card-testing.ts';
import { MAX_DECLINES, OPEN_PAYMENT, statusOf } from './intent-state.ts';
import { findOpenPayment } from './open-payment.ts';
import { chargeSavedCard, fitIntent, type PaymentWish, requireWishedCard } from './payment-wish.ts';
import { askProvider } from './provider.ts';

/** A payment begun in the last moment still gets this long, within the hold's limit. */
const TIME_TO_PAY_MS = 5 * 60_000;

type PaymentRow = typeof payments.$inferSelect;

/**
 * Opens a card payment of the order's total, or hands out again the one that is open: an order never has two
 * that could both take money, and a declined one takes another card. A saved card is charged at once.
 * @param from the caller's address, to notice card testing
 * @param wish what a signed-in customer wants besides; null for a visitor
 * @throws {ApiError} not_found, already_paid, order_closed, order_blocked, hold_expired, plate_required,
 * sailing_cancelled, payment_in_progress, payment_unavailable, rate_limited; for a saved card also card_expired,
 * card_declined, payment_failed, authentication_required
 */
export async function startPayment(
  deps: Deps,
  orderId: string,
  from: string,
  wish: PaymentWish | null = null,
): Promise<StartedPayment> {
  const card = await requireWishedCard(deps, wish);
  const startedFrom = deps.vault.fingerprint('payment-origin', networkOf(from));
  if (await looksLikeCardTesting(deps.db, startedFrom, deps.clock.now())) {
    throw new ApiError('rate_limited', { retryAfter: LOOK_BACK_MS / 1000 });
  }
  const payment = await openAttempt(deps, orderId, startedFrom);
  const { intent, isNew } = await intentOf(deps, payment);
  if (!isNew) await settlePaymentIntent(deps, intent);
  if (intent.status === 'succeeded') throw new ApiError('already_paid');
  if (intent.status === 'processing') throw new ApiError('payment_in_progress');
  const [ready] = await deps.db
    .update(payments)
    .set({ providerReference: intent.id, failureCode: null, updatedAt: deps.clock.now() })
    .where(and(eq(payments.id, payment.id), inArray(payments.status, [...OPEN_PAYMENT])))
    .returning();
  if (intent.status === 'canceled') return startPayment(deps, orderId, from, wish);
  if (!ready || intent.client_secret === null) {
    await deps.stripe.paymentIntents.cancel(intent.id).catch(() => {});
    throw new ApiError('order_closed');
  }
  const fitting = await fitIntent(deps, intent, wish);
  const begun = { ...presentPayment(ready), client_secret: intent.client_secret };
  if (card === null) {
    if (fitting.status !== 'succeeded' && fitting.status !== 'processing') return begun;
    await settlePaymentIntent(deps, fitting);
    throw new ApiError(fitting.status === 'succeeded' ? 'already_paid' : 'payment_in_progress');
  }
  const charged = await chargeSavedCard(deps, fitting, { card, orderId });
  return { ...begun, status: charged.status === 'succeeded' ? 'succeeded' : statusOf(charged.status) };
}

/** The order's open attempt, or a new one, after everything that speaks against paying has been asked. */
async function openAttempt(deps: Deps, orderId: string, startedFrom: string): Promise<PaymentRow> {
  const now = deps.clock.now();
  const [known] = await deps.db
    .select({ holdId: orders.holdId, total: orders.total, vehicle: orders.vehicle, plate: orders.plate })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!known) throw notFound();
  await lapseHold(deps, known.holdId);
  // A code that takes everything off came after paying had begun: there is nothing to charge.
  if (known.total === 0) {
    await requirePlate(deps.db, known);
    await confirmFreeOrder(deps, orderId);
  }
  return inTransaction(
    deps.db,
    async (tx) => {
      const order = await lockOrder(tx, orderId);
      if (!order) throw notFound();
      refuseClosed(order);
      // A vehicle may have come since the form with the plate was sent.
      await requirePlate(tx, order);
      await requireHoldToPay(tx, order, now);
      await requireSailingsRun(tx, order.holdId);
      const open = await findOpenPayment(tx, orderId);
      if (open) return open;
      return insertAttempt(tx, order, startedFrom, now);
    },
    (error) => violatedUniqueConstraint(error) !== null,
  );
}

/** @throws {ApiError} hold_expired, order_closed, already_paid, order_blocked */
function refuseClosed(order: OrderRow): void {
  if (order.status === 'expired') throw new ApiError('hold_expired');
  if (order.status === 'cancelled') throw new ApiError('order_closed');
  if (!isUnpaid(order)) throw new ApiError('already_paid');
  if (order.declines >= MAX_DECLINES) throw new ApiError('order_blocked');
}

async function requireHoldToPay(tx: Database, order: OrderRow, now: Date): Promise<void> {
  const untilPaid = new Date(now.getTime() + TIME_TO_PAY_MS).toISOString();
  const [held] = await tx
    .update(holds)
    .set({
      expiresAt: sql`greatest(${holds.expiresAt}, least(${holds.expiresAtMax}, ${untilPaid}::timestamptz))`,
    })
    .where(and(eq(holds.id, order.holdId), eq(holds.status, 'active'), gt(holds.expiresAt, now)))
    .returning({ id: holds.id });
  if (!held) throw new ApiError('hold_expired');
}

async function requireSailingsRun(tx: Database, holdId: string): Promise<void> {
  const [cancelled] = await tx
    .select({ id: sailings.id })
    .from(sailings)
    .where(
      and(
        eq(sailings.status, 'cancelled'),
        sql`${sailings.id} in (select sailing_id from hold_items where hold_id = ${holdId})`,
      ),
    )
    .limit(1);
  if (cancelled) throw new ApiError('sailing_cancelled', { details: { sailing_id: cancelled.id } });
}

async function insertAttempt(
  tx: Database,
  order: OrderRow,
  startedFrom: string,
  now: Date,
): Promise<PaymentRow> {
  const [last] = await tx
    .select({ attempt: max(payments.attempt) })
    .from(payments)
    .where(eq(payments.orderId, order.id));
  const [payment] = await tx
    .insert(payments)
    .values({
      id: newId('pay'),
      orderId: order.id,
      attempt: (last?.attempt ?? 0) + 1,
      method: 'card',
      amount: order.total,
      currency: order.currency,
      status: 'created',
      startedFrom,
      insertedAt: now,
      updatedAt: now,
    })
    .returning();
  if (!payment) throw new Error('A payment was not written.');
  await tx
    .update(orders)
    .set({
      status: 'awaiting_payment',
      paymentStatus: 'requires_action',
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, order.id));
  return payment;
}

/** The attempt's intent at the provider; made under a key of its own, so that a lost answer makes no second. */
async function intentOf(
  deps: Deps,
  payment: PaymentRow,
): Promise<{ intent: Stripe.PaymentIntent; isNew: boolean }> {
  const { providerReference: reference } = payment;
  if (reference !== null) {
    return {
      intent: await askProvider(deps, () => deps.stripe.paymentIntents.retrieve(reference)),
      isNew: false,
    };
  }
  const [order] = await deps.db
    .select({ reference: orders.reference })
    .from(orders)
    .where(eq(orders.id, payment.orderId));
  const name = order?.reference ?? '';
  const intent = await askProvider(deps, () =>
    deps.stripe.paymentIntents.create(
      {
        amount: payment.amount,
        currency: payment.currency.toLowerCase(),
        allowed_payment_method_types: ['card'],
        description: `Ferry tickets ${name}`,
        metadata: { order_id: payment.orderId, payment_id: payment.id, reference: name },
      },
      { idempotencyKey: `order:${payment.orderId}:attempt:${payment.attempt}` },
    ),
  );
  return { intent, isNew: true };
}
