import type { LegName } from '#contract/orders/buy/legs.ts';

type FareLine = { leg: LegName; kind: string; description: string; quantity: number };

/**
 * One fare description per passenger, in the order of the fare lines, which is also the order of each crossing's
 * tickets.
 */
export function listTravelers(lines: readonly FareLine[]): string[] {
  return lines
    .filter(({ leg, kind }) => leg === 'out' && kind === 'passenger')
    .flatMap(({ description, quantity }) => Array.from({ length: quantity }, () => description));
}

/** The passenger name of a ticket. Passengers precede vehicles and bicycles among the tickets of a crossing. */
export function findTravelerName(
  names: readonly string[],
  { kind, partyIndex }: { kind: string; partyIndex: number },
): string | undefined {
  return kind === 'passenger' ? names[partyIndex - 1] || undefined : undefined;
}
