import type { Database } from '../database/database.ts';
import type { OrderRow, PaymentRow } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { confirmOrder } from '../orders/confirm-order.ts';
import { findReservation, spendReservation } from '../trip-cards/reservations.ts';
import { fareDescription, fareKey, insertAttempt } from './attempt.ts';

/** Undoes what was sold for value that turned out to be gone. */
class ValueGone extends Error {}

/**
 * Confirms an order whose card payment has succeeded and whose rest was set aside on a trip card: the entry, the
 * payment it makes and the tickets happen together or not at all.
 * @param tx has locked the order; hold, capacity and trip card follow, in this order
 * @returns null when it is confirmed; otherwise why it cannot be, and nothing has changed
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
    if (error instanceof ValueGone) return 'no_value';
    throw error;
  }
}

async function payRest(tx: Database, deps: Deps, order: OrderRow, cardPayment: PaymentRow): Promise<void> {
  const wording = { description: fareDescription(order), key: fareKey(cardPayment) };
  const tripCardId = await spendReservation(tx, deps, cardPayment.id, wording);
  if (tripCardId === null) throw new ValueGone();
  const aside = await findReservation(tx, cardPayment.id);
  await insertAttempt(tx, deps, order, {
    method: 'trip_card',
    tripCardId,
    amount: aside?.amount ?? 0,
    status: 'succeeded',
    startedFrom: cardPayment.startedFrom,
  });
}
