import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { matchesSearch, parseSearch, type SearchedOrder } from '#domain/orders/order-search.ts';
import { localDay } from '#web/features/site/local-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { Page } from '#web/platform/api/request.ts';
import type { OrderSummary } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { CUSTOMER_ORDERS_KEY } from '#web/platform/query/query-keys.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { OrderCards } from './order-cards.tsx';
import type { OrdersSearch } from './orders-search.ts';
import { byDeparture } from './queries.ts';

/** Without a connection, a search covers the orders on this device. */
export function SavedResults({ search }: { search: OrdersSearch }) {
  useReadableOffline();
  const client = useQueryClient();
  const orders = searchSaved(client, search.text).toSorted(byDeparture(serverNow()));
  if (orders.length === 0) {
    return (
      <EmptyState title={t('No saved order matches “{search}”', { search: search.text })}>
        {t('Without a connection, only the orders saved on this device are searched.')}
      </EmptyState>
    );
  }
  return (
    <>
      <p className="muted" role="status">
        {t('Found among the orders saved on this device.')}
      </p>
      <OrderCards orders={orders} search={search} />
    </>
  );
}

/** Finds among the orders that this device has loaded or saved, each once, as it was loaded last. */
function searchSaved(client: QueryClient, text: string): OrderSummary[] {
  const lists = client.getQueriesData<InfiniteData<Page<OrderSummary[]>>>({ queryKey: CUSTOMER_ORDERS_KEY });
  const newest = new Map<string, OrderSummary>();
  for (const order of lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ data }) => data)) {
    const other = newest.get(order.id);
    if (other === undefined || other.asOf < order.asOf) newest.set(order.id, order);
  }
  const terms = parseSearch(text, textLanguage());
  return [...newest.values()].filter((order) => matchesSearch(presentForSearch(order), terms));
}

function presentForSearch({
  contactName = '',
  travelerNames = [],
  plate,
  reference,
  legs,
}: OrderSummary): SearchedOrder {
  const ports = legs.flatMap(({ origin, destination }) => [origin, destination]);
  return {
    names: [contactName, ...travelerNames, ...ports.map(({ name }) => name)],
    codes: [reference, plate ?? '', ...ports.map(({ code }) => code)],
    days: legs.map(({ departsLocal }) => localDay(departsLocal)),
  };
}
