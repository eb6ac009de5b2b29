import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { StartedPayment } from '#contract/orders.ts';
import { lockOwner } from '../accounts/lock-owner.ts';
import type { Database } from '../database/database.ts';
import { holds, orders, payments } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { networkOf } from '../http/rate-limit.ts';
import { askToSend } from '../mail/mails.ts';
import { confirmFreeOrder, confirmOrder, lockOrder, type OrderRow } from '../orders/confirm-order.ts';
import { lapseHold } from '../orders/lapse.ts';
import { requirePlate } from '../orders/plate.ts';
import { presentPayment } from '../orders/presenter.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import { findSetAside, setAside } from '../trip-cards/set-asides.ts';
import { spend } from '../trip-cards/spend.ts';
import { settlePaymentIntent } from './apply-payment-intent.ts';
import { fareDescription, fareKey, insertAttempt } from './attempt.ts';
import { LOOK_BACK_MS, looksLikeCardTesting } from './card-testing.ts';
import { closeOpenPayment } from './close-payment.ts';
import { MAX_DECLINES, OPEN_PAYMENT, statusOf } from './intent-state.ts';
import { findOpenPayment } from './open-payment.ts';
import { chargeSavedCard, fitIntent, type PaymentWish, requireWishedCard } from './payment-wish.ts';
import { askProvider } from './provider.ts';
import {
  isWholeByTripCard,
  planTripCardPart,
  requireWishedTripCard,
  resumePart,
  type TripCardWish,
} from './trip-card-part.ts';

/** A payment begun in the last moment still gets this long, within the hold's limit. */
const TIME_TO_PAY_MS = 5 * 60_000;

type PaymentRow = typeof payments.$inferSelect;

/**
 * Opens a card payment of the order's total, or hands out again the one that is open: an order never has two
 * that could both take money, and a declined one takes another card. A saved card is charged at once. A trip card
 * pays first, as far as is wished: all of it at once, a part when the payment card has paid the rest.
 * @param from the caller's address, to notice card testing
 * @param wish what a signed-in customer wants besides; null for a visitor
 * @throws {ApiError} not_found, already_paid, order_closed, order_blocked, hold_expired, plate_required,
 * session_expired, sailing_cancelled, payment_in_progress, payment_unavailable, rate_limited; for a saved card also card_expired,
 * card_declined, payment_failed, authentication_required; for a trip card trip_card_frozen, trip_card_lost,
 * insufficient_balance, share_limit_reached, invalid_input
 */
export async function startPayment(
  deps: Deps,
  orderId: string,
  from: string,
  wish: PaymentWish | null = null,
): Promise<StartedPayment> {
  const card = await requireWishedCard(deps, wish);
  await requireWishedTripCard(deps.db, wish?.tripCard ?? null);
  const startedFrom = deps.vault.fingerprint('payment-origin', networkOf(from));
  if (await looksLikeCardTesting(deps.db, startedFrom, deps.clock.now())) {
    throw new ApiError('rate_limited', { retryAfter: LOOK_BACK_MS / 1000 });
  }
  const { payment, setAside } = await openAttempt(deps, orderId, startedFrom, wish);
  if (payment.method === 'trip_card') {
    askToSend(deps.jobs);
    return { ...presentPayment(payment), trip_card_amount: 0 };
  }
  const { intent, isNew } = await intentOf(deps, payment);
  if (!isNew) await settlePaymentIntent(deps, intent);
  if (intent.status === 'succeeded') throw new ApiError('already_paid');
  if (intent.status === 'processing') throw new ApiError('payment_in_progress');
  const [ready] = await deps.db
    .update(payments)
    .set({ providerReference: intent.id, failureCode: null, updatedAt: deps.clock.now() })
    .where(and(eq(payments.id, payment.id), inArray(payments.status, [...OPEN_PAYMENT])))
    .returning();
  // A decline that nobody had told us of may have let go of the trip card's part just now.
  const isLetGo = setAside > 0 && (await findSetAside(deps.db, payment.id))?.status !== 'held';
  if (intent.status === 'canceled' || isLetGo) return startPayment(deps, orderId, from, wish);
  if (!ready || intent.client_secret === null) {
    await deps.stripe.paymentIntents.cancel(intent.id).catch(() => {});
    // Another tab's payment may have succeeded just now.
    const [order] = await deps.db.select().from(orders).where(eq(orders.id, orderId));
    if (order) refuseClosed(order);
    throw new ApiError('order_closed');
  }
  const fitting = await fitIntent(deps, intent, wish);
  const begun = {
    ...presentPayment(ready),
    client_secret: intent.client_secret,
    trip_card_amount: setAside,
  };
  if (card === null) {
    if (fitting.status !== 'succeeded' && fitting.status !== 'processing') return begun;
    await settlePaymentIntent(deps, fitting);
    throw new ApiError(fitting.status === 'succeeded' ? 'already_paid' : 'payment_in_progress');
  }
  const charged = await chargeSavedCard(deps, fitting, { card, orderId });
  return { ...begun, status: charged.status === 'succeeded' ? 'succeeded' : statusOf(charged.status) };
}

