import { listTravelers } from '#domain/orders/travelers.ts';
import type { Order, QuoteLine, Ticket } from '#web/platform/api/types.ts';

export type Traveler = {
  /** "Adult 2". The number stays with the person when the rest of the party changes. */
  key: string;
  /** "Adult 2", or "Adult" for the only one. */
  label: string;
  /** "Adult". */
  title: string;
  /** Of the name in the order's list of names. */
  index: number;
};

/** In the order of the fare lines. */
export function labelTravelers(
  lines: readonly Pick<QuoteLine, 'leg' | 'kind' | 'description' | 'quantity'>[],
): Traveler[] {
  return label(listTravelers(lines).map(({ description: type }, index) => ({ type, index })));
}

/** The travelers with tickets that are not canceled. A name belongs to the ticket's number in its party. */
export function labelTicketHolders(tickets: readonly Ticket[]): Traveler[] {
  const numbers = new Map(
    tickets
      .filter(({ kind, status }) => kind === 'passenger' && status !== 'canceled' && status !== 'replaced')
      .map(({ partyIndex, title }) => [partyIndex, title]),
  );
  const sorted = [...numbers].toSorted(([a], [b]) => a - b);
  return label(sorted.map(([partyIndex, title]) => ({ type: title, index: partyIndex - 1 })));
}

function label(travelers: readonly { type: string; index: number }[]): Traveler[] {
  const types = travelers.map(({ type }) => type);
  return travelers.map(({ type, index }, position) => {
    const key = `${type} ${types.slice(0, position + 1).filter((each) => each === type).length}`;
    const isOnly = types.filter((each) => each === type).length === 1;
    return { key, label: isOnly ? type : key, title: type, index };
  });
}

/**
 * The list of names with those of the travelers as typed. Names of other tickets keep their place.
 * @param saved the names of the order
 */
export function replaceNames(
  saved: readonly string[],
  { travelers, values }: { travelers: readonly Traveler[]; values: NameValues },
): string[] {
  const length = Math.max(0, ...travelers.map(({ index }) => index + 1));
  return Array.from({ length }, (_, index) =>
    travelers.some((traveler) => traveler.index === index)
      ? (values[nameField(index)]?.trim() ?? '')
      : (saved[index] ?? ''),
  );
}

/** The names in a form, by their place in the order's list of names. */
export type NameValues = Record<`travelerNames.${number}`, string>;

export function nameField(index: number): keyof NameValues {
  return `travelerNames.${index}`;
}

/** Names and assistance can be changed until the first check-in closes. */
export function canChangeTravelers({ status, legs, tickets }: Order, now: number): boolean {
  const isOpen = status === 'confirmed' || status === 'partly_canceled';
  const hasTravelers = tickets.some(({ kind }) => kind === 'passenger');
  return isOpen && hasTravelers && legs.every(({ checkInClosesAt }) => now < Date.parse(checkInClosesAt));
}
