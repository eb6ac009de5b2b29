// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { findHeight, findScale, linePath, topUpsPath } from '#web/ui/data/balance-line.ts';

const points = [
  { at: 0, balance: 5000, isTopUp: true },
  { at: 50, balance: 2500 },
  { at: 75, balance: 10_000, isTopUp: true },
];

describe('findScale', () => {
  test('chooses round amounts around all balances and zero', () => {
    expect(findScale(points, 100).ticks).toEqual([0, 5000, 10_000]);
    expect(findScale([{ at: 0, balance: 1230 }], 100).ticks).toEqual([0, 500, 1000, 1500]);
    expect(findScale([{ at: 0, balance: 99_999_999 }], 1).ticks.at(-1)).toBe(100_000_000);
  });

  test('goes below zero for a negative balance', () => {
    const scale = findScale(
      [
        { at: 0, balance: 1000 },
        { at: 1, balance: -850 },
      ],
      2,
    );
    expect(scale.ticks).toEqual([-1000, 0, 1000]);
    expect(findHeight(0, scale)).toBe(50);
  });

  test('has an extent when the balance was always zero or all points have the same time', () => {
    expect(findScale([{ at: 7, balance: 0 }], 7)).toEqual({ ticks: [0, 1], start: 7, end: 8 });
  });

  test('ends with the last point if it is later than `until`', () => {
    expect(findScale(points, 10)).toMatchObject({ start: 0, end: 75 });
  });
});

describe('the path', () => {
  const scale = findScale(points, 100);

  test('stays at a balance until the next point, and at the last one until the end', () => {
    expect(linePath(points, scale)).toBe('M0 50H300V75H450V0H600');
  });

  test('has a dot for each top-up', () => {
    expect(topUpsPath(points, scale)).toBe('M0 50h0M450 0h0');
    expect(topUpsPath([{ at: 0, balance: 5 }], scale)).toBe('');
  });

  test('stays short for ten thousand entries and includes the lowest and the highest', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ at, balance: 1000 + (at % 100) }));
    many[4321] = { at: 4321, balance: 0 };
    many[7654] = { at: 7654, balance: 2000 };
    const path = linePath(many, findScale(many, 10_000));
    expect(path.split('H').length).toBeLessThan(2500);
    expect(path).toContain('V100H');
    expect(path).toContain('V0H');
  });
});
