import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import type { Filter } from '#contract/common.ts';
import { getCustomerOrder, listOrders } from '#contract/orders/history/endpoints.ts';
import type { orderHistoryCalls } from '#contract/orders/history/schemas.ts';
import type { OrderStatus } from '#contract/orders/statuses.ts';
import { parseReference } from '#domain/orders/reference.ts';
import { findNextLeg } from '#web/features/order/trips.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { type Page, request, requestPage } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { Order, OrderSummary } from '#web/platform/api/types.ts';
import { CUSTOMER_ORDER_KEY, CUSTOMER_ORDERS_KEY, orderListKey } from '#web/platform/query/query-keys.ts';
import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { PERSISTED_FOR_ACCOUNT } from '#web/platform/saved-data/saved-query.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { BY_PAGE } from '../parts/by-page.ts';
import { type OrdersSearch, type OrdersView, readOrdersSearch } from './orders-search.ts';

type OrderFilter = Filter & { field: keyof (typeof orderHistoryCalls.listOrders.list)['fields'] };
type ListSearch = Pick<OrdersSearch, 'view' | 'text'>;

/**
 * The key contains no time, so that a saved list is found again.
 * Upcoming orders and those of a search are loaded at once, the next departure first; others page by page.
 */
export function orderListQuery({ view, text }: ListSearch) {
  return infiniteQueryOptions({
    // Search results are not saved on the device.
    ...(text === '' ? PERSISTED_FOR_ACCOUNT : {}),
    queryKey: orderListKey(view, text),
    queryFn: ({ pageParam, signal }) => {
      const input = {
        query: { search: text || null, sort: text === '' ? SORTS[view] : SORT_OF_SEARCH },
        filters: orderFilters(view, serverNow()),
        signal,
      };
      return view === 'upcoming' || text !== ''
        ? readPages(pageParam, input)
        : requestPage(listOrders, { page: pageParam, ...input });
    },
    ...BY_PAGE,
  });
}

/** Null if the customer has no such order. */
export function orderByReferenceQuery(reference: string) {
  return queryOptions({
    ...PERSISTED_FOR_ACCOUNT,
    queryKey: [...CUSTOMER_ORDER_KEY, reference] as const,
    queryFn: async ({ client, signal }): Promise<Order | null> => {
      const id = findListedId(client, reference) ?? (await findId(reference, signal));
      return id === null ? null : getOwnOrder(id, signal);
    },
  });
}

/** `now` in milliseconds. A crossing stays upcoming for an hour, for late boats and checks on board. */
export function orderFilters(view: OrdersView, now: number): OrderFilter[] {
  const filters: OrderFilter[] = [];
  const since = new Date(now - ON_BOARD_MS).toISOString();
  if (view === 'upcoming') {
    filters.push({ field: 'status', op: 'in', value: OPEN_STATUSES });
    filters.push({ field: 'departs_at', op: '>=', value: since });
  }
  if (view === 'past') filters.push({ field: 'departs_at', op: '<', value: since });
  return filters;
}

const ON_BOARD_MS = 60 * 60_000;
const OPEN_STATUSES: readonly OrderStatus[] = ['held', 'awaiting_payment', 'confirmed', 'partly_canceled'];
/** Upcoming trips the next one first, past trips the latest first, all orders as they were bought. */
const SORTS = { upcoming: 'departs_at', past: '-departs_at', all: null } as const;
/** Upcoming trips come first; `byDeparture` sorts it. */
const SORT_OF_SEARCH = '-departs_at' as const;
const PAGES_AT_ONCE = 5;

type ListInput = Pick<InputOf<typeof listOrders>, 'query' | 'filters' | 'signal'>;

async function readPages(from: number, input: ListInput): Promise<Page<OrderSummary[]>> {
  const first = await requestPage(listOrders, { page: from, ...input });
  const last = Math.min(first.meta?.totalPages ?? from, from + PAGES_AT_ONCE - 1);
  const numbers = Array.from({ length: Math.max(0, last - from) }, (_, index) => from + 1 + index);
  const rest = await Promise.all(numbers.map((page) => requestPage(listOrders, { page, ...input })));
  const pages = [first, ...rest];
  return {
    data: pages.flatMap(({ data }) => data).sort(byDeparture(serverNow())),
    meta: pages.at(-1)?.meta ?? null,
  };
}

function findListedId(client: QueryClient, reference: string): string | null {
  const lists = client.getQueriesData<InfiniteData<Page<OrderSummary[]>>>({ queryKey: CUSTOMER_ORDERS_KEY });
  const orders = lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ data }) => data);
  return orders.find((order) => order.reference === reference)?.id ?? null;
}

async function findId(reference: string, signal: AbortSignal): Promise<string | null> {
  const filter: OrderFilter = { field: 'reference', op: '==', value: reference };
  const { data } = await requestPage(listOrders, { page: 1, filters: [filter], signal });
  return data[0]?.id ?? null;
}

async function getOwnOrder(id: string, signal: AbortSignal): Promise<Order | null> {
  try {
    return await request(getCustomerOrder, { params: { id }, signal });
  } catch (error) {
    if (hasErrorCode(error, 'not_found')) return null;
    throw error;
  }
}

/** Next departure first, arrived trips last and in the order they had. */
export function byDeparture(now: number): (a: OrderSummary, b: OrderSummary) => number {
  const departure = ({ legs }: OrderSummary) => {
    const next = findNextLeg(legs, now);
    return next === null ? Number.MAX_SAFE_INTEGER : Date.parse(next.departsAt);
  };
  return (a, b) => departure(a) - departure(b);
}

/** Loads the screen's data beside its bundle. */
export function preloadOrders({ url, client }: PreloadArgs): void {
  const search = readOrdersSearch(url.searchParams);
  if (search.order === null) {
    void client.prefetchInfiniteQuery(orderListQuery(search));
    return;
  }
  const reference = parseReference(search.order);
  if (reference !== null) void client.prefetchQuery(orderByReferenceQuery(reference));
}
