import { listTravelers } from '#domain/orders/travelers.ts';
import type { Ticket } from '#web/platform/api/types.ts';

type Lines = Parameters<typeof listTravelers>[0];

export type Traveler = {
  /** "Adult 2": the same person also after the rest of the party has changed. */
  key: string;
  /** "Adult 2", or "Adult" for the only one. */
  label: string;
};

/** In the order of the fare lines. */
export function labelTravelers(lines: Lines): Traveler[] {
  const types = listTravelers(lines);
  return types.map((type, index) => {
    const key = `${type} ${types.slice(0, index + 1).filter((each) => each === type).length}`;
    const isOnly = types.filter((each) => each === type).length === 1;
    return { key, label: isOnly ? type : key };
  });
}

/** The travelers of an order with tickets, in the order of its names. Those whose tickets are canceled keep their place. */
export function labelTicketHolders(tickets: readonly Ticket[]): Traveler[] {
  const leg = tickets.find(({ status }) => status !== 'cancelled')?.leg;
  const passengers = tickets
    .filter((ticket) => ticket.leg === leg && ticket.kind === 'passenger' && ticket.status !== 'replaced')
    .toSorted((a, b) => a.partyIndex - b.partyIndex);
  return labelTravelers(
    passengers.map(({ title, status }) => ({
      leg: 'out',
      kind: 'passenger',
      description: status === 'cancelled' ? `${title}, canceled` : title,
      quantity: 1,
    })),
  );
}

/** The names in a form, by position. */
export type NameValues = Record<`travelerNames.${number}`, string>;

export function nameField(index: number): keyof NameValues {
  return `travelerNames.${index}`;
}
