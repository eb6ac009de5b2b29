import type { AssistanceNeed } from '#contract/orders/buy/assistance.ts';
import {
  type AskedByTraveler,
  type AssistedOrder,
  findShortNotices,
  type TravelerAssistance,
} from '#domain/orders/assistance.ts';
import { isVoid } from '#domain/orders/ticket-status.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { formatList } from '#messages/intl.ts';
import { type Message, message, type Translate } from '#messages/translate.ts';
import { describeTicket } from './tickets.ts';

export const NEED_TEXTS: Record<AssistanceNeed, Message> = {
  wheelchair: message('Travels in a wheelchair'),
  boarding: message('Help on the way to and from the boat'),
  sight: message('Blind or low vision'),
  hearing: message('Deaf or hard of hearing'),
};

/** "Travels in a wheelchair; Blind or low vision; needs a seat by the exit" */
export function describeNeeds(t: Translate, { needs, note }: AskedByTraveler): string {
  return [...needs.map((need) => t(NEED_TEXTS[need])), note].filter(Boolean).join('; ');
}

/** "For the departure from Port Madrona …"; empty without ports. */
export function describeShortNotice(
  t: Translate,
  language: string,
  ports: readonly string[],
  noticeHours: number,
): string {
  if (ports.length === 0) return '';
  return t(
    'We have less than {hours} hours’ notice for the departure from {ports}. We try to help, but cannot promise it.',
    { hours: noticeHours, ports: formatList(language, ports) },
  );
}

export type DescribedAssistance = {
  travelers: (TravelerAssistance & { who: string; text: string })[];
  /** For which departures it cannot be promised; empty if there is none. */
  notice: string;
};

/** The assistance that an order's travelers asked for, in words; null if there is none. */
export function describeAssistance(
  t: Translate,
  language: string,
  order: AssistedOrder,
): DescribedAssistance | null {
  const { assistance, travelerNames } = order;
  if (assistance === null) return null;
  const tickets = order.tickets
    .filter((ticket) => ticket.kind === 'passenger' && !isVoid(ticket))
    .map((ticket) => ({ ...ticket, travelerName: findTravelerName(travelerNames, ticket) }));
  return {
    travelers: assistance.travelers.map(({ traveler, ...asked }) => {
      const ticket = tickets.find(({ partyIndex }) => partyIndex === traveler);
      const alike = tickets.filter(({ leg }) => leg === ticket?.leg);
      const [who, detail] = ticket
        ? describeTicket(t, ticket, alike)
        : [t('Traveler {number}', { number: traveler }), null];
      return {
        traveler,
        who: detail === null ? who : `${who} (${detail})`,
        text: describeNeeds(t, asked),
        ...asked,
      };
    }),
    notice: describeShortNotice(
      t,
      language,
      findShortNotices(order).map(({ port }) => port),
      assistance.noticeHours,
    ),
  };
}
