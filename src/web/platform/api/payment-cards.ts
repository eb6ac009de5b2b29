import type { PageMeta } from '#contract/common.ts';
import * as endpoints from '#contract/payment-cards/endpoints.ts';
import type { CamelCased } from './case-conversion.ts';
import { request, requestPage } from './request.ts';
import type { PaymentCard, RemovedPaymentCard, SetupIntent } from './types.ts';

type Signal = { signal?: AbortSignal | undefined };

export type PaymentCardsPage = { data: PaymentCard[]; meta: CamelCased<PageMeta> | null };

export function listPaymentCards(page = 1, { signal }: Signal = {}): Promise<PaymentCardsPage> {
  return requestPage(endpoints.listPaymentCards, { page, signal });
}

/** What the browser needs to hand a card to the provider. The card itself never comes by us. */
export function startCardSetup(): Promise<SetupIntent> {
  return request(endpoints.startCardSetup, { body: {} });
}

/** May be asked again and again: one setup is one card. */
export function addPaymentCard(
  added: { setupIntentId: string; primary: boolean },
  { signal }: Signal = {},
): Promise<PaymentCard> {
  return request(endpoints.addPaymentCard, { body: added, signal });
}

export function makeCardPrimary(id: string): Promise<PaymentCard> {
  return request(endpoints.makeCardPrimary, { params: { id } });
}

export function removePaymentCard(id: string): Promise<RemovedPaymentCard> {
  return request(endpoints.removePaymentCard, { params: { id } });
}
