import { queryOptions } from '@tanstack/react-query';
import { getOrder } from '#contract/orders/endpoints.ts';
import { getCatalogue, searchSailings } from '#contract/sailings/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { SailingsQuery } from '../api/types.ts';
import { ORDER_KEY, SAILINGS_KEY } from './query-keys.ts';

/** Queries that several modules share, so that screens, preloading and saved data use the same keys. */
export const CATALOGUE_KEY = ['catalogue'] as const;

export function catalogueQuery() {
  return queryOptions({
    queryKey: CATALOGUE_KEY,
    queryFn: ({ signal }) => request(getCatalogue, { signal }),
    staleTime: 5 * 60_000,
  });
}

export function sailingsQuery(search: SailingsQuery) {
  return queryOptions({
    queryKey: [...SAILINGS_KEY, search] as const,
    queryFn: ({ signal }) => request(searchSailings, { query: search, signal }),
  });
}

export function orderQuery(id: string) {
  return queryOptions({
    queryKey: [...ORDER_KEY, id] as const,
    queryFn: ({ signal }) => request(getOrder, { params: { id }, signal }),
  });
}
