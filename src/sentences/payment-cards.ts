import type { RefundMethod } from '#contract/orders/statuses.ts';
import { NETWORK_NAMES, WALLET_NAMES } from '#domain/payments/brands.ts';
import type { Translate } from '#messages/translate.ts';

/** The known facts about the card, or the cash, that money came from or went to. */
export type CardOfPayment = {
  method: RefundMethod;
  /** As the provider names it; null for trip cards and if unknown. */
  network: string | null;
  lastFour: string | null;
  /** The card's wallet as the provider names it; absent or null without one. */
  wallet?: string | null | undefined;
  /** The trips, if the trip card is a pass. */
  trips?: number | null | undefined;
};

/** "trip card ending in 1234", "pass ending in 1234", "Visa ending in 4242", "Apple Pay · Visa ending in 4242", "card", "cash", "invoice". */
export function describeCard(t: Translate, card: CardOfPayment): string {
  const { network, lastFour, wallet } = card;
  const name = nameCard(t, card);
  const walletName = WALLET_NAMES[wallet ?? ''];
  if (walletName === undefined) return name;
  return network === null && lastFour === null ? walletName : `${walletName} · ${name}`;
}

function nameCard(t: Translate, { method, network, lastFour: digits, trips }: CardOfPayment): string {
  if (method === 'trip_card') {
    if (trips != null) return digits === null ? t('pass') : t('pass ending in {digits}', { digits });
    return digits === null ? t('trip card') : t('trip card ending in {digits}', { digits });
  }
  if (method === 'cash') return t('cash');
  if (method === 'terminal') return t('card at the ticket booth');
  if (method === 'invoice') return t('invoice');
  if (method === 'bank') return t('bank transfer');
  if (network !== null) {
    const name = getNetworkName(t, network);
    return digits === null ? name : t('{network} ending in {digits}', { network: name, digits });
  }
  return digits === null ? t('card') : t('card ending in {digits}', { digits });
}

/** "American Express"; "Card" for unknown networks. */
export function getNetworkName(t: Translate, network: string): string {
  return NETWORK_NAMES[network] ?? t('Card');
}
