import { describe, expect, test } from 'vitest';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { compareLegs, nameLegs } from '#domain/orders/legs.ts';

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
