import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { markUnavailable } from '#web/platform/connection/connection.ts';
import { beginBusy, busyReasons, isBusy, onIdle } from '#web/platform/updates/busy.ts';
import { reloadAutomatically } from '#web/platform/updates/reload.ts';
import { openPage } from '../page.ts';

let page: ReturnType<typeof openPage>;
beforeEach(() => {
  vi.useFakeTimers();
  page = openPage();
});
afterEach(() => {
  openPage();
  vi.useRealTimers();
});

describe('reloading without being asked', () => {
  test('happens at most twice in ten minutes over all causes', () => {
    expect(reloadAutomatically('version')).toBe(true);
    expect(reloadAutomatically('provider-script')).toBe(true);
    expect(reloadAutomatically('call-stack')).toBe(false);
    vi.setSystemTime(Date.now() + 10 * 60 * 1000);
    expect(reloadAutomatically('call-stack')).toBe(true);
    expect(page.reloads).toBe(3);
  });

  test('happens once in ten minutes for one cause', () => {
    expect(reloadAutomatically('version')).toBe(true);
    expect(reloadAutomatically('version')).toBe(false);
  });

  test('never happens while the API is away', () => {
    markUnavailable();
    expect(reloadAutomatically('version')).toBe(false);
  });

  test('never happens while something must not be lost', () => {
    const idle = vi.fn();
    const stop = onIdle(idle);
    const done = beginBusy('a payment is open');
    const doneToo = beginBusy('a form is being typed');
    expect(busyReasons()).toEqual(['a payment is open', 'a form is being typed']);
    expect(reloadAutomatically('version')).toBe(false);
    done();
    done();
    expect(isBusy()).toBe(true);
    expect(idle).not.toHaveBeenCalled();
    doneToo();
    expect(idle).toHaveBeenCalledTimes(1);
    expect(reloadAutomatically('version')).toBe(true);
    stop();
  });

  test('never happens where it cannot be counted', () => {
    const blocked = () => {
      throw new Error('blocked');
    };
    vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked, clear: () => undefined });
    expect(reloadAutomatically('version')).toBe(false);
    vi.unstubAllGlobals();
    expect(page.reloads).toBe(0);
  });
});
