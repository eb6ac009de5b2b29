import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  getOfflineCode,
  getTripCard,
  getTripCardBalance,
  listTopUps,
  listTripCards,
} from '#contract/trip-cards/endpoints.ts';
import { type Page, request, requestPage } from '#web/platform/api/request.ts';
import type { TopUpList, TripCardBalance } from '#web/platform/api/types.ts';
import {
  ENTRIES_KEY,
  OFFLINE_CODE_KEY,
  TOP_UPS_KEY,
  TRIP_CARD_KEY,
  TRIP_CARD_LIST_KEY,
  TRIP_CARDS_KEY,
} from '#web/platform/query/query-keys.ts';
import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { PERSISTED_FOR_ACCOUNT } from '#web/platform/saved-data/saved-query.ts';
import { BY_PAGE } from '../parts/by-page.ts';

export type EntriesPage = TripCardBalance & { total: number | null };
export type TopUpsPage = TopUpList & { total: number | null };

/** Any change may affect the other cards. The list is reloaded at once, because it is read without a connection. */
export function refreshTripCards(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: TRIP_CARDS_KEY });
  if (client.getQueryData(tripCardsQuery.queryKey) !== undefined)
    void client.prefetchInfiniteQuery(tripCardsQuery);
}

export const tripCardsQuery = infiniteQueryOptions({
  ...PERSISTED_FOR_ACCOUNT,
  queryKey: TRIP_CARD_LIST_KEY,
  queryFn: ({ pageParam, signal }) =>
    requestPage(listTripCards, { page: pageParam, query: { include: 'passes' }, signal }),
  ...BY_PAGE,
});

export function tripCardQuery(id: string) {
  return queryOptions({
    ...PERSISTED_FOR_ACCOUNT,
    queryKey: [...TRIP_CARD_KEY, id] as const,
    queryFn: ({ signal }) => request(getTripCard, { params: { id }, signal }),
  });
}

export function offlineCodeQuery(id: string) {
  return queryOptions({
    ...PERSISTED_FOR_ACCOUNT,
    queryKey: [...OFFLINE_CODE_KEY, id] as const,
    queryFn: ({ signal }) => request(getOfflineCode, { params: { id }, signal }),
  });
}

/** Entries never change, so older pages are loaded only once. */
export function entriesQuery(id: string) {
  const queryKey = [...ENTRIES_KEY, id] as const;
  return infiniteQueryOptions({
    ...PERSISTED_FOR_ACCOUNT,
    queryKey,
    queryFn: async ({ pageParam, signal, client }): Promise<EntriesPage> => {
      const cached = client.getQueryData<{ pages: EntriesPage[]; pageParams: (number | null)[] }>(queryKey);
      const at = pageParam === null ? -1 : (cached?.pageParams.indexOf(pageParam) ?? -1);
      const input = { params: { id }, query: { beforeSeq: pageParam }, signal };
      return cached?.pages[at] ?? withTotal(await requestPage(getTripCardBalance, input));
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextBeforeSeq }) => nextBeforeSeq ?? undefined,
  });
}

export function topUpsQuery(id: string) {
  return infiniteQueryOptions({
    ...PERSISTED_FOR_ACCOUNT,
    queryKey: [...TOP_UPS_KEY, id] as const,
    queryFn: async ({ pageParam, signal }): Promise<TopUpsPage> =>
      withTotal(await requestPage(listTopUps, { params: { id }, query: { beforeSeq: pageParam }, signal })),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextBeforeSeq }) => nextBeforeSeq ?? undefined,
  });
}

function withTotal<Data>({ data, meta }: Page<Data>): Data & { total: number | null } {
  return { ...data, total: meta?.totalCount ?? null };
}

/** Loads a screen's data beside its bundle. */
export function preloadTripCards({ client }: PreloadArgs): void {
  void client.prefetchInfiniteQuery(tripCardsQuery);
}

export function preloadBalance({ client, params: { id = '' } }: PreloadArgs): void {
  void client.prefetchQuery(tripCardQuery(id));
  void client.prefetchInfiniteQuery(entriesQuery(id));
}

export function preloadTopUps({ client, params: { id = '' } }: PreloadArgs): void {
  void client.prefetchQuery(tripCardQuery(id));
  void client.prefetchInfiniteQuery(topUpsQuery(id));
}
