import { isVoid } from '#domain/orders/ticket-status.ts';
import type { Translate } from '#messages/translate.ts';

type DescribedTicket = { kind: string; status: string; title: string; travelerName?: string | undefined };

/**
 * A ticket's label and what distinguishes it from the others of its crossing: `['Ada Lovelace', 'Adult']`, `['Adult',
 * '2 of 9']` without a name, `['Car', null]` if it is the only one of its kind. Canceled tickets are not counted.
 */
export function describeTicket<Ticket extends DescribedTicket>(
  t: Translate,
  ticket: Ticket,
  tickets: readonly Ticket[],
): [who: string, detail: string | null] {
  const { kind, title, travelerName } = ticket;
  if (travelerName) return [travelerName, title];
  const alike = tickets.filter((each) => each.kind === kind && !isVoid(each));
  const isNumbered = alike.length > 1 && alike.includes(ticket);
  return [
    title,
    isNumbered ? t('{number} of {count}', { number: alike.indexOf(ticket) + 1, count: alike.length }) : null,
  ];
}

/** Replaces a canceled sailing's details for passengers who may still choose another one. */
export function describeOpenTicket(t: Translate, lastDay: string): string {
  return t('Open ticket: choose a sailing until {day}.', { day: lastDay });
}
