import { getMaxTripCardPart } from '#domain/trip-cards/card-charges.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { OrderRow, PaymentRow } from '../database/schema/sales.ts';
import { ApiError } from '../http/api-error.ts';
import { availableOn, lockCard, requireActive, requireHeldCard } from '../trip-cards/queries.ts';
import { findReservation, type Reservation, reserveAgain } from '../trip-cards/reservations.ts';
import { requireWithinDay, sumLeftOfDay } from '../trip-cards/spend.ts';

/** What a signed-in customer pays with a trip card. */
export type TripCardInput = {
  customerId: string;
  tripCardId: string;
  /** null: as much as is needed and available. */
  amount: number | null;
  /** The trip card must pay the total. */
  isWhole: boolean;
};

type OrderPrice = Pick<OrderRow, 'total' | 'currency'>;

/** @throws {ApiError} not_found, also for another customer's card; trip_card_frozen, trip_card_lost */
export async function requireUsableTripCard(db: Database, input: TripCardInput | null): Promise<void> {
  if (input === null) return;
  const { card } = await requireHeldCard(
    db,
    { customerId: input.customerId, cardId: input.tripCardId },
    'spend',
  );
  requireActive(card);
}

/**
 * Whether the trip card pays the total, because the input says so or the balance suffices. Locks nothing.
 * @throws {ApiError} not_found, invalid_input for an amount that is not the total, or a card of another currency
 */
export async function isPaidByTripCard(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { order: { total, currency }, tripCard }: { order: OrderPrice; tripCard: TripCardInput },
): Promise<boolean> {
  const { customerId, tripCardId: cardId, amount, isWhole } = tripCard;
  const { card, dailyLimit } = await requireHeldCard(tx, { customerId, cardId }, 'spend');
  if (card.currency !== currency) throw new ApiError('invalid_input', { field: 'trip_card_id' });
  if (isWhole && amount !== null && amount !== total) {
    throw new ApiError('invalid_input', { field: 'trip_card_amount' });
  }
  if (isWhole || amount !== null) return isWhole || amount === total;
  if (availableOn(card) < total) return false;
  return (
    dailyLimit === null || total <= (await sumLeftOfDay(tx, context, { cardId, customerId, dailyLimit }))
  );
}

/**
 * The part of the order's total that the trip card pays. Locks the card, after the order and its hold.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, insufficient_balance, share_limit_reached,
 * invalid_input for a part that leaves less than a card can be charged
 */
export async function planTripCardPart(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { order: { total, currency }, tripCard }: { order: OrderPrice; tripCard: TripCardInput },
): Promise<number> {
  const { customerId, tripCardId, amount } = tripCard;
  const card = await lockCard(tx, tripCardId);
  const { dailyLimit } = await requireHeldCard(tx, { customerId, cardId: card.id }, 'spend');
  requireActive(card);
  const available = availableOn(card);
  const spender = { cardId: card.id, customerId };
  if (amount !== null) {
    if (amount !== getMaxTripCardPart(total, amount, currency))
      throw new ApiError('invalid_input', { field: 'trip_card_amount' });
    if (amount > available) throw new ApiError('insufficient_balance', { details: { balance: available } });
    await requireWithinDay(tx, context, { ...spender, amount, dailyLimit });
    return amount;
  }
  const left = dailyLimit === null ? available : await sumLeftOfDay(tx, context, { ...spender, dailyLimit });
  const part = getMaxTripCardPart(total, Math.min(available, left), currency);
  if (part === 0)
    throw new ApiError('insufficient_balance', { details: { balance: Math.min(available, left) } });
  return part;
}

/**
 * Continues an open card payment if its options are the same, and re-reserves an amount that a decline released.
 * @returns the reserved amount; null if another payment has to be opened instead
 * @throws {ApiError} as `planTripCardPart`
 */
export async function resumeReservation(
  tx: Database,
  context: Pick<Context, 'clock'>,
  {
    order,
    open,
    tripCard,
  }: { order: OrderPrice; open: Pick<PaymentRow, 'id'>; tripCard: TripCardInput | null },
): Promise<number | null> {
  const reservation = await findReservation(tx, open.id);
  if (reservation === null) return tripCard === null ? 0 : null;
  if (tripCard === null || !isSameReservation(reservation, tripCard)) return null;
  if (reservation.status === 'released') {
    await planTripCardPart(tx, context, { order, tripCard: { ...tripCard, amount: reservation.amount } });
    await reserveAgain(tx, context, open.id);
  }
  return reservation.amount;
}

function isSameReservation(reservation: Reservation, input: TripCardInput): boolean {
  return (
    !input.isWhole &&
    reservation.byCustomerId === input.customerId &&
    reservation.tripCardId === input.tripCardId &&
    (input.amount === null || input.amount === reservation.amount)
  );
}
