import type { CapacityItem } from '#domain/fares/capacity.ts';
import type { Places } from './places.ts';

/** What lines take together, by sailing and resource. */
export function sumPlaces(lines: readonly { sailingId: string; takes: readonly CapacityItem[] }[]): Places[] {
  const places: Places[] = [];
  for (const { sailingId, takes } of lines) {
    for (const { resource, amount } of takes) {
      const sum = places.find((each) => each.sailingId === sailingId && each.resource === resource);
      if (sum) sum.amount += amount;
      else places.push({ sailingId, resource, amount });
    }
  }
  return places;
}
