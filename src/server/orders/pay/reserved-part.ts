import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderRow, PaymentRow } from '#server/database/schema/sales.ts';
import { findReservation, getReservedMoney, spendReservation } from '#server/trip-cards/reservations.ts';
import { buildFareEntry, insertPayment } from './payment-records.ts';

/** Rolls back a sale whose reserved amount is no longer available. */
export class ReservationLost extends Error {
  override readonly name = 'ReservationLost';
}

/**
 * Spends the reservation on a trip card for a card payment that has succeeded; does nothing without one.
 * @throws {ReservationLost}
 */
export async function spendReservedPart(
  tx: Database,
  context: Context,
  { payment, order }: { payment: PaymentRow; order: OrderRow },
): Promise<void> {
  if (!(await findReservation(tx, payment.id))) return;
  const tripCardId = await spendReservation(tx, context, {
    paymentId: payment.id,
    ...buildFareEntry(order, payment),
  });
  if (tripCardId === null) throw new ReservationLost();
  const reservation = await findReservation(tx, payment.id);
  await insertPayment(tx, context, {
    order,
    method: 'trip_card',
    tripCardId,
    changeId: payment.changeId,
    coverage: reservation?.coverage ?? null,
    amount: reservation ? getReservedMoney(reservation) : 0,
    status: 'succeeded',
    startedFrom: payment.startedFrom,
    byCustomerId: payment.byCustomerId,
  });
}
