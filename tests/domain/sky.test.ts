import { describe, expect, test } from 'vitest';
import { getSky, getSkyAt } from '#domain/time/sky.ts';

const SEATTLE = { lat: 47.6, lon: -122.3 };
const TROMSO = { lat: 69.6, lon: 18.9 };
const WELLINGTON = { lat: -41.3, lon: 174.8 };

const at = (time: string, place: { lat: number; lon: number }) => getSky(Date.parse(time), place);

describe('getSky', () => {
  test.each([
    ['2026-11-28T07:35:00-08:00', 'dawn'],
    ['2026-11-28T12:00:00-08:00', 'day'],
    ['2026-11-28T16:25:00-08:00', 'dusk'],
    ['2026-11-28T21:00:00-08:00', 'night'],
    ['2026-06-21T20:30:00-07:00', 'dusk'],
    ['2026-06-21T18:00:00-07:00', 'day'],
  ])('follows the sun over Seattle: at %s it is %s', (time, sky) => {
    expect(at(time, SEATTLE)).toBe(sky);
  });

  test('has no night in the north of Norway in June, and night at six in the evening in December', () => {
    expect(at('2026-06-21T17:00:00+02:00', TROMSO)).toBe('day');
    expect(at('2026-06-21T23:59:00+02:00', TROMSO)).not.toBe('night');
    expect(at('2026-12-21T18:00:00+01:00', TROMSO)).toBe('night');
  });

  test('follows the seasons of the southern hemisphere', () => {
    expect(at('2026-12-21T20:45:00+13:00', WELLINGTON)).toBe('dusk');
    expect(at('2026-06-21T20:45:00+12:00', WELLINGTON)).toBe('night');
  });
});

describe('getSkyAt', () => {
  test('takes the first place whose position is known', () => {
    const noon = Date.parse('2026-06-21T12:00:00-07:00');
    expect(getSkyAt(noon, [{ lat: null, lon: null }, SEATTLE])).toBe('day');
  });

  test('tells nothing without a position', () => {
    expect(getSkyAt(0, [{ lat: null, lon: 3 }])).toBeNull();
    expect(getSkyAt(0, [])).toBeNull();
  });
});
