import { travelersOf } from '#web/features/order/traveler-names/travelers.ts';
import type { Draft } from '../purchase.ts';

/** In the order of the fare lines; undefined if none was ever typed. */
export function findTravelerNames({ quote, travelerNames }: Draft): string[] | undefined {
  if (Object.keys(travelerNames).length === 0) return undefined;
  return travelersOf(quote?.lines ?? []).map(({ key }) => travelerNames[key] ?? '');
}
