import { describe, expect, test } from 'vitest';
import { assignColors, COLORS } from '#web/features/trip-card/card-colors.ts';

const colorsOf = (...numbers: string[]) => [
  ...assignColors(numbers.map((lastFour, index) => ({ id: `tcd_${index}`, lastFour }))).values(),
];

describe('assignColors', () => {
  test('gives a card the color of its number', () => {
    expect(colorsOf('0001', '0010')).toEqual([1, 2]);
  });

  test('gives a card whose color an earlier card has the next one that is free', () => {
    expect(colorsOf('0007', '0015', '0000')).toEqual([7, 0, 1]);
  });

  test('repeats no color while there are as many colors as cards', () => {
    const same = Array.from({ length: COLORS }, () => '3280');
    expect(new Set(colorsOf(...same)).size).toBe(COLORS);
    expect(colorsOf(...same, '3281').at(-1)).toBe(3281 % COLORS);
  });
});
