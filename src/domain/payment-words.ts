/** What is known of the card money came from or went to. */
export type CardOfPayment = {
  method: 'card' | 'trip_card';
  /** As the provider names it; null for trip cards, and when nobody said. */
  network: string | null;
  lastFour: string | null;
};

/** "trip card ending in 1234", "Visa ending in 4242", "card". */
export function nameCard({ method, network, lastFour }: CardOfPayment): string {
  const name = method === 'trip_card' ? 'trip card' : network === null ? 'card' : networkName(network);
  return lastFour === null ? name : `${name} ending in ${lastFour}`;
}

/** "American Express"; "Card" for networks without a name of ours. */
export function networkName(network: string): string {
  return NETWORKS[network] ?? 'Card';
}

const NETWORKS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  american_express: 'American Express',
  amex: 'American Express',
  discover: 'Discover',
  diners_club: 'Diners Club',
  diners: 'Diners Club',
  jcb: 'JCB',
  union_pay: 'UnionPay',
  unionpay: 'UnionPay',
  cartes_bancaires: 'Cartes Bancaires',
  eftpos_australia: 'Eftpos',
  interac: 'Interac',
};
