import { and, eq, inArray } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { StartedPayment } from '#contract/orders/schemas.ts';
import { refuseCardTesting } from '../card-provider/card-testing.ts';
import { OPEN_PAYMENT, statusOf } from '../card-provider/intent-state.ts';
import { orders, type PaymentRow, payments } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { presentPayment } from '../orders/presenter.ts';
import type { SavedCard } from '../payment-cards/queries.ts';
import { settlePaymentIntent } from '../payments/apply-payment-intent.ts';
import { findReservation } from '../trip-cards/reservations.ts';
import { intentOf } from './attempt-intent.ts';
import { type Attempt, openAttempt, refuseClosed } from './open-attempt.ts';
import { chargeSavedCard, fitIntent, type PaymentInput, requireSavedCard } from './payment-input.ts';
import { requireTripCardFor } from './trip-card-part.ts';

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
  wish: PaymentInput | null = null,
): Promise<StartedPayment> {
  const card = await requireSavedCard(deps, wish);
  await requireTripCardFor(deps.db, wish?.tripCard ?? null);
  const startedFrom = await refuseCardTesting(deps, from);
  const attempt = await openAttempt(deps, orderId, startedFrom, wish);
  if (attempt.payment.method === 'trip_card') {
    wakeMailWorker(deps.jobs);
    return { ...presentPayment(attempt.payment), trip_card_amount: 0 };
  }
  const intent = await currentIntent(deps, attempt.payment);
  const ready = await noteIntent(deps, attempt.payment, intent);
  const isOver = intent.status === 'canceled' || (await isPartLetGo(deps, attempt));
  if (isOver) return startPayment(deps, orderId, from, wish);
  const secret = intent.client_secret;
  if (!ready || secret === null) return refuseAttempt(deps, orderId, intent);
  const fitting = await fitIntent(deps, intent, wish);
  const begun = { ...presentPayment(ready), client_secret: secret, trip_card_amount: attempt.setAside };
  return card === null ? handOut(deps, fitting, begun) : charge(deps, fitting, { card, orderId, begun });
}

/** The attempt's intent, unless it is charged already: what became of one from before is settled first. */
async function currentIntent(deps: Deps, payment: PaymentRow): Promise<Stripe.PaymentIntent> {
  const { intent, isNew } = await intentOf(deps, payment);
  if (!isNew) await settlePaymentIntent(deps, intent);
  refuseCharged(intent);
  return intent;
}

/** Keeps which intent is the attempt's; undefined when the attempt is over. */
async function noteIntent(
  { db, clock }: Deps,
  { id }: PaymentRow,
  intent: Stripe.PaymentIntent,
): Promise<PaymentRow | undefined> {
  const [ready] = await db
    .update(payments)
    .set({ providerReference: intent.id, failureCode: null, updatedAt: clock.now() })
    .where(and(eq(payments.id, id), inArray(payments.status, [...OPEN_PAYMENT])))
    .returning();
  return ready;
}

/** A decline that nobody had told us of may have let go of the trip card's part just now. */
async function isPartLetGo({ db }: Deps, { payment, setAside }: Attempt): Promise<boolean> {
  return setAside > 0 && (await findReservation(db, payment.id))?.status !== 'held';
}

/** The attempt ended while it was begun: nothing may be charged for it, and the caller hears what became of the order. */
async function refuseAttempt(
  { db, stripe }: Deps,
  orderId: string,
  intent: Stripe.PaymentIntent,
): Promise<never> {
  await stripe.paymentIntents.cancel(intent.id).catch(() => {});
  // Another tab's payment may have succeeded just now.
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (order) refuseClosed(order);
  throw new ApiError('order_closed');
}

/** The browser goes on with it, unless it was paid meanwhile. */
async function handOut(
  deps: Deps,
  intent: Stripe.PaymentIntent,
  begun: StartedPayment,
): Promise<StartedPayment> {
  if (isCharged(intent)) await settlePaymentIntent(deps, intent);
  refuseCharged(intent);
  return begun;
}

async function charge(
  deps: Deps,
  intent: Stripe.PaymentIntent,
  { card, orderId, begun }: { card: SavedCard; orderId: string; begun: StartedPayment },
): Promise<StartedPayment> {
  const { status } = await chargeSavedCard(deps, intent, { card, orderId });
  return { ...begun, status: status === 'succeeded' ? 'succeeded' : statusOf(status) };
}

function isCharged({ status }: Stripe.PaymentIntent): boolean {
  return status === 'succeeded' || status === 'processing';
}

/** @throws {ApiError} already_paid, payment_in_progress */
function refuseCharged(intent: Stripe.PaymentIntent): void {
  if (!isCharged(intent)) return;
  throw new ApiError(intent.status === 'succeeded' ? 'already_paid' : 'payment_in_progress');
}
