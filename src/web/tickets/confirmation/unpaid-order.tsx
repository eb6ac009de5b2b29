import { useNavigate } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { message } from '#messages/translate.ts';
import { OrderDetails } from '#web/features/order/order-details.tsx';
import { moneyBack, type OrderStage } from '#web/features/order/order-status.ts';
import { OrderTitle } from '#web/features/order/order-title.tsx';
import { Questions } from '#web/features/site/contact-ways.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { rich } from '#web/language/rich.ts';
import { strong } from '#web/language/tags.tsx';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePurchase } from '../purchase.ts';

type UnpaidOrderProps = { order: Order; stage: Exclude<OrderStage, 'booked'> };

export function UnpaidOrder({ order, stage }: UnpaidOrderProps) {
  return (
    <>
      <PageHeader title={t(TITLES[stage])} intro={<OrderTitle order={order} />} />
      <Columns aside={stage !== 'over' && <OrderDetails order={order} />}>
        {stage === 'unpaid' && (order.legs.some(isCanceled) ? <Canceled /> : <Unpaid order={order} />)}
        {stage === 'processing' && (
          <Notice type="message" role="status" title={t('Please don’t pay again')}>
            <Stack gap="sm">
              <p>
                {t(
                  'Your bank has not answered yet. Your places stay yours, and your tickets appear here by themselves.',
                )}
              </p>
              <Spinner label={t('Waiting for your bank’s answer…')} />
            </Stack>
          </Notice>
        )}
        {stage === 'no-room' && <NoRoom order={order} />}
        {stage === 'over' && (
          <Notice action={<ButtonLink to={ticketPages.home}>{t('Buy tickets')}</ButtonLink>}>
            {order.notice ||
              t('This order was not paid, so its places are on sale again. Nothing was charged.')}
          </Notice>
        )}
      </Columns>
    </>
  );
}

const TITLES = {
  unpaid: message('Not paid yet'),
  processing: message('Your payment is being checked'),
  'no-room': message('We could not give you a place'),
  over: message('This order was not completed'),
} as const;

function isCanceled({ status }: Order['legs'][number]): boolean {
  return status === 'canceled';
}

function Canceled() {
  return (
    <Notice
      type="warning"
      title={t('Your sailing is canceled')}
      action={<ButtonLink to={ticketPages.home}>{t('Choose another sailing')}</ButtonLink>}
    >
      {t('You do not need to pay this order any more. Nothing was charged.')}
    </Notice>
  );
}

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
      title={t('Pay to get your tickets')}
      action={
        <Button needsConnection onClick={pay}>
          {t('Pay {amount}', { amount: formatMoney(order.total, order.currency) })}
        </Button>
      }
    >
      {order.notice || (order.hold && describeHold(order.hold.expiresAt))}
    </Notice>
  );
}

function describeHold(expiresAt: string): string {
  return t('Your places are kept for you until {time}.', { time: formatWhen(expiresAt, serverNow()) });
}

function NoRoom({ order }: { order: Order }) {
  const { amount, isStuck } = moneyBack(order);
  return (
    <Notice
      type="warning"
      title={isStuck ? t('Your money did not reach you') : t('Your money is on its way back')}
      action={<ButtonLink to={ticketPages.home}>{t('Choose another sailing')}</ButtonLink>}
    >
      {order.notice || t('There was no room left when your payment arrived.')}{' '}
      {amount > 0 && !isStuck && (
        <>
          {rich('You get <strong>{amount}</strong> back. Most banks show it within 5 to 10 days.', {
            strong,
            amount: formatMoney(amount, order.currency),
          })}{' '}
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
      title={t('We could not find this order')}
      action={
        <ButtonLink to={`${ticketPages.home}?find=1`} variant="secondary">
          {t('Find my tickets')}
        </ButtonLink>
      }
    >
      {t('Check that the link is complete, or have us email it to you again.')}
    </EmptyState>
  );
}
