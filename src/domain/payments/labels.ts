/** The known facts about the card that money came from or went to. */
export type CardOfPayment = {
  method: 'card' | 'trip_card';
  /** As the provider names it; null for trip cards and if unknown. */
  network: string | null;
  lastFour: string | null;
  /** The card's wallet as the provider names it; absent or null without one. */
  wallet?: string | null | undefined;
  /** The trips, if the trip card is a pass. */
  trips?: number | null | undefined;
};

/** "trip card ending in 1234", "pass ending in 1234", "Visa ending in 4242", "Apple Pay · Visa ending in 4242", "card". */
export function describeCard({ method, network, lastFour, wallet, trips }: CardOfPayment): string {
  const tripCard = trips == null ? 'trip card' : 'pass';
  const name = method === 'trip_card' ? tripCard : network === null ? 'card' : getNetworkName(network);
  const card = lastFour === null ? name : `${name} ending in ${lastFour}`;
  const walletName = WALLETS[wallet ?? ''];
  if (walletName === undefined) return card;
  return network === null && lastFour === null ? walletName : `${walletName} · ${card}`;
}

/** "American Express"; "Card" for unknown networks. */
export function getNetworkName(network: string): string {
  return NETWORKS[network] ?? 'Card';
}

const WALLETS: Readonly<Record<string, string>> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  link: 'Link',
  samsung_pay: 'Samsung Pay',
};

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
