import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { fillPath, portalPages, ticketPages } from '#contract/paths.ts';
import type { Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { ORDER_KEY, orderListKey, TRIP_CARD_LIST_KEY } from '#web/platform/query/query-keys.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import styles from './saved-places.module.css';

/** Links to screens with saved data, for a screen without any while the connection is lost. */
export function SavedPlaces() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  // As text, so that only a changed list is a new value.
  const places = JSON.parse(useSyncExternalStore(subscribe, () => JSON.stringify(findPlaces(client))));
  return (places as Place[]).map(({ to, label, reference }) => (
    <ButtonLink key={to} to={to} variant="secondary">
      <span>
        {label}
        {reference && ' '}
        {reference && (
          <span className={styles.reference} translate="no">
            {reference}
          </span>
        )}
      </span>
    </ButtonLink>
  ));
}

type Place = { to: string; label: string; reference?: string };

const LISTS = [
  { to: portalPages.orders, label: 'See saved orders', queryKey: orderListKey('upcoming', '') },
  { to: portalPages.tripCards, label: 'See saved trip cards', queryKey: TRIP_CARD_LIST_KEY },
];

const MOST = 3;

function findPlaces(client: QueryClient): Place[] {
  if (pageConfig().host === 'tickets') return findTickets(client);
  return LISTS.filter(({ queryKey }) =>
    client.getQueriesData({ queryKey }).some(([, data]) => data !== undefined),
  ).map(({ to, label }) => ({ to, label }));
}

function findTickets(client: QueryClient): Place[] {
  return client
    .getQueriesData<Order>({ queryKey: ORDER_KEY })
    .flatMap(([, order]) => (order && order.tickets.length > 0 ? [order] : []))
    .slice(0, MOST)
    .map(({ id, reference }) => ({
      to: fillPath(ticketPages.confirmation, { id }),
      label: 'See saved tickets',
      reference,
    }));
}
