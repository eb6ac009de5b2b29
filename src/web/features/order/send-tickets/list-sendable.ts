import { expectedArrival } from '#web/features/order/expected-times.ts';
import type { Order, Ticket } from '#web/platform/api/types.ts';

/** Valid tickets for crossings that are not over; `now` in milliseconds. */
export function listSendable({ status, tickets, legs }: Order, now: number): Ticket[] {
  if (status !== 'confirmed' && status !== 'partly_canceled') return [];
  const ahead = legs.filter((leg) => leg.status !== 'canceled' && expectedArrival(leg) > now);
  return tickets.filter(
    (ticket) =>
      (ticket.status === 'issued' || ticket.status === 'checked_in') &&
      ahead.some(({ leg }) => leg === ticket.leg),
  );
}
