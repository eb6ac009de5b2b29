import type { Database } from '../database/database.ts';
import type { OrderRow, PaymentRow } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { confirmOrder } from '../orders/confirm-order.ts';
import { findReservation, spendReservation } from '../trip-cards/reservations.ts';
import { fareDescription, fareKey, insertPayment } from './payment-records.ts';

/** Rolls back a sale whose reserved amount is no longer available. */
class ReservationLost extends Error {}

/**
 * Confirms an order whose card payment has succeeded and whose rest is reserved on a trip card. Ledger entry, payment
 * and tickets are written together or not at all.
 * @param tx has locked the order; hold, capacity and trip card follow, in this order
 * @returns null if it is confirmed, otherwise the reason; then nothing has changed
 */
export async function confirmWithTripCard(
  tx: Database,
  deps: Deps,
  order: OrderRow,
  cardPayment: PaymentRow,
): Promise<'no_room' | 'no_value' | null> {
  try {
    return await tx.transaction(async (inner) => {
      if (!(await confirmOrder(inner, deps, order))) return 'no_room';
      await payRest(inner, deps, order, cardPayment);
      return null;
    });
  } catch (error) {
    if (error instanceof ReservationLost) return 'no_value';
    throw error;
  }
}

async function payRest(tx: Database, deps: Deps, order: OrderRow, cardPayment: PaymentRow): Promise<void> {
  const wording = { description: fareDescription(order), key: fareKey(cardPayment) };
  const tripCardId = await spendReservation(tx, deps, cardPayment.id, wording);
  if (tripCardId === null) throw new ReservationLost();
  const reservation = await findReservation(tx, cardPayment.id);
  await insertPayment(tx, deps, order, {
    method: 'trip_card',
    tripCardId,
    amount: reservation?.amount ?? 0,
    status: 'succeeded',
    startedFrom: cardPayment.startedFrom,
  });
}
