/** A ticket of a journey, with the departure that its refund deadlines count from (milliseconds since 1970). */
export type Replaced = { partyIndex: number; countsFrom: number };

/**
 * The departures that the refund deadlines of new tickets of a journey count from: those of the tickets they replace, so that
 * a change to a later boat does not extend them. A traveler replaces the ticket with the same number; what is left of the
 * old tickets, earliest first, is replaced by the others.
 * @param partyIndexes of the new tickets, each once
 * @returns by number in the party; none for travelers who were added
 */
export function inheritDeadlines(
  partyIndexes: readonly number[],
  replaced: readonly Replaced[],
): Map<number, number> {
  const earliest = new Map<number, number>();
  for (const { partyIndex, countsFrom } of replaced) {
    earliest.set(partyIndex, Math.min(countsFrom, earliest.get(partyIndex) ?? countsFrom));
  }
  const inherited = new Map<number, number>();
  for (const partyIndex of partyIndexes) {
    const countsFrom = earliest.get(partyIndex);
    if (countsFrom === undefined) continue;
    inherited.set(partyIndex, countsFrom);
    earliest.delete(partyIndex);
  }
  const left = [...earliest.values()].toSorted((a, b) => a - b);
  for (const partyIndex of partyIndexes) {
    if (inherited.has(partyIndex)) continue;
    const countsFrom = left.shift();
    if (countsFrom !== undefined) inherited.set(partyIndex, countsFrom);
  }
  return inherited;
}
