import type { LegName } from '#contract/orders/buy/legs.ts';

type FareLine = { leg: LegName; kind: string; quantity: number };

/**
 * The fare line of each passenger, in the order of the fare lines, which is also the order of each crossing's
 * tickets.
 */
export function listTravelers<Line extends FareLine>(lines: readonly Line[]): Line[] {
  return lines
    .filter(({ leg, kind }) => leg === 'out' && kind === 'passenger')
    .flatMap((line) => Array.from({ length: line.quantity }, () => line));
}

/** The passenger name of a ticket. Passengers precede vehicles and bicycles among the tickets of a crossing. */
export function findTravelerName(
  names: readonly string[],
  { kind, partyIndex }: { kind: string; partyIndex: number },
): string | undefined {
  return kind === 'passenger' ? names[partyIndex - 1] || undefined : undefined;
}
