import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, Suspense } from 'react';
import { Link } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { parseReference } from '#domain/orders/reference.ts';
import { AccountOrder, OrderStatus } from '#web/features/order/account/account-order.tsx';
import { OrderActions } from '#web/features/order/actions/order-actions.tsx';
import { ChangeAssistance } from '#web/features/order/assistance/change-assistance.tsx';
import { Choices } from '#web/features/order/attention.tsx';
import { BookAgain } from '#web/features/order/book-again/book-again.tsx';
import { OrderMessages } from '#web/features/order/messages/order-messages.tsx';
import { orderStage } from '#web/features/order/order-status.ts';
import { OrderName, OrderTitle } from '#web/features/order/order-title.tsx';
import { OrderPush } from '#web/features/order/push/order-push.tsx';
import { OrderReceipts } from '#web/features/order/receipts/order-receipts.tsx';
import { SendTickets } from '#web/features/order/send-tickets/send-tickets.tsx';
import { ChangeNames } from '#web/features/order/traveler-names/change-names.tsx';
import { needsPassengerList, TravelerDetails } from '#web/features/passenger-list/lazy-details.tsx';
import { useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { TicketFiles } from '#web/features/ticket/ticket-files.tsx';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ActionList } from '#web/ui/layout/action-list.tsx';
import { CardsSkeleton } from '../parts/cards-skeleton.tsx';
import { OutdatedNotice } from '../parts/outdated-notice.tsx';
import styles from './order-view.module.css';
import { orderByReferenceQuery } from './queries.ts';

const REFETCH_PENDING_EVERY_MS = 5000;

type OrderViewProps = {
  /** As written in the address; may be invalid. */
  reference: string;
  listPath: string;
  /** Returns whether it went back in the history. */
  onClose: () => boolean;
};

export function OrderView({ reference: written, listPath, onClose }: OrderViewProps) {
  const reference = parseReference(written);
  function close(event: MouseEvent) {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (isPlain && onClose()) event.preventDefault();
  }
  return (
    <>
      <Link to={listPath} className={styles.back} onClick={close} data-no-print="">
        <Icon name="chevron-left" size="small" />
        {t('My Orders')}
      </Link>
      {reference === null ? <UnknownOrder titleAs="h1" /> : <OpenOrder reference={reference} />}
    </>
  );
}

function OpenOrder({ reference }: { reference: string }) {
  const query = useQuery({
    ...orderByReferenceQuery(reference),
    refetchInterval: ({ state }) =>
      state.data && orderStage(state.data) === 'processing' ? REFETCH_PENDING_EVERY_MS : false,
  });
  const { data: order } = query;
  const isFresh = useIsFresh(query);
  if (order === null) return <UnknownOrder titleAs="h2" />;
  return (
    <>
      <header className={styles.header}>
        <h1 className={styles.title}>
          {order ? <OrderTitle order={order} /> : <OrderName reference={reference} />}
        </h1>
        {order && <OrderStatus order={order} />}
      </header>
      {order && (
        <OutdatedNotice query={query}>
          {t('This order could not be updated. What you see may be out of date.')}
        </OutdatedNotice>
      )}
      {order && <OrderContents order={order} isFresh={isFresh} />}
      {!order && query.isError && <LoadProblem title={t('Your order could not be loaded')} query={query} />}
      {query.isPending && <CardsSkeleton label={t('Loading your order…')} />}
    </>
  );
}

function OrderContents({ order, isFresh }: { order: Order; isFresh: boolean }) {
  useReadableOffline();
  const { queryKey } = orderByReferenceQuery(order.reference);
  return (
    <AccountOrder
      order={order}
      isFresh={isFresh}
      actions={<Actions order={order} />}
      choice={<Choices order={order} queryKey={queryKey} />}
      travelers={
        needsPassengerList(order) && (
          <Suspense>
            <TravelerDetails order={order} buyerSecret={null} />
          </Suspense>
        )
      }
      records={
        <>
          <OrderReceipts order={order} />
          <OrderMessages order={order} />
        </>
      }
    />
  );
}

function Actions({ order }: { order: Order }) {
  const { queryKey } = orderByReferenceQuery(order.reference);
  return (
    <ActionList label={t('What you can do')}>
      <TicketFiles order={order} />
      <SendTickets order={order} />
      {!needsPassengerList(order) && <ChangeNames order={order} queryKey={queryKey} />}
      <ChangeAssistance order={order} queryKey={queryKey} />
      <OrderActions order={order} queryKey={queryKey} />
      <BookAgain order={order} variant="quiet" block icon="refresh" />
      <OrderPush order={order} />
    </ActionList>
  );
}

function UnknownOrder({ titleAs }: { titleAs: 'h1' | 'h2' }) {
  return (
    <EmptyState
      titleAs={titleAs}
      icon="ticket"
      title={t('We could not find that order')}
      action={<ButtonLink to={portalPages.orders}>{t('My Orders')}</ButtonLink>}
    >
      {t('It may belong to another account, or the reference may be mistyped.')}
    </EmptyState>
  );
}
