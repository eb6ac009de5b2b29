import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Filter } from '#contract/common.ts';
import { getCustomerOrder, listOrders } from '../api/account.ts';
import { getCatalogue, getOrder, searchSailings } from '../api/ticket-office.ts';
import type { SailingsQuery } from '../api/types.ts';

/** One place for keys and readers, so that screens, preloading and saved data mean the same query. */
export const CATALOGUE_KEY = ['catalogue'] as const;

export function catalogueQuery() {
  return queryOptions({
    queryKey: CATALOGUE_KEY,
    queryFn: ({ signal }) => getCatalogue({ signal }),
    staleTime: 5 * 60_000,
  });
}

export function sailingsQuery(search: SailingsQuery) {
  return queryOptions({
    queryKey: ['sailings', search] as const,
    queryFn: ({ signal }) => searchSailings(search, { signal }),
  });
}

export function orderQuery(id: string) {
  return queryOptions({
    queryKey: ['order', id] as const,
    queryFn: ({ signal }) => getOrder(id, { signal }),
  });
}

export function customerOrderQuery(id: string) {
  return queryOptions({
    queryKey: ['customer-order', id] as const,
    queryFn: ({ signal }) => getCustomerOrder(id, { signal }),
  });
}

export function customerOrdersQuery(page = 1, filters: readonly Filter[] = []) {
  return queryOptions({
    queryKey: ['customer-orders', page, filters] as const,
    queryFn: ({ signal }) => listOrders(page, filters, { signal }),
    placeholderData: keepPreviousData,
  });
}
