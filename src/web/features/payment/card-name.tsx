import type { PaymentCard } from '#web/platform/api/types.ts';
import { cardName, spokenCardName } from './payment-card-name.ts';

/** Dots on screen, words for screen readers. */
export function CardName({ card }: { card: Pick<PaymentCard, 'network' | 'lastFour'> }) {
  return (
    <>
      <span aria-hidden="true">{cardName(card)}</span>
      <span className="visually-hidden">{spokenCardName(card)}</span>
    </>
  );
}
