import { type DehydratedState, hashKey, type InfiniteData, type QueryKey } from '@tanstack/react-query';

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

export type SavedQuery = { key: QueryKey; data: unknown; at: number };

/** Further pages of a list are not saved. */
const MAX_PAGES = 3;

/** The saved part of a query; null if there is nothing to save. */
export function toSavedQuery(query: DehydratedQuery): SavedQuery | null {
  const { data, dataUpdatedAt } = query.state;
  if (data === undefined || findExpiry(query) === null) return null;
  return { key: query.queryKey, data: isInfinite(data) ? firstPages(data) : data, at: dataUpdatedAt };
}

export function findExpiry({ meta, state }: DehydratedQuery): number | null {
  const { savedUntil } = (meta ?? {}) as Partial<PersistMeta>;
  return savedUntil === undefined ? Number.POSITIVE_INFINITY : savedUntil(state.data as never);
}

/** A successful, invalidated query, so that it is refetched. `at` of 1 means that its age is unknown. */
export function toDehydratedQuery(saved: SavedQuery, scope: PersistScope, now: number): DehydratedQuery {
  const dataUpdatedAt = saved.at > now ? 1 : saved.at;
  return {
    queryKey: saved.key,
    queryHash: hashKey(saved.key),
    dehydratedAt: dataUpdatedAt,
    meta: { persist: scope },
    ...(isInfinite(saved.data) ? { queryType: 'infinite' as const } : {}),
    state: {
      data: saved.data,
      // Not fetched by this page: `isFetched` stays false until it is.
      dataUpdateCount: 0,
      dataUpdatedAt,
      error: null,
      errorUpdateCount: 0,
      errorUpdatedAt: 0,
      fetchFailureCount: 0,
      fetchFailureReason: null,
      fetchMeta: null,
      isInvalidated: true,
      status: 'success',
      fetchStatus: 'idle',
    },
  };
}

export function isSavedQuery(value: unknown): value is SavedQuery {
  if (typeof value !== 'object' || value === null) return false;
  const { key, data, at } = value as Partial<SavedQuery>;
  return Array.isArray(key) && data !== undefined && typeof at === 'number';
}

function isInfinite(data: unknown): data is InfiniteData<unknown> {
  if (typeof data !== 'object' || data === null) return false;
  const { pages, pageParams } = data as Partial<InfiniteData<unknown>>;
  return Array.isArray(pages) && Array.isArray(pageParams);
}

function firstPages({ pages, pageParams }: InfiniteData<unknown>): InfiniteData<unknown> {
  return { pages: pages.slice(0, MAX_PAGES), pageParams: pageParams.slice(0, MAX_PAGES) };
}
