import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import {
  type OrderChangeRow,
  type OrderRow,
  orderChanges,
  orders,
  type PaymentRow,
  payments,
  type RefundRow,
} from '#server/database/schema/sales.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import type { AfterCommit } from '#server/payments/after-commit.ts';
import { looksLikeCardTesting } from '#server/payments/card-testing.ts';
import { MAX_DECLINES } from '#server/payments/payment-status.ts';
import type { ProviderIntent } from '#server/payments/provider/payment-provider.ts';
import type { LockedPayment, PaymentSubject, UnpaidState } from '#server/payments/subjects.ts';
import { findReservation, getReservedMoney, releaseReservations } from '#server/trip-cards/reservations.ts';
import { applyChangePaid, readPaidChange } from '../change/change-payments.ts';
import { confirmOrder, isBoardingCodeTaken, lockOrder } from '../confirm-order.ts';
import { releaseOrder } from '../release-order.ts';
import { UNPAID } from '../unpaid.ts';
import { applyOrderDispute } from './order-dispute.ts';
import { insertRefund } from './order-refunds.ts';
import { ReservationLost, spendReservedPart } from './reserved-part.ts';

/** How long a hold is extended in all for a payment in progress. */
const PAYING_MINUTES = 35;
const EXTENSION_MINUTES = 10;

/** Card payments of orders. */
export const orderSubject: PaymentSubject = {
  name: 'order',
  idKey: 'payment_id',
  canOthersPay: true,
  notesCard: true,
  lock: lockPayment,
  isWorthRepeating: isBoardingCodeTaken,
  applyDispute: applyOrderDispute,
};

/** `change`: the one that the payment is for; null: the purchase. */
type Locked = { payment: PaymentRow; order: OrderRow; change: OrderChangeRow | null };

/** Also finds the payment by our id in the metadata: the event may come before the reference was stored. */
async function lockPayment(
  tx: Database,
  context: Context,
  intent: ProviderIntent,
): Promise<LockedPayment | null> {
  const [match] = await tx
    .select({ id: payments.id, orderId: payments.orderId })
    .from(payments)
    .where(
      sql`${payments.providerReference} = ${intent.id}
        or (${payments.providerReference} is null and ${payments.id} = ${intent.metadata.payment_id ?? ''})`,
    );
  if (!match) return null;
  const order = await lockOrder(tx, match.orderId);
  const [payment] = await tx.select().from(payments).where(eq(payments.id, match.id)).for('no key update');
  if (!order || !payment) return null;
  const change = await readPaidChange(tx, payment);
  const isPayment = eq(payments.id, payment.id);
  return {
    payment,
    isNamedIn: (metadata) => metadata.order_id === order.id,
    async write(change) {
      await tx
        .update(payments)
        .set({ ...change, updatedAt: context.clock.now() })
        .where(isPayment);
    },
    async noteCard({ network, lastFour, wallet }) {
      if (payment.cardLastFour !== null) return;
      const card = { cardNetwork: network, cardLastFour: lastFour, cardWallet: wallet };
      await tx.update(payments).set(card).where(isPayment);
    },
    async isBlocked(newDecline) {
      const declines = (change ?? order).declines + (newDecline ? 1 : 0);
      if (declines >= MAX_DECLINES) return true;
      const { startedFrom } = payment;
      return newDecline !== null && looksLikeCardTesting({ ...context, db: tx }, { startedFrom, more: 1 });
    },
    applySuccess: (after) =>
      change
        ? applyChangePaid(tx, context, { change, payment, order, after })
        : applySuccess(tx, context, { payment, order, after }),
    applyUnpaid: (state) => applyUnpaid(tx, context, { payment, order, change, ...state }),
  };
}

