/** Numbers of passengers, vehicles and bicycles on one crossing. */
export type PartyCounts = { passengers: number; vehicles: number; bicycles: number };

type Counted = { kind: string; quantity?: number };

/** Counts the lines or tickets of one crossing; discount and fee lines are ignored. */
export function countParty(items: readonly Counted[]): PartyCounts {
  const count = (kind: string) =>
    items.reduce((sum, item) => sum + (item.kind === kind ? (item.quantity ?? 1) : 0), 0);
  return { passengers: count('passenger'), vehicles: count('vehicle'), bicycles: count('bicycle') };
}
