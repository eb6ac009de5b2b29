import type { CapacityItem, CapacityResource } from '../fares/capacity.ts';

/** What is free of a resource on one stretch of a voyage. Lengths in centimeters. */
export type FreePlaces = { stretch: number; resource: CapacityResource; amount: number };

/** Stops of a voyage between which something takes places. */
type Section = { firstStop: number; lastStop: number };

/** A party in the queue and what it needs. */
export type WaitingParty = Section & { id: string; needs: readonly CapacityItem[] };

/**
 * Finds who of a queue has places, if those before them that fit take theirs: a party that does not fit is passed over,
 * and keeps its turn.
 * @param queue in the order of arrival
 * @returns ids of the parties that fit
 */
export function findFitting(
  queue: readonly WaitingParty[],
  free: readonly FreePlaces[],
): ReadonlySet<string> {
  const left = free.map((places) => ({ ...places }));
  const fitting = new Set<string>();
  for (const { id, needs, ...section } of queue) {
    const fits = needs.every(({ resource, amount }) => amount <= countFree(left, { resource, ...section }));
    if (!fits) continue;
    fitting.add(id);
    for (const places of left) {
      const need = needs.find(({ resource }) => resource === places.resource);
      if (need && isWithin(places.stretch, section)) places.amount -= need.amount;
    }
  }
  return fitting;
}

/** How much of a resource is free all the way between two stops; 0 if the boat has none of it. */
export function countFree(
  free: readonly FreePlaces[],
  { resource, ...section }: Section & { resource: CapacityResource },
): number {
  const amounts = free
    .filter((places) => places.resource === resource && isWithin(places.stretch, section))
    .map(({ amount }) => amount);
  return amounts.length === 0 ? 0 : Math.max(0, Math.min(...amounts));
}

/** Stretch n leads from stop n to stop n + 1. */
function isWithin(stretch: number, { firstStop, lastStop }: Section): boolean {
  return stretch >= firstStop && stretch < lastStop;
}
