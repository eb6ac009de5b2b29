type DescribedTicket = { kind: string; title: string; travelerName?: string | undefined };

/**
 * A ticket's label and what distinguishes it from the others of its crossing: `['Ada Lovelace', 'Adult']`, `['Adult',
 * '2 of 9']` without a name, `['Car', null]` if it is the only one of its kind.
 */
export function describeTicket<Ticket extends DescribedTicket>(
  ticket: Ticket,
  tickets: readonly Ticket[],
): [who: string, detail: string | null] {
  const { kind, title, travelerName } = ticket;
  if (travelerName) return [travelerName, title];
  const alike = tickets.filter((each) => each.kind === kind);
  return [title, alike.length < 2 ? null : `${alike.indexOf(ticket) + 1} of ${alike.length}`];
}
