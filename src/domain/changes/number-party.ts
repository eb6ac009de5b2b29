/** A ticket's number in its party. `key` tells apart who can have it: the passenger type, or "vehicle" and "bicycle". */
export type PartyMember = { key: string; partyIndex: number };

/**
 * Numbers the tickets of a changed journey. A traveler keeps the number of the replaced ticket, or of the other journey, so
 * that names stay with their travelers. Others get the lowest free numbers.
 * @param keys of the new tickets
 * @param input own: the replaced tickets of the journey; others: the tickets of the order's other journeys
 * @returns a number for each key, in the same order
 */
export function numberParty(
  keys: readonly string[],
  { own, others }: { own: readonly PartyMember[]; others: readonly PartyMember[] },
): number[] {
  const used = new Set<number>();
  const take = (number: number | undefined) => {
    if (number !== undefined) used.add(number);
    return number;
  };
  const find = (members: readonly PartyMember[], key: string) =>
    members
      .filter((member) => member.key === key && !used.has(member.partyIndex))
      .reduce<number | undefined>(
        (least, { partyIndex }) => Math.min(least ?? partyIndex, partyIndex),
        undefined,
      );
  const ownNumbers = keys.map((key) => take(find(own, key)));
  const reused = keys.map((key, index) => ownNumbers[index] ?? take(find(others, key)));
  const taken = new Set(others.map(({ partyIndex }) => partyIndex));
  return reused.map((number) => {
    if (number !== undefined) return number;
    let free = 1;
    while (used.has(free) || taken.has(free)) free += 1;
    used.add(free);
    return free;
  });
}
