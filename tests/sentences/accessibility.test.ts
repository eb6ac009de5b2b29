import { describe, expect, it } from 'vitest';
import { describeAccessibility } from '#sentences/accessibility.ts';
import { textsIn } from '#server/core/texts.ts';

const t = textsIn('en');
const north = { name: 'North Pier', stepFree: 'yes' } as const;
const south = { name: 'South Pier', stepFree: 'no' } as const;
const silent = { wheelchairPlaces: null, accessibilityNotes: '' };

describe('describeAccessibility', () => {
  it('names the ports of one answer together, the step-free ones first', () => {
    const describeOf = (origin: typeof north | typeof south) =>
      describeAccessibility(t, 'en', { origin, destination: north, vessel: silent });
    expect(describeOf(north)).toEqual(['Step-free way to the boat at North Pier and North Pier.']);
    expect(describeOf(south)).toEqual([
      'Step-free way to the boat at North Pier.',
      'There are steps on the way to the boat at South Pier.',
    ]);
  });

  it('says nothing about what the operator does not say', () => {
    const unknown = { name: 'East Pier', stepFree: 'unknown' } as const;
    expect(describeAccessibility(t, 'en', { origin: unknown, destination: unknown, vessel: silent })).toEqual(
      [],
    );
  });

  it('tells a boat without wheelchair places from one that nothing is known of', () => {
    const notes = 'Accessible restroom.';
    const describeBoat = (wheelchairPlaces: number | null) =>
      describeAccessibility(t, 'en', {
        origin: { ...north, stepFree: 'partly' },
        destination: { ...south, stepFree: 'unknown' },
        vessel: { wheelchairPlaces, accessibilityNotes: notes },
      }).slice(1);
    expect(describeBoat(4)).toEqual(['Wheelchair places on this boat: 4.', notes]);
    expect(describeBoat(0)).toEqual(['This boat has no wheelchair places.', notes]);
    expect(describeBoat(null)).toEqual([notes]);
  });
});
