import { and, eq, inArray } from 'drizzle-orm';
import type { StartedPayment } from '#contract/orders/schemas.ts';
import type { Context } from '../context.ts';
import { orders, type PaymentRow, payments } from '../database/schema/sales.ts';
import { ApiError } from '../http/api-error.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { orderSubject } from '../order-payments/order-subject.ts';
import { presentPayment } from '../orders/presenter.ts';
import type { SavedCard } from '../payment-cards/queries.ts';
import { refuseCardTesting } from '../payments/card-testing.ts';
import { OPEN_PAYMENT } from '../payments/payment-status.ts';
import type { ProviderIntent } from '../payments/provider/payment-provider.ts';
import { settleIntent } from '../payments/settle-intent.ts';
import { findReservation } from '../trip-cards/reservations.ts';
import { type OpenedPayment, openPayment, refuseClosed } from './open-payment.ts';
import { chargeSavedCard, ensureIntent, updateIntent } from './order-intent.ts';
import { type PaymentInput, requireSavedCard } from './payment-input.ts';
import { requireUsableTripCard } from './trip-card-part.ts';

/**
 * Opens a card payment of the order's total, or returns the one that is open: an order never has two that could both
 * take money, and a declined one accepts another card. A saved card is charged at once. A trip card pays first: the
 * total at once, or a part of it once the payment card has paid the rest.
 * @param from the caller's address, to notice card testing
 * @param input null for a visitor
 * @throws {ApiError} not_found, already_paid, order_closed, order_blocked, hold_expired, plate_required,
 * session_expired, sailing_cancelled, payment_in_progress, payment_unavailable, rate_limited; for a saved card also
 * card_expired, card_declined, payment_failed, authentication_required; for a trip card trip_card_frozen,
 * trip_card_lost, insufficient_balance, share_limit_reached, invalid_input
 */
export async function startPayment(
  context: Context,
  orderId: string,
  from: string,
  input: PaymentInput | null = null,
): Promise<StartedPayment> {
  const card = await requireSavedCard(context, input);
  await requireUsableTripCard(context.db, input?.tripCard ?? null);
  const startedFrom = await refuseCardTesting(context, from);
  const opened = await openPayment(context, orderId, startedFrom, input);
  if (opened.payment.method === 'trip_card') {
    wakeMailWorker(context.jobs);
    return { ...presentPayment(opened.payment), trip_card_amount: 0 };
  }
  const intent = await ensureIntent(context, opened.payment);
  refuseCharged(intent);
  const payment = await storeReference(context, opened.payment, intent);
  const isOver = intent.status === 'cancelled' || (await isReservationReleased(context, opened));
  if (isOver) return startPayment(context, orderId, from, input);
  if (!payment || intent.clientSecret === null) return refusePayment(context, orderId, intent);
  const current = await updateIntent(context, intent, input);
  const started = {
    ...presentPayment(payment),
    client_secret: intent.clientSecret,
    trip_card_amount: opened.reserved,
  };
  return card === null
    ? continueInBrowser(context, current, started)
    : charge(context, current, { card, orderId, started });
}

/** @returns undefined if the payment is over */
async function storeReference(
  { db, clock }: Context,
  { id }: PaymentRow,
  intent: ProviderIntent,
): Promise<PaymentRow | undefined> {
  const [payment] = await db
    .update(payments)
    .set({ providerReference: intent.id, failureCode: null, updatedAt: clock.now() })
    .where(and(eq(payments.id, id), inArray(payments.status, [...OPEN_PAYMENT])))
    .returning();
  return payment;
}

/** A decline that became known just now releases the trip card's part. */
async function isReservationReleased(
  { db }: Context,
  { payment, reserved }: OpenedPayment,
): Promise<boolean> {
  return reserved > 0 && (await findReservation(db, payment.id))?.status !== 'held';
}

/** The payment ended meanwhile. Makes sure that nothing is charged, and tells what became of the order. */
async function refusePayment(
  { db, provider }: Context,
  orderId: string,
  intent: ProviderIntent,
): Promise<never> {
  await provider.tryToCancelIntent(intent.id);
  // A payment in another tab may have succeeded just now.
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (order) refuseClosed(order);
  throw new ApiError('order_closed');
}

async function continueInBrowser(
  context: Context,
  intent: ProviderIntent,
  started: StartedPayment,
): Promise<StartedPayment> {
  if (isCharged(intent)) await settleIntent(context, orderSubject, intent);
  refuseCharged(intent);
  return started;
}

async function charge(
  context: Context,
  intent: ProviderIntent,
  { card, orderId, started }: { card: SavedCard; orderId: string; started: StartedPayment },
): Promise<StartedPayment> {
  const { status } = await chargeSavedCard(context, intent, { card, orderId });
  return { ...started, status };
}

function isCharged({ status }: ProviderIntent): boolean {
  return status === 'succeeded' || status === 'processing';
}

/** @throws {ApiError} already_paid, payment_in_progress */
function refuseCharged(intent: ProviderIntent): void {
  if (!isCharged(intent)) return;
  throw new ApiError(intent.status === 'succeeded' ? 'already_paid' : 'payment_in_progress');
}
