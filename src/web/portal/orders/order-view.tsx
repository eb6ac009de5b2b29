import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import { fillPath, portalPages, ticketPages } from '#contract/paths.ts';
import { parseReference } from '#domain/orders/reference.ts';
import { OrderActions } from '#web/features/order/actions/order-actions.tsx';
import { ChangeAssistance } from '#web/features/order/assistance/change-assistance.tsx';
import { OrderDetails } from '#web/features/order/order-details.tsx';
import { OrderName } from '#web/features/order/order-name.tsx';
import { getOrderBadge, moneyBack, orderStage, orderStatusAt } from '#web/features/order/order-status.ts';
import { TravelChoice } from '#web/features/order/rebook/travel-choice.tsx';
import { SendTickets } from '#web/features/order/send-tickets/send-tickets.tsx';
import { StatusBadge } from '#web/features/order/status-badge.tsx';
import { ChangeNames } from '#web/features/order/traveler-names/change-names.tsx';
import { isPast } from '#web/features/order/trips.ts';
import { SavedAgeLine, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { formatClockOnDevice } from '#web/features/site/device-time.ts';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { useIsCovered } from '#web/features/ticket/gate/use-is-covered.ts';
import { OrderTickets } from '#web/features/ticket/order-tickets.tsx';
import { TicketFiles } from '#web/features/ticket/ticket-files.tsx';
import { hasTickets } from '#web/features/ticket/tickets-of-order.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Columns, Stack } from '#web/ui/layout/stack.tsx';
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
      <div className={styles.top}>
        <Link to={listPath} className={styles.back} onClick={close} data-no-print="">
          <Icon name="chevron-left" size="small" />
          My Orders
        </Link>
        {reference !== null && (
          <h1 className={styles.title}>
            <OrderName reference={reference} />
          </h1>
        )}
      </div>
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
      {order && <OutdatedNotice what="This order" query={query} />}
      {order && <OrderContents order={order} isFresh={isFresh} />}
      {!order && query.isError && <LoadProblem title="Your order could not be loaded" query={query} />}
      {query.isPending && <CardsSkeleton label="Loading your order…" />}
    </>
  );
}

type ContentsProps = { order: Order; isFresh: boolean };

function OrderContents({ order, isFresh }: ContentsProps) {
  useReadableOffline();
  const isCovered = useIsCovered();
  const stage = orderStage(order);
  const showsNotice = order.notice !== '' && (stage === 'booked' || stage === 'processing');
  return (
    <Stack gap="lg">
      <OrderStatus order={order} />
      {showsNotice && <Notice type={order.needsAttention ? 'warning' : 'message'}>{order.notice}</Notice>}
      <TravelChoice order={order} queryKey={orderByReferenceQuery(order.reference).queryKey} />
      {stage === 'unpaid' && <UnpaidOrder order={order} />}
      {stage === 'processing' && <PaymentUnderWay />}
      {(stage === 'over' || stage === 'no-room') && <WithoutTickets order={order} />}
      {stage === 'booked' ? (
        <Columns aside={!isCovered && <Details order={order} isFresh={isFresh} />}>
          <Tickets order={order} isFresh={isFresh} />
        </Columns>
      ) : (
        <Details order={order} isFresh={isFresh} />
      )}
    </Stack>
  );
}

function Details({ order, isFresh }: ContentsProps) {
  const { queryKey } = orderByReferenceQuery(order.reference);
  return (
    <Stack gap="lg" data-no-print={isPast(order) ? undefined : ''}>
      {orderStage(order) === 'booked' && (
        <Stack gap="sm" data-no-print="">
          <TicketFiles order={order} />
          <OrderActions order={order} queryKey={queryKey} />
          <ChangeNames order={order} queryKey={queryKey} />
          <ChangeAssistance order={order} queryKey={queryKey} />
          <SendTickets order={order} />
        </Stack>
      )}
      <OrderDetails order={order} />
      {/* Each ticket shows it too. */}
      <SavedAgeLine asOf={[order.asOf]} isFresh={isFresh} now={serverNow()} />
    </Stack>
  );
}

function Tickets({ order, isFresh }: ContentsProps) {
  const canReach = useCanReach();
  if (hasTickets(order)) return <OrderTickets order={order} isFresh={isFresh} />;
  return (
    <Notice>
      This order has no tickets. If that looks wrong, {canReach ? <ContactWays /> : 'ask at the ticket booth'}
      .
    </Notice>
  );
}

/** Shown only if something is unusual, so that the code stays near the top. */
function OrderStatus({ order }: { order: Order }) {
  const now = serverNow();
  const status = orderStatusAt(order, now);
  if (status === 'upcoming' || status === 'today') return null;
  return (
    <div>
      <StatusBadge {...getOrderBadge(order, now)} meaning={status} />
    </div>
  );
}

function UnknownOrder({ titleAs }: { titleAs: 'h1' | 'h2' }) {
  return (
    <EmptyState
      titleAs={titleAs}
      icon="ticket"
      title="We could not find that order"
      action={<ButtonLink to={portalPages.orders}>My Orders</ButtonLink>}
    >
      It may belong to another account, or the reference may be mistyped.
    </EmptyState>
  );
}

/** Links to the ticket host, where the order is paid. */
function UnpaidOrder({ order }: { order: Order }) {
  const { hold, asOf, id, total, currency } = order;
  if (hold === null || Date.parse(hold.expiresAt) <= Date.parse(asOf)) return <TooLate />;
  const page = pageConfig().origins.tickets + fillPath(ticketPages.confirmation, { id });
  return (
    <Notice
      type="warning"
      title="Not paid yet"
      action={
        <ButtonLink to={page} icon="card" needsConnection>
          Pay {formatMoney(total, currency)}
        </ButtonLink>
      }
    >
      We’re holding your places until {formatClockOnDevice(hold.expiresAt)}. Pay to get your tickets.
    </Notice>
  );
}

function PaymentUnderWay() {
  return (
    <Notice type="message" role="status" title="Please don’t pay again">
      Your bank has not answered yet. We’re holding your places. Your tickets will appear here.
    </Notice>
  );
}

/** Never paid, or paid when no places were left. */
function WithoutTickets({ order }: { order: Order }) {
  const { notice, currency } = order;
  const { amount, isStuck } = moneyBack(order);
  return (
    <Notice action={<BuyTickets />}>
      {notice || 'This order was not paid, so its places are on sale again.'}
      {amount === 0 && notice === '' && ' Nothing was charged.'}
      {amount > 0 && !isStuck && ` You get ${formatMoney(amount, currency)} back.`}
    </Notice>
  );
}

function TooLate() {
  return (
    <Notice type="warning" title="Not paid in time" action={<BuyTickets />}>
      Your hold expired. Nothing was charged.
    </Notice>
  );
}

function BuyTickets() {
  return (
    <ButtonLink variant="secondary" to={`${pageConfig().origins.tickets}/`}>
      Buy tickets
    </ButtonLink>
  );
}
