import { queryOptions } from '@tanstack/react-query';
import { getOrder } from '#contract/orders/endpoints.ts';
import { getCatalogue, searchConnections, searchSailings } from '#contract/sailings/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { ConnectionsQuery, SailingsQuery } from '../api/types.ts';
import { type Journey, toJourney } from './journey.ts';
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

/** By route: direct boats; by ports: journeys with a change. */
export function sailingsQuery(search: SailingsQuery | ConnectionsQuery) {
  return queryOptions({
    queryKey: [...SAILINGS_KEY, search] as const,
    queryFn: async ({ signal }): Promise<Journey[]> => {
      if ('routeId' in search) return request(searchSailings, { query: search, signal });
      return (await request(searchConnections, { query: search, signal })).map(toJourney);
    },
  });
}

export function orderQuery(id: string) {
  return queryOptions({
    queryKey: [...ORDER_KEY, id] as const,
    queryFn: ({ signal }) => request(getOrder, { params: { id }, signal }),
  });
}
