import { describeTicket } from '#domain/orders/describe-ticket.ts';
import { getWay, WAYS, type Way } from '#domain/orders/legs.ts';
import type { Order, Ticket } from '#web/platform/api/types.ts';
import { nameWay } from '../ways.ts';

/** The tickets that one person, vehicle or bicycle has for all crossings. */
export type Holder = { key: string; label: string; tickets: readonly Ticket[] };

export function listHolders(sendable: readonly Ticket[]): Holder[] {
  const keys = [...new Set(sendable.map(getKey))];
  return keys.map((key) => {
    const tickets = sendable.filter((ticket) => getKey(ticket) === key);
    return { key, label: labelTicket(tickets[0], sendable), tickets };
  });
}

/** "Ada, Adult", "Adult, 2 of 3"; empty without a ticket. */
export function labelTicket(ticket: Ticket | undefined, tickets: readonly Ticket[]): string {
  if (ticket === undefined) return '';
  const ofLeg = tickets.filter(({ leg }) => leg === ticket.leg);
  return describeTicket(ticket, ofLeg).filter(Boolean).join(', ');
}

/** The ways that can be chosen; empty if the tickets are for one way only. */
export function listWays(sendable: readonly Ticket[], { legs }: Order): { way: Way; label: string }[] {
  const ways = WAYS.flatMap((way) => {
    const ticket = sendable.find((each) => getWay(each.leg) === way);
    const label = ticket && nameWay(ticket, legs);
    return label ? [{ way, label }] : [];
  });
  return ways.length > 1 ? ways : [];
}

function getKey({ kind, partyIndex }: Ticket): string {
  return `${kind} ${partyIndex}`;
}