async function applySuccess(
  tx: Database,
  context: Context,
  { payment, order, after }: Omit<Locked, 'change'> & { after: AfterCommit },
): Promise<void> {
  const now = context.clock.now();
  const requestRefund = async (reason: RefundRow['reason']) => {
    const refund = { payment, amount: payment.amount, reason, status: 'requested' } as const;
    after.refunds.push((await insertRefund(tx, context, refund)).id);
  };
  const reservation = await findReservation(tx, payment.id);
  const due = order.total - (reservation ? getReservedMoney(reservation) : 0);
  if (order.confirmedAt !== null || order.paid > 0 || payment.amount !== due) {
    const fields = { payment_id: payment.id };
    context.log.warn('order paid twice, or at another price; this payment goes back', fields);
    await releaseReservations(tx, context, { paymentId: payment.id });
    await requestRefund('duplicate');
    return;
  }
  const failure = reservation
    ? await confirmWithTripCard(tx, context, { order, payment })
    : (await confirmOrder(tx, context, order))
      ? null
      : 'no_room';
  after.hasMail = true;
  if (failure === null) {
    after.sales.push({ orderId: order.id, holdId: order.holdId });
    return;
  }
  context.metrics.countCheckout('no_room');
  await releaseOrder(tx, order);
  await releaseReservations(tx, context, { paymentId: payment.id });
  await tx
    .update(orders)
    .set({
      status: 'canceled',
      paymentStatus: 'paid',
      paid: payment.amount,
      notice: order.notice === 'boat_canceled' ? order.notice : failure,
      writtenNotice: '',
      canceledAt: now,
      version: order.version + 1,
      updatedAt: now,
    })
    .where(eq(orders.id, order.id));
  await requestRefund(failure);
  await queueOrderMail(tx, context, {
    kind: failure === 'no_room' ? 'order-refunded' : 'order-value-gone',
    orderId: order.id,
  });
}

/**
 * Confirms an order whose card payment has succeeded and whose rest is reserved on a trip card. Ledger entry, payment
 * and tickets are written together or not at all.
 * @param tx has locked the order; hold, capacity and trip card follow, in this order
 * @returns null if it is confirmed, otherwise the reason; then nothing has changed
 */
async function confirmWithTripCard(
  tx: Database,
  context: Context,
  { order, payment }: Omit<Locked, 'change'>,
): Promise<'no_room' | 'no_value' | null> {
  try {
    return await tx.transaction(async (inner) => {
      if (!(await confirmOrder(inner, context, order))) return 'no_room';
      await spendReservedPart(inner, context, { order, payment });
      return null;
    });
  } catch (error) {
    if (error instanceof ReservationLost) return 'no_value';
    throw error;
  }
}

async function applyUnpaid(
  tx: Database,
  context: Context,
  { payment, order, change, status, decline, isNewDecline }: Locked & UnpaidState,
): Promise<void> {
  const now = context.clock.now();
  if (change && isNewDecline) {
    const declines = change.declines + 1;
    await tx.update(orderChanges).set({ declines }).where(eq(orderChanges.id, change.id));
  }
  await tx
    .update(orders)
    .set({
      declines: order.declines + (isNewDecline ? 1 : 0),
      paymentStatus: decline ? 'failed' : toPaymentStatus(status),
      version: order.version + 1,
      updatedAt: now,
    })
    .where(and(eq(orders.id, order.id), inArray(orders.status, [...UNPAID])));
  // After a decline the buyer may not come back. The next attempt reserves the amount again.
  if (isNewDecline) context.metrics.countCheckout('declined');
  if (isNewDecline || status === 'failed' || status === 'canceled') {
    await releaseReservations(tx, context, { paymentId: payment.id });
  }
  const holdId = change ? change.holdId : order.holdId;
  const isInProgress = status === 'processing' || status === 'requires_action';
  if (isInProgress && holdId !== null) await extendHold(tx, holdId, now);
}

/** Extends the hold while a bank processes the payment, to at most 35 minutes after it was created, or its own limit. */
async function extendHold(tx: Database, holdId: string, now: Date): Promise<void> {
  const latest = sql`greatest(${holds.expiresAtMax},
    ${holds.insertedAt} + make_interval(mins => ${PAYING_MINUTES}::int))`;
  const extendedUntil = new Date(now.getTime() + EXTENSION_MINUTES * 60_000).toISOString();
  await tx
    .update(holds)
    .set({
      expiresAtMax: latest,
      expiresAt: sql`greatest(${holds.expiresAt}, least(${latest}, ${extendedUntil}::timestamptz))`,
    })
    .where(and(eq(holds.id, holdId), eq(holds.status, 'active')));
}

function toPaymentStatus(status: UnpaidState['status']): OrderRow['paymentStatus'] {
  if (status === 'processing') return 'processing';
  return status === 'canceled' ? 'none' : 'requires_action';
}
