import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepScreenOn } from '#web/platform/install/wake-lock.ts';

let held = 0;
let show: (isIntersecting: boolean) => void = () => {};
let visibility: DocumentVisibilityState = 'visible';

beforeEach(() => {
  held = 0;
  visibility = 'visible';
  vi.useFakeTimers();
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
        show = (isIntersecting) => report([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  Object.defineProperty(navigator, 'wakeLock', {
    configurable: true,
    value: {
      request: async () => {
        held += 1;
        return {
          release: async () => {
            held -= 1;
          },
        };
      },
    },
  });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'wakeLock');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('keepScreenOn', () => {
  test('keeps the screen on while its element is visible', async () => {
    const stop = keepScreenOn(document.body);
    await settled();
    expect(held).toBe(0);
    show(true);
    await settled();
    expect(held).toBe(1);
    show(false);
    await settled();
    expect(held).toBe(0);
    show(true);
    stop();
    await settled();
    expect(held).toBe(0);
  });

  test('keeps it on without a limit if there is none', async () => {
    const stop = keepScreenOn(document.body, { limitMs: null });
    show(true);
    await vi.advanceTimersByTimeAsync(24 * 60 * 60_000);
    expect(held).toBe(1);
    stop();
  });

  test('releases the lock while the page is hidden, and requests it again afterwards', async () => {
    keepScreenOn(document.body);
    show(true);
    await settled();
    visibility = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    await settled();
    expect(held).toBe(0);
    visibility = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    await settled();
    expect(held).toBe(1);
  });

  test('releases the lock after ten minutes', async () => {
    keepScreenOn(document.body);
    show(true);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(held).toBe(0);
  });

  test('does nothing in a browser without wake locks', () => {
    Reflect.deleteProperty(navigator, 'wakeLock');
    expect(() => keepScreenOn(document.body)()).not.toThrow();
  });
});
