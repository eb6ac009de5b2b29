type FareLine = { leg: 'out' | 'back'; kind: string; description: string; quantity: number };

/**
 * Who travels, one fare description per person: in the order of the fare lines, which is that of the tickets of each
 * crossing.
 */
export function listTravelers(lines: readonly FareLine[]): string[] {
  return lines
    .filter(({ leg, kind }) => leg === 'out' && kind === 'passenger')
    .flatMap(({ description, quantity }) => Array.from({ length: quantity }, () => description));
}

/** The name of a ticket's traveler. People come before vehicles and bicycles among the tickets of a crossing. */
export function travelerNameOf(
  names: readonly string[],
  { kind, partyIndex }: { kind: string; partyIndex: number },
): string | undefined {
  return kind === 'passenger' ? names[partyIndex - 1] || undefined : undefined;
}
