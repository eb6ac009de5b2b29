import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, useMemo } from 'react';
import { Navigate } from 'react-router';
import { InstallInvitation } from '#web/features/install/install-invitation.tsx';
import { NextTrip } from '#web/features/order/next-trip.tsx';
import { OrderSummaryCard } from '#web/features/order/order-summary-card.tsx';
import { findNextTrip } from '#web/features/order/trips.ts';
import { SavedAge, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { useNow } from '#web/features/site/use-now.ts';
import { drawAhead } from '#web/features/ticket/gate/late-order-gate.ts';
import { gateLink, useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { useTodaysBadge } from '#web/features/ticket/use-todays-badge.ts';
import type { Page } from '#web/platform/api/request.ts';
import type { OrderSummary } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from '../parts/cards.module.css';
import { CardsSkeleton } from '../parts/cards-skeleton.tsx';
import { OutdatedNotice } from '../parts/outdated-notice.tsx';
import { ShowMore, useFocusOnMore } from '../parts/show-more.tsx';
import { usePrefetchForOffline } from '../prefetch-for-offline.ts';
import { OrderFilters } from './order-filters.tsx';
import { type OrdersSearch, ordersPath } from './orders-search.ts';
import { orderByReferenceQuery, orderListQuery } from './queries.ts';

const PREFETCHED_TRIPS = 3;
const FEW = 5;
const RESULTS_ID = 'order-results';

type ListResult = UseInfiniteQueryResult<InfiniteData<Page<OrderSummary[]>>>;

type Lists = { search: OrdersSearch; upcoming: ListResult; list: ListResult; all: ListResult };

export function OrdersList({ search }: { search: OrdersSearch }) {
  const upcoming = useInfiniteQuery(orderListQuery({ view: 'upcoming', reference: '' }));
  const list = useInfiniteQuery(orderListQuery(search));
  const all = useInfiniteQuery({
    ...orderListQuery({ view: 'all', reference: '' }),
    enabled: list.isSuccess && listOrders(list).length === 0,
  });
  // An answer renders in slices, so that taps are handled in between.
  return <OrdersContents lists={useDeferredValue({ search, upcoming, list, all })} />;
}

const OrdersContents = memo(function OrdersContents({ lists }: { lists: Lists }) {
  const { search, upcoming, list, all } = lists;
  const now = useNow();
  useTodaysBadge(useMemo(() => upcoming.data?.pages.flatMap((page) => page.data), [upcoming.data]));
  const next = findNextTrip(listOrders(upcoming), now);
  const orderPath = ordersPath({ ...search, order: next?.order.reference ?? null });
  const showsGateView = useGateView().shown !== null;
  const isFresh = useIsFresh(upcoming);
  // Saved orders may be out of date.
  usePrefetchedTickets(isFresh ? listOrders(upcoming) : []);
  const isNew = all.isSuccess && listOrders(all).length === 0;
  // Shown filters would lose the focus when the message for new customers replaces them.
  const mayBeNew = all.isLoading && isPlain(search);
  // The app's shortcut names no order.
  if (showsGateView && next) return <Navigate to={gateLink(orderPath, 'tickets').to} replace />;
  return (
    <>
      <Header lists={[list, upcoming]} now={now} />
      {isNew ? (
        <NoOrders />
      ) : upcoming.isPending || mayBeNew ? (
        // The list must not move when the next trip appears above it.
        <CardsSkeleton label="Loading your orders…" />
      ) : (
        <Stack gap="lg">
          {list.data && <OutdatedNotice what="Your orders" query={list} />}
          <Stack as="section" id={RESULTS_ID} tabIndex={-1} aria-label="Orders">
            <OrderFilters search={search} hasSearch={hasMany(list)}>
              {next && isPlain(search) && (
                <NextTrip trip={next} gate={gateLink(orderPath, 'tickets')} to={orderPath} now={now} />
              )}
              <Results list={list} search={search} highlighted={next?.order.reference ?? null} />
            </OrderFilters>
          </Stack>
          {listOrders(list).length > 0 && <InstallInvitation />}
        </Stack>
      )}
    </>
  );
});

/** The tickets of the next trips must open at the gate without a connection. */
function usePrefetchedTickets(upcoming: readonly OrderSummary[]): void {
  const references = upcoming
    .filter(({ status }) => status === 'confirmed' || status === 'partly_cancelled')
    .slice(0, PREFETCHED_TRIPS)
    .map(({ reference }) => reference);
  usePrefetchForOffline(
    references.join(' '),
    references.map((reference, index) => async (client, options) => {
      const query = orderByReferenceQuery(reference);
      await client.prefetchQuery({ ...query, ...options });
      if (index === 0) await drawAhead(client.getQueryData(query.queryKey)).catch(() => undefined);
    }),
  );
}

function Header({ lists, now }: { lists: readonly ListResult[]; now: number }) {
  const asOf = lists.flatMap((list) => listOrders(list).map((order) => order.asOf));
  const isFetching = lists.some((list) => list.isFetching);
  // While saved data is being read, nothing is fetched yet.
  const isLoading = lists.some((list) => list.isPending || list.isFetching);
  const isFresh = useIsFresh(...lists);
  return (
    <PageHeader
      title="My Orders"
      intro={
        asOf.length > 0 ? (
          <SavedAge asOf={asOf} isFresh={isFresh} now={now} />
        ) : isLoading ? (
          <Skeleton width="9rem" height="1.5em" />
        ) : undefined
      }
      action={
        <Button
          variant="quiet"
          size="small"
          icon="refresh"
          needsConnection
          isPending={isFetching}
          onClick={() => lists.forEach((list) => void list.refetch())}
        >
          Refresh
        </Button>
      }
    />
  );
}

type ResultsProps = { list: ListResult; search: OrdersSearch; highlighted: string | null };

function Results({ list, search, highlighted }: ResultsProps) {
  if (list.isLoadingError) return <LoadProblem title="Your orders could not be loaded" query={list} />;
  if (list.data === undefined) return <CardsSkeleton label="Loading your orders…" />;
  // The highlighted order is not repeated in the list.
  const orders = listOrders(list).filter(({ reference }) => !isPlain(search) || reference !== highlighted);
  if (orders.length === 0 && !list.hasNextPage) {
    return <NoneFound search={search} hasNextTrip={highlighted !== null} />;
  }
  return <Orders list={list} orders={orders} search={search} />;
}

/** Whether no filter is set. */
function isPlain({ view, reference }: OrdersSearch): boolean {
  return view === 'upcoming' && reference === '';
}

type OrdersProps = { list: ListResult; orders: readonly OrderSummary[]; search: OrdersSearch };

function Orders({ list, orders, search }: OrdersProps) {
  useReadableOffline();
  const items = useFocusOnMore<HTMLUListElement>(orders.length, '[data-card-link]');
  const total = list.data?.pages.at(-1)?.meta?.totalCount;
  return (
    <>
      <h2 className="visually-hidden">{HEADINGS[search.view]}</h2>
      <output className="visually-hidden">
        {total === 1 ? '1 order' : `${total ?? orders.length} orders`}
      </output>
      <ul ref={items.box} className={styles.cards}>
        {orders.map((order) => (
          <li key={order.id} data-order={order.reference}>
            <OrderSummaryCard order={order} to={ordersPath({ ...search, order: order.reference })} />
          </li>
        ))}
      </ul>
      <ShowMore query={list} onShow={items.expectMore} />
    </>
  );
}

function NoOrders() {
  return (
    <EmptyState
      icon="ticket"
      title="No orders yet"
      action={<ButtonLink to={`${pageConfig().origins.tickets}/`}>Buy tickets</ButtonLink>}
    >
      Tickets you buy with this email address will appear here.
    </EmptyState>
  );
}

/** Whether finding an order by its reference is quicker than scrolling. */
function hasMany(list: ListResult): boolean {
  return (list.data?.pages.at(-1)?.meta?.totalCount ?? listOrders(list).length) > FEW;
}

const HEADINGS = { upcoming: 'Upcoming trips', past: 'Past trips', all: 'All orders' } as const;

function listOrders({ data }: ListResult): OrderSummary[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}

function NoneFound({ search, hasNextTrip }: { search: OrdersSearch; hasNextTrip: boolean }) {
  const { view, reference } = search;
  const isSearch = reference !== '';
  const canWiden = isSearch && view !== 'all';
  const all = { view: 'all', reference: canWiden ? reference : '', order: null } as const;
  return (
    <EmptyState
      title={isSearch ? `No order matches “${reference}”` : emptyTitle(search, hasNextTrip)}
      action={
        <ButtonLink variant="secondary" to={ordersPath(all)} preventScrollReset onClick={focusResults}>
          {canWiden ? 'Look in all orders' : 'Show all orders'}
        </ButtonLink>
      }
    >
      {isSearch
        ? 'A reference has eight letters and numbers, such as K7M4-QXPA.'
        : view === 'past'
          ? 'Trips you’ve taken will appear here.'
          : 'Tickets you buy with this email address will appear here.'}
    </EmptyState>
  );
}

function emptyTitle({ view }: OrdersSearch, hasNextTrip: boolean): string {
  if (view === 'past') return 'No past trips';
  return hasNextTrip ? 'No other upcoming trips' : 'No upcoming trips';
}

/** The pressed link disappears with the message. */
function focusResults(): void {
  document.getElementById(RESULTS_ID)?.focus({ preventScroll: true });
}
