import { findJourneyStarts, isReturnLeg } from '#domain/orders/legs.ts';
import { describeTicket } from '#sentences/tickets.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, Order, Ticket } from '#web/platform/api/types.ts';
import { explainNoRefund, isOpenUntil } from '../actions/rules-now.ts';
import { nameJourney } from '../journeys.ts';

/** A traveler, vehicle or bicycle on one journey, with a ticket for each of its boats. */
export type TicketChoice = {
  ticketIds: readonly string[];
  label: string;
  detail: string | null;
  /** Why it cannot be canceled here; null if it can. */
  refusal: string | null;
};

export type JourneyChoices = {
  /** "Outbound" or "Return"; undefined for a one-way trip. */
  name: string | undefined;
  first: Leg;
  last: Leg;
  choices: TicketChoice[];
};

/**
 * The tickets of an order that are still valid, by journey, without the journeys that have departed. While another sailing may be
 * chosen, the second boat of a journey can be canceled alone. `now` in milliseconds.
 */
export function listJourneyChoices(order: Order, now: number): JourneyChoices[] {
  return findJourneyStarts(order.legs).flatMap((start): JourneyChoices[] => {
    const all = order.legs.filter(({ leg }) => isReturnLeg(leg) === isReturnLeg(start.leg));
    const legs = all.filter((leg) => !hasDeparted(leg, now));
    const [first] = legs;
    const canCancel = legs.length === all.length || isOpenUntil(order.choiceUntil, now);
    const own = first ? listValidTickets(order, first) : [];
    if (!first || own.length === 0 || !canCancel) return [];
    const refusal = explainNoRefund(order, start, now);
    const others = legs.slice(1).flatMap((leg) => listValidTickets(order, leg));
    return [
      {
        name: nameJourney(first, order.legs),
        first,
        last: legs.at(-1) ?? first,
        choices: own.map((ticket) => {
          const [label, detail] = describeTicket(t, ticket, own);
          const same = [ticket, ...others.filter(({ partyIndex }) => partyIndex === ticket.partyIndex)];
          return {
            ticketIds: same.map(({ id }) => id),
            label,
            detail,
            refusal: same.some(({ status }) => status !== 'issued') ? t('Checked in already') : refusal,
          };
        }),
      },
    ];
  });
}

/** Whether the server may let tickets of an order be canceled. `now` in milliseconds. */
export function hasCancellableTickets({ status, legs, tickets }: Order, now: number): boolean {
  if (status !== 'confirmed' && status !== 'partly_canceled') return false;
  const ahead = legs.filter((leg) => !hasDeparted(leg, now)).map(({ leg }) => leg);
  return tickets.some((ticket) => ticket.status === 'issued' && ahead.includes(ticket.leg));
}

function listValidTickets({ tickets }: Order, { leg }: Leg): Ticket[] {
  return tickets.filter(
    (ticket) => ticket.leg === leg && ['issued', 'checked_in', 'boarded'].includes(ticket.status),
  );
}

function hasDeparted({ status, departsAt }: Leg, now: number): boolean {
  return status !== 'canceled' && now > Date.parse(departsAt);
}
