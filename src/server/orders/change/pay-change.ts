import { eq } from 'drizzle-orm';
import type { StartedPayment } from '#contract/orders/schemas.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import {
  type OrderChangeRow,
  type OrderRow,
  orderChanges,
  type PaymentRow,
} from '#server/database/schema/sales.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { lockOwner } from '#server/identity/customers.ts';
import { MAX_DECLINES } from '#server/payments/payment-status.ts';
import { reviewSale } from '#server/sailings/exceptions/review-sale.ts';
import { requireHeldCard } from '#server/trip-cards/queries.ts';
import { reserve } from '#server/trip-cards/reservations.ts';
import { spend } from '#server/trip-cards/spend.ts';
import { expireHold } from '../buy/expire-holds.ts';
import { type OpenedPayment, requireHoldToPay, requireSailingsRun } from '../buy/open-payment.ts';
import type { PaymentInput } from '../buy/payment-input.ts';
import { startPaymentFor } from '../buy/start-payment.ts';
import {
  planTripCardPart,
  planTripCardTotal,
  resumeReservation,
  type TripCardInput,
} from '../buy/trip-card-part.ts';
import { lockOrder } from '../confirm-order.ts';
import { TicketsChanged } from '../crossings/cancel-tickets.ts';
import { closeOpenPayment } from '../pay/open-payments.ts';
import { buildFareEntry, findOpenPayment, insertPayment, notePayer } from '../pay/payment-records.ts';
import { readStoredOrder } from '../queries.ts';
import { hasTickets } from '../unpaid.ts';
import { requireChange } from './abandon-change.ts';
import { completeChange } from './complete-change.ts';
import { requireUndisputed } from './plan.ts';

/** How often an open payment with other options is closed before another buyer is assumed to be paying. */
const TRIES = 3;

/** `payerId`: the signed-in customer; null: a visitor. */
type Input = { orderId: string; changeId: string; payerId: string | null; payment: PaymentInput | null };

/**
 * Pays the difference of a change, as an order's total is paid.
 * @throws {ApiError} as `startPaymentFor`; version_conflict if the order's tickets have changed; change_not_allowed while a
 * bank decides about the order's own payment
 */
export async function payChange(
  context: Context,
  { network, language, ...input }: Input & { network: string; language: string },
): Promise<StartedPayment> {
  const { orderId } = input;
  const change = await requireChange(context, input);
  if (change.holdId !== null) await expireHold(context, change.holdId);
  return startPaymentFor(context, {
    network,
    language,
    payment: input.payment,
    payable: {
      orderId,
      open: (startedFrom) => openChangePayment(context, { ...input, holdId: change.holdId, startedFrom }),
      refuseClosed: async () => refuseClosed(await requireChange(context, input)),
      returnPath: fillPath(ticketPages.changeOrder, { id: orderId }),
    },
  });
}

function refuseClosed({ status, declines }: OrderChangeRow): void {
  if (status === 'done') throw new ApiError('already_paid');
  if (status === 'expired') throw new ApiError('hold_expired');
  if (status === 'abandoned' || status === 'refused') throw new ApiError('order_closed');
  if (declines >= MAX_DECLINES) throw new ApiError('order_blocked');
}

async function openChangePayment(
  context: Context,
  {
    orderId,
    changeId,
    holdId,
    startedFrom,
    payerId,
    payment,
  }: Input & Pick<OrderChangeRow, 'holdId'> & { startedFrom: string },
): Promise<OpenedPayment> {
  const tripCard = payment?.tripCard ?? null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const opened = await explainConflicts(() =>
      inTransaction(
        context.db,
        async (tx) => {
          // A session that ended meanwhile must not spend anything.
          if (payment) await lockOwner(tx, context, payment);
          const order = await lockOrder(tx, orderId);
          const change = await requireChange({ db: tx }, { orderId, changeId });
          if (!order) throw notFound();
          if (!hasTickets(order)) throw new ApiError('order_closed');
          refuseClosed(change);
          requireUndisputed(order);
          if (holdId === null) throw new ApiError('already_paid');
          await requireHoldToPay(tx, { holdId }, context.clock.now());
          await requireSailingsRun(tx, holdId);
          const open = await findOpenPayment(tx, orderId);
          // Of a change that has ended.
          if (open && open.changeId !== changeId) return null;
          if (!open) return createPayment(tx, context, { order, change, startedFrom, payerId, tripCard });
          await notePayer(tx, open, payerId);
          const price = priceAsOrder(order, change);
          const reserved = await resumeReservation(tx, context, { order: price, open, tripCard });
          return reserved === null ? null : { payment: open, reserved };
        },
        (error) => violatedUniqueConstraint(error) !== null,
      ),
    );
    if (opened?.payment.method === 'trip_card') await reviewSale(context, { orderId, holdId });
    if (opened) return opened;
    await closeOpenPayment(context, orderId);
  }
  throw new ApiError('payment_in_progress');
}

