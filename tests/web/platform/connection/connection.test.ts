import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiAvailable, markUnavailable, watchConnection } from '#web/platform/connection/connection.ts';
import { answerFetches, hanging, json, openPage } from '../page.ts';

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

describe('finding the way back to the API', () => {
  test('pings every second until one succeeds, then stops', async () => {
    let up = false;
    const asked = answerFetches(() => (up ? json({}) : json({}, 503)));
    markUnavailable();
    expect(asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.map(({ url }) => url)).toEqual(['/api/ping']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked).toHaveLength(3);
    expect(apiAvailable.get()).toBe(false);
    up = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(apiAvailable.get()).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(4);
  });

  test('pings once at a time however often it is told', async () => {
    const asked = answerFetches(hanging);
    markUnavailable();
    markUnavailable();
    await vi.advanceTimersByTimeAsync(3000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(4000);
  });

  test('rests while the page is hidden and goes on at once when it is seen', async () => {
    const asked = answerFetches(() => json({}, 503));
    markUnavailable();
    show('hidden');
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(0);
    show('visible');
    expect(asked).toHaveLength(1);
  });

  test('takes no page of somebody else’s network for the API', async () => {
    answerFetches(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    markUnavailable();
    await vi.advanceTimersByTimeAsync(1000);
    expect(apiAvailable.get()).toBe(false);
  });

  test('looks for itself when the device says that the network went, and believes only what it finds', async () => {
    let up = true;
    answerFetches(() => (up ? json({}) : Promise.reject(new TypeError('Failed to fetch'))));
    watchConnection();
    window.dispatchEvent(new Event('offline'));
    await vi.advanceTimersByTimeAsync(0);
    expect(apiAvailable.get()).toBe(true);
    up = false;
    window.dispatchEvent(new Event('offline'));
    await vi.advanceTimersByTimeAsync(0);
    expect(apiAvailable.get()).toBe(false);
  });
});
