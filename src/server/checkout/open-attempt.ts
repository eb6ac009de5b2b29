import { and, eq, gt, sql } from 'drizzle-orm';
import { chargeRulesOf } from '#domain/card-charges.ts';
import { MAX_DECLINES } from '../card-provider/intent-state.ts';
import { lockOwner } from '../customers/lock-owner.ts';
import type { Database } from '../database/database.ts';
import { holds, type OrderRow, orders, type PaymentRow } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { confirmFreeOrder, confirmOrder, lockOrder } from '../orders/confirm-order.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import { fareDescription, fareKey, insertAttempt } from '../payments/attempt.ts';
import { closeOpenPayment } from '../payments/close-payment.ts';
import { findOpenPayment } from '../payments/open-payment.ts';
import { reserve } from '../trip-cards/reservations.ts';
import { spend } from '../trip-cards/spend.ts';
import { expireHold } from './expire-holds.ts';
import type { PaymentInput } from './payment-input.ts';
import { requirePlate } from './plate.ts';
import { isWholeByTripCard, planTripCardPart, resumePart, type TripCardInput } from './trip-card-part.ts';

/** A payment begun in the last moment still gets this long, within the hold's limit. */
const TIME_TO_PAY_MS = 5 * 60_000;
/** How often an open attempt that is not as wished is closed before somebody else is thought to be paying. */
const TRIES = 3;

/** The order's attempt, and what of a trip card waits for it. */
export type Attempt = { payment: PaymentRow; setAside: number };

/**
 * The order's open attempt, or a new one, after everything that speaks against paying has been asked.
 * @param startedFrom keyed hash of the caller's network
 * @throws {ApiError} as `startPayment`, but for what the provider says
 */
export async function openAttempt(
  deps: Deps,
  orderId: string,
  startedFrom: string,
  wish: PaymentInput | null,
): Promise<Attempt> {
  const now = deps.clock.now();
  const tripCard = wish?.tripCard ?? null;
  const [known] = await deps.db
    .select({ holdId: orders.holdId, total: orders.total, vehicle: orders.vehicle, plate: orders.plate })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!known) throw notFound();
  await expireHold(deps, known.holdId);
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

/** @throws {ApiError} hold_expired, order_closed, already_paid, order_blocked */
export function refuseClosed(order: OrderRow): void {
  if (order.status === 'expired') throw new ApiError('hold_expired');
  if (order.status === 'cancelled') throw new ApiError('order_closed');
  if (!isUnpaid(order)) throw new ApiError('already_paid');
  if (order.declines >= MAX_DECLINES) throw new ApiError('order_blocked');
}

/** What a new attempt begins with. */
async function makeAttempt(
  tx: Database,
  deps: Deps,
  order: OrderRow,
  { startedFrom, wish }: { startedFrom: string; wish: TripCardInput | null },
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
  await reserve(tx, deps, {
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
  { startedFrom, wish }: { startedFrom: string; wish: TripCardInput },
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
  if (amount < chargeRulesOf(order.currency).smallest) throw new ApiError('below_smallest_charge');
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
