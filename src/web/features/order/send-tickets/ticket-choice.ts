import { DIRECTIONS, type Direction, getDirection } from '#domain/orders/legs.ts';
import { describeTicket } from '#sentences/tickets.ts';
import { t } from '#web/language/texts.ts';
import type { Order, Ticket } from '#web/platform/api/types.ts';
import { nameJourney } from '../journeys.ts';

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
  return describeTicket(t, ticket, ofLeg).filter(Boolean).join(', ');
}

/** The journeys that can be chosen; empty if the tickets are for one only. */
export function listJourneys(
  sendable: readonly Ticket[],
  { legs }: Order,
): { direction: Direction; label: string }[] {
  const journeys = DIRECTIONS.flatMap((direction) => {
    const ticket = sendable.find((each) => getDirection(each.leg) === direction);
    const label = ticket && nameJourney(ticket, legs);
    return label ? [{ direction, label }] : [];
  });
  return journeys.length > 1 ? journeys : [];
}

function getKey({ kind, partyIndex }: Ticket): string {
  return `${kind} ${partyIndex}`;
}
