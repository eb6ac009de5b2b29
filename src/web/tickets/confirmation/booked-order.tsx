import { Suspense, useEffect, useMemo, useState } from 'react';
import { AttentionButton } from '#web/features/order/attention-button.tsx';
import { nameTrip, OrderBadge } from '#web/features/order/order-title.tsx';
import { isPast } from '#web/features/order/trips.ts';
import { OrderTickets } from '#web/features/ticket/order-tickets.tsx';
import { useTodaysBadge } from '#web/features/ticket/use-todays-badge.ts';
import { rich } from '#web/language/rich.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Columns } from '#web/ui/layout/columns.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { rememberSavedOrders } from '../saved-tickets/has-saved-orders.tsx';
import styles from './booked-order.module.css';
import { SentTo } from './sent-to.tsx';
import type { OwnPurchase } from './wrong-address.tsx';

const Attention = lazyComponent(async () => (await import('#web/features/order/attention.tsx')).Attention);
const OrderAside = lazyComponent(async () => (await import('./order-aside.tsx')).OrderAside);
const OrderBelow = lazyComponent(async () => (await import('./order-aside.tsx')).OrderBelow);

/** Null except for the buyer. */
export type OwnPurchaseState = readonly [own: OwnPurchase | null, change: (own: OwnPurchase) => void];
export type BookedOrderProps = { order: Order; isFresh: boolean; own: OwnPurchaseState };

export function BookedOrder({ order, isFresh, own: [own, changeOwn] }: BookedOrderProps) {
  useReadableOffline();
  useEffect(() => rememberSavedOrders(true), []);
  useTodaysBadge(useMemo(() => [order], [order]));
  const isAsPlanned = order.status !== 'canceled' && order.status !== 'expired';
  const noPrint = isPast(order) ? undefined : '';
  const [isFirstVisit] = useState(own !== null);
  return (
    <Stack>
      <Stack as="header" gap="xs">
        <h1 className={styles.title}>{nameTrip(order, serverNow())}</h1>
        {isFirstVisit && isAsPlanned && <SentTo email={own?.contact.email ?? order.contact.email} isThanks />}
        <Cluster as="p" className="muted">
          {rich('Order <number>{reference}</number>', {
            reference: order.reference,
            number: (reference) => (
              <strong className={styles.reference} translate="no">
                {reference}
              </strong>
            ),
          })}{' '}
          {order.displayStatus === 'action_needed' ? (
            <AttentionButton>
              <OrderBadge order={order} />
            </AttentionButton>
          ) : (
            <OrderBadge order={order} />
          )}
        </Cluster>
      </Stack>
      <Columns
        aside={
          <Stack gap="lg" data-no-print={noPrint}>
            <Suspense>
              <OrderAside {...{ order, own, isFirstVisit }} onChanged={changeOwn} />
            </Suspense>
          </Stack>
        }
        below={
          <Stack gap="lg" data-no-print={noPrint}>
            <Suspense>
              <OrderBelow {...{ order, own, isFresh }} />
            </Suspense>
          </Stack>
        }
      >
        <div className={isFirstVisit ? styles.arriving : undefined}>
          <OrderTickets
            order={order}
            isFresh={isFresh}
            attention={
              <Suspense>
                <Attention order={order} queryKey={orderQuery(order.id).queryKey} />
              </Suspense>
            }
          />
        </div>
      </Columns>
    </Stack>
  );
}
