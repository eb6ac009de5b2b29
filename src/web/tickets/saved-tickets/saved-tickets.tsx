import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { countParty } from '#domain/fares/party.ts';
import { isVoid } from '#domain/orders/ticket-status.ts';
import { describeParty } from '#sentences/party.ts';
import { NextTripBrief } from '#web/features/order/next-trip.tsx';
import { OrderCard, OrderSummaryCard } from '#web/features/order/order-summary-card.tsx';
import { OrderName } from '#web/features/order/order-title.tsx';
import { findNextTrip } from '#web/features/order/trips.ts';
import { gateLink, useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { listTicketsOfLeg } from '#web/features/ticket/tickets-of-order.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Order, SharedTickets } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { SHARED_TICKETS_KEY } from '#web/platform/query/query-keys.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useDraftPart } from '../purchase.ts';
import { confirmationPath } from '../steps.ts';
import { DeleteTickets } from './delete-tickets.tsx';
import { NextTripSkeleton, rememberSavedOrders } from './has-saved-orders.tsx';
import {
  isBeingPaid,
  savedUntil,
  saveTickets,
  sharedSavedUntil,
  useDeletedOrders,
  useRestoringOrders,
} from './saved-orders.ts';
import styles from './saved-tickets.module.css';

/** The next crossing that this browser has tickets for. The app's shortcut leads to its codes. */
export function SavedNextTrip() {
  const orders = useOrdersToShow();
  const asksForTickets = useGateView().shown !== null;
  const now = serverNow();
  const trip = findNextTrip(orders ?? [], now);
  useRefreshedOrder(trip?.order.id ?? null);
  const hasTrip = orders === null ? null : trip !== null;
  useEffect(() => {
    if (hasTrip !== null) rememberSavedOrders(hasTrip);
  }, [hasTrip]);
  if (orders === null) return <NextTripSkeleton />;
  if (trip === null && asksForTickets) return <Navigate replace to={`${ticketPages.home}?find=1`} />;
  if (trip === null) return <OrdersBeingPaid />;
  const to = confirmationPath(trip.order.id);
  const gate = gateLink(to, 'tickets');
  if (asksForTickets) return <Navigate replace to={gate.to} />;
  return (
    <>
      <OrdersBeingPaid />
      <NextTripBrief trip={trip} gate={gate} to={to} now={now} />
    </>
  );
}

/** Orders whose payment was under way when another tab or this browser was closed. */
function OrdersBeingPaid() {
  const orders = useSavedOrders().filter(isBeingPaid);
  const ownId = useDraftPart(({ orderId }) => orderId);
  return orders
    .filter(({ id }) => id !== ownId)
    .map(({ id, reference }) => <OrderBeingPaid key={id} id={id} reference={reference} />);
}

function OrderBeingPaid({ id, reference }: Pick<Order, 'id' | 'reference'>) {
  useRefreshedOrder(id);
  return (
    <Notice
      type="warning"
      title={rich('<order></order> is not finished', { order: () => <OrderName reference={reference} /> })}
      action={
        <ButtonLink to={confirmationPath(id)} variant="secondary">
          {t('See your order')}
        </ButtonLink>
      }
    >
      {t('We do not know yet whether it is paid. Look at it before you buy again.')}
    </Notice>
  );
}

/** Loads a saved order again, because it may have been paid, changed or canceled since. Renders with the answer. */
function useRefreshedOrder(id: string | null): void {
  useQuery({ ...orderQuery(id ?? ''), ...saveTickets(), enabled: id !== null });
}

/** Links to the tickets saved in this browser, bought or sent by another person, if there are any. */
export function SavedTickets({ isShown }: { isShown: boolean }) {
  const orders = useOrdersToShow();
  const received = useReceivedTickets();
  if (orders === null || orders.length + received.length === 0 || !isShown) return null;
  return (
    <Card title={t('Your tickets on this device')}>
      <Stack>
        <ul className={styles.list}>
          {orders.map((order) => (
            <li key={order.id}>
              <OrderSummaryCard
                order={{ ...order, ...countOrderParty(order) }}
                to={confirmationPath(order.id)}
              />
            </li>
          ))}
          {received.map(({ token, shared }) => (
            <li key={token}>
              <ReceivedTickets shared={shared} to={fillPath(ticketPages.sharedTickets, { token })} />
            </li>
          ))}
        </ul>
        <DeleteTickets />
      </Stack>
    </Card>
  );
}

/** By departure; null while they are being restored. */
function useOrdersToShow(): Order[] | null {
  const orders = useSavedOrders();
  if (useRestoringOrders()) return null;
  return orders
    .filter((order) => !isBeingPaid(order))
    .toSorted((a, b) => findDeparture(a) - findDeparture(b));
}

/** With tickets, or being paid. */
function useSavedOrders(): Order[] {
  useDeletedOrders();
  const now = serverNow();
  return useQueryClient()
    .getQueriesData<Order>({ queryKey: ['order'] })
    .flatMap(([, order]) => order ?? [])
    .filter((order) => (savedUntil(order) ?? 0) > now);
}

/** The links opened in this browser whose tickets were not revoked. */
function useReceivedTickets(): { token: string; shared: SharedTickets }[] {
  const isRestoring = useRestoringOrders();
  useDeletedOrders();
  const client = useQueryClient();
  if (isRestoring) return [];
  const now = serverNow();
  return client
    .getQueryCache()
    .findAll({ queryKey: SHARED_TICKETS_KEY })
    .flatMap(({ queryKey, state }) => {
      const shared = state.data as SharedTickets | undefined;
      if (shared === undefined || hasErrorCode(state.error, 'not_found')) return [];
      return (sharedSavedUntil(shared) ?? 0) > now ? [{ token: String(queryKey.at(-1)), shared }] : [];
    });
}

function ReceivedTickets({ shared, to }: { shared: SharedTickets; to: string }) {
  const { reference, legs, tickets } = shared;
  const isCanceled = tickets.every(isVoid);
  const { partySize: passengers, ...others } = countOrderParty(shared);
  return (
    <OrderCard
      order={{ reference, legs, displayStatus: isCanceled ? 'canceled' : 'upcoming' }}
      to={to}
      foot={
        <>
          <span>{describeParty(t, { passengers, ...others })}</span>
          <span>{t('Sent to you')}</span>
        </>
      }
    />
  );
}

function findDeparture({ legs }: Order): number {
  return Math.min(...legs.map(({ departsAt }) => Date.parse(departsAt)));
}

function countOrderParty(order: Pick<Order, 'legs' | 'tickets'>): {
  partySize: number;
  vehicles: number;
  bicycles: number;
} {
  const [first] = order.legs;
  const tickets = first ? listTicketsOfLeg(order, first) : [];
  const valid = tickets.filter((ticket) => !isVoid(ticket));
  const { passengers, vehicles, bicycles } = countParty(valid.length > 0 ? valid : tickets);
  return { partySize: passengers, vehicles, bicycles };
}
