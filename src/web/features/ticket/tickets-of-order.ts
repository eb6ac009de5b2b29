import type { Leg, Order, PartyCode, Ticket } from '#web/platform/api/types.ts';

/** The tickets of one crossing. Tickets that others took the place of would only be in the way. */
export function ticketsOf(order: Order, { leg }: Leg): Ticket[] {
  return order.tickets.filter((ticket) => ticket.leg === leg && ticket.status !== 'replaced');
}

/** The code of all who travel on a crossing; none where one travels alone or the sailing is canceled. */
export function findPartyCode(order: Order, leg: Leg): PartyCode | null {
  if (leg.status === 'cancelled') return null;
  return order.partyCodes?.find((code) => code.leg === leg.leg) ?? null;
}

/** Names a party's code among those that the gate view shows. */
export function partyPassId({ leg }: Pick<PartyCode, 'leg'>): string {
  return `party-${leg}`;
}

export function hasTickets(order: Order): boolean {
  return order.legs.some((leg) => ticketsOf(order, leg).length > 0);
}

/** The crossings ahead, the next one first, then those that are over. */
export function sortByUse(legs: readonly Leg[], now: number): Leg[] {
  const isAhead = (leg: Leg) => Date.parse(leg.arrivesAt) > now;
  return [...legs.filter(isAhead), ...legs.filter((leg) => !isAhead(leg))];
}
