import type { PaymentCard } from '#web/platform/api/types.ts';

type Named = Pick<PaymentCard, 'network' | 'lastFour'>;

/** "Visa •••• 4242"; the digits stay with their dots. */
export function cardName({ network, lastFour }: Named): string {
  return `${networkName(network)} ••••\u00a0${lastFour}`;
}

/** The same to be read out: "Visa ending in 4242". */
export function spokenCardName({ network, lastFour }: Named): string {
  return `${networkName(network)} ending in ${lastFour}`;
}

const NETWORKS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  american_express: 'American Express',
  discover: 'Discover',
  diners_club: 'Diners Club',
  jcb: 'JCB',
  union_pay: 'UnionPay',
  cartes_bancaires: 'Cartes Bancaires',
  eftpos_australia: 'Eftpos',
  interac: 'Interac',
};

function networkName(network: string): string {
  return NETWORKS[network] ?? 'Card';
}
