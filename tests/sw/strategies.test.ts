import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SOURCE_HEADER } from '#contract/worker-messages.ts';
import type { RequestKind } from '#sw/cache-rules.ts';
import { install } from '#sw/precache.ts';
import { strategies } from '#sw/strategies.ts';
import { FakeWorld, ORIGIN, SETTINGS_URL } from './fake-worker-context.ts';

let world: FakeWorld;

beforeEach(async () => {
  world = new FakeWorld().serve('b1');
  await install(world.worker('b1', { host: 'tickets' }));
  await install(world.worker('b1'));
  world.requests.length = 0;
});

/** Answers like a worker that has just started, and awaits the work passed to `waitUntil`. */
async function ask(
  kind: RequestKind,
  url: string,
  { host = 'portal' }: { host?: 'tickets' | 'portal' } = {},
): Promise<Response> {
  const waitUntil: Promise<void>[] = [];
  const request = new Request(new URL(url, ORIGIN));
  const answer = await strategies[kind](world.worker('b1', { host }), request, (work) =>
    waitUntil.push(work),
  );
  await Promise.all(waitUntil);
  return answer;
}

/** Every request times out; fails if its limit is longer than expected. */
async function askUntilLimit(kind: RequestKind, url: string, limit: number): Promise<Response> {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    expect(milliseconds).toBeLessThanOrEqual(limit);
    return AbortSignal.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  });
  try {
    return await ask(kind, url);
  } finally {
    timeout.mockRestore();
  }
}

describe('pages', () => {
  test('a kept page is answered without a request', async () => {
    expect(await (await ask('page', '/orders?source=pwa')).text()).toContain('"version":"b1"');
    expect(world.requests).toEqual([]);
  });

  test('a kept page older than five minutes is fetched again after it is answered', async () => {
    world.time += 5 * 60_000 + 1;
    world.answers.set('/orders', () => world.answerWith('{"version":"b1"} with new settings', 'text/html'));
    expect(await (await ask('page', '/orders')).text()).not.toContain('new settings');
    expect(await (await ask('page', '/orders')).text()).toContain('new settings');
    expect(world.requests).toHaveLength(1);
  });

  test('a page of another build, whose files are not cached, never replaces the kept one', async () => {
    world.time += 5 * 60_000 + 1;
    world.answers.set('/orders', () => world.document('b2'));
    await ask('page', '/orders');
    expect(await (await ask('page', '/orders')).text()).toContain('"version":"b1"');
  });

  test.each(['a dead network', 'a sign-in page of the network'])(
    '%s does not replace the kept page',
    async (what) => {
      world.time += 5 * 60_000 + 1;
      world.answers.set(
        '/orders',
        what === 'a dead network'
          ? new TypeError('Failed to fetch')
          : world.answerWith('<h1>Wi-Fi</h1>', 'text/html'),
      );
      await ask('page', '/orders');
      expect(await (await ask('page', '/orders')).text()).toContain('"version":"b1"');
    },
  );

  test('a kept page with a date in the future is fetched again', async () => {
    world.time -= 24 * 60 * 60_000;
    await ask('page', '/orders');
    expect(world.requests.map(({ url }) => url)).toEqual(['/orders']);
  });

  test('the kept home page is the readable one and is refreshed', async () => {
    world.time += 5 * 60_000 + 1;
    await ask('page', '/?from=mail', { host: 'tickets' });
    expect(world.requests.map(({ url }) => url)).toEqual(['/']);
  });

  test('a page that is not kept is fetched with a time limit', async () => {
    await world.caches.delete('ferry-files-b1');
    world.answers.set('/orders', () => world.document('b2'));
    expect(await (await ask('page', '/orders')).text()).toContain('"version":"b2"');
    expect(world.requests[0]?.init.signal).toBeInstanceOf(AbortSignal);
    expect(await world.caches.has('ferry-files-b1')).toBe(false);
  });
});

describe('files', () => {
  test('a kept file is answered without a request, and others are fetched', async () => {
    expect(await (await ask('file', '/assets/orders-1.js')).text()).toBe('/assets/orders-1.js');
    expect(world.requests).toEqual([]);
    world.answers.set('/assets/words-1.js', () => world.answerWith('words', 'text/javascript'));
    expect(await (await ask('file', '/assets/words-1.js')).text()).toBe('words');
  });
});

describe('a broken disk', () => {
  test.each([
    ['fails', () => Promise.reject(new Error('Internal error.'))],
    ['never answers', () => new Promise<never>(() => undefined)],
  ])('that %s does not keep pages, files, settings and version from being fetched', async (_, match) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(world.caches, 'match').mockImplementation(match);
    vi.spyOn(world.caches, 'has').mockImplementation(match);
    world.answers.set('/orders', () => world.document('b1'));
    const asked = [
      ask('page', '/orders'),
      ask('file', '/assets/orders-1.js'),
      ask('version', '/version.txt?t=1'),
      ask('settings', `${SETTINGS_URL}?t=1`),
    ];
    await vi.advanceTimersByTimeAsync(1500);
    const texts = await Promise.all(asked.map(async (answer) => (await answer).text()));
    expect(texts).toEqual([
      expect.stringContaining('"version":"b1"'),
      '/assets/orders-1.js',
      'b1',
      expect.stringContaining('Harbor Line'),
    ]);
    vi.useRealTimers();
  });
});

