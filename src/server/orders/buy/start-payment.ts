import { and, eq, inArray } from 'drizzle-orm';
import type { StartedPayment } from '#contract/orders/schemas.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { Context } from '#server/context.ts';
import { orders, type PaymentRow, payments } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { refuseCardTesting } from '#server/payments/card-testing.ts';
import { OPEN_PAYMENT } from '#server/payments/payment-status.ts';
import type { ProviderIntent } from '#server/payments/provider/payment-provider.ts';
import { settleIntent } from '#server/payments/settle-intent.ts';
import { findReservation } from '#server/trip-cards/reservations.ts';
import { orderSubject } from '../pay/order-subject.ts';
import { presentPayment } from '../presenter.ts';
import { type OpenedPayment, openPayment, refuseCardPayment } from './open-payment.ts';
import { chargeSavedCard, ensureIntent, updateIntent } from './order-intent.ts';
import { type PaymentInput, requireSavedCard } from './payment-input.ts';
import { requireUsableTripCard } from './trip-card-part.ts';

/** An order to pay, or a change of one. */
export type Payable = {
  orderId: string;
  /** The open payment, or a new one. */
  open(startedFrom: string): Promise<OpenedPayment>;
  /** Throws why it can no longer be paid. */
  refuseClosed(): Promise<void>;
  /** The page on the ticket host that the bank's page returns to. */
  returnPath: string;
};

/** `language`: of the texts in the response. */
type Input = { network: string; language: string; payment: PaymentInput | null };

/**
 * Pays the total of an order, as `startPaymentFor` does.
 * @param input payerId: the signed-in customer; null: a visitor
 */
export function startPayment(
  context: Context,
  { orderId, payerId, ...input }: Input & { orderId: string; payerId: string | null },
): Promise<StartedPayment> {
  const payable: Payable = {
    orderId,
    open: (startedFrom) => openPayment(context, { orderId, startedFrom, payerId, payment: input.payment }),
    async refuseClosed() {
      const [order] = await context.db.select().from(orders).where(eq(orders.id, orderId));
      if (order) refuseCardPayment(order);
    },
    returnPath: fillPath(ticketPages.confirmation, { id: orderId }),
  };
  return startPaymentFor(context, { ...input, payable });
}

/**
 * Opens a card payment of the whole amount, or returns the one that is open: nothing ever has two that could both
 * take money, and a declined one accepts another card. A saved card is charged at once. A trip card pays first: the
 * amount at once, or a part of it once the payment card has paid the rest.
 * @param input network: of the client, to notice card testing; payment: null for a visitor
 * @throws {ApiError} not_found, already_paid, order_closed, order_blocked, hold_expired, plate_required,
 * session_expired, sailing_canceled, payment_in_progress, payment_unavailable, rate_limited; for a saved card also
 * card_expired, card_declined, payment_failed, authentication_required; for a trip card trip_card_frozen,
 * trip_card_lost, pass_expired, insufficient_balance, share_limit_reached, invalid_input
 */
export async function startPaymentFor(
  context: Context,
  input: Input & { payable: Payable },
): Promise<StartedPayment> {
  const { payable, payment: options } = input;
  const card = await requireSavedCard(context, options);
  await requireUsableTripCard(context, options?.tripCard ?? null);
  const startedFrom = await refuseCardTesting(context, input.network);
  const opened = await payable.open(startedFrom);
  if (opened.payment.method === 'trip_card') {
    wakeMailWorker(context.jobs);
    return { ...presentPayment(opened.payment, input.language), trip_card_amount: 0 };
  }
  const intent = await ensureIntent(context, opened.payment);
  refuseCharged(intent);
  const payment = await storeReference(context, { payment: opened.payment, intent });
  const isOver = intent.status === 'canceled' || (await isReservationReleased(context, opened));
  if (isOver) return startPaymentFor(context, input);
  if (!payment || intent.clientSecret === null) return refusePayment(context, { payable, intent });
  const current = await updateIntent(context, { intent, payment: options });
  const started = {
    ...presentPayment(payment, input.language),
    client_secret: intent.clientSecret,
    trip_card_amount: opened.reserved,
  };
  if (card !== null) {
    const { returnPath } = payable;
    const { status } = await chargeSavedCard(context, { intent: current, card, returnPath });
    return { ...started, status };
  }
  if (isCharged(current)) await settleIntent(context, { subject: orderSubject, intent: current });
  refuseCharged(current);
  return started;
}

/** @returns undefined if the payment is over */
async function storeReference(
  { db, clock }: Context,
  { payment, intent }: { payment: PaymentRow; intent: ProviderIntent },
): Promise<PaymentRow | undefined> {
  const [stored] = await db
    .update(payments)
    .set({ providerReference: intent.id, failureCode: null, updatedAt: clock.now() })
    .where(and(eq(payments.id, payment.id), inArray(payments.status, [...OPEN_PAYMENT])))
    .returning();
  return stored;
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
  { provider }: Context,
  { payable, intent }: { payable: Payable; intent: ProviderIntent },
): Promise<never> {
  await provider.tryToCancelIntent(intent.id);
  // A payment in another tab may have succeeded just now.
  await payable.refuseClosed();
  // Another way to pay was started for the order, which is still open.
  throw new ApiError('payment_in_progress');
}

function isCharged({ status }: ProviderIntent): boolean {
  return status === 'succeeded' || status === 'processing';
}

/** @throws {ApiError} already_paid, payment_in_progress */
function refuseCharged(intent: ProviderIntent): void {
  if (!isCharged(intent)) return;
  throw new ApiError(intent.status === 'succeeded' ? 'already_paid' : 'payment_in_progress');
}
