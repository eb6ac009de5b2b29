import { useNavigate } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { OrderDetails } from '#web/features/order/order-details.tsx';
import { OrderName } from '#web/features/order/order-name.tsx';
import { moneyBack, type OrderStage } from '#web/features/order/order-status.ts';
import { Questions } from '#web/features/site/contact-ways.tsx';
import type { Order } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePurchase } from '../purchase.ts';

type UnpaidOrderProps = { order: Order; stage: Exclude<OrderStage, 'booked'> };

export function UnpaidOrder({ order, stage }: UnpaidOrderProps) {
  return (
    <Stack gap="lg">
      <PageHeader title={TITLES[stage]} intro={<OrderName reference={order.reference} />} />
      {stage === 'unpaid' && <Unpaid order={order} />}
      {stage === 'processing' && (
        <Notice type="message" role="status" title="Please don’t pay again">
          <Stack gap="sm">
            <p>
              Your bank has not answered yet. Your places stay yours, and your tickets appear here by
              themselves.
            </p>
            <Spinner label="Waiting for your bank’s answer…" />
          </Stack>
        </Notice>
      )}
      {stage === 'no-room' && <NoRoom order={order} />}
      {stage === 'over' && (
        <Notice action={<ButtonLink to={ticketPages.home}>Buy tickets</ButtonLink>}>
          {order.notice || 'This order was not paid, so its places are on sale again. Nothing was charged.'}
        </Notice>
      )}
      {stage !== 'over' && <OrderDetails order={order} />}
    </Stack>
  );
}

const TITLES = {
  unpaid: 'Not paid yet',
  processing: 'Your payment is being checked',
  'no-room': 'We could not give you a place',
  over: 'This order was not completed',
} as const;

function Unpaid({ order }: { order: Order }) {
  const navigate = useNavigate();
  const { get, clear, change } = usePurchase();

  function pay() {
    if (get().orderId !== order.id) {
      clear();
      change({ orderId: order.id });
    }
    void navigate(`${ticketPages.home}?step=pay`);
  }

  return (
    <Notice
      type="warning"
      title="Pay to get your tickets"
      action={
        <Button needsConnection onClick={pay}>
          Pay {formatMoney(order.total, order.currency)}
        </Button>
      }
    >
      {order.notice || 'Your places are kept for only a few minutes.'}
    </Notice>
  );
}

function NoRoom({ order }: { order: Order }) {
  const { amount, isStuck } = moneyBack(order);
  return (
    <Notice
      type="warning"
      title={isStuck ? 'Your money did not reach you' : 'Your money is on its way back'}
      action={<ButtonLink to={ticketPages.home}>Choose another sailing</ButtonLink>}
    >
      {order.notice || 'There was no room left when your payment arrived.'}{' '}
      {amount > 0 && !isStuck && (
        <>
          You get <strong>{formatMoney(amount, order.currency)}</strong> back. Most banks show it within 5 to
          10 days.{' '}
        </>
      )}
      <Questions />
    </Notice>
  );
}

export function UnknownOrder() {
  return (
    <EmptyState
      titleAs="h1"
      icon="ticket"
      title="We could not find this order"
      action={
        <ButtonLink to={`${ticketPages.home}?find=1`} variant="secondary">
          Find my tickets
        </ButtonLink>
      }
    >
      Check that the link is complete, or have us email it to you again.
    </EmptyState>
  );
}