type NewPayment<TripCard> = {
  order: OrderRow;
  change: OrderChangeRow;
  startedFrom: string;
  payerId: string | null;
  tripCard: TripCard;
};

function priceAsOrder(
  { id, currency }: OrderRow,
  { difference }: OrderChangeRow,
): Pick<OrderRow, 'id' | 'total' | 'currency'> {
  return { id, total: difference, currency };
}

/** Trips of a pass pay for whole tickets, not for a difference. */
async function refusePass(tx: Database, { customerId, tripCardId: cardId }: TripCardInput): Promise<void> {
  const { card } = await requireHeldCard(tx, { customerId, cardId }, 'spend');
  if (card.pass === null) return;
  throw new ApiError('invalid_input', {
    field: 'trip_card_id',
    reason: 'pass_pays_no_change',
  });
}

async function createPayment(
  tx: Database,
  context: Context,
  { order: paidOrder, change, startedFrom, payerId, tripCard }: NewPayment<TripCardInput | null>,
): Promise<OpenedPayment> {
  const order = priceAsOrder(paidOrder, change);
  if (tripCard) await refusePass(tx, tripCard);
  if (tripCard && (await planTripCardTotal(tx, context, { order, tripCard }))) {
    const payment = await payWithTripCard(tx, context, {
      ...{ order: paidOrder, change, startedFrom, payerId, tripCard },
    });
    return { payment, reserved: 0 };
  }
  const part = tripCard ? (await planTripCardPart(tx, context, { order, tripCard })).amount : 0;
  const amount = change.difference - part;
  if (amount < getChargeRules(order.currency).smallest) throw new ApiError('below_smallest_charge');
  const payment = await insertPayment(tx, context, {
    ...{ order, changeId: change.id, method: 'card', amount, status: 'created', startedFrom },
    byCustomerId: payerId,
  });
  await tx
    .update(orderChanges)
    .set({ status: 'awaiting_payment', updatedAt: context.clock.now() })
    .where(eq(orderChanges.id, change.id));
  if (!tripCard) return { payment, reserved: 0 };
  const { tripCardId, customerId: byCustomerId } = tripCard;
  const { id: paymentId } = payment;
  const orderId = order.id;
  await reserve(tx, context, {
    ...{ paymentId, orderId, tripCardId, byCustomerId, amount: part, coverage: null },
  });
  return { payment, reserved: part };
}

/** Changes the order and charges the trip card, or neither. The card is locked last. */
async function payWithTripCard(
  tx: Database,
  context: Context,
  { order, change, startedFrom, tripCard: { tripCardId, customerId } }: NewPayment<TripCardInput>,
): Promise<PaymentRow> {
  const amount = change.difference;
  const payment = await insertPayment(tx, context, {
    ...{
      order,
      changeId: change.id,
      method: 'trip_card',
      tripCardId,
      amount,
      status: 'succeeded',
      startedFrom,
      byCustomerId: customerId,
    },
  });
  const sold = await readStoredOrder(tx, order);
  if (!(await completeChange(tx, context, { sold, change }))) throw new ApiError('hold_expired');
  const { orderId } = change;
  await spend(tx, context, {
    cardId: tripCardId,
    customerId,
    amount,
    orderId,
    ...buildFareEntry(order, payment),
  });
  return payment;
}

async function explainConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TicketsChanged ? new ApiError('version_conflict') : error;
  }
}
