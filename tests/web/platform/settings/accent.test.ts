import { afterEach, describe, expect, test, vi } from 'vitest';
import { applyAccent } from '#web/platform/settings/accent.ts';

const root = document.documentElement;
const fallback = () => root.style.getPropertyValue('--on-accent-fallback');

afterEach(() => {
  root.removeAttribute('style');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('applyAccent', () => {
  test.for([
    ['hsl(161 81% 27%)', [13, 125, 91], '#ffffff'],
    ['orange', [255, 165, 0], '#000000'],
  ] as const)(
    'chooses the text color on %s if the browser has no relative colors',
    ([accent, pixel, text]) => {
      vi.stubGlobal('CSS', { supports: () => false });
      paintPixelsAs(pixel);
      applyAccent(accent);
      expect(root.style.getPropertyValue('--accent')).toBe(accent);
      expect(fallback()).toBe(text);
    },
  );

  test('leaves the text color to the style sheet if the browser has relative colors', () => {
    vi.stubGlobal('CSS', { supports: () => true });
    applyAccent('#0d7d5b');
    expect(root.style.getPropertyValue('--accent')).toBe('#0d7d5b');
    expect(fallback()).toBe('');
  });
});

/** Stubs a canvas that paints every color as this one, because happy-dom has no canvas. */
function paintPixelsAs([red, green, blue]: readonly [number, number, number]): void {
  const context = { fillRect() {}, getImageData: () => ({ data: [red, green, blue, 255] }) };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
}
