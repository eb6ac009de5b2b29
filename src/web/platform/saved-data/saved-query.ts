import { type DehydratedState, hashKey, type InfiniteData, type QueryKey } from '@tanstack/react-query';

type DehydratedQuery = DehydratedState['queries'][number];

/** `account`: encrypted with the session. `device`: a visitor's own, encrypted with a key of this browser. */
export type PersistScope = 'account' | 'device';

/** What a query says of itself in its `meta` to be kept; without it nothing of it ever leaves memory. */
export type PersistMeta = {
  persist: PersistScope;
  /** How long its data is of use, in milliseconds since 1970; null where this data is not to be kept. */
  keepUntil?: (data: never) => number | null;
};

/** For a query of a signed-in customer that is to be readable without a connection. */
export const KEPT_FOR_ACCOUNT = {
  meta: { persist: 'account' } satisfies PersistMeta,
  gcTime: Number.POSITIVE_INFINITY,
};

export type SavedQuery = { key: QueryKey; data: unknown; at: number };

/** Pages of a history beyond these are read again when they are asked for. */
const PAGES_KEPT = 3;

/** What is kept of a query; null where there is nothing, or nothing to keep. */
export function savedQueryOf(query: DehydratedQuery): SavedQuery | null {
  const { data, dataUpdatedAt } = query.state;
  if (data === undefined || keptUntil(query) === null) return null;
  return { key: query.queryKey, data: isInfinite(data) ? firstPages(data) : data, at: dataUpdatedAt };
}

export function keptUntil({ meta, state }: DehydratedQuery): number | null {
  const { keepUntil } = (meta ?? {}) as Partial<PersistMeta>;
  return keepUntil === undefined ? Number.POSITIVE_INFINITY : keepUntil(state.data as never);
}

/** As a query that was once read well and is to be read again. `at` of 1: nobody knows how old it is. */
export function restoredQuery(saved: SavedQuery, scope: PersistScope, now: number): DehydratedQuery {
  const dataUpdatedAt = saved.at > now ? 1 : saved.at;
  return {
    queryKey: saved.key,
    queryHash: hashKey(saved.key),
    dehydratedAt: dataUpdatedAt,
    meta: { persist: scope },
    ...(isInfinite(saved.data) ? { queryType: 'infinite' as const } : {}),
    state: {
      data: saved.data,
      // Not fetched by this page: `isFetched` of whoever shows it stays false until it is.
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
  return { pages: pages.slice(0, PAGES_KEPT), pageParams: pageParams.slice(0, PAGES_KEPT) };
}
