import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  apiAvailable,
  checkApi,
  markAvailable,
  markUnavailable,
} from '#web/platform/connection/connection.ts';
import { startProbing } from '#web/platform/connection/probe.ts';
import { answerFetches, hanging, json, openPage } from '../page.ts';

startProbing();
beforeEach(() => {
  vi.useFakeTimers();
  openPage();
});
afterEach(() => {
  show('visible');
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function show(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Stubs `navigator.locks`: one tab holds the lock, the others wait until it is released. */
function stubLocks() {
  const waiting: (() => void)[] = [];
  const request = (_: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      waiting.push(() => void work().then(resolve));
    });
  vi.stubGlobal('navigator', { onLine: true, locks: { request } });
  return { give: () => waiting.shift()?.() };
}

describe('the probe of the API', () => {
  test('pings at once and every second until one succeeds, then stops', async () => {
    let up = false;
    const requests = answerFetches(() => (up ? json({}) : json({}, 503)));
    markUnavailable();
    await vi.advanceTimersByTimeAsync(0);
    expect(requests.map(({ url }) => url)).toEqual(['/api/ping']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(requests).toHaveLength(3);
    expect(apiAvailable.get()).toBe(false);
    up = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(apiAvailable.get()).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toHaveLength(4);
  });

  test('pings every second while earlier pings hang, and aborts each of them after four seconds', async () => {
    const requests = answerFetches(hanging);
    markUnavailable();
    markUnavailable();
    const underWay = () => requests.filter(({ init }) => !init.signal?.aborted).length;
    for (let second = 0; second < 20; second += 1) {
      await vi.advanceTimersByTimeAsync(second === 0 ? 0 : 1000);
      expect(requests).toHaveLength(second + 1);
      expect(underWay()).toBe(Math.min(second + 1, 4));
    }
    expect(requests[15]?.init.signal?.aborted).toBe(true);
    expect(requests[16]?.init.signal?.aborted).toBe(false);
  });

  test('aborts all pending pings when the first one succeeds', async () => {
    let isHanging = true;
    const requests = answerFetches((request) => (isHanging ? hanging(request) : json({})));
    markUnavailable();
    await vi.advanceTimersByTimeAsync(2500);
    isHanging = false;
    await vi.advanceTimersByTimeAsync(500);
    expect(apiAvailable.get()).toBe(true);
    expect(requests.slice(0, 3).map(({ init }) => init.signal?.aborted)).toEqual([true, true, true]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toHaveLength(4);
  });

  test('pauses while the page is hidden and continues at once when it is visible', async () => {
    const requests = answerFetches(hanging);
    show('hidden');
    markUnavailable();
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(0);
    show('visible');
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toHaveLength(1);
    show('hidden');
    expect(requests[0]?.init.signal?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(1);
  });

  test.each(['online', 'focus'])('pings at once on %s, and aborts the pending ping', async (event) => {
    const requests = answerFetches(hanging);
    markUnavailable();
    await vi.advanceTimersByTimeAsync(300);
    window.dispatchEvent(new Event(event));
    await vi.advanceTimersByTimeAsync(0);
    expect(requests.map(({ init }) => init.signal?.aborted)).toEqual([true, false]);
    window.dispatchEvent(new Event(event));
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toHaveLength(2);
  });

  test('does not count the page of a captive portal as a response of the API', async () => {
    answerFetches(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    markUnavailable();
    await vi.advanceTimersByTimeAsync(1000);
    expect(apiAvailable.get()).toBe(false);
  });

  test('pings when the device reports that it is offline, and trusts only the result', async () => {
    let up = true;
    answerFetches(() => (up ? json({}) : Promise.reject(new TypeError('Failed to fetch'))));
    window.dispatchEvent(new Event('offline'));
    await vi.advanceTimersByTimeAsync(0);
    expect(apiAvailable.get()).toBe(true);
    up = false;
    window.dispatchEvent(new Event('offline'));
    await vi.advanceTimersByTimeAsync(0);
    expect(apiAvailable.get()).toBe(false);
  });

  test('sends one ping for simultaneous checks, and none while the API is known to be unavailable', async () => {
    // Keeps the probes from running in the meantime.
    show('hidden');
    const requests = answerFetches(() => json({}, 503));
    expect(await Promise.all([checkApi(), checkApi()])).toEqual([false, false]);
    expect(requests).toHaveLength(1);
    expect(await checkApi()).toBe(false);
    expect(requests).toHaveLength(1);
  });
});

describe('the probe in several tabs', () => {
  test('pings only while it holds the lock', async () => {
    const locks = stubLocks();
    const requests = answerFetches(() => json({}, 503));
    markUnavailable();
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(0);
    locks.give();
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests).toHaveLength(2);
  });

  test('does not ping if another tab has found the API before it gets the lock', async () => {
    const locks = stubLocks();
    const requests = answerFetches(() => json({}));
    markUnavailable();
    markAvailable(false);
    locks.give();
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests).toHaveLength(0);
  });

  test('pings without a lock if the browser refuses locks', async () => {
    const request = () => Promise.reject(new DOMException('No', 'SecurityError'));
    vi.stubGlobal('navigator', { onLine: true, locks: { request } });
    const requests = answerFetches(() => json({}, 503));
    markUnavailable();
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests).toHaveLength(2);
  });
});
