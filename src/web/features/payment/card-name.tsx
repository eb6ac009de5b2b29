import { getNetworkName } from '#sentences/payment-cards.ts';
import { t } from '#web/language/texts.ts';
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
  return `${getNetworkName(t, network)} ••••\u00a0${lastFour}`;
}

/** The same for screen readers: "Visa ending in 4242". */
export function spokenCardName({ network, lastFour }: Named): string {
  return t('{network} ending in {digits}', { network: getNetworkName(t, network), digits: lastFour });
}
