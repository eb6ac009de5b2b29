import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Navigate } from 'react-router';
import { InstallInvitation } from '#web/features/install/install-invitation.tsx';
import { NextTrip } from '#web/features/order/next-trip.tsx';
import { findNextTrip } from '#web/features/order/trips.ts';
import { SavedAge, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { useNow } from '#web/features/site/use-now.ts';
import { gateLink, useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { useTodaysBadge } from '#web/features/ticket/use-todays-badge.ts';
import { t } from '#web/language/texts.ts';
import type { OrderSummary } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CardsSkeleton } from '../parts/cards-skeleton.tsx';
import { OutdatedNotice } from '../parts/outdated-notice.tsx';
import { type Prefetch, usePrefetchForOffline } from '../prefetch-for-offline.ts';
import { OrderFilters } from './order-filters.tsx';
import { type ListResult, listOrders, RESULTS_ID, Results } from './order-results.tsx';
import { isPlain, type OrdersSearch, ordersPath } from './orders-search.ts';
import { orderByReferenceQuery, orderListQuery } from './queries.ts';

const PREFETCHED_TRIPS = 3;
const FEW = 5;

export function OrdersList({ search }: { search: OrdersSearch }) {
  const upcoming = useInfiniteQuery(orderListQuery({ view: 'upcoming', text: '' }));
  const list = useInfiniteQuery(orderListQuery(search));
  const all = useInfiniteQuery({
    ...orderListQuery({ view: 'all', text: '' }),
    enabled: list.isSuccess && listOrders(list).length === 0,
  });
  const now = useNow();
  useTodaysBadge(useMemo(() => upcoming.data?.pages.flatMap((page) => page.data), [upcoming.data]));
  const next = findNextTrip(listOrders(upcoming), now);
  const orderPath = ordersPath({ ...search, order: next?.order.reference ?? null });
  const showsGateView = useGateView().shown !== null;
  const isFresh = useIsFresh(upcoming);
  // Saved orders may be out of date.
  usePrefetchedOrders(isFresh ? listOrders(upcoming) : []);
  const isNew = all.isSuccess && listOrders(all).length === 0;
  // Shown filters would lose the focus when the message for new customers replaces them.
  const mayBeNew = all.isLoading && isPlain(search);
  // The app's shortcut names no order.
  if (showsGateView && next) return <Navigate replace to={gateLink(orderPath, 'tickets').to} />;
  return (
    <>
      <Header lists={[list, upcoming]} now={now} />
      {isNew ? (
        <NoOrders />
      ) : upcoming.isPending || mayBeNew ? (
        // The list must not move when the next trip appears above it.
        <CardsSkeleton label={t('Loading your orders…')} />
      ) : (
        <Stack gap="lg">
          {list.data && (
            <OutdatedNotice query={list}>
              {t('Your orders could not be updated. What you see may be out of date.')}
            </OutdatedNotice>
          )}
          <Stack as="section" id={RESULTS_ID} tabIndex={-1} aria-label={t('Orders')}>
            <OrderFilters search={search} hasSearch={hasMany(list, search)}>
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
}

/** At the gate the next tickets must open without a connection, and canceled or changed ones must say so. */
function usePrefetchedOrders(upcoming: readonly OrderSummary[]): void {
  const references = upcoming
    .filter(({ status }) => status === 'confirmed' || status === 'partly_canceled')
    .slice(0, PREFETCHED_TRIPS)
    .map(({ reference }) => reference);
  const tickets = references.map(
    (reference): Prefetch =>
      (client, options) =>
        client.prefetchQuery({ ...orderByReferenceQuery(reference), ...options }),
  );
  const latest: Prefetch = async (client, options) => {
    const list = orderListQuery({ view: 'all', text: '' });
    await client.prefetchInfiniteQuery({ ...list, ...options });
    const orders = client.getQueryData(list.queryKey)?.pages.flatMap(({ data }) => data) ?? [];
    for (const { reference, version } of orders) {
      const query = orderByReferenceQuery(reference);
      const saved = client.getQueryData(query.queryKey);
      if (saved && saved.version !== version) await client.prefetchQuery({ ...query, staleTime: 0 });
    }
  };
  usePrefetchForOffline(references.join(' '), upcoming.length === 0 ? [] : [...tickets, latest]);
}

function Header({ lists, now }: { lists: readonly ListResult[]; now: number }) {
  const asOf = lists.flatMap((list) => listOrders(list).map((order) => order.asOf));
  const isFetching = lists.some((list) => list.isFetching);
  // While saved data is being read, nothing is fetched yet.
  const isLoading = lists.some((list) => list.isPending || list.isFetching);
  const isFresh = useIsFresh(...lists);
  return (
    <PageHeader
      title={t('My Orders')}
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
          {t('Refresh')}
        </Button>
      }
    />
  );
}

function NoOrders() {
  return (
    <EmptyState
      icon="ticket"
      title={t('No orders yet')}
      action={<ButtonLink to={`${pageConfig().origins.tickets}/`}>{t('Buy tickets')}</ButtonLink>}
    >
      {t('Tickets you buy with this email address will appear here.')}
    </EmptyState>
  );
}

/** Whether a search is quicker than scrolling. */
function hasMany(list: ListResult, { view }: OrdersSearch): boolean {
  const count = list.data?.pages.at(-1)?.meta?.totalCount ?? listOrders(list).length;
  return count > (view === 'upcoming' ? FEW : 1);
}
