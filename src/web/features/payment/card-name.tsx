import { getNetworkName } from '#domain/payments/labels.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';

/** Shows dots, and text for screen readers. */
export function CardName({ card }: { card: Pick<PaymentCard, 'network' | 'lastFour'> }) {
  return (
    <>
      <span aria-hidden="true">{cardName(card)}</span>
      <span className="visually-hidden">{spokenCardName(card)}</span>
    </>
  );
}

type Named = Pick<PaymentCard, 'network' | 'lastFour'>;

/** "Visa •••• 4242"; the digits stay with their dots. */
export function cardName({ network, lastFour }: Named): string {
  return `${getNetworkName(network)} ••••\u00a0${lastFour}`;
}

/** The same for screen readers: "Visa ending in 4242". */
export function spokenCardName({ network, lastFour }: Named): string {
  return `${getNetworkName(network)} ending in ${lastFour}`;
}
