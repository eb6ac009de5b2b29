import { listTravelers } from '#domain/travelers.ts';
import type { Draft } from '../draft.ts';

export type Traveler = {
  /** "Adult 2": the same person also after the rest of the party has changed. */
  key: string;
  /** "Adult 2", or "Adult" for the only one. */
  label: string;
  fieldId: string;
};

/** Those who travel, in the order of the fare lines. */
export function travelersOf({ quote }: Pick<Draft, 'quote'>): Traveler[] {
  const types = listTravelers(quote?.lines ?? []);
  return types.map((type, index) => {
    const key = `${type} ${types.slice(0, index + 1).filter((each) => each === type).length}`;
    const isOnly = types.filter((each) => each === type).length === 1;
    return { key, label: isOnly ? type : key, fieldId: travelerField(index) };
  });
}

export function travelerField(index: number | string): string {
  return `traveler-${index}`;
}

/** The names in the order of the fare lines; undefined while none was ever typed. */
export function findTravelerNames(draft: Pick<Draft, 'quote' | 'travelerNames'>): string[] | undefined {
  const { travelerNames } = draft;
  if (Object.keys(travelerNames).length === 0) return undefined;
  return travelersOf(draft).map(({ key }) => travelerNames[key] ?? '');
}
