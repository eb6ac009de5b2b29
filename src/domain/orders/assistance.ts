import type { AssistanceNeed } from '#contract/orders/buy/assistance.ts';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { describeTicket, isVoid } from './describe-ticket.ts';
import { findTravelerName } from './travelers.ts';

/** `traveler`: the number in the party, from 1, in the order of the fare lines. */
export type TravelerAssistance = { traveler: number; needs: AssistanceNeed[]; note: string };
export type AskedByTraveler = Omit<TravelerAssistance, 'traveler'>;

/**
 * What the travelers of an order asked for. `askedAt`: milliseconds since 1970; `noticeHours`: before departure, as the
 * operator wanted it then.
 */
export type Assistance = { askedAt: number; noticeHours: number; travelers: TravelerAssistance[] };

export const NEED_TEXTS: Record<AssistanceNeed, string> = {
  wheelchair: 'Travels in a wheelchair',
  boarding: 'Help on the way to and from the boat',
  sight: 'Blind or low vision',
  hearing: 'Deaf or hard of hearing',
};

/** "Travels in a wheelchair; Blind or low vision; needs a seat by the exit" */
export function describeNeeds({ needs, note }: AskedByTraveler): string {
  return [...needs.map((need) => NEED_TEXTS[need]), note].filter(Boolean).join('; ');
}

/** Whether the operator learns of it too late to promise it. Instants in milliseconds. */
export function isShortNotice({ departsAt, knownAt }: ShortNotice, noticeHours: number): boolean {
  return departsAt - knownAt < noticeHours * 3_600_000;
}
type ShortNotice = { departsAt: number; knownAt: number };

/** "For the departure from Port Madrona …"; empty without ports. */
export function describeShortNotice(ports: readonly string[], noticeHours: number): string {
  if (ports.length === 0) return '';
  return `We have less than ${noticeHours} hours’ notice for the departure from ${ports.join(' and ')}. We try to help, but cannot promise it.`;
}

type Ticket = {
  leg: LegName;
  kind: string;
  title: string;
  status: string;
  partyIndex: number;
  issuedAt: number;
};
/** Instants in milliseconds since 1970. */
type AssistedOrder = {
  assistance: Assistance | null;
  travelerNames: readonly string[];
  legs: readonly { leg: LegName; departsAt: number; port: string }[];
  tickets: readonly Ticket[];
};

export type DescribedAssistance = {
  travelers: (TravelerAssistance & { who: string; text: string })[];
  /** For which departures it cannot be promised; empty if there is none. */
  notice: string;
};

/** The assistance that an order's travelers asked for, in words; null if there is none. */
export function describeAssistance(order: AssistedOrder): DescribedAssistance | null {
  const { assistance, travelerNames, legs } = order;
  if (assistance === null) return null;
  const tickets = order.tickets
    .filter((ticket) => ticket.kind === 'passenger' && !isVoid(ticket))
    .map((ticket) => ({ ...ticket, travelerName: findTravelerName(travelerNames, ticket) }));
  const { noticeHours } = assistance;
  const late = legs.filter(({ leg, departsAt }) => {
    // The crew of a sailing learns of it when the ticket for that sailing is issued.
    const issued = tickets.filter((ticket) => ticket.leg === leg).map(({ issuedAt }) => issuedAt);
    const knownAt = Math.max(assistance.askedAt, ...issued);
    return isShortNotice({ departsAt, knownAt }, noticeHours);
  });
  return {
    travelers: assistance.travelers.map(({ traveler, ...asked }) => {
      const ticket = tickets.find(({ partyIndex }) => partyIndex === traveler);
      const alike = tickets.filter(({ leg }) => leg === ticket?.leg);
      const [who, detail] = ticket ? describeTicket(ticket, alike) : [`Traveler ${traveler}`, null];
      return {
        traveler,
        who: detail === null ? who : `${who} (${detail})`,
        text: describeNeeds(asked),
        ...asked,
      };
    }),
    notice: describeShortNotice(
      late.map(({ port }) => port),
      noticeHours,
    ),
  };
}

/** Without travelers that no longer travel; null if none is left. */
export function keepAssistance(
  assistance: Assistance | null,
  isTraveling: (traveler: number) => boolean,
): Assistance | null {
  const travelers = assistance?.travelers.filter(({ traveler }) => isTraveling(traveler)) ?? [];
  return assistance === null || travelers.length === 0 ? null : { ...assistance, travelers };
}

/** Whether travelers ask for nothing that was not asked for before. */
export function asksForNothingNew(travelers: readonly TravelerAssistance[], before: Assistance): boolean {
  return travelers.every(({ traveler, needs, note }) => {
    const previous = before.travelers.find((each) => each.traveler === traveler);
    return needs.every((need) => previous?.needs.includes(need)) && (note === '' || note === previous?.note);
  });
}