/** The order's attempt, and what of a trip card waits for it. */
type Attempt = { payment: PaymentRow; setAside: number };

/** How often an open attempt that is not as wished is closed before somebody else is thought to be paying. */
const TRIES = 3;

/** The order's open attempt, or a new one, after everything that speaks against paying has been asked. */
async function openAttempt(
  deps: Deps,
  orderId: string,
  startedFrom: string,
  wish: PaymentWish | null,
): Promise<Attempt> {
  const now = deps.clock.now();
  const tripCard = wish?.tripCard ?? null;
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
  for (let tries = 0; tries < TRIES; tries += 1) {
    const attempt = await inTransaction(
      deps.db,
      async (tx) => {
        // Whoever was turned out while their request was under way spends nothing any more.
        if (wish) await lockOwner(tx, deps, wish);
        const order = await lockOrder(tx, orderId);
        if (!order) throw notFound();
        refuseClosed(order);
        // A vehicle may have come since the form with the plate was sent.
        await requirePlate(tx, order);
        await requireHoldToPay(tx, order, now);
        await requireSailingsRun(tx, order.holdId);
        const open = await findOpenPayment(tx, orderId);
        if (!open) return makeAttempt(tx, deps, order, { startedFrom, wish: tripCard });
        const part = await resumePart(tx, deps, { order, open }, tripCard);
        return part === null ? null : { payment: open, setAside: part };
      },
      (error) => violatedUniqueConstraint(error) !== null,
    );
    if (attempt) return attempt;
    await closeOpenPayment(deps, orderId);
  }
  throw new ApiError('payment_in_progress');
}

/** What a new attempt begins with. */
async function makeAttempt(
  tx: Database,
  deps: Deps,
  order: OrderRow,
  { startedFrom, wish }: { startedFrom: string; wish: TripCardWish | null },
): Promise<Attempt> {
  if (wish === null) {
    return {
      payment: await openCardPayment(tx, deps, order, { amount: order.total, startedFrom }),
      setAside: 0,
    };
  }
  if (await isWholeByTripCard(tx, deps, order, wish)) {
    return { payment: await payWithTripCard(tx, deps, order, { startedFrom, wish }), setAside: 0 };
  }
  const part = await planTripCardPart(tx, deps, order, wish);
  const payment = await openCardPayment(tx, deps, order, { amount: order.total - part, startedFrom });
  await setAside(tx, deps, {
    paymentId: payment.id,
    orderId: order.id,
    tripCardId: wish.tripCardId,
    byCustomerId: wish.customerId,
    amount: part,
  });
  return { payment, setAside: part };
}

/** Sells the places and takes their price from the card, or neither: the card is locked last. */
async function payWithTripCard(
  tx: Database,
  deps: Deps,
  order: OrderRow,
  { startedFrom, wish }: { startedFrom: string; wish: TripCardWish },
): Promise<PaymentRow> {
  const { tripCardId: cardId, customerId } = wish;
  const payment = await insertAttempt(tx, deps, order, {
    method: 'trip_card',
    tripCardId: cardId,
    amount: order.total,
    status: 'succeeded',
    startedFrom,
  });
  if (!(await confirmOrder(tx, deps, order))) throw new ApiError('hold_expired');
  await spend(tx, deps, {
    cardId,
    customerId,
    amount: order.total,
    orderId: order.id,
    description: fareDescription(order),
    key: fareKey(payment),
  });
  return payment;
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

async function openCardPayment(
  tx: Database,
  deps: Deps,
  order: OrderRow,
  { amount, startedFrom }: { amount: number; startedFrom: string },
): Promise<PaymentRow> {
  const attempt = { method: 'card', amount, status: 'created', startedFrom } as const;
  const payment = await insertAttempt(tx, deps, order, attempt);
  await tx
    .update(orders)
    .set({
      status: 'awaiting_payment',
      paymentStatus: 'requires_action',
      version: order.version + 1,
      updatedAt: deps.clock.now(),
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
