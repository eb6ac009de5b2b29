import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  beginVersion,
  canStore,
  checkVersion,
  isVersionText,
  VERSION_KEY,
  VERSION_LOCK_KEY,
  type VersionCheck,
} from '#web/platform/updates/version-check.ts';

let stored: Map<string, string>;
let now: number;
let check: VersionCheck & { waited: number[]; reported: unknown[] };

beforeEach(() => {
  stored = new Map();
  now = 1_000_000;
  const waited: number[] = [];
  const reported: unknown[] = [];
  check = {
    waited,
    reported,
    fetchText: async () => '2',
    read: (key) => stored.get(key) ?? null,
    write: (key, value) => {
      stored.set(key, value);
      return true;
    },
    remove: (key) => void stored.delete(key),
    now: () => now,
    wait: async (milliseconds) => void waited.push(milliseconds),
    report: (error) => void reported.push(error),
  };
});

describe('the version file', () => {
  test.each(['2', 'a1b2c3d4e5f6', '2026.11.21-a', 'v2 (nightly) +3/4~é', '2'.repeat(20), '🚢'.repeat(20)])(
    'may be any text of up to 20 printable characters: %s',
    (text) => expect(isVersionText(text)).toBe(true),
  );

  test.each(['', '2'.repeat(21), '2\n3', '2\u0000', '<!doctype html><title>Wi-Fi</title>'])(
    'is no version when empty, longer or not printable: %j',
    (text) => expect(isVersionText(text)).toBe(false),
  );

  test('is trimmed, and ignored when it is no version', async () => {
    check.fetchText = async () => '2\n';
    expect(await checkVersion(check)).toBe('2');
    check.fetchText = async () => '<html><body></body></html>';
    expect(await checkVersion(check)).toBeNull();
    check.fetchText = async () => null;
    expect(await checkVersion(check)).toBeNull();
    expect(check.reported).toEqual([]);
  });

  test('that cannot be reached is nothing to report; any other failure is', async () => {
    check.fetchText = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await checkVersion(check)).toBeNull();
    expect(check.reported).toEqual([]);
    const failure = new Error('answered with 500');
    check.fetchText = () => Promise.reject(failure);
    expect(await checkVersion(check)).toBeNull();
    expect(check.reported).toEqual([failure]);
    expect(stored.has(VERSION_LOCK_KEY)).toBe(false);
  });

  test('is asked for by one tab at a time, and a tab that died in the middle is forgotten after half a minute', async () => {
    const fetchText = vi.fn(async () => '2');
    check.fetchText = fetchText;
    stored.set(VERSION_LOCK_KEY, String(now - 29_000));
    expect(await checkVersion(check)).toBeNull();
    expect(fetchText).not.toHaveBeenCalled();
    now += 1000;
    expect(await checkVersion(check)).toBe('2');
    expect(stored.has(VERSION_LOCK_KEY)).toBe(false);
  });
});

describe('the stored version', () => {
  test('is what the page runs, whatever was stored before', async () => {
    stored.set(VERSION_KEY, '7');
    check.fetchText = async () => '3';
    expect(await beginVersion(check, '2')).toBe('3');
    expect(stored.get(VERSION_KEY)).toBe('2');
  });

  test('is fetched where there is none, with up to five more tries that come later and later', async () => {
    const fetchText = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    check.fetchText = fetchText;
    expect(await beginVersion(check, '1')).toBeNull();
    expect(fetchText).toHaveBeenCalledTimes(6);
    expect(check.waited).toEqual([1000, 2000, 3000, 4000, 5000]);
    check.fetchText = async () => '2';
    expect(await beginVersion(check, '1')).toBe('2');
    expect(stored.get(VERSION_KEY)).toBe('2');
  });

  test('needs a storage that keeps things', () => {
    expect(canStore(check)).toBe(true);
    expect(stored.size).toBe(0);
    expect(canStore({ ...check, write: () => false })).toBe(false);
    expect(canStore({ ...check, write: () => true })).toBe(false);
  });
});
