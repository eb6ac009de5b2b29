import { and, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { type OrderRow, orders, type PaymentRow } from '#server/database/schema/sales.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { lockOwner } from '#server/identity/customers.ts';
import { MAX_DECLINES } from '#server/payments/payment-status.ts';
import { reviewSale } from '#server/sailings/exceptions/review-sale.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { reserve } from '#server/trip-cards/reservations.ts';
import { spend } from '#server/trip-cards/spend.ts';
import { confirmFreeOrder, confirmOrder, lockOrder } from '../confirm-order.ts';
import { closeOpenPayment } from '../pay/open-payments.ts';
import { buildFareEntry, findOpenPayment, insertPayment, notePayer } from '../pay/payment-records.ts';
import { isUnpaid } from '../unpaid.ts';
import { expireHold } from './expire-holds.ts';
import type { PaymentInput } from './payment-input.ts';
import { requirePlate } from './plate.ts';
import {
  planTripCardPart,
  planTripCardTotal,
  resumeReservation,
  type TripCardInput,
  type TripCardPart,
} from './trip-card-part.ts';

/** A payment started at the last moment still gets this long, within the hold's limit. */
const TIME_TO_PAY_MS = 5 * 60_000;
/** How often an open payment with other options is closed before another buyer is assumed to be paying. */
const TRIES = 3;

/** `reserved`: the amount of a trip card that is reserved for the payment. */
export type OpenedPayment = { payment: PaymentRow; reserved: number };

/**
 * The order's open payment, or a new one if the order can be paid.
 * @param input startedFrom: keyed hash of the client's network; payerId: the signed-in customer; payment: null without
 * options that need an account
 * @throws {ApiError} as `startPayment`, except the provider's
 */
export async function openPayment(
  context: Context,
  input: { orderId: string; startedFrom: string; payerId: string | null; payment: PaymentInput | null },
): Promise<OpenedPayment> {
  const { orderId, startedFrom, payerId, payment } = input;
  const now = context.clock.now();
  const tripCard = payment?.tripCard ?? null;
  const [existingOrder] = await context.db
    .select({ holdId: orders.holdId, total: orders.total, vehicle: orders.vehicle, plate: orders.plate })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!existingOrder) throw notFound();
  // Before the transaction, which may have the only connection.
  const settings =
    existingOrder.vehicle !== null && existingOrder.plate === null ? await loadWebSettings(context) : {};
  await expireHold(context, existingOrder.holdId);
  // A promo code made the order free after payment had started.
  if (existingOrder.total === 0) {
    await requirePlate(context.db, existingOrder, settings);
    await confirmFreeOrder(context, orderId);
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    const opened = await inTransaction(
      context.db,
      async (tx) => {
        // A session that ended meanwhile must not spend anything.
        if (payment) await lockOwner(tx, context, payment);
        const order = await lockOrder(tx, orderId);
        if (!order) throw notFound();
        refuseCardPayment(order);
        // A vehicle may have been added since the form with the plate was sent.
        await requirePlate(tx, order, settings);
        await requireHoldToPay(tx, order, now);
        await requireSailingsRun(tx, order.holdId);
        const open = await findOpenPayment(tx, orderId);
        if (!open) return createPayment(tx, context, { order, startedFrom, payerId, tripCard });
        await notePayer(tx, open, payerId);
        const reserved = await resumeReservation(tx, context, { order, open, tripCard });
        return reserved === null ? null : { payment: open, reserved };
      },
      (error) => violatedUniqueConstraint(error) !== null,
    );
    if (opened?.payment.method === 'trip_card') {
      await reviewSale(context, { orderId, holdId: existingOrder.holdId });
    }
    if (opened) return opened;
    await closeOpenPayment(context, orderId);
  }
  throw new ApiError('payment_in_progress');
}

/** @throws {ApiError} as `refuseClosed`; order_blocked after too many declined cards */
export function refuseCardPayment(order: OrderRow): void {
  refuseClosed(order);
  if (order.declines >= MAX_DECLINES) throw new ApiError('order_blocked');
}

/** @throws {ApiError} hold_expired, order_closed, already_paid */
export function refuseClosed(order: OrderRow): void {
  if (order.status === 'expired') throw new ApiError('hold_expired');
  if (order.status === 'canceled') throw new ApiError('order_closed');
  if (!isUnpaid(order)) throw new ApiError('already_paid');
}

