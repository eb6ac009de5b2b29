import { largestTripCardPart } from '#domain/card-charges.ts';
import type { Database } from '../database/database.ts';
import type { OrderRow, PaymentRow } from '../database/schema/sales.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { availableOn, lockCard, requireActive, requireHeldCard } from '../trip-cards/queries.ts';
import { findReservation, type Reservation, reserveAgain } from '../trip-cards/reservations.ts';
import { leftOfDay, requireWithinDay } from '../trip-cards/spend.ts';

/** What a signed-in customer wants to pay with a trip card. */
export type TripCardInput = {
  customerId: string;
  tripCardId: string;
  /** Of the order's total; null: as much as is needed and there. */
  amount: number | null;
  /** Nothing may be left for a payment card. */
  isWhole: boolean;
};

/**
 * Makes sure that the customer may pay with the card at all, before anything changes for it.
 * @throws {ApiError} not_found for another's and for none alike, trip_card_frozen, trip_card_lost
 */
export async function requireTripCardFor(db: Database, wish: TripCardInput | null): Promise<void> {
  if (wish === null) return;
  const { card } = await requireHeldCard(db, wish.customerId, wish.tripCardId, 'spend');
  requireActive(card);
}

/**
 * Whether the card is to pay all of it: because that is asked for, or because so much is there. Locks nothing.
 * @throws {ApiError} not_found, invalid_input for an amount that is not the total, or a card of another currency
 */
export async function isWholeByTripCard(
  tx: Database,
  deps: Pick<Deps, 'clock'>,
  { total, currency }: Pick<OrderRow, 'total' | 'currency'>,
  { customerId, tripCardId: cardId, amount, isWhole }: TripCardInput,
): Promise<boolean> {
  const { card, dailyLimit } = await requireHeldCard(tx, customerId, cardId, 'spend');
  if (card.currency !== currency) throw new ApiError('invalid_input', { field: 'trip_card_id' });
  if (isWhole && amount !== null && amount !== total) {
    throw new ApiError('invalid_input', { field: 'trip_card_amount' });
  }
  if (isWhole || amount !== null) return isWhole || amount === total;
  if (availableOn(card) < total) return false;
  return dailyLimit === null || total <= (await leftOfDay(tx, deps, { cardId, customerId }, dailyLimit));
}

/**
 * How much less than the order's total the trip card pays; locks the card, after the order and its hold.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, insufficient_balance, share_limit_reached,
 * invalid_input for a part that leaves less than a card can be charged
 */
export async function planTripCardPart(
  tx: Database,
  deps: Pick<Deps, 'clock'>,
  { total, currency }: Pick<OrderRow, 'total' | 'currency'>,
  { customerId, tripCardId, amount: asked }: TripCardInput,
): Promise<number> {
  const card = await lockCard(tx, tripCardId);
  const { dailyLimit } = await requireHeldCard(tx, customerId, card.id, 'spend');
  requireActive(card);
  const available = availableOn(card);
  const spender = { cardId: card.id, customerId };
  if (asked !== null) {
    if (asked !== largestTripCardPart(total, asked, currency))
      throw new ApiError('invalid_input', { field: 'trip_card_amount' });
    if (asked > available) throw new ApiError('insufficient_balance', { details: { balance: available } });
    await requireWithinDay(tx, deps, { ...spender, amount: asked }, dailyLimit);
    return asked;
  }
  const left = dailyLimit === null ? available : await leftOfDay(tx, deps, spender, dailyLimit);
  const part = largestTripCardPart(total, Math.min(available, left), currency);
  if (part === 0)
    throw new ApiError('insufficient_balance', { details: { balance: Math.min(available, left) } });
  return part;
}

/**
 * Goes on with an open card payment if it is the one that is wished for now. What a decline let go of is set aside
 * again for the next try.
 * @returns what waits for it; null when another payment has to be opened instead
 * @throws {ApiError} as `planTripCardPart`
 */
export async function resumePart(
  tx: Database,
  deps: Pick<Deps, 'clock'>,
  { order, open }: { order: Pick<OrderRow, 'total' | 'currency'>; open: Pick<PaymentRow, 'id'> },
  wish: TripCardInput | null,
): Promise<number | null> {
  const aside = await findReservation(tx, open.id);
  if (aside === null) return wish === null ? 0 : null;
  if (wish === null || !isSameReservation(aside, wish)) return null;
  if (aside.status === 'released') {
    await planTripCardPart(tx, deps, order, { ...wish, amount: aside.amount });
    await reserveAgain(tx, deps, open.id);
  }
  return aside.amount;
}

function isSameReservation(aside: Reservation, wish: TripCardInput): boolean {
  return (
    !wish.isWhole &&
    aside.byCustomerId === wish.customerId &&
    aside.tripCardId === wish.tripCardId &&
    (wish.amount === null || wish.amount === aside.amount)
  );
}
