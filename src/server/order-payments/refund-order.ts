import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import {
  type OrderRow,
  orderLines,
  orders,
  type PaymentRow,
  payments,
  type RefundRow,
  refunds,
  tickets,
} from '../database/schema/sales.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { lockOrder } from '../orders/confirm-order.ts';
import { releaseSoldPlaces } from '../orders/places.ts';
import { giveBackPromo } from '../orders/promo.ts';
import { lockLiveCard } from '../trip-cards/queries.ts';
import { refundIn } from '../trip-cards/spend.ts';
import { insertRefund, paidStatus, sumRefunded } from './order-refunds.ts';

type RefundContext = Pick<Context, 'db' | 'clock' | 'vault'>;
/** An order cannot be refunded; the message is for the operator. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused';
}

export type RefundInput = { reference: string; toTripCard: string | null; isOnlyFailed?: boolean };

/** `given_back_again`: the order was cancelled before, and failed refunds were repeated. */
export type RefundResult = {
  order: OrderRow;
  refunds: RefundRow[];
  done: 'cancelled' | 'given_back_again' | 'nothing';
};

/**
 * Cancels a confirmed order with its tickets, puts its places back on sale and refunds each payment to where it came
 * from, or all of them to one trip card. Trip cards are credited in this transaction; jobs request the others from the
 * card provider. Repeated, it retries failed refunds and changes nothing else.
 * @param toTripCard 16 digits; null: to where the payments came from
 * @param isOnlyFailed cancels nothing and only retries failed refunds, of a second payment for instance
 * @throws {RefundRefused}
 */
export async function refundOrder(
  context: RefundContext,
  { reference, toTripCard, isOnlyFailed = false }: RefundInput,
): Promise<RefundResult> {
  return inTransaction(context.db, async (tx) => {
    const [known] = await tx
      .select({ id: orders.id })
      .from(orders)
      .where(eq(orders.reference, reference.trim().toUpperCase()));
    const order = known && (await lockOrder(tx, known.id));
    if (!order) throw new RefundRefused('There is no order with that reference.');
    const before = await tx.select().from(refunds).where(eq(refunds.orderId, order.id));
    const isRetry = isOnlyFailed || (order.status !== 'confirmed' && before.length > 0);
    requireUndisputed(order);
    if (!isRetry) await requireRefundable(tx, order);
    const destination = toTripCard === null ? null : await requireTripCard(tx, toTripCard, order.currency);
    if (!isRetry) await cancelTickets(tx, order);
    const added = await refundPayments(tx, context, { order, before, destination, isOnlyFailed });
    if (isRetry && added.length === 0) return { order, refunds: before, done: 'nothing' };
    return {
      order: await writeOrder(tx, context, { order, isRetry }),
      refunds: [...before, ...added],
      done: isRetry ? 'given_back_again' : 'cancelled',
    };
  });
}

async function writeOrder(
  tx: Database,
  context: RefundContext,
  { order, isRetry }: { order: OrderRow; isRetry: boolean },
): Promise<OrderRow> {
  const now = context.clock.now();
  const refunded = await sumRefunded(tx, order);
  const cancelled = { status: 'cancelled', needsAttention: null, cancelledAt: now } as const;
  const [written] = await tx
    .update(orders)
    .set({
      ...(isRetry ? {} : cancelled),
      // In an order that was never paid, only a second payment can be refunded.
      ...(order.paid > 0 ? { refunded, paymentStatus: paidStatus({ paid: order.paid, refunded }) } : {}),
      notice: isRetry ? 'Your money is on its way back.' : 'This order was canceled and refunded.',
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, order.id))
    .returning();
  if (!isRetry) await giveBackPromo(tx, order.promoCode);
  if (!isRetry || order.status === 'cancelled')
    await queueOrderMail(tx, context, { kind: 'order-given-back', orderId: order.id });
  return written ?? order;
}

function requireUndisputed({ paymentStatus }: OrderRow): void {
  if (paymentStatus !== 'disputed') return;
  throw new RefundRefused('Its card holder contests the payment; the bank decides about that money.');
}

