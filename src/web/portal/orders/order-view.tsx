import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, Suspense } from 'react';
import { Link } from 'react-router';
import { fillPath, portalPages, ticketPages } from '#contract/paths.ts';
import { parseReference } from '#domain/orders/reference.ts';
import { OrderActions } from '#web/features/order/actions/order-actions.tsx';
import { ChangeAssistance } from '#web/features/order/assistance/change-assistance.tsx';
import { Attention } from '#web/features/order/attention.tsx';
import { AttentionButton } from '#web/features/order/attention-button.tsx';
import { BookAgain } from '#web/features/order/book-again/book-again.tsx';
import { OrderMessages } from '#web/features/order/messages/order-messages.tsx';
import { OrderCrossings, OrderTerms } from '#web/features/order/order-details.tsx';
import { getOrderBadge, moneyBack, orderStage, orderStatusAt } from '#web/features/order/order-status.ts';
import { OrderName, OrderTitle } from '#web/features/order/order-title.tsx';
import { OrderPush } from '#web/features/order/push/order-push.tsx';
import { TravelChoice } from '#web/features/order/rebook/travel-choice.tsx';
import { OrderReceipts } from '#web/features/order/receipts/order-receipts.tsx';
import { SendTickets } from '#web/features/order/send-tickets/send-tickets.tsx';
import { StatusBadge } from '#web/features/order/status-badge.tsx';
import { ChangeNames } from '#web/features/order/traveler-names/change-names.tsx';
import { isPast } from '#web/features/order/trips.ts';
import { needsPassengerList, TravelerDetails } from '#web/features/passenger-list/lazy-details.tsx';
import { SavedAgeLine, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { formatClockOnDevice } from '#web/features/site/device-time.ts';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { useIsCovered } from '#web/features/ticket/gate/use-is-covered.ts';
import { OrderTickets } from '#web/features/ticket/order-tickets.tsx';
import { TicketFiles } from '#web/features/ticket/ticket-files.tsx';
import { hasTickets } from '#web/features/ticket/tickets-of-order.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ActionList } from '#web/ui/layout/action-list.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import { FoldGroup } from '#web/ui/layout/fold.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
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

type ContentsProps = { order: Order; isFresh: boolean };

function OrderContents({ order, isFresh }: ContentsProps) {
  useReadableOffline();
  const isCovered = useIsCovered();
  const stage = orderStage(order);
  return (
    <Columns
      aside={!isCovered && <ActionsAndCrossings order={order} />}
      below={!isCovered && <Details order={order} isFresh={isFresh} />}
    >
      {stage === 'unpaid' && <UnpaidOrder order={order} />}
      {stage === 'processing' && <PaymentUnderWay notice={order.notice} />}
      {(stage === 'over' || stage === 'no-room') && <WithoutTickets order={order} />}
      {stage === 'booked' ? (
        <Tickets order={order} isFresh={isFresh} />
      ) : (
        <TravelChoice order={order} queryKey={orderByReferenceQuery(order.reference).queryKey} />
      )}
    </Columns>
  );
}

function ActionsAndCrossings({ order }: { order: Order }) {
  const { queryKey } = orderByReferenceQuery(order.reference);
  return (
    <Stack gap="lg" data-no-print={isPast(order) ? undefined : ''}>
      {orderStage(order) === 'booked' && (
        <ActionList label={t('What you can do')}>
          <TicketFiles order={order} />
          <SendTickets order={order} />
          {!needsPassengerList(order) && <ChangeNames order={order} queryKey={queryKey} />}
          <ChangeAssistance order={order} queryKey={queryKey} />
          <OrderActions order={order} queryKey={queryKey} />
          <BookAgain order={order} variant="quiet" block icon="refresh" />
          <OrderPush order={order} />
        </ActionList>
      )}
      {needsPassengerList(order) && (
        <Suspense>
          <TravelerDetails order={order} buyerSecret={null} />
        </Suspense>
      )}
      <OrderCrossings order={order} />
    </Stack>
  );
}

function Details({ order, isFresh }: ContentsProps) {
  return (
    <Stack data-no-print={isPast(order) ? undefined : ''}>
      <FoldGroup>
        <OrderTerms order={order} />
        <OrderReceipts order={order} />
        <OrderMessages order={order} />
      </FoldGroup>
      <SavedAgeLine asOf={[order.asOf]} isFresh={isFresh} now={serverNow()} />
    </Stack>
  );
}

function Tickets({ order, isFresh }: ContentsProps) {
  const canReach = useCanReach();
  return (
    <>
      <OrderTickets
        order={order}
        isFresh={isFresh}
        attention={<Attention order={order} queryKey={orderByReferenceQuery(order.reference).queryKey} />}
      />
      {!hasTickets(order) && (
        <Notice>
          {canReach
            ? rich('This order has no tickets. If that looks wrong, <contact></contact>.', {
                contact: () => <ContactWays />,
              })
            : t('This order has no tickets. If that looks wrong, ask at the ticket booth.')}
        </Notice>
      )}
    </>
  );
}

/** Shown only if something is unusual. */
function OrderStatus({ order }: { order: Order }) {
  const now = serverNow();
  const status = orderStatusAt(order, now);
  if (status === 'upcoming' || status === 'today') return null;
  const badge = getOrderBadge(order, now);
  if (status !== 'action_needed') return <StatusBadge {...badge} meaning={status} />;
  return (
    <AttentionButton>
      <Badge tone={badge.tone} icon="warning">
        {badge.label}
      </Badge>
    </AttentionButton>
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

/** Links to the ticket host, where the order is paid. */
function UnpaidOrder({ order }: { order: Order }) {
  const { hold, asOf, id, total, currency } = order;
  if (hold === null || Date.parse(hold.expiresAt) <= Date.parse(asOf)) return <TooLate order={order} />;
  const page = pageConfig().origins.tickets + fillPath(ticketPages.confirmation, { id });
  return (
    <Notice
      type="warning"
      title={t('Not paid yet')}
      action={
        <ButtonLink to={page} icon="card" needsConnection>
          {t('Pay {amount}', { amount: formatMoney(total, currency) })}
        </ButtonLink>
      }
    >
      {t('We’re holding your places until {time}. Pay to get your tickets.', {
        time: formatClockOnDevice(hold.expiresAt),
      })}
    </Notice>
  );
}

function PaymentUnderWay({ notice }: { notice: string }) {
  return (
    <>
      {notice && <Notice>{notice}</Notice>}
      <Notice type="message" role="status" title={t('Please don’t pay again')}>
        {t('Your bank has not answered yet. We’re holding your places. Your tickets will appear here.')}
      </Notice>
    </>
  );
}

/** Never paid, or paid when no places were left. */
function WithoutTickets({ order }: { order: Order }) {
  const { notice, currency } = order;
  const { amount, isStuck } = moneyBack(order);
  return (
    <Notice action={<BuyTickets order={order} />}>
      {notice || t('This order was not paid, so its places are on sale again.')}
      {amount === 0 && notice === '' && ` ${t('Nothing was charged.')}`}
      {amount > 0 && !isStuck && ` ${t('You get {amount} back.', { amount: formatMoney(amount, currency) })}`}
    </Notice>
  );
}

function TooLate({ order }: { order: Order }) {
  return (
    <Notice type="warning" title={t('Not paid in time')} action={<BuyTickets order={order} />}>
      {t('Your hold expired. Nothing was charged.')}
    </Notice>
  );
}

/** The same again, or any where the order does not say what it contained. */
function BuyTickets({ order }: { order: Order }) {
  if (order.party) return <BookAgain order={order} variant="secondary" />;
  return (
    <ButtonLink variant="secondary" to={`${pageConfig().origins.tickets}/`}>
      {t('Buy tickets')}
    </ButtonLink>
  );
}
