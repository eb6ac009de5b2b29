import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { countParty } from '#domain/fares/party.ts';
import { NextTripBrief } from '#web/features/order/next-trip.tsx';
import { OrderCard } from '#web/features/order/order-card.tsx';
import { findNextTrip } from '#web/features/order/trips.ts';
import { gateLink, useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { ticketsOf } from '#web/features/ticket/tickets-of-order.ts';
import type { Order } from '#web/platform/api/types.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { confirmationPath } from '../finish.ts';
import { ForgetTickets } from './forget-tickets.tsx';
import { keepUntil, useForgetting, useKeptOrders } from './kept-orders.ts';
import styles from './kept-tickets.module.css';
import { rememberKeptOrders } from './may-have-kept-orders.ts';
import { NextTripSkeleton } from './next-trip-skeleton.tsx';

/** The next crossing that this browser has tickets for, and where the app's shortcut to them leads. */
export function KeptNextTrip() {
  const orders = useOrdersToShow();
  const asksForTickets = useGateView().shown !== null;
  const now = Date.now();
  const trip = findNextTrip(orders ?? [], now);
  const hasTrip = orders === null ? null : trip !== null;
  useEffect(() => {
    if (hasTrip !== null) rememberKeptOrders(hasTrip);
  }, [hasTrip]);
  if (orders === null) return <NextTripSkeleton />;
  if (trip === null) return asksForTickets ? <Navigate to={`${ticketPages.home}?find=1`} replace /> : null;
  const to = confirmationPath(trip.order.id);
  const gate = gateLink(to, 'tickets');
  if (asksForTickets) return <Navigate to={gate.to} replace />;
  return <NextTripBrief trip={trip} gate={gate} to={to} now={now} />;
}

/** The way back to tickets that were bought here without an account; nothing at all where there are none. */
export function KeptTickets({ isShown }: { isShown: boolean }) {
  const orders = useOrdersToShow();
  if (orders === null || orders.length === 0 || !isShown) return null;
  return (
    <Card title="Your tickets on this device">
      <Stack>
        <ul className={styles.list}>
          {orders.map((order) => (
            <li key={order.id}>
              <OrderCard order={{ ...order, ...countsOf(order) }} to={confirmationPath(order.id)} />
            </li>
          ))}
        </ul>
        <ForgetTickets />
      </Stack>
    </Card>
  );
}

/** By departure; null while they are on their way. */
function useOrdersToShow(): Order[] | null {
  const isRestoring = useKeptOrders();
  useForgetting();
  const client = useQueryClient();
  if (isRestoring) return null;
  const now = Date.now();
  return client
    .getQueriesData<Order>({ queryKey: ['order'] })
    .flatMap(([, order]) => order ?? [])
    .filter((order) => (keepUntil(order) ?? 0) > now)
    .toSorted((a, b) => departureOf(a) - departureOf(b));
}

function countsOf(order: Order): { partySize: number; vehicles: number; bicycles: number } {
  const [first] = order.legs;
  const { passengers, vehicles, bicycles } = countParty(first ? ticketsOf(order, first) : []);
  return { partySize: passengers, vehicles, bicycles };
}

function departureOf({ legs }: Order): number {
  return Math.min(...legs.map(({ departsAt }) => Date.parse(departsAt)));
}
