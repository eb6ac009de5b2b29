import { fillPath, ticketPages } from '#contract/paths.ts';
import { moneyBack } from '#web/features/order/order-status.ts';
import { formatClockOnDevice } from '#web/features/site/device-time.ts';
import type { Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';

/** Links to the ticket host, where the order is paid. */
export function UnpaidOrder({ order }: { order: Order }) {
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

export function PaymentUnderWay() {
  return (
    <Notice type="message" role="status" title="Please don’t pay again">
      Your bank has not answered yet. We’re holding your places. Your tickets will appear here.
    </Notice>
  );
}

/** Never paid, or paid when no places were left. */
export function WithoutTickets({ order }: { order: Order }) {
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
