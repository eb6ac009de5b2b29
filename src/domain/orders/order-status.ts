import type { Order } from '#contract/orders/schemas.ts';
import type { OrderStatus } from '#contract/orders/statuses.ts';
import { getLocalDay } from '../time/port-time.ts';

export type DisplayStatus = Order['display_status'];

export type OrderStatusInput = {
  status: OrderStatus;
  paymentStatus: Order['payment_status'];
  needsAttention: Order['needs_attention'];
  legs: readonly {
    /** Milliseconds since 1970. */
    departsAt: number;
    /** As expected, with the delay. */
    arrivesAt: number;
    /** IANA zone of the port of departure, which decides the current day. */
    departsZone: string;
    /** Statuses of the leg's tickets that count. */
    ticketStatuses: readonly string[];
  }[];
};

/** The status of an order that passengers see. */
export function getDisplayStatus(order: OrderStatusInput, now: number): DisplayStatus {
  if (order.status === 'held' || order.status === 'awaiting_payment') return 'paying';
  if (order.status === 'expired') return 'expired';
  if (order.status === 'canceled') return order.paymentStatus === 'refunded' ? 'refunded' : 'canceled';
  if (order.status === 'completed') return 'used';
  if (order.needsAttention === 'sailing_changed') return 'changed';
  if (order.needsAttention !== null) return 'action_needed';

  const ahead = order.legs.filter((leg) => leg.arrivesAt > now).toSorted((a, b) => a.departsAt - b.departsAt);
  const [next] = ahead;
  if (!next) return 'used';
  if (next.ticketStatuses.includes('boarded')) return 'boarded';
  return getLocalDay(next.departsAt, next.departsZone) === getLocalDay(now, next.departsZone)
    ? 'today'
    : 'upcoming';
}
