import type { PersistedQuery } from '@tanstack/query-persist-client-core';
import type { DehydratedState, InfiniteData, Query, QueryState } from '@tanstack/react-query';

type DehydratedQuery = DehydratedState['queries'][number];

/** `account`: encrypted for the session's owner. `device`: a visitor's data, encrypted with this browser's key. */
export type PersistScope = 'account' | 'device';

/** The `meta` of a query that is saved. Queries without it stay in memory. */
export type PersistMeta = {
  persist: PersistScope;
  /** When its data expires, in epoch milliseconds; null if it is not to be saved. */
  savedUntil?: (data: never) => number | null;
};

/** For a signed-in customer's query that must be readable offline. */
export const PERSISTED_FOR_ACCOUNT = {
  meta: { persist: 'account' } satisfies PersistMeta,
  gcTime: Number.POSITIVE_INFINITY,
};

/** Further pages of a list are not saved. */
const MAX_PAGES = 3;

/** What is saved of a query: not the state of its requests. */
export function withoutState({ state, ...query }: PersistedQuery): PersistedQuery {
  const { data, dataUpdatedAt } = state;
  return {
    ...query,
    state: { data: isInfinite(data) ? firstPages(data) : data, dataUpdatedAt } as QueryState,
  };
}

/** Infinity without an expiry, null if the data is not to be saved. */
export function findExpiry(query: Query | undefined): number | null {
  const { savedUntil } = (query?.meta ?? {}) as Partial<PersistMeta>;
  return savedUntil === undefined ? Number.POSITIVE_INFINITY : savedUntil(query?.state.data as never);
}

/** Invalidated, so that it is refetched. A `dataUpdatedAt` of 1 means that its age is unknown. */
export function toRestored(query: DehydratedQuery): DehydratedQuery {
  const { data, dataUpdatedAt } = query.state;
  return {
    ...query,
    ...(isInfinite(data) ? { queryType: 'infinite' as const } : {}),
    state: {
      ...query.state,
      // Not fetched by this page: `isFetched` stays false until it is.
      dataUpdateCount: 0,
      dataUpdatedAt: dataUpdatedAt > Date.now() ? 1 : dataUpdatedAt,
      isInvalidated: true,
    },
  };
}

export function isPersistedQuery(value: unknown): value is PersistedQuery {
  if (typeof value !== 'object' || value === null) return false;
  const { queryKey, queryHash, state } = value as Partial<PersistedQuery>;
  return Array.isArray(queryKey) && typeof queryHash === 'string' && state?.data !== undefined;
}

function isInfinite(data: unknown): data is InfiniteData<unknown> {
  if (typeof data !== 'object' || data === null) return false;
  const { pages, pageParams } = data as Partial<InfiniteData<unknown>>;
  return Array.isArray(pages) && Array.isArray(pageParams);
}

function firstPages({ pages, pageParams }: InfiniteData<unknown>): InfiniteData<unknown> {
  return { pages: pages.slice(0, MAX_PAGES), pageParams: pageParams.slice(0, MAX_PAGES) };
}
