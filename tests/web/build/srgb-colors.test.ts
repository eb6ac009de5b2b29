// @vitest-environment node
import postcss from 'postcss';
import { describe, expect, test } from 'vitest';
import { srgbColors } from '#web/build/srgb-colors.ts';

describe('srgbColors', () => {
  // As the CSS Color 4 sample code and browsers compute them.
  test.each([
    ['oklch(1 0 0)', '#ffffff'],
    ['oklch(0.628 0.2577 29.23)', '#ff0000'],
    ['oklch(0.285 0.062 243)', '#072d46'],
    ['oklch(0.15 0.03 248 / 0.55)', '#020c178c'],
    ['light-dark(oklch(0.25 0.05 245), oklch(0.955 0.012 215))', 'light-dark(#092438, #e8f2f5)'],
  ])('writes %s as %s', (value, expected) => {
    expect(converted(value)).toBe(expected);
  });

  test('does not change a relative color', () => {
    const relative = 'oklch(from var(--accent) max(l, 0.78) min(c, 0.14) h)';
    expect(converted(relative)).toBe(relative);
  });

  test('rejects a color outside the sRGB gamut', () => {
    expect(() => converted('oklch(0.7 0.4 150)')).toThrow('oklch(0.7 0.4 150) is outside of sRGB');
  });
});

function converted(value: string): string {
  const { css } = postcss([srgbColors()]).process(`a{color:${value}}`, { from: undefined });
  return css.slice('a{color:'.length, -1);
}
