import { type PassTrip, sumCoverage } from '#domain/passes/coverage.ts';
import { getMaxTripCardPart } from '#domain/trip-cards/card-charges.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderRow, PaymentRow } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import {
  availableOn,
  type HeldCard,
  lockCard,
  requireActive,
  requireHeldCard,
  requireNotExpired,
} from '#server/trip-cards/queries.ts';
import {
  findReservation,
  getReservedMoney,
  type Reservation,
  reserveAgain,
} from '#server/trip-cards/reservations.ts';
import { requireWithinDay, sumLeftOfDay } from '#server/trip-cards/spend.ts';
import { requirePassPart } from './pass-part.ts';

/** What a signed-in customer pays with a trip card. */
export type TripCardInput = {
  customerId: string;
  tripCardId: string;
  /** null: as much as is needed and available. */
  amount: number | null;
  /** The trips that pay, if it is a pass; null: it holds money. */
  trips: number | null;
  /** The trip card must pay the total. */
  isWhole: boolean;
};

type PricedOrder = Pick<OrderRow, 'id' | 'total' | 'currency'>;
type Paying = { order: PricedOrder; tripCard: TripCardInput };

/** What a trip card pays of an order. `amount` is money; `coverage`: what trips of a pass pay for, null for money. */
export type TripCardPart = { amount: number; coverage: PassTrip[] | null };

/** @throws {ApiError} not_found, also for another customer's card; trip_card_frozen, trip_card_lost, pass_expired */
export async function requireUsableTripCard(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  input: TripCardInput | null,
): Promise<void> {
  if (input === null) return;
  const { card } = await requireHeldCard(
    db,
    { customerId: input.customerId, cardId: input.tripCardId },
    'spend',
  );
  requireActive(card);
  requireNotExpired(card, clock.now());
}

/**
 * The payment of the total by the trip card, because the input says so or the card suffices; null if it pays a part.
 * Locks nothing.
 * @throws {ApiError} not_found, insufficient_balance for a pass, invalid_input for an amount that is not the total, trips
 * that a pass does not pay with, or a card of another currency
 */
export async function planTripCardTotal(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { order, tripCard }: Paying,
): Promise<TripCardPart | null> {
  const { customerId, tripCardId: cardId, isWhole, trips } = tripCard;
  const held = await requireHeldCard(tx, { customerId, cardId }, 'spend');
  if (held.card.currency !== order.currency) throw new ApiError('invalid_input', { field: 'trip_card_id' });
  if (held.card.pass === null) {
    if (trips !== null) throw new ApiError('invalid_input', { field: 'trips' });
    const isTotal = await isPaidByMoney(tx, context, { order, tripCard, held });
    return isTotal ? { amount: order.total, coverage: null } : null;
  }
  const coverage = await requirePassPart(tx, context, { order, held, customerId, trips });
  const amount = sumCoverage(coverage);
  if (amount === order.total) return { amount, coverage };
  if (isWhole) throw new ApiError('insufficient_balance', { details: { balance: availableOn(held.card) } });
  return null;
}

async function isPaidByMoney(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { order: { total }, tripCard, held: { card, dailyLimit } }: Paying & { held: HeldCard },
): Promise<boolean> {
  const { customerId, tripCardId: cardId, amount, isWhole } = tripCard;
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
  { order, tripCard }: Paying,
): Promise<TripCardPart> {
  const { customerId, tripCardId, trips } = tripCard;
  const card = await lockCard(tx, tripCardId);
  const held = await requireHeldCard(tx, { customerId, cardId: card.id }, 'spend');
  requireActive(card);
  requireNotExpired(card, context.clock.now());
  if (card.pass === null) {
    return { amount: await planMoneyPart(tx, context, { order, tripCard, held }), coverage: null };
  }
  const coverage = await requirePassPart(tx, context, { order, held, customerId, trips });
  return { amount: sumCoverage(coverage), coverage };
}

async function planMoneyPart(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { order: { total, currency }, tripCard, held }: Paying & { held: HeldCard },
): Promise<number> {
  const { card, dailyLimit } = held;
  const { customerId, amount } = tripCard;
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
 * @returns the reserved amount of money; null if another payment has to be opened instead
 * @throws {ApiError} as `planTripCardPart`
 */
export async function resumeReservation(
  tx: Database,
  context: Pick<Context, 'clock'>,
  {
    order,
    open,
    tripCard,
  }: { order: PricedOrder; open: Pick<PaymentRow, 'id'>; tripCard: TripCardInput | null },
): Promise<number | null> {
  const reservation = await findReservation(tx, open.id);
  if (reservation === null) return tripCard === null ? 0 : null;
  if (tripCard === null || !isSameReservation(reservation, tripCard)) return null;
  const amount = getReservedMoney(reservation);
  if (reservation.status === 'released') {
    const reservedPart = reservation.coverage ? tripCard : { ...tripCard, amount };
    const part = await planTripCardPart(tx, context, { order, tripCard: reservedPart });
    if (part.amount !== amount) return null;
    await reserveAgain(tx, context, open.id);
  }
  return amount;
}

function isSameReservation(reservation: Reservation, input: TripCardInput): boolean {
  return (
    !input.isWhole &&
    reservation.byCustomerId === input.customerId &&
    reservation.tripCardId === input.tripCardId &&
    input.trips === (reservation.coverage?.length ?? null) &&
    (input.amount === null || input.amount === reservation.amount)
  );
}
