import type { ReactNode } from 'react';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { SavedAgeLine } from '#web/features/saved-offline/saved-age.tsx';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { formatClockForReader } from '#web/features/site/reader-time.ts';
import { useIsCovered } from '#web/features/ticket/gate/use-is-covered.ts';
import { OrderTickets } from '#web/features/ticket/order-tickets.tsx';
import { hasTickets } from '#web/features/ticket/tickets-of-order.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import { FoldGroup } from '#web/ui/layout/fold.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { AttentionButton } from '../attention-button.tsx';
import { AttentionSection } from '../attention-section.tsx';
import { BookAgain } from '../book-again/book-again.tsx';
import { OrderCrossings, OrderTerms } from '../order-details.tsx';
import { getOrderBadge, moneyBack, orderStage, orderStatusAt } from '../order-status.ts';
import { StatusBadge } from '../status-badge.tsx';
import { isPast } from '../trips.ts';

type AccountOrderProps = {
  order: Order;
  isFresh: boolean;
  /** What can be done with a paid order. */
  actions?: ReactNode;
  /** What passengers of a canceled or late boat choose. */
  choice: ReactNode;
  /** The details that the law asks for. */
  travelers?: ReactNode;
  /** Folds with receipts and messages. */
  records: ReactNode;
};

/** An order as its account shows it. */
export function AccountOrder(props: AccountOrderProps) {
  const { order, isFresh, choice } = props;
  const isCovered = useIsCovered();
  const stage = orderStage(order);
  return (
    <Columns aside={!isCovered && <Aside {...props} />} below={!isCovered && <Details {...props} />}>
      {stage === 'unpaid' && <UnpaidOrder order={order} />}
      {stage === 'processing' && <PaymentUnderWay notice={order.notice} />}
      {(stage === 'over' || stage === 'no-room') && <WithoutTickets order={order} />}
      {stage === 'booked' ? <Tickets {...{ order, isFresh, choice }} /> : choice}
    </Columns>
  );
}

function Aside({ order, actions, travelers }: AccountOrderProps) {
  return (
    <Stack gap="lg" data-no-print={isPast(order) ? undefined : ''}>
      {orderStage(order) === 'booked' && actions}
      {travelers}
      <OrderCrossings order={order} />
    </Stack>
  );
}

function Details({ order, isFresh, records }: AccountOrderProps) {
  return (
    <Stack data-no-print={isPast(order) ? undefined : ''}>
      <FoldGroup>
        <OrderTerms order={order} />
        {records}
      </FoldGroup>
      <SavedAgeLine asOf={[order.asOf]} isFresh={isFresh} now={serverNow()} />
    </Stack>
  );
}

function Tickets({ order, isFresh, choice }: Pick<AccountOrderProps, 'order' | 'isFresh' | 'choice'>) {
  const canReach = useCanReach();
  return (
    <>
      <OrderTickets
        order={order}
        isFresh={isFresh}
        attention={<AttentionSection order={order}>{choice}</AttentionSection>}
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
export function OrderStatus({ order }: { order: Order }) {
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
        time: formatClockForReader(hold.expiresAt),
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
