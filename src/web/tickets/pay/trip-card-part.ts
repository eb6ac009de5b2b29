import { getMaxTripCardPart } from '#domain/trip-cards/card-charges.ts';
import type { Order, TripCard } from '#web/platform/api/types.ts';

/** What of an order's total a trip card pays, all of it or what leaves a rest for a payment card; null: nothing. */
export type TripCardPart = { tripCardId: string; tripCardAmount: number } | null;

/** A trip card that can pay now, and how much. */
export type Offer = { card: TripCard; amount: number };

/**
 * The trip cards that can pay an order now: none that is frozen, lost, empty, of another currency, or not for paying.
 * @param chosen what this tab has begun with: what the server has set aside for it is still to be had
 */
export function offersOf(cards: readonly TripCard[], order: Order, chosen: TripCardPart): Offer[] {
  return cards
    .filter(
      ({ status, role, currency }) => status === 'active' && role !== 'top_up' && currency === order.currency,
    )
    .map((card) => ({ card, amount: payableBy(card, order, chosen) }))
    .filter(({ amount }) => amount > 0);
}

/** All of the total, a part that leaves enough to charge a payment card, or 0. */
function payableBy(
  { id, available, held }: TripCard,
  { total, currency }: Order,
  chosen: TripCardPart,
): number {
  const begun = chosen?.tripCardId === id ? chosen.tripCardAmount : null;
  const spendable = available + Math.min(begun ?? 0, held);
  // What was begun stays as it is while it can: another amount would be another payment.
  const wanted = Math.min(spendable, begun ?? spendable);
  if (wanted >= total) return total;
  return getMaxTripCardPart(total, wanted, currency);
}
