import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { countParty } from '#domain/fares/party.ts';
import { isVoid } from '#domain/orders/describe-ticket.ts';
import { NextTripBrief } from '#web/features/order/next-trip.tsx';
import { OrderSummaryCard } from '#web/features/order/order-summary-card.tsx';
import { findNextTrip } from '#web/features/order/trips.ts';
import { gateLink, useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { ticketsOf } from '#web/features/ticket/tickets-of-order.ts';
import type { Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { confirmationPath } from '../steps.ts';
import { DeleteTickets } from './delete-tickets.tsx';
import { NextTripSkeleton, rememberSavedOrders } from './has-saved-orders.tsx';
import { savedUntil, saveTickets, useDeletedOrders, useRestoringOrders } from './saved-orders.ts';
import styles from './saved-tickets.module.css';

/** The next crossing that this browser has tickets for. The app's shortcut leads to its codes. */
export function SavedNextTrip() {
  const orders = useOrdersToShow();
  const asksForTickets = useGateView().shown !== null;
  const now = Date.now();
  const trip = findNextTrip(orders ?? [], now);
  useRefreshedOrder(trip?.order.id ?? null);
  const hasTrip = orders === null ? null : trip !== null;
  useEffect(() => {
    if (hasTrip !== null) rememberSavedOrders(hasTrip);
  }, [hasTrip]);
  if (orders === null) return <NextTripSkeleton />;
  if (trip === null) return asksForTickets ? <Navigate to={`${ticketPages.home}?find=1`} replace /> : null;
  const to = confirmationPath(trip.order.id);
  const gate = gateLink(to, 'tickets');
  if (asksForTickets) return <Navigate to={gate.to} replace />;
  return <NextTripBrief trip={trip} gate={gate} to={to} now={now} />;
}

/** Loads a saved order again, because its tickets or its sailing may have been canceled since. Renders with the answer. */
function useRefreshedOrder(id: string | null): void {
  useQuery({ ...orderQuery(id ?? ''), ...saveTickets(), enabled: id !== null });
}

/** Links to the tickets saved in this browser, if there are any. */
export function SavedTickets({ isShown }: { isShown: boolean }) {
  const orders = useOrdersToShow();
  if (orders === null || orders.length === 0 || !isShown) return null;
  return (
    <Card title="Your tickets on this device">
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
        </ul>
        <DeleteTickets />
      </Stack>
    </Card>
  );
}

/** By departure; null while they are being restored. */
function useOrdersToShow(): Order[] | null {
  const isRestoring = useRestoringOrders();
  useDeletedOrders();
  const client = useQueryClient();
  if (isRestoring) return null;
  const now = Date.now();
  return client
    .getQueriesData<Order>({ queryKey: ['order'] })
    .flatMap(([, order]) => order ?? [])
    .filter((order) => (savedUntil(order) ?? 0) > now)
    .toSorted((a, b) => findDeparture(a) - findDeparture(b));
}

function findDeparture({ legs }: Order): number {
  return Math.min(...legs.map(({ departsAt }) => Date.parse(departsAt)));
}

function countOrderParty(order: Order): { partySize: number; vehicles: number; bicycles: number } {
  const [first] = order.legs;
  const tickets = first ? ticketsOf(order, first) : [];
  const valid = tickets.filter((ticket) => !isVoid(ticket));
  const { passengers, vehicles, bicycles } = countParty(valid.length > 0 ? valid : tickets);
  return { partySize: passengers, vehicles, bicycles };
}
