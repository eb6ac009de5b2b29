import { useQuery } from '@tanstack/react-query';
import { AccountOrder, OrderStatus } from '#web/features/order/account/account-order.tsx';
import { isOpenUntil } from '#web/features/order/actions/rules-now.ts';
import { MessageRows } from '#web/features/order/messages/message-list.tsx';
import { OrderTitle } from '#web/features/order/order-title.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Fold } from '#web/ui/layout/fold.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { orderAsCustomerQuery } from './as-customer-queries.ts';

/** An order as its buyer sees it. What the buyer can do with it is left out. */
export function OrderAsCustomer({ reference }: { reference: string }) {
  const query = useQuery(orderAsCustomerQuery(reference));
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the order')} loading={t('Loading…')}>
        <Skeleton height="24rem" />
      </QueryFallback>
    );
  }
  const { order, messages } = query.data;
  return (
    <>
      <PageHeader title={<OrderTitle order={order} />} action={<OrderStatus order={order} />} />
      <AccountOrder
        order={order}
        isFresh
        choice={<Choices order={order} now={query.dataUpdatedAt} />}
        records={
          <Fold title={t('Messages about this order')}>
            <MessageRows messages={messages} />
          </Fold>
        }
      />
    </>
  );
}

/** In place of the choices themselves, which staff make on the order's own page. */
function Choices({ order: { choiceUntil, changeToPayUntil }, now }: { order: Order; now: number }) {
  return (
    <>
      {isOpenUntil(choiceUntil, now) && (
        <Notice>
          {t('Here the customer chooses another boat or the refund until {time}.', {
            time: formatWhen(choiceUntil, now),
          })}
        </Notice>
      )}
      {isOpenUntil(changeToPayUntil, now) && (
        <Notice>
          {t('Here the customer pays for the new trip, or keeps the order, until {time}.', {
            time: formatWhen(changeToPayUntil, now),
          })}
        </Notice>
      )}
    </>
  );
}
