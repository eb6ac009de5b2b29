import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { OrderCard } from '#web/parts/order-card.tsx';
import type { Order } from '#web/platform/api/types.ts';
import { Card } from '#web/ui/card.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { confirmationPath } from '../finish.ts';
import { ForgetTickets } from './forget-tickets.tsx';
import { keepUntil, useKeptOrders } from './kept-orders.ts';
import styles from './kept-tickets.module.css';

/** The way back to tickets that were bought here without an account; nothing at all where there are none. */
export function KeptTickets({ isShown }: { isShown: boolean }) {
  const isRestoring = useKeptOrders();
  const client = useQueryClient();
  const [isForgotten, setIsForgotten] = useState(false);
  if (isRestoring || isForgotten || !isShown) return null;
  const orders = keptOrders(client.getQueriesData<Order>({ queryKey: ['order'] }), Date.now());
  if (orders.length === 0) return null;
  return (
    <Card title="Your tickets on this device">
      <Stack>
        <ul className={styles.list}>
          {orders.map((order) => (
            <li key={order.id}>
              <OrderCard
                order={{ ...order, partySize: partySizeOf(order) }}
                to={confirmationPath(order.id)}
              />
            </li>
          ))}
        </ul>
        <ForgetTickets onForgotten={() => setIsForgotten(true)} />
      </Stack>
    </Card>
  );
}

function keptOrders(entries: readonly (readonly [unknown, Order | undefined])[], now: number): Order[] {
  return entries
    .flatMap(([, order]) => order ?? [])
    .filter((order) => (keepUntil(order) ?? 0) > now)
    .toSorted((a, b) => departureOf(a) - departureOf(b));
}

function partySizeOf({ tickets }: Order): number {
  return Math.max(...tickets.map(({ partySize }) => partySize));
}

function departureOf({ legs }: Order): number {
  return Math.min(...legs.map(({ departsAt }) => Date.parse(departsAt)));
}
