import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { parseTripCardNumber } from '#domain/trip-card-number.ts';
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
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { lockOrder } from '../orders/confirm-order.ts';
import { releaseSoldPlaces } from '../orders/places.ts';
import { giveBackPromo } from '../orders/promo.ts';
import { lockLiveCard } from '../trip-cards/queries.ts';
import { refundIn } from '../trip-cards/spend.ts';
import { paidStatus, sumGivenBack } from './refunds.ts';

type Parts = Pick<Deps, 'db' | 'clock' | 'vault'>;
/** Why an order cannot be refunded, in words for the operator. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused';
}

export type RefundInput = { reference: string; toTripCard: string | null; isOnlyFailed?: boolean };

/** What was done: an order cancelled and given back; what no bank had taken given back once more; or nothing. */
export type Refunded = {
  order: OrderRow;
  refunds: RefundRow[];
  done: 'cancelled' | 'given_back_again' | 'nothing';
};

/**
 * Cancels a confirmed order with its tickets, puts its places back on sale and gives back what was paid: each part to
 * where it came from, or all of it to one trip card. Trip cards have it with this transaction; the card provider is
 * asked by the jobs. Said again it gives back what failed, and else changes nothing.
 * @param toTripCard 16 digits; null: to where it came from
 * @param isOnlyFailed cancels nothing: only what failed before is given back anew, a second payment for instance
 * @throws {RefundRefused}
 */
export async function refundOrder(
  deps: Parts,
  { reference, toTripCard, isOnlyFailed = false }: RefundInput,
): Promise<Refunded> {
  return inTransaction(deps.db, async (tx) => {
    const [known] = await tx
      .select({ id: orders.id })
      .from(orders)
      .where(eq(orders.reference, reference.trim().toUpperCase()));
    const order = known && (await lockOrder(tx, known.id));
    if (!order) throw new RefundRefused('There is no order with that reference.');
    const before = await tx.select().from(refunds).where(eq(refunds.orderId, order.id));
    const isAgain = isOnlyFailed || (order.status !== 'confirmed' && before.length > 0);
    requireUndisputed(order);
    if (!isAgain) await requireRefundable(tx, order);
    const destination = toTripCard === null ? null : await requireTripCard(tx, toTripCard, order.currency);
    if (!isAgain) await cancelTickets(tx, order);
    const given = await giveBack(tx, deps, order, before, { destination, isOnlyFailed });
    if (isAgain && given.length === 0) return { order, refunds: before, done: 'nothing' };
    return {
      order: await writeOrder(tx, deps, order, { isAgain }),
      refunds: [...before, ...given],
      done: isAgain ? 'given_back_again' : 'cancelled',
    };
  });
}

async function writeOrder(
  tx: Database,
  deps: Parts,
  order: OrderRow,
  { isAgain }: { isAgain: boolean },
): Promise<OrderRow> {
  const now = deps.clock.now();
  const refunded = await sumGivenBack(tx, order);
  const cancelled = { status: 'cancelled', needsAttention: null, cancelledAt: now } as const;
  const [written] = await tx
    .update(orders)
    .set({
      ...(isAgain ? {} : cancelled),
      // Of an order that was never paid only a second payment can go back.
      ...(order.paid > 0 ? { refunded, paymentStatus: paidStatus({ paid: order.paid, refunded }) } : {}),
      notice: isAgain ? 'Your money is on its way back.' : 'This order was canceled and refunded.',
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, order.id))
    .returning();
  if (!isAgain) await giveBackPromo(tx, order.promoCode);
  if (!isAgain || order.status === 'cancelled') await queueOrderMail(tx, deps, 'order-given-back', order.id);
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

/** Rows are locked order, capacity, and then, when money goes back, trip cards. */
async function cancelTickets(tx: Database, order: OrderRow): Promise<void> {
  await releaseSoldPlaces(tx, order.id);
  await tx.update(orderLines).set({ status: 'cancelled' }).where(eq(orderLines.orderId, order.id));
  await tx
    .update(tickets)
    .set({ status: 'cancelled', version: sql`${tickets.version} + 1` })
    .where(and(eq(tickets.orderId, order.id), inArray(tickets.status, ['issued', 'checked_in'])));
}

/** What is left of each payment: at once to a trip card, on request to a payment card. */
async function giveBack(
  tx: Database,
  deps: Parts,
  order: OrderRow,
  before: readonly RefundRow[],
  { destination, isOnlyFailed }: { destination: string | null; isOnlyFailed: boolean },
): Promise<RefundRow[]> {
  const paid = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, order.id), eq(payments.status, 'succeeded'), ne(payments.amount, 0)))
    .orderBy(payments.tripCardId, payments.attempt);
  const given: RefundRow[] = [];
  for (const payment of paid) {
    const ofPayment = before.filter(({ paymentId }) => paymentId === payment.id);
    if (isOnlyFailed && !ofPayment.some(({ status }) => status === 'failed')) continue;
    const amount = payment.amount - sumOf(ofPayment.filter(({ status }) => status !== 'failed'));
    // One that never counted as paid does not count as given back.
    const reason = ofPayment.some((each) => each.reason === 'duplicate') ? 'duplicate' : 'operator';
    if (amount > 0) {
      given.push(await giveBackPayment(tx, deps, order, payment, { amount, reason, destination }));
    }
  }
  return given;
}

async function giveBackPayment(
  tx: Database,
  deps: Parts,
  order: OrderRow,
  payment: PaymentRow,
  { amount, reason, destination }: Pick<RefundRow, 'amount' | 'reason'> & { destination: string | null },
): Promise<RefundRow> {
  const id = newId('rfd');
  const now = deps.clock.now();
  if (destination === null && payment.tripCardId !== null) await requireHolder(tx, payment.tripCardId);
  const cardId = destination ?? payment.tripCardId;
  const description = `Refund of ${order.reference}`;
  const entry =
    cardId === null
      ? null
      : await refundIn(tx, deps, { cardId, amount, orderId: order.id, description, key: `refund:${id}` });
  const [refund] = await tx
    .insert(refunds)
    .values({
      id,
      orderId: order.id,
      paymentId: payment.id,
      amount,
      tripCardId: entry?.tripCardId ?? null,
      reason,
      status: entry ? 'succeeded' : 'requested',
      insertedAt: now,
      updatedAt: now,
    })
    .returning();
  if (!refund) throw new Error('A refund was not written.');
  return refund;
}

/** A card without plastic whose owner's account is gone can be reached by nobody any more. */
async function requireHolder(tx: Database, cardId: string): Promise<void> {
  const { customerId, pinHash } = await lockLiveCard(tx, cardId);
  if (customerId !== null || pinHash !== null) return;
  throw new RefundRefused(
    'The account of the trip card that paid is gone. Name another card with --to-trip-card.',
  );
}

function sumOf(refundRows: readonly Pick<RefundRow, 'amount'>[]): number {
  return refundRows.reduce((sum, { amount }) => sum + amount, 0);
}
