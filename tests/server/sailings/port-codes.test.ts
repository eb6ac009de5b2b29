import { describe, expect, it } from 'vitest';
import { assignCodes } from '#server/sailings/feed/port-codes.ts';

/** The codes of ports with these names. */
function codesOf(names: readonly string[], given: Record<string, string> = {}): (string | undefined)[] {
  const stops = names.map((name, index) => ({ id: String(index), name, code: '' }));
  const codes = assignCodes(stops, new Map(Object.entries(given)));
  return stops.map(({ id }) => codes.get(id));
}

describe('assignCodes', () => {
  it.each([
    ['Anacortes', 'ANA'],
    ['Port Madrona', 'MAD'],
    ['Friday Harbor', 'FRI'],
    ['The Landing', 'THE'],
    ['Pier 11 / Wall St', 'P11'],
    ['East 34th Street', 'E34'],
    ['Sørvágur', 'SOR'],
    ['Tórshavn', 'TOR'],
    ['St. George', 'STG'],
    ["L'Île", 'LIL'],
    ['Ål', 'AL2'],
    ['横浜', 'POR'],
  ])('makes of the name %s the code %s', (name, code) => {
    expect(codesOf([name])).toEqual([code]);
  });

  it('uses other letters of the name for a code that is taken, and numbers at last', () => {
    const names = ['Southworth', 'South Ferry', 'Southampton', 'Sousse', 'Sou', 'Sou'];
    expect(codesOf(names)).toEqual(['SOU', 'SOT', 'SOH', 'SOS', 'SOU2', 'SOU3']);
    expect(codesOf(['Lopez Village', 'Lopez Landing'], { LOP: 'other' })).toEqual(['LOV', 'LOE']);
  });

  it('keeps given codes, and codes of the feed for the stops that have them', () => {
    const stops = [
      { id: 'a', name: 'Anacortes', code: '' },
      { id: 'b', name: 'Bay', code: 'ana' },
      { id: 'c', name: 'Cape', code: 'a code that is long' },
    ];
    expect(Object.fromEntries(assignCodes(stops, new Map([['XYZ', 'c']])))).toEqual({
      ...{ a: 'ANC', b: 'ANA', c: 'XYZ' },
    });
  });
});