async function requireRefundable(tx: Database, order: OrderRow): Promise<void> {
  if (order.status !== 'confirmed' || order.paid === 0) {
    throw new RefundRefused('Only an order that is confirmed and paid can be refunded.');
  }
  const [boarded] = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(eq(tickets.orderId, order.id), inArray(tickets.status, ['boarded', 'no_show'])))
    .limit(1);
  if (boarded) throw new RefundRefused('Tickets of this order have been used.');
}

async function requireTripCard(tx: Database, number: string, currency: string): Promise<string> {
  const [card] = await tx
    .select({ id: tripCards.id, currency: tripCards.currency })
    .from(tripCards)
    .where(eq(tripCards.number, parseTripCardNumber(number) ?? ''));
  if (!card) throw new RefundRefused('There is no trip card with that number.');
  if (card.currency !== currency) throw new RefundRefused('That trip card is in another currency.');
  return card.id;
}

/** Locks the capacity, after the order and before the trip cards. */
async function cancelTickets(tx: Database, order: OrderRow): Promise<void> {
  await releaseSoldPlaces(tx, order.id);
  await tx.update(orderLines).set({ status: 'cancelled' }).where(eq(orderLines.orderId, order.id));
  await tx
    .update(tickets)
    .set({ status: 'cancelled', version: sql`${tickets.version} + 1` })
    .where(and(eq(tickets.orderId, order.id), inArray(tickets.status, ['issued', 'checked_in'])));
}

/** Refunds what is left of each payment: at once to a trip card, through the provider to a payment card. */
async function refundPayments(
  tx: Database,
  context: RefundContext,
  input: {
    order: OrderRow;
    before: readonly RefundRow[];
    destination: string | null;
    isOnlyFailed: boolean;
  },
): Promise<RefundRow[]> {
  const { order, before, destination, isOnlyFailed } = input;
  const paid = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, order.id), eq(payments.status, 'succeeded'), ne(payments.amount, 0)))
    .orderBy(payments.tripCardId, payments.attempt);
  const added: RefundRow[] = [];
  for (const payment of paid) {
    const ofPayment = before.filter(({ paymentId }) => paymentId === payment.id);
    if (isOnlyFailed && !ofPayment.some(({ status }) => status === 'failed')) continue;
    const notFailed = ofPayment.filter(({ status }) => status !== 'failed');
    const amount = notFailed.reduce((left, refund) => left - refund.amount, payment.amount);
    // A payment that never counted as paid does not count as refunded.
    const reason = ofPayment.some((each) => each.reason === 'duplicate') ? 'duplicate' : 'operator';
    if (amount > 0) {
      added.push(await refundPayment(tx, context, { order, payment, amount, reason, destination }));
    }
  }
  return added;
}

async function refundPayment(
  tx: Database,
  context: RefundContext,
  input: Pick<RefundRow, 'amount' | 'reason'> & {
    order: OrderRow;
    payment: PaymentRow;
    destination: string | null;
  },
): Promise<RefundRow> {
  const { order, payment, amount, reason, destination } = input;
  const id = newId('rfd');
  if (destination === null && payment.tripCardId !== null) await requireHolder(tx, payment.tripCardId);
  const cardId = destination ?? payment.tripCardId;
  const description = `Refund of ${order.reference}`;
  const entry =
    cardId === null
      ? null
      : await refundIn(tx, context, { cardId, amount, orderId: order.id, description, key: `refund:${id}` });
  const status = entry ? 'succeeded' : 'requested';
  const tripCardId = entry?.tripCardId ?? null;
  return insertRefund(tx, context, { payment, id, amount, reason, status, tripCardId });
}

/** A virtual card cannot be used after its owner's account was deleted. */
async function requireHolder(tx: Database, cardId: string): Promise<void> {
  const { customerId, pinHash } = await lockLiveCard(tx, cardId);
  if (customerId !== null || pinHash !== null) return;
  throw new RefundRefused(
    'The account of the trip card that paid is gone. Name another card with --to-trip-card.',
  );
}
