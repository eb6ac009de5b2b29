import { travelersOf } from '#web/features/order/traveler-names/travelers.ts';
import type { Draft } from '../draft.ts';

/** The names in the order of the fare lines; undefined while none was ever typed. */
export function findTravelerNames(draft: Pick<Draft, 'quote' | 'travelerNames'>): string[] | undefined {
  const { quote, travelerNames } = draft;
  if (Object.keys(travelerNames).length === 0) return undefined;
  return travelersOf(quote?.lines ?? []).map(({ key }) => travelerNames[key] ?? '');
}
