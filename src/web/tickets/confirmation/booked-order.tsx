import { Suspense, useEffect, useMemo, useState } from 'react';
import { OrderBadge } from '#web/features/order/order-badge.tsx';
import { isPast } from '#web/features/order/trips.ts';
import { OrderTickets } from '#web/features/ticket/order-tickets.tsx';
import { useTodaysBadge } from '#web/features/ticket/use-todays-badge.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Cluster, Columns, Stack } from '#web/ui/layout/stack.tsx';
import { rememberSavedOrders } from '../saved-tickets/has-saved-orders.tsx';
import styles from './booked-order.module.css';
import { SentTo } from './sent-to.tsx';
import type { OwnPurchase } from './wrong-address.tsx';

const TravelChoice = lazyComponent(
  async () => (await import('#web/features/order/rebook/travel-choice.tsx')).TravelChoice,
);
const OrderAside = lazyComponent(async () => (await import('./order-aside.tsx')).OrderAside);

/** Null except for the buyer. */
export type OwnPurchaseState = readonly [own: OwnPurchase | null, change: (own: OwnPurchase) => void];
export type BookedOrderProps = { order: Order; isFresh: boolean; own: OwnPurchaseState };

export function BookedOrder({ order, isFresh, own: [own, changeOwn] }: BookedOrderProps) {
  useReadableOffline();
  useEffect(() => rememberSavedOrders(true), []);
  useTodaysBadge(useMemo(() => [order], [order]));
  const isAsPlanned = order.status !== 'canceled' && order.status !== 'expired';
  // On later visits the codes come first.
  const [isFirstVisit] = useState(own !== null);
  const sentTo = isAsPlanned && <SentTo {...{ order, own, isFirstVisit }} onChanged={changeOwn} />;
  return (
    <Stack gap="lg">
      <Stack as="header" gap="xs">
        <Cluster as="p" className="muted">
          Order{' '}
          <strong className={styles.reference} translate="no">
            {order.reference}
          </strong>{' '}
          <OrderBadge order={order} />
        </Cluster>
        <h1>{isAsPlanned ? 'Your tickets' : 'Your order'}</h1>
        {isFirstVisit && sentTo}
      </Stack>
      {order.notice && (
        <Notice type={order.needsAttention === null ? 'message' : 'warning'} role="status">
          {order.notice}
        </Notice>
      )}
      <Suspense>
        <TravelChoice order={order} queryKey={orderQuery(order.id).queryKey} />
      </Suspense>
      <Columns
        aside={
          <Stack gap="lg" data-no-print={isPast(order) ? undefined : ''}>
            {!isFirstVisit && sentTo}
            <Suspense>
              <OrderAside order={order} isFresh={isFresh} own={own} />
            </Suspense>
          </Stack>
        }
      >
        <OrderTickets order={order} isFresh={isFresh} />
      </Columns>
    </Stack>
  );
}
