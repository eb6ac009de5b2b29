/** What of an order's total waits on a trip card for a payment card to pay the rest; null: nothing. */
export type TripCardPart = { tripCardId: string; tripCardAmount: number } | null;

/** Card providers charge no less than this, in minor units. */
const SMALLEST_CARD_CHARGE = 50;

/**
 * How much of a total a trip card can pay.
 * @returns the total, a part that leaves enough to charge a payment card, or 0
 */
export function payableBy(available: number, total: number): number {
  if (available >= total) return total;
  return Math.max(0, Math.min(available, total - SMALLEST_CARD_CHARGE));
}
