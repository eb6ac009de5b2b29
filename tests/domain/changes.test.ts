import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberParty, type PartyMember } from '#domain/changes/number-party.ts';

describe('numberParty', () => {
  const family: PartyMember[] = [
    { key: 'adult', partyIndex: 1 },
    { key: 'adult', partyIndex: 2 },
    { key: 'child', partyIndex: 3 },
    { key: 'vehicle', partyIndex: 4 },
  ];

  test('leaves travelers their numbers', () => {
    expect(numberParty(['adult', 'adult', 'child', 'vehicle'], { own: family, others: [] })).toEqual([
      1, 2, 3, 4,
    ]);
    expect(numberParty(['adult', 'child'], { own: family, others: family })).toEqual([1, 3]);
  });

  test('gives an added traveler the lowest number that no other has', () => {
    expect(numberParty(['adult', 'infant'], { own: family, others: [] })).toEqual([1, 2]);
    expect(numberParty(['adult', 'infant'], { own: family, others: family })).toEqual([1, 5]);
  });

  test('finds the travelers of an added way on the other way', () => {
    expect(numberParty(['adult', 'child', 'bicycle'], { own: [], others: family })).toEqual([1, 3, 5]);
  });

  test('never gives one number twice, whatever the parties', () => {
    const key = fc.constantFrom('adult', 'child', 'vehicle', 'bicycle');
    const member = fc.record({ key, partyIndex: fc.integer({ min: 1, max: 9 }) });
    const members = fc.uniqueArray(member, { maxLength: 6, selector: ({ partyIndex }) => partyIndex });
    void fc.assert(
      fc.property(fc.array(key, { maxLength: 8 }), members, members, (keys, own, others) => {
        const numbers = numberParty(keys, { own, others });
        expect(new Set(numbers).size).toBe(keys.length);
        expect(Math.min(1, ...numbers)).toBe(1);
      }),
    );
  });
});
