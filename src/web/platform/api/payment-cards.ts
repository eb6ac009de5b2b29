import type { PageMeta } from '#contract/common.ts';
import { apiPaths, fillPath } from '#contract/paths.ts';
import type * as cards from '#contract/payment-cards/schemas.ts';
import { call, callList } from './call.ts';
import type { CamelCased } from './case-conversion.ts';
import type { PaymentCard, RemovedPaymentCard, SetupIntent } from './types.ts';

type Signal = { signal?: AbortSignal | undefined };

export type PaymentCardsPage = { data: PaymentCard[]; meta: CamelCased<PageMeta> | null };

export function listPaymentCards(page = 1, { signal }: Signal = {}): Promise<PaymentCardsPage> {
  return callList<cards.PaymentCard[]>(apiPaths.paymentCards, { page, signal });
}

/** What is paid with unless another card is chosen; null while no card is good. */
export function getPrimaryCard({ signal }: Signal = {}): Promise<PaymentCard | null> {
  return call<cards.PaymentCard | null>(apiPaths.primaryCard, { signal });
}

/** What the browser needs to hand a card to the provider. The card itself never comes by us. */
export function startCardSetup(): Promise<SetupIntent> {
  return call<cards.SetupIntent>(apiPaths.newPaymentCard, { body: {} });
}

/** May be asked again and again: one setup is one card. */
export function addPaymentCard(
  added: { setupIntentId: string; primary: boolean },
  { signal }: Signal = {},
): Promise<PaymentCard> {
  return call<cards.PaymentCard>(apiPaths.paymentCards, { body: added, signal });
}

export function makeCardPrimary(id: string): Promise<PaymentCard> {
  return call<cards.PaymentCard>(fillPath(apiPaths.makeCardPrimary, { id }), { method: 'POST' });
}

export function removePaymentCard(id: string): Promise<RemovedPaymentCard> {
  return call<cards.RemovedPaymentCard>(fillPath(apiPaths.paymentCard, { id }), { method: 'DELETE' });
}
