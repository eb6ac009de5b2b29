type DescribedTicket = { kind: string; status: string; title: string; travelerName?: string | undefined };

/**
 * A ticket's label and what distinguishes it from the others of its crossing: `['Ada Lovelace', 'Adult']`, `['Adult',
 * '2 of 9']` without a name, `['Car', null]` if it is the only one of its kind. Canceled tickets are not counted.
 */
export function describeTicket<Ticket extends DescribedTicket>(
  ticket: Ticket,
  tickets: readonly Ticket[],
): [who: string, detail: string | null] {
  const { kind, title, travelerName } = ticket;
  if (travelerName) return [travelerName, title];
  const alike = tickets.filter((each) => each.kind === kind && !isVoid(each));
  const isNumbered = alike.length > 1 && alike.includes(ticket);
  return [title, isNumbered ? `${alike.indexOf(ticket) + 1} of ${alike.length}` : null];
}

/** Whether a ticket has lost its place: canceled, or replaced by another one. */
export function isVoid({ status }: { status: string }): boolean {
  return status === 'canceled' || status === 'replaced';
}

/** Replaces a canceled sailing's details for passengers who may still choose another one. */
export function describeOpenTicket(lastDay: string): string {
  return `Open ticket: choose a sailing until ${lastDay}.`;
}
