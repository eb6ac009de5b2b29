import { describe, expect, test } from 'vitest';
import { chooseTextColor } from '#domain/text-on-color.ts';

describe('chooseTextColor', () => {
  test.for([
    ['#f2640c', '#000000'],
    ['#0D7D5B', '#ffffff'],
    ['#000000', '#ffffff'],
    ['#ffffff', '#000000'],
    ['#0a5fb4', '#ffffff'],
    ['#ffd000', '#000000'],
    // The two grays between which black and white text contrast alike.
    ['#747474', '#ffffff'],
    ['#777777', '#000000'],
  ] as const)('returns for %s the text color %s', ([color, text]) => {
    expect(chooseTextColor(color)).toBe(text);
  });

  test('returns a text color with a contrast of 4.5:1 for every gray and every pure red, green and blue', () => {
    const poor: string[] = [];
    for (let byte = 0; byte < 256; byte += 1) {
      const part = byte.toString(16).padStart(2, '0');
      const linear = byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
      const luminances = {
        [`#${part}${part}${part}`]: linear,
        [`#${part}0000`]: 0.2126 * linear,
        [`#00${part}00`]: 0.7152 * linear,
        [`#0000${part}`]: 0.0722 * linear,
      };
      for (const [color, luminance] of Object.entries(luminances)) {
        const contrast =
          chooseTextColor(color) === '#ffffff' ? 1.05 / (luminance + 0.05) : (luminance + 0.05) / 0.05;
        if (contrast < 4.5) poor.push(`${color}: ${contrast}`);
      }
    }
    expect(poor).toEqual([]);
  });
});
