import type { PaymentCard } from '#contract/payment-cards/schemas.ts';
import { type CardRow, standingOf } from './queries.ts';

/**
 * @param today the operator's day
 * @param primaryId which card counts as primary on that day
 */
export function presentCard(
  card: CardRow,
  { today, primaryId }: { today: string; primaryId: string | null },
): PaymentCard {
  const { expDate, isExpired, expiresSoon } = standingOf(card, today);
  return {
    id: card.id,
    last_four: card.lastFour,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    network: card.network,
    funding: card.funding,
    primary: card.id === primaryId,
    inserted_at: card.insertedAt.toISOString(),
    status: card.status === 'removed' ? 'removed' : isExpired ? 'expired' : 'active',
    exp_date: expDate,
    expired: isExpired,
    expires_soon: expiresSoon,
  };
}
