import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchConnection } from '#web/app/watch-connection.ts';
import {
  apiAvailable,
  connectionPhase,
  keepWorking,
  lastFinding,
  markAvailable,
  markUnavailable,
  onRestored,
  watchLeaving,
  writesPaused,
} from '#web/platform/connection/connection.ts';
import { answerFetches, json, openPage } from '../page.ts';

beforeAll(() => {
  openPage();
  watchLeaving();
  watchConnection();
});
beforeEach(() => {
  vi.useFakeTimers();
  openPage();
  answerFetches(() => json({}, 503));
});
afterEach(async () => {
  openPage();
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the state of the connection', () => {
  test('is lost, then restored until the customer continues, then available', () => {
    expect(connectionPhase.get()).toBe('available');
    markUnavailable('timeout');
    expect([connectionPhase.get(), apiAvailable.get()]).toEqual(['lost', false]);
    expect(lastFinding.get()).toMatchObject({ state: 'unavailable', why: 'timeout', isOwn: true });
    keepWorking();
    expect(connectionPhase.get()).toBe('lost');
    markAvailable();
    expect([connectionPhase.get(), apiAvailable.get()]).toEqual(['restored', true]);
    keepWorking();
    expect(connectionPhase.get()).toBe('available');
  });

  test('records one finding, however many calls fail', () => {
    markUnavailable('network');
    const found = lastFinding.get();
    markUnavailable('timeout');
    expect(lastFinding.get()).toBe(found);
  });

  test('ignores requests that end because the page is left', () => {
    window.dispatchEvent(new Event('pagehide'));
    markUnavailable();
    expect(apiAvailable.get()).toBe(true);
    window.dispatchEvent(new Event('pageshow'));
    markUnavailable();
    expect(apiAvailable.get()).toBe(false);
  });
});

describe('after the connection was lost', () => {
  test('writes stay paused until the data on screen is fetched again', async () => {
    let finish = () => {};
    const refetch = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const stop = onRestored(refetch);
    markUnavailable();
    expect(writesPaused.get()).toBe(true);
    markAvailable();
    await vi.advanceTimersByTimeAsync(0);
    expect(refetch).toHaveBeenCalledTimes(1);
    expect(writesPaused.get()).toBe(true);
    finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(writesPaused.get()).toBe(false);
    stop();
  });

  test('writes resume if fetching fails for another reason than the connection', async () => {
    const stop = onRestored(() => Promise.reject(new Error('500')));
    markUnavailable();
    markAvailable();
    await vi.advanceTimersByTimeAsync(0);
    expect(writesPaused.get()).toBe(false);
    stop();
  });

  test('an unstable connection causes at most one refetch in ten seconds', async () => {
    const refetch = vi.fn(() => Promise.resolve());
    const stop = onRestored(refetch);
    for (let drop = 0; drop < 5; drop += 1) {
      markUnavailable();
      await vi.advanceTimersByTimeAsync(1000);
      markAvailable();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(refetch).toHaveBeenCalledTimes(1);
    expect(writesPaused.get()).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(refetch).toHaveBeenCalledTimes(2);
    expect(writesPaused.get()).toBe(false);
    stop();
  });
});
