import { parseReference } from '#domain/orders/reference.ts';
import type { PreloadArgs } from '#web/platform/router/screen.ts';
import { readOrdersSearch } from './orders-search.ts';
import { orderByReferenceQuery, orderListQuery } from './queries.ts';

/** What the address asks for is fetched beside the screen's bundle. */
export function preloadOrders({ url, client }: PreloadArgs): void {
  const search = readOrdersSearch(url.searchParams);
  if (search.order === null) {
    void client.prefetchInfiniteQuery(orderListQuery(search));
    return;
  }
  const reference = parseReference(search.order);
  if (reference !== null) void client.prefetchQuery(orderByReferenceQuery(reference));
}
