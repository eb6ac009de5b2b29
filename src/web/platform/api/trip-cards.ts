import type { PageMeta } from '#contract/common.ts';
import { apiPaths, fillPath } from '#contract/paths.ts';
import type * as cards from '#contract/trip-cards/schemas.ts';
import { call, callList } from './call.ts';
import type { CamelCased } from './case-conversion.ts';
import { type DownloadedFile, download } from './file.ts';
import type {
  OfflineCode,
  StartedTopUp,
  TopUp,
  TopUpList,
  TripCard,
  TripCardBalance,
  TripCardShare,
} from './types.ts';

/** Writes that move money take the caller's idempotency key, so that a try repeated is the same try. */
type Signal = { signal?: AbortSignal | undefined };

export type TripCardsPage = { data: TripCard[]; meta: CamelCased<PageMeta> | null };

export function listTripCards(page: number, { signal }: Signal = {}): Promise<TripCardsPage> {
  return callList<cards.TripCard[]>(apiPaths.tripCards, { page, signal });
}

export function getTripCard(id: string, { signal }: Signal = {}): Promise<TripCard> {
  return call<cards.TripCard>(fillPath(apiPaths.tripCard, { id }), { signal });
}

/** A plastic card by its number and PIN; a new one without either. */
export function addTripCard(card: CamelCased<cards.AddTripCard>, idempotencyKey: string): Promise<TripCard> {
  return call<cards.TripCard>(apiPaths.tripCards, { body: card, idempotencyKey });
}

export function changeTripCard(id: string, change: CamelCased<cards.ChangeTripCard>): Promise<TripCard> {
  return call<cards.TripCard>(fillPath(apiPaths.tripCard, { id }), { method: 'PATCH', body: change });
}

export function freezeTripCard(id: string): Promise<TripCard> {
  return call<cards.TripCard>(fillPath(apiPaths.tripCardFreeze, { id }), { method: 'POST' });
}

export function unfreezeTripCard(id: string): Promise<TripCard> {
  return call<cards.TripCard>(fillPath(apiPaths.tripCardUnfreeze, { id }), { method: 'POST' });
}

/** Answers the card that took its place. */
export function reportTripCardLost(id: string, idempotencyKey: string): Promise<TripCard> {
  return call<cards.TripCard>(fillPath(apiPaths.tripCardLost, { id }), {
    method: 'POST',
    idempotencyKey,
  });
}

export type Transfer = { toCardId: string; amount: number };

export function transferBetweenCards(
  fromId: string,
  move: Transfer,
  idempotencyKey: string,
): Promise<unknown> {
  return call(fillPath(apiPaths.tripCardTransfers, { id: fromId }), {
    body: move,
    idempotencyKey,
  });
}

export function shareTripCard(
  id: string,
  share: CamelCased<cards.ShareTripCard>,
  idempotencyKey: string,
): Promise<TripCardShare> {
  return call<cards.TripCardShare>(fillPath(apiPaths.tripCardShares, { id }), {
    body: share,
    idempotencyKey,
  });
}

export function revokeTripCardShare(id: string, shareId: string): Promise<unknown> {
  return call(fillPath(apiPaths.tripCardShare, { id, share_id: shareId }), { method: 'DELETE' });
}

export function getOfflineCode(id: string, { signal }: Signal = {}): Promise<OfflineCode> {
  return call<cards.OfflineCode>(fillPath(apiPaths.tripCardOfflineCode, { id }), { signal });
}

export type EntriesPage = TripCardBalance & { total: number | null };

/** The newest entries, or those before the entry of a number. */
export async function getTripCardBalance(
  id: string,
  beforeSeq: number | null,
  { signal }: Signal = {},
): Promise<EntriesPage> {
  const path = fillPath(apiPaths.tripCardBalance, { id });
  const { data, meta } = await callList<cards.TripCardBalance>(path, { query: { beforeSeq }, signal });
  return { ...data, total: meta?.totalCount ?? null };
}

/** Days as `YYYY-MM-DD`, both included. */
export type StatementWish = { from: string; to?: string; format: 'csv' | 'pdf' };

export function downloadStatement(id: string, wish: StatementWish): Promise<DownloadedFile> {
  return download(fillPath(apiPaths.tripCardStatement, { id }), { query: wish });
}

export type TopUpsPage = TopUpList & { total: number | null };

export async function listTopUps(
  id: string,
  beforeSeq: number | null,
  { signal }: Signal = {},
): Promise<TopUpsPage> {
  const path = fillPath(apiPaths.tripCardTopUps, { id });
  const { data, meta } = await callList<cards.TopUpList>(path, { query: { beforeSeq }, signal });
  return { ...data, total: meta?.totalCount ?? null };
}

export function startTopUp(
  id: string,
  topUp: CamelCased<cards.StartTopUp>,
  idempotencyKey: string,
): Promise<StartedTopUp> {
  return call<cards.StartedTopUp>(fillPath(apiPaths.tripCardTopUps, { id }), {
    body: topUp,
    idempotencyKey,
  });
}

export function getTopUp(id: string, topUpId: string, { signal }: Signal = {}): Promise<TopUp> {
  return call<cards.TopUp>(fillPath(apiPaths.tripCardTopUp, { id, top_up_id: topUpId }), { signal });
}

export type AutoTopUpWish = CamelCased<cards.SetAutoTopUp>;

export function setAutoTopUp(id: string, wish: AutoTopUpWish): Promise<TripCard> {
  return call<cards.TripCard>(fillPath(apiPaths.tripCardAutoTopUp, { id }), { method: 'PUT', body: wish });
}

export function endAutoTopUp(id: string): Promise<TripCard> {
  return call<cards.TripCard>(fillPath(apiPaths.tripCardAutoTopUp, { id }), { method: 'DELETE' });
}
