import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import type { Page } from '#web/platform/api/request.ts';
import type { OrderSummary } from '#web/platform/api/types.ts';
import { useConnectionPhase } from '#web/platform/connection/connection.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { CardsSkeleton } from '../parts/cards-skeleton.tsx';
import { ShowMore, useFocusOnMore } from '../parts/show-more.tsx';
import { OrderCards } from './order-cards.tsx';
import { isPlain, type OrdersSearch, ordersPath } from './orders-search.ts';
import { SavedResults } from './saved-results.tsx';
import { useShowOrders } from './show-orders.ts';

export const RESULTS_ID = 'order-results';

export type ListResult = UseInfiniteQueryResult<InfiniteData<Page<OrderSummary[]>>>;

type ResultsProps = {
  list: ListResult;
  search: OrdersSearch;
  highlighted: string | null;
};

export function Results({ list, search, highlighted }: ResultsProps) {
  const isLost = useConnectionPhase() === 'lost';
  if (list.data === undefined && search.text !== '' && isLost) {
    return <SavedResults search={search} />;
  }
  if (list.isLoadingError) return <LoadProblem title={t('Your orders could not be loaded')} query={list} />;
  if (list.data === undefined) return <CardsSkeleton label={t('Loading your orders…')} />;
  // The highlighted order is not repeated in the list.
  const orders = listOrders(list).filter(({ reference }) => !isPlain(search) || reference !== highlighted);
  if (orders.length === 0 && !list.hasNextPage) {
    return <NoMatches search={search} hasNextTrip={highlighted !== null} />;
  }
  return <Orders list={list} orders={orders} search={search} />;
}

export function listOrders({ data }: ListResult): OrderSummary[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}

type OrdersProps = Omit<ResultsProps, 'highlighted'> & { orders: readonly OrderSummary[] };

function Orders({ list, orders, search }: OrdersProps) {
  useReadableOffline();
  const items = useFocusOnMore<HTMLDivElement>(orders.length, '[data-card-link]');
  const total = list.data?.pages.at(-1)?.meta?.totalCount;
  return (
    <>
      <output className="visually-hidden">
        {t('{count, plural, one {# order} other {# orders}}', { count: total ?? orders.length })}
      </output>
      <div ref={items.box}>
        <OrderCards orders={orders} search={search} />
      </div>
      <ShowMore query={list} onShow={items.expectMore} />
    </>
  );
}

function NoMatches({ search, hasNextTrip }: { search: OrdersSearch; hasNextTrip: boolean }) {
  const show = useShowOrders();
  const { view, text } = search;
  if (text !== '') {
    const canWiden = view !== 'all';
    const wider = { ...search, view: 'all', text: canWiden ? text : '' } as const;
    return (
      <EmptyState
        title={t('No order matches “{search}”', { search: text })}
        action={
          <Button
            variant="secondary"
            onClick={() => {
              focusResults();
              show(wider);
            }}
          >
            {t(canWiden ? 'Look in all orders' : 'Show all orders')}
          </Button>
        }
      >
        {t(
          'Every word must match. Try a port, a day such as June 5, a name, or a part of the plate or reference.',
        )}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={emptyTitle(search, hasNextTrip)}
      action={
        <ButtonLink
          variant="secondary"
          to={ordersPath({ view: 'all', order: null })}
          preventScrollReset
          onClick={focusResults}
        >
          {t('Show all orders')}
        </ButtonLink>
      }
    >
      {t(
        view === 'past'
          ? 'Trips you’ve taken will appear here.'
          : 'Tickets you buy with this email address will appear here.',
      )}
    </EmptyState>
  );
}

function emptyTitle({ view }: OrdersSearch, hasNextTrip: boolean): string {
  if (view === 'past') return t('No past trips');
  return t(hasNextTrip ? 'No other upcoming trips' : 'No upcoming trips');
}

/** The pressed control disappears with the message. */
function focusResults(): void {
  document.getElementById(RESULTS_ID)?.focus({ preventScroll: true });
}
