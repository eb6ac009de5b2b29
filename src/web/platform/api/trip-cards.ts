import type { PageMeta } from '#contract/common.ts';
import * as endpoints from '#contract/trip-cards/endpoints.ts';
import type * as cards from '#contract/trip-cards/schemas.ts';
import type { CamelCased } from './case-conversion.ts';
import { request, requestPage } from './request.ts';
import type { StartedTopUp, TopUp, TopUpList, TripCard, TripCardBalance } from './types.ts';

/** Writes that move money take the caller's idempotency key, so that a try repeated is the same try. */
type Signal = { signal?: AbortSignal | undefined };

export type TripCardsPage = { data: TripCard[]; meta: CamelCased<PageMeta> | null };

export function listTripCards(page: number, { signal }: Signal = {}): Promise<TripCardsPage> {
  return requestPage(endpoints.listTripCards, { page, signal });
}

/** A plastic card by its number and PIN; a new one without either. */
export function addTripCard(card: CamelCased<cards.AddTripCard>, idempotencyKey: string): Promise<TripCard> {
  return request(endpoints.addTripCard, { body: card, idempotencyKey });
}

export type Transfer = { toCardId: string; amount: number };

export type EntriesPage = TripCardBalance & { total: number | null };

/** The newest entries, or those before the entry of a number. */
export async function getTripCardBalance(
  id: string,
  beforeSeq: number | null,
  { signal }: Signal = {},
): Promise<EntriesPage> {
  const { data, meta } = await requestPage(endpoints.getTripCardBalance, {
    params: { id },
    query: { beforeSeq },
    signal,
  });
  return { ...data, total: meta?.totalCount ?? null };
}

/** Days as `YYYY-MM-DD`, both included. */
export type StatementWish = { from: string; to?: string; format: 'csv' | 'pdf' };

export type TopUpsPage = TopUpList & { total: number | null };

export async function listTopUps(
  id: string,
  beforeSeq: number | null,
  { signal }: Signal = {},
): Promise<TopUpsPage> {
  const { data, meta } = await requestPage(endpoints.listTopUps, {
    params: { id },
    query: { beforeSeq },
    signal,
  });
  return { ...data, total: meta?.totalCount ?? null };
}

export function startTopUp(
  id: string,
  topUp: CamelCased<cards.StartTopUp>,
  idempotencyKey: string,
): Promise<StartedTopUp> {
  return request(endpoints.startTopUp, { params: { id }, body: topUp, idempotencyKey });
}

export function getTopUp(id: string, topUpId: string, { signal }: Signal = {}): Promise<TopUp> {
  return request(endpoints.getTopUp, { params: { id, top_up_id: topUpId }, signal });
}

export type AutoTopUpWish = CamelCased<cards.SetAutoTopUp>;

export function setAutoTopUp(id: string, wish: AutoTopUpWish): Promise<TripCard> {
  return request(endpoints.setAutoTopUp, { params: { id }, body: wish });
}

export function endAutoTopUp(id: string): Promise<TripCard> {
  return request(endpoints.removeAutoTopUp, { params: { id } });
}
