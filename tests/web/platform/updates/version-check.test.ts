import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SOURCE_HEADER } from '#contract/worker-messages.ts';
import {
  beginVersion,
  canStoreVersion,
  checkVersion,
  isVersionText,
  VERSION_KEY,
  VERSION_LOCK_KEY,
} from '#web/platform/updates/version-check.ts';
import { answerFetches, openPage } from '../page.ts';

let page: ReturnType<typeof openPage>;

beforeEach(() => {
  vi.useFakeTimers();
  page = openPage();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the version file', () => {
  test.each(['2', 'a1b2c3d4e5f6', '2026.11.21-a', 'v2 (nightly) +3/4~é', '2'.repeat(20), '🚢'.repeat(20)])(
    'can contain up to 20 printable characters: %s',
    (text) => expect(isVersionText(text)).toBe(true),
  );

  test.each(['', '2'.repeat(21), '2\n3', '2\u0000', '<!doctype html><title>Wi-Fi</title>'])(
    'is not a version if it is empty, longer or not printable: %j',
    (text) => expect(isVersionText(text)).toBe(false),
  );

  test('is trimmed, and ignored if it is not a version', async () => {
    answerVersion('2\n');
    expect(await checkVersion()).toBe('2');
    answerVersion('<html><body></body></html>');
    expect(await checkVersion()).toBeNull();
    expect(page.reports).toEqual([]);
  });

  test.each([
    ['from the cache of the worker', { [SOURCE_HEADER]: 'cache' }],
    ['of another content type', { 'content-type': 'text/html' }],
  ])('is ignored if the response is %s', async (_, headers) => {
    answerVersion('2', headers);
    expect(await checkVersion()).toBeNull();
    expect(page.reports).toEqual([]);
  });

  test('causes a report for any failure except "Failed to fetch"', async () => {
    answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await checkVersion()).toBeNull();
    expect(page.reports).toEqual([]);
    answerFetches(() => Promise.reject(new Error('answered with 500')));
    expect(await checkVersion()).toBeNull();
    answerFetches(() =>
      Promise.reject(Object.assign(new Error('signal timed out'), { name: 'TimeoutError' })),
    );
    expect(await checkVersion()).toBeNull();
    expect(page.reports).toMatchObject([{ message: 'answered with 500' }, { message: 'signal timed out' }]);
    expect(localStorage.getItem(VERSION_LOCK_KEY)).toBeNull();
  });

  test('is fetched by one tab at a time, and the lock of a closed tab expires after half a minute', async () => {
    const fetches = answerVersion('2');
    localStorage.setItem(VERSION_LOCK_KEY, String(Date.now() - 29_000));
    expect(await checkVersion()).toBeNull();
    expect(fetches).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(await checkVersion()).toBe('2');
    expect(localStorage.getItem(VERSION_LOCK_KEY)).toBeNull();
  });

  test('is unlocked when the page is left during the check', () => {
    answerFetches(() => new Promise(() => undefined));
    void checkVersion();
    expect(localStorage.getItem(VERSION_LOCK_KEY)).toBe(String(Date.now()));
    window.dispatchEvent(new Event('pagehide'));
    expect(localStorage.getItem(VERSION_LOCK_KEY)).toBeNull();
  });
});

describe('the stored version', () => {
  test('is the version that the page runs, whatever was stored before', async () => {
    localStorage.setItem(VERSION_KEY, '7');
    answerVersion('3');
    expect(await beginVersion('2')).toBe('3');
    expect(localStorage.getItem(VERSION_KEY)).toBe('2');
  });

  test('is fetched if there is none, with up to five retries at growing intervals', async () => {
    const start = Date.now();
    const times: number[] = [];
    answerFetches(() => {
      times.push(Date.now() - start);
      return Promise.reject(new TypeError('Failed to fetch'));
    });
    const version = beginVersion('1');
    await vi.runAllTimersAsync();
    expect(await version).toBeNull();
    expect(times).toEqual([0, 1000, 3000, 6000, 10_000, 15_000]);
    answerVersion('2');
    const next = beginVersion('1');
    await vi.runAllTimersAsync();
    expect(await next).toBe('2');
    expect(localStorage.getItem(VERSION_KEY)).toBe('2');
  });

  test('requires a working storage', () => {
    expect(canStoreVersion()).toBe(true);
    expect(localStorage.length).toBe(0);
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    const empty = { getItem: () => null, removeItem: () => undefined };
    vi.stubGlobal('localStorage', { ...empty, setItem: full });
    expect(canStoreVersion()).toBe(false);
    vi.stubGlobal('localStorage', { ...empty, setItem: () => undefined });
    expect(canStoreVersion()).toBe(false);
  });
});

function answerVersion(text: string, headers: Record<string, string> = {}) {
  return answerFetches(() => new Response(text, { headers }));
}
