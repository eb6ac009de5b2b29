import type { CapacityItem, CapacityResource } from '../fares/capacity.ts';

/**
 * What is free of a resource on one stretch of a voyage. Lengths in centimeters.
 * `heldBack`: what is free in addition, for those for whom it is held back.
 */
export type FreePlaces = { stretch: number; resource: CapacityResource; amount: number; heldBack: number };

/** Stops of a voyage between which something takes places. */
type Section = { firstStop: number; lastStop: number };

/** A party in the queue and what it needs. */
export type WaitingParty = Section & { id: string; needs: readonly CapacityItem[] };

/** `held_back`: only with places that are held back, of which the seller knows for whom they are. */
export type Fit = 'free' | 'held_back';

/**
 * Finds who of a queue has places, if those before them that fit take theirs: a party that does not fit is passed over,
 * and keeps its turn. Places held back are no one's turn, so those who fit into them take none from each other.
 * @param queue in the order of arrival
 * @returns the parties that fit, by id
 */
export function findFitting(
  queue: readonly WaitingParty[],
  free: readonly FreePlaces[],
): ReadonlyMap<string, Fit> {
  const left = free.map((places) => ({ ...places }));
  const fitting = new Map<string, Fit>();
  for (const { id, needs, ...section } of queue) {
    const fitsInto = (places: readonly FreePlaces[]) =>
      needs.every(({ resource, amount }) => amount <= countFree(places, { resource, ...section }));
    if (!fitsInto(left)) {
      const withHeldBack = left.map((places) => ({ ...places, amount: places.amount + places.heldBack }));
      if (fitsInto(withHeldBack)) fitting.set(id, 'held_back');
      continue;
    }
    fitting.set(id, 'free');
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