type NewPayment<TripCard> = {
  order: OrderRow;
  startedFrom: string;
  payerId: string | null;
  tripCard: TripCard;
};

async function createPayment(
  tx: Database,
  context: Context,
  { order, startedFrom, payerId, tripCard }: NewPayment<TripCardInput | null>,
): Promise<OpenedPayment> {
  const by = { startedFrom, payerId };
  if (tripCard === null) {
    const payment = await openCardPayment(tx, context, { order, amount: order.total, ...by });
    return { payment, reserved: 0 };
  }
  const total = await planTripCardTotal(tx, context, { order, tripCard });
  if (total) {
    const payment = await payWithTripCard(tx, context, { order, ...by, tripCard, part: total });
    return { payment, reserved: 0 };
  }
  const part = await planTripCardPart(tx, context, { order, tripCard });
  const { amount, coverage } = part;
  const payment = await openCardPayment(tx, context, { order, amount: order.total - amount, ...by });
  await reserve(tx, context, {
    paymentId: payment.id,
    orderId: order.id,
    tripCardId: tripCard.tripCardId,
    byCustomerId: tripCard.customerId,
    amount: coverage?.length ?? amount,
    coverage,
  });
  return { payment, reserved: amount };
}

/** Sells the places and charges the trip card, or neither. The card is locked last. */
async function payWithTripCard(
  tx: Database,
  context: Context,
  {
    order,
    startedFrom,
    tripCard: { tripCardId, customerId },
    part: { amount, coverage },
  }: NewPayment<TripCardInput> & { part: TripCardPart },
): Promise<PaymentRow> {
  const payment = await insertPayment(tx, context, {
    order,
    method: 'trip_card',
    tripCardId,
    coverage,
    amount,
    status: 'succeeded',
    startedFrom,
    byCustomerId: customerId,
  });
  if (!(await confirmOrder(tx, context, order))) throw new ApiError('hold_expired');
  await spend(tx, context, {
    cardId: tripCardId,
    customerId,
    amount: coverage?.length ?? amount,
    orderId: order.id,
    ...buildFareEntry(order, payment),
  });
  return payment;
}

/** @throws {ApiError} hold_expired */
export async function requireHoldToPay(
  tx: Database,
  { holdId }: { holdId: string },
  now: Date,
): Promise<void> {
  const untilPaid = new Date(now.getTime() + TIME_TO_PAY_MS).toISOString();
  const [held] = await tx
    .update(holds)
    .set({
      expiresAt: sql`greatest(${holds.expiresAt}, least(${holds.expiresAtMax}, ${untilPaid}::timestamptz))`,
    })
    .where(and(eq(holds.id, holdId), eq(holds.status, 'active'), gt(holds.expiresAt, now)))
    .returning({ id: holds.id });
  if (!held) throw new ApiError('hold_expired');
}

/** @throws {ApiError} sailing_canceled; order_closed if a boat has left */
export async function requireSailingsRun(tx: Database, holdId: string): Promise<void> {
  const gone = await tx
    .select({ id: sailings.id, status: sailings.status })
    .from(sailings)
    .where(
      and(
        or(eq(sailings.status, 'canceled'), isNotNull(sailings.departedAt)),
        sql`${sailings.id} in (select sailing_id from hold_items where hold_id = ${holdId})`,
      ),
    );
  const canceled = gone.find(({ status }) => status === 'canceled');
  if (canceled) throw new ApiError('sailing_canceled', { details: { sailing_id: canceled.id } });
  if (gone.length > 0) throw new ApiError('order_closed', { reason: 'boat_departed' });
}

async function openCardPayment(
  tx: Database,
  context: Context,
  {
    order,
    payerId: byCustomerId,
    ...payment
  }: { order: OrderRow; amount: number; startedFrom: string; payerId: string | null },
): Promise<PaymentRow> {
  const { smallest } = getChargeRules(order.currency);
  if (payment.amount < smallest) throw new ApiError('below_smallest_charge');
  const input = { order, method: 'card', status: 'created', byCustomerId, ...payment } as const;
  const inserted = await insertPayment(tx, context, input);
  await tx
    .update(orders)
    .set({
      status: 'awaiting_payment',
      paymentStatus: 'requires_action',
      version: order.version + 1,
      updatedAt: context.clock.now(),
    })
    .where(eq(orders.id, order.id));
  return inserted;
}