describe('version.txt', () => {
  test('a fetched version is returned unchanged, kept once, and reported to tabs', async () => {
    const tab = world.openTab();
    for (let time = 0; time < 50; time += 1) await ask('version', `/version.txt?t=${time}`);
    const answer = await ask('version', '/version.txt?t=99');
    expect(answer.headers.get(SOURCE_HEADER)).toBeNull();
    expect(await answer.text()).toBe('b1');
    expect(await world.caches.paths('ferry-settings')).toEqual(['/version.txt']);
    expect(tab.heardOf('VERSION').at(-1)).toMatchObject({ text: 'b1', source: 'network' });
  });

  test('the kept version is answered offline with its source and date, and tabs are told to check the connection', async () => {
    await ask('version', '/version.txt?t=1');
    const at = world.time;
    world.time += 60_000;
    const tab = world.openTab();
    world.offline();
    const answer = await ask('version', '/version.txt?t=2');
    expect(answer.headers.get(SOURCE_HEADER)).toBe('cache');
    expect(await answer.text()).toBe('b1');
    expect(tab.heardOf('VERSION')).toMatchObject([{ text: 'b1', source: 'cache', at }]);
    expect(tab.heardOf('CONN')).toMatchObject([{ state: 'unavailable', from: 'version' }]);
  });

  test('a version that is not kept fails offline with a network error, as without a worker', async () => {
    world.offline();
    expect((await ask('version', '/version.txt')).type).toBe('error');
  });

  test('a request for the version has a limit of three seconds, after which the kept version is used', async () => {
    await ask('version', '/version.txt?t=1');
    world.answers.set('/version.txt', (_, { signal }) => Promise.reject(signal?.reason));
    expect((await askUntilLimit('version', '/version.txt', 3000)).headers.get(SOURCE_HEADER)).toBe('cache');
  });

  test.each([
    ['a page', '<!doctype html><title>Wi-Fi</title>', 200],
    ['21 characters', 'a'.repeat(21), 200],
    ['nothing', '', 200],
    ['a failure', 'b2', 500],
  ])('%s is returned and not kept', async (_, body, status) => {
    world.answers.set('/version.txt', world.answerWith(body, 'text/plain', status));
    const answer = await ask('version', '/version.txt');
    expect(await answer.text()).toBe(body);
    expect(answer.status).toBe(status);
    expect(await world.caches.paths('ferry-settings')).toEqual([]);
  });
});

describe('settings', () => {
  const url = (time: number) => `${SETTINGS_URL}?t=${time}`;

  test('fifty requests with different timestamps keep one response', async () => {
    for (let time = 0; time < 50; time += 1) await ask('settings', url(time));
    expect(await world.caches.paths('ferry-settings')).toEqual([SETTINGS_URL]);
  });

  test('settings are fetched first, and the kept response is used when that fails', async () => {
    await ask('settings', url(1));
    world.answers.set(SETTINGS_URL, () => Response.json({ brand: { name: 'Other Line' } }));
    expect(await (await ask('settings', url(2))).json()).toEqual({ brand: { name: 'Other Line' } });
    world.offline();
    const kept = await ask('settings', url(3));
    expect(await kept.json()).toEqual({ brand: { name: 'Other Line' } });
    expect(kept.headers.get(SOURCE_HEADER)).toBe('cache');
  });

  test.each([
    ['a list', '[{}]', 200],
    ['nothing in it', '{}', 200],
    ['null', 'null', 200],
    ['a page', '<h1>Wi-Fi</h1>', 200],
    ['half a file', '{"brand":', 200],
    ['a failure', '{"brand":{}}', 503],
  ])('%s never replaces valid settings', async (_, body, status) => {
    await ask('settings', url(1));
    world.answers.set(SETTINGS_URL, world.answerWith(body, 'application/json', status));
    expect(await (await ask('settings', url(2))).json()).toEqual({ brand: { name: 'Harbor Line' } });
  });

  test('a request for settings has a limit of three seconds, after which the kept settings are used', async () => {
    await ask('settings', url(1));
    world.answers.set(SETTINGS_URL, (_, { signal }) => Promise.reject(signal?.reason));
    expect(await (await askUntilLimit('settings', url(2), 3000)).json()).toEqual({
      brand: { name: 'Harbor Line' },
    });
  });

  test('settings are answered but not kept when the disk is full', async () => {
    const tab = world.openTab();
    world.caches.isFull = true;
    expect(await (await ask('settings', url(1))).json()).toEqual({ brand: { name: 'Harbor Line' } });
    expect(tab.heardOf('STORAGE')).toHaveLength(1);
  });

  test('nothing is kept again after all caches were deleted', async () => {
    for (const name of await world.caches.keys()) await world.caches.delete(name);
    await ask('settings', url(1));
    await ask('version', '/version.txt');
    expect(await world.caches.keys()).toEqual([]);
  });
});
