import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { Host } from '#contract/hosts.ts';
import { fillPath, portalPages, ticketPages } from '#contract/paths.ts';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
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
  const places = JSON.parse(
    useSyncExternalStore(subscribe, () => JSON.stringify(FIND_PLACES[pageConfig().host](client))),
  );
  return (places as Place[]).map(({ to, label, reference }) => (
    <ButtonLink key={to} to={to} variant="secondary">
      <span>
        {t(label)}
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

type Place = { to: string; label: Message; reference?: string };

const LISTS = [
  { to: portalPages.orders, label: message('See saved orders'), queryKey: orderListKey('upcoming', '') },
  { to: portalPages.tripCards, label: message('See saved trip cards'), queryKey: TRIP_CARD_LIST_KEY },
];

const MOST = 3;

const FIND_PLACES: Readonly<Record<Host, (client: QueryClient) => Place[]>> = {
  tickets: findTickets,
  portal: findLists,
  staff: () => [],
};

function findLists(client: QueryClient): Place[] {
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
      label: message('See saved tickets'),
      reference,
    }));
}
