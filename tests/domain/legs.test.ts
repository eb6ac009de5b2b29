import { describe, expect, test } from 'vitest';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { compareLegs, describeLeg, nameLegs } from '#domain/orders/legs.ts';

describe('the legs of a request', () => {
  test('are outward and back if they have no names', () => {
    expect(nameLegs([undefined])).toEqual(['out']);
    expect(nameLegs([undefined, undefined])).toEqual(['out', 'back']);
  });

  test.for<LegName[]>([
    ['out', 'out_onward'],
    ['out', 'back', 'back_onward'],
    ['out', 'out_onward', 'back', 'back_onward'],
  ])('may be %j', (legs) => {
    expect(nameLegs(legs)).toEqual(legs);
  });

  test.for<(LegName | undefined)[]>([
    [],
    [undefined, undefined, undefined],
    ['back'],
    ['out', undefined],
    ['out', 'out'],
    ['back', 'out'],
    ['out_onward', 'out'],
    ['out', 'back_onward'],
    ['out', 'back', 'out_onward'],
  ])('cannot be %j', (legs) => {
    expect(nameLegs(legs)).toBeNull();
  });

  test('are sorted as they are travelled', () => {
    const legs: LegName[] = ['back_onward', 'out_onward', 'back', 'out'];
    expect(legs.toSorted(compareLegs)).toEqual(['out', 'out_onward', 'back', 'back_onward']);
  });
});

test.for<[LegName, LegName[], string | null]>([
  ['out', ['out'], null],
  ['back', ['out', 'back'], 'Return'],
  ['out', ['out', 'out_onward'], 'First boat'],
  ['out_onward', ['out', 'out_onward'], 'Second boat'],
  ['out', ['out', 'out_onward', 'back'], 'Outbound, first boat'],
  ['back', ['out', 'out_onward', 'back'], 'Return'],
  ['back_onward', ['out', 'back', 'back_onward'], 'Return, second boat'],
])('the leg %s of %j is called %j', ([leg, legs, name]) => {
  expect(describeLeg(leg, legs)).toBe(name);
});
