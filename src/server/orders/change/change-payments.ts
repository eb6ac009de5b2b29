import { eq } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import {
  type OrderChangeRow,
  type OrderRow,
  orderChanges,
  type PaymentRow,
} from '#server/database/schema/sales.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import type { AfterCommit } from '#server/payments/after-commit.ts';
import { findReservation, releaseReservations } from '#server/trip-cards/reservations.ts';
import { TicketsChanged } from '../crossings/cancel-tickets.ts';
import { insertRefund } from '../pay/order-refunds.ts';
import { ReservationLost, spendReservedPart } from '../pay/reserved-part.ts';
import { readStoredOrder } from '../queries.ts';
import { completeChange } from './complete-change.ts';
import { endChange, PAYABLE_CHANGE } from './end-change.ts';

type PaidChange = { payment: PaymentRow; order: OrderRow; after: AfterCommit };

/** The change that a payment is for. The transaction has locked the order. */
export async function readPaidChange(
  tx: Database,
  { changeId }: Pick<PaymentRow, 'changeId'>,
): Promise<OrderChangeRow | null> {
  if (changeId === null) return null;
  const [change] = await tx.select().from(orderChanges).where(eq(orderChanges.id, changeId));
  return change ?? null;
}

/**
 * Applies the change that a card payment has paid. If the order has changed meanwhile, if a bank decides about its own
 * payment, if its new boats do not run any more or have less room, or if the trip card's part is gone, the payment goes
 * back and the order stays as it was.
 */
export async function applyChangePaid(
  tx: Database,
  context: Context,
  { change, payment, order, after }: PaidChange & { change: OrderChangeRow },
): Promise<void> {
  const reservation = await findReservation(tx, payment.id);
  const isDue =
    PAYABLE_CHANGE.includes(change.status) &&
    order.paymentStatus !== 'disputed' &&
    payment.amount === change.difference - (reservation?.amount ?? 0);
  if (isDue && (await tryToComplete(tx, context, { change, payment, order }))) {
    after.hasMail = true;
    after.sales.push({ orderId: order.id, holdId: change.holdId });
    return;
  }
  context.log.warn('change paid that is no longer possible; this payment goes back', {
    payment_id: payment.id,
  });
  await releaseReservations(tx, context, { paymentId: payment.id });
  // The payment never counted as paid.
  const refund = { payment, amount: payment.amount, reason: 'duplicate', status: 'requested' } as const;
  after.refunds.push((await insertRefund(tx, context, { ...refund, changeId: change.id })).id);
  if (change.status === 'done') return;
  await endChange(tx, context, { change, status: 'refused' });
  const mail = { kind: 'order-change-refused', orderId: order.id, changeId: change.id } as const;
  await queueOrderMail(tx, context, mail);
  after.hasMail = true;
}

/** Applies the change with the trip card's part, or neither. */
async function tryToComplete(
  tx: Database,
  context: Context,
  { change, payment, order }: Omit<PaidChange, 'after'> & { change: OrderChangeRow },
): Promise<boolean> {
  try {
    return await tx.transaction(async (inner) => {
      const sold = await readStoredOrder(inner, order);
      if (!(await completeChange(inner, context, { sold, change }))) return false;
      await spendReservedPart(inner, context, { order, payment });
      return true;
    });
  } catch (error) {
    if (error instanceof TicketsChanged || error instanceof ReservationLost) return false;
    throw error;
  }
}
