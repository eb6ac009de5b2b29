import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { parseTripCardNumber } from '#domain/trip-card-number.ts';
import type { Database } from '../database/database.ts';
import { orderLines, orders, payments, refunds, tickets } from '../database/schema/sales.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { lockOrder, type OrderRow } from '../orders/confirm-order.ts';
import { releaseSoldPlaces } from '../orders/places.ts';
import { giveBackPromo } from '../orders/promo.ts';
import { refundIn } from '../trip-cards/spend.ts';
import { paidStatus } from './refunds.ts';

type Parts = Pick<Deps, 'db' | 'clock' | 'vault'>;
type PaymentRow = typeof payments.$inferSelect;
type RefundRow = typeof refunds.$inferSelect;

/** Why an order cannot be refunded, in words for the operator. */
export class RefundRefused extends Error {
  override readonly name = 'RefundRefused';
}

/**
 * Cancels a confirmed order with its tickets, puts its places back on sale and gives back what was paid: each part to
 * where it came from, or all of it to one trip card. Trip cards have it with this transaction; the card provider is
 * asked by the jobs. Said again it changes nothing.
 * @param toTripCard 16 digits; null: to where it came from
 * @returns the order's refunds, and whether they are new
 * @throws {RefundRefused}
 */
export async function refundOrder(
  deps: Parts,
  { reference, toTripCard }: { reference: string; toTripCard: string | null },
): Promise<{ order: OrderRow; refunds: RefundRow[]; isNew: boolean }> {
  return inTransaction(deps.db, async (tx) => {
    const [known] = await tx
      .select({ id: orders.id })
      .from(orders)
      .where(eq(orders.reference, reference.trim().toUpperCase()));
    const order = known && (await lockOrder(tx, known.id));
    if (!order) throw new RefundRefused('There is no order with that reference.');
    const before = await tx.select().from(refunds).where(eq(refunds.orderId, order.id));
    if (order.status === 'cancelled' && before.length > 0) return { order, refunds: before, isNew: false };
    await requireRefundable(tx, order);
    const destination = toTripCard === null ? null : await requireTripCard(tx, toTripCard, order.currency);
    await cancelTickets(tx, order);
    const given = await giveBack(tx, deps, order, before, destination);
    const refunded = order.refunded + sumOf(given.filter(({ status }) => status === 'succeeded'));
    const now = deps.clock.now();
    const [cancelled] = await tx
      .update(orders)
      .set({
        status: 'cancelled',
        paymentStatus: paidStatus({ paid: order.paid, refunded }),
        refunded,
        needsAttention: null,
        notice: 'This order was cancelled and refunded.',
        cancelledAt: now,
        version: order.version + 1,
        updatedAt: now,
      })
      .where(eq(orders.id, order.id))
      .returning();
    await giveBackPromo(tx, order.promoCode);
    await queueOrderMail(tx, deps, 'order-given-back', order.id);
    return { order: cancelled ?? order, refunds: [...before, ...given], isNew: true };
  });
}

async function requireRefundable(tx: Database, order: OrderRow): Promise<void> {
  if (order.status !== 'confirmed' || order.paid === 0) {
    throw new RefundRefused('Only an order that is confirmed and paid can be refunded.');
  }
  if (order.paymentStatus === 'disputed') {
    throw new RefundRefused('Its card holder contests the payment; the bank decides about that money.');
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
  if (card.currency !== currency) throw new RefundRefused('That trip card has another currency.');
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
  destination: string | null,
): Promise<RefundRow[]> {
  const paid = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, order.id), eq(payments.status, 'succeeded'), ne(payments.amount, 0)))
    .orderBy(payments.tripCardId, payments.attempt);
  const given: RefundRow[] = [];
  for (const payment of paid) {
    const gone = before.filter(({ paymentId, status }) => paymentId === payment.id && status !== 'failed');
    const amount = payment.amount - sumOf(gone);
    if (amount > 0) given.push(await giveBackPayment(tx, deps, order, payment, { amount, destination }));
  }
  return given;
}

async function giveBackPayment(
  tx: Database,
  deps: Parts,
  order: OrderRow,
  payment: PaymentRow,
  { amount, destination }: { amount: number; destination: string | null },
): Promise<RefundRow> {
  const id = newId('rfd');
  const now = deps.clock.now();
  const wanted = destination ?? payment.tripCardId;
  const entry =
    wanted === null
      ? null
      : await refundIn(tx, deps, {
          cardId: wanted,
          amount,
          orderId: order.id,
          description: `Refund of ${order.reference}`,
          key: `refund:${id}`,
        });
  const [refund] = await tx
    .insert(refunds)
    .values({
      id,
      orderId: order.id,
      paymentId: payment.id,
      amount,
      tripCardId: entry?.tripCardId ?? null,
      reason: 'operator',
      status: entry ? 'succeeded' : 'requested',
      insertedAt: now,
      updatedAt: now,
    })
    .returning();
  if (!refund) throw new Error('A refund was not written.');
  return refund;
}

function sumOf(refundRows: readonly Pick<RefundRow, 'amount'>[]): number {
  return refundRows.reduce((sum, { amount }) => sum + amount, 0);
}
