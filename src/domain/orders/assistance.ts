import type { AssistanceNeed } from '#contract/orders/buy/assistance.ts';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { isVoid } from './ticket-status.ts';

/** `traveler`: the number in the party, from 1, in the order of the fare lines. */
export type TravelerAssistance = { traveler: number; needs: AssistanceNeed[]; note: string };
export type AskedByTraveler = Omit<TravelerAssistance, 'traveler'>;

/**
 * What the travelers of an order asked for. `askedAt`: milliseconds since 1970; `noticeHours`: before departure, as the
 * operator wanted it then.
 */
export type Assistance = { askedAt: number; noticeHours: number; travelers: TravelerAssistance[] };

/** Whether the operator learns of it too late to promise it. Instants in milliseconds. */
export function isShortNotice({ departsAt, knownAt }: ShortNotice, noticeHours: number): boolean {
  return departsAt - knownAt < noticeHours * 3_600_000;
}
type ShortNotice = { departsAt: number; knownAt: number };

type Ticket = {
  leg: LegName;
  kind: string;
  title: string;
  status: string;
  partyIndex: number;
  issuedAt: number;
};
/** Instants in milliseconds since 1970. */
export type AssistedOrder = {
  assistance: Assistance | null;
  travelerNames: readonly string[];
  legs: readonly { leg: LegName; departsAt: number; port: string }[];
  tickets: readonly Ticket[];
};

/** The departures for which an order's assistance cannot be promised. */
export function findShortNotices<Leg extends AssistedOrder['legs'][number]>({
  assistance,
  legs,
  tickets,
}: Pick<AssistedOrder, 'assistance' | 'tickets'> & { legs: readonly Leg[] }): Leg[] {
  if (assistance === null) return [];
  return legs.filter(({ leg, departsAt }) => {
    // The crew of a sailing learns of it when the ticket for that sailing is issued.
    const issued = tickets
      .filter((ticket) => ticket.leg === leg && ticket.kind === 'passenger' && !isVoid(ticket))
      .map(({ issuedAt }) => issuedAt);
    const knownAt = Math.max(assistance.askedAt, ...issued);
    return isShortNotice({ departsAt, knownAt }, assistance.noticeHours);
  });
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
