import { type CardUnit, formatTrips } from '#domain/trip-cards/card-amounts.ts';
import { formatMoney } from '#web/ui/data/money.tsx';

/** An amount of a trip card: "$34.50", or "10 trips" for a pass. */
export function formatOnCard(amount: number, card: CardUnit): string {
  return card.unit === 'trips' ? formatTrips(amount) : formatMoney(amount, card.currency);
}
