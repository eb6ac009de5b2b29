import { getMaxTripCardPart } from '#domain/trip-cards/card-charges.ts';
import type { Order, TripCard } from '#web/platform/api/types.ts';

/** What a trip card pays of an order: all of it, or enough less to charge a payment card for the rest. */
export type TripCardPart = { tripCardId: string; tripCardAmount: number } | null;

/** A trip card that can pay now, and how much. */
export type Offer = { card: TripCard; amount: number };

/** @param chosen the part this tab has begun with: the server may already have reserved it */
export function findOffers(cards: readonly TripCard[], order: Order, chosen: TripCardPart): Offer[] {
  return cards
    .filter(
      ({ status, role, currency }) => status === 'active' && role !== 'top_up' && currency === order.currency,
    )
    .map((card) => ({ card, amount: findPayableAmount(card, order, chosen) }))
    .filter(({ amount }) => amount > 0);
}

function findPayableAmount({ id, available, held }: TripCard, order: Order, chosen: TripCardPart): number {
  const begun = chosen?.tripCardId === id ? chosen.tripCardAmount : null;
  const spendable = available + Math.min(begun ?? 0, held);
  // A begun amount stays while it can, because another amount would be another payment.
  const wanted = Math.min(spendable, begun ?? spendable);
  return wanted >= order.total ? order.total : getMaxTripCardPart(order.total, wanted, order.currency);
}
