import { networkName } from '#domain/payment-words.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';

type Named = Pick<PaymentCard, 'network' | 'lastFour'>;

/** "Visa •••• 4242"; the digits stay with their dots. */
export function cardName({ network, lastFour }: Named): string {
  return `${networkName(network)} ••••\u00a0${lastFour}`;
}

/** The same for screen readers: "Visa ending in 4242". */
export function spokenCardName({ network, lastFour }: Named): string {
  return `${networkName(network)} ending in ${lastFour}`;
}
