import { isVoid } from '#domain/orders/ticket-status.ts';
import type { Leg, Order, PartyCode, Ticket } from '#web/platform/api/types.ts';
import { expectedArrival } from '../order/expected-times.ts';
import { listAllLegs } from '../order/journeys.ts';

/** What tickets are shown with. Tickets sent by another person come without a contact and without a party's code. */
export type TicketHolder = Pick<
  Order,
  'reference' | 'legs' | 'canceledLegs' | 'tickets' | 'partyCodes' | 'asOf'
> & { contact?: Pick<Order['contact'], 'name'> };

/** The tickets of one crossing, canceled ones last. Tickets that were replaced by others are left out. */
export function listTicketsOfLeg(order: Pick<TicketHolder, 'tickets'>, { leg }: Leg): Ticket[] {
  const own = order.tickets.filter((ticket) => ticket.leg === leg && ticket.status !== 'replaced');
  return [...own.filter((ticket) => !isVoid(ticket)), ...own.filter(isVoid)];
}

/** The crossings of an order in the order of use: canceled ones last. `now` in milliseconds. */
export function listLegsByUse({ legs, canceledLegs = [] }: TicketHolder, now: number): Leg[] {
  const isAhead = (leg: Leg) => expectedArrival(leg) > now;
  return [...legs.filter(isAhead), ...legs.filter((leg) => !isAhead(leg)), ...canceledLegs];
}

/** The code of all who travel on a crossing; none where one travels alone, the sailing is canceled or over, or the ticket is open. */
export function findPartyCode(order: TicketHolder, leg: Leg): PartyCode | null {
  if (leg.status === 'canceled' || leg.status === 'arrived' || leg.openTicketUntilLocal) return null;
  return order.partyCodes?.find((code) => code.leg === leg.leg) ?? null;
}

/** Names a party's code among those that the gate view shows. */
export function partyPassId({ leg }: Pick<PartyCode, 'leg'>): string {
  return `party-${leg}`;
}

export function hasTickets(order: Pick<TicketHolder, 'legs' | 'canceledLegs' | 'tickets'>): boolean {
  return listAllLegs(order).some((leg) => listTicketsOfLeg(order, leg).length > 0);
}
