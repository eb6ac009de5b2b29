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

/** Answers as a worker that has just started, and waits for what it does waitUntil. */
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

/** What is asked for comes no earlier than the limit it is asked with. */
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
  test('a page is answered from what is kept, without asking the network', async () => {
    expect(await (await ask('page', '/orders?source=pwa')).text()).toContain('"version":"b1"');
    expect(world.requests).toEqual([]);
  });

  test('a kept page older than five minutes is asked for again behind the answer', async () => {
    world.time += 5 * 60_000 + 1;
    world.answers.set('/orders', () => world.answerWith('{"version":"b1"} with new settings', 'text/html'));
    expect(await (await ask('page', '/orders')).text()).not.toContain('new settings');
    expect(await (await ask('page', '/orders')).text()).toContain('new settings');
    expect(world.requests).toHaveLength(1);
  });

  test('another build’s page never replaces the kept one: its files are not here', async () => {
    world.time += 5 * 60_000 + 1;
    world.answers.set('/orders', () => world.document('b2'));
    await ask('page', '/orders');
    expect(await (await ask('page', '/orders')).text()).toContain('"version":"b1"');
  });

  test.each(['a dead network', 'a sign-in page of the network'])(
    '%s leaves the kept page as it is',
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

  test('a device whose clock was wrong asks again rather than never', async () => {
    world.time -= 24 * 60 * 60_000;
    await ask('page', '/orders');
    expect(world.requests.map(({ url }) => url)).toEqual(['/orders']);
  });

  test('the public home page is the readable one, refreshed by itself', async () => {
    world.time += 5 * 60_000 + 1;
    await ask('page', '/?from=mail', { host: 'tickets' });
    expect(world.requests.map(({ url }) => url)).toEqual(['/']);
  });

  test('with nothing kept the network answers, within a limit', async () => {
    await world.caches.delete('ferry-files-b1');
    world.answers.set('/orders', () => world.document('b2'));
    expect(await (await ask('page', '/orders')).text()).toContain('"version":"b2"');
    expect(world.requests[0]?.init.signal).toBeInstanceOf(AbortSignal);
    expect(await world.caches.has('ferry-files-b1')).toBe(false);
  });
});

describe('files', () => {
  test('a kept file is answered without the network, one not kept by the network', async () => {
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
  ])('that %s leaves pages, files, settings and version to the network', async (_, match) => {
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
  test('the network’s word is passed on as it came, kept once, and told to tabs', async () => {
    const tab = world.openTab();
    for (let time = 0; time < 50; time += 1) await ask('version', `/version.txt?t=${time}`);
    const answer = await ask('version', '/version.txt?t=99');
    expect(answer.headers.get(SOURCE_HEADER)).toBeNull();
    expect(await answer.text()).toBe('b1');
    expect(await world.caches.paths('ferry-kept')).toEqual(['/version.txt']);
    expect(tab.heardOf('VERSION').at(-1)).toMatchObject({ text: 'b1', source: 'network' });
  });

  test('offline the kept word says that it is kept and since when, and the connection is doubted', async () => {
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

  test('offline with nothing kept it is a network error, as without a worker', async () => {
    world.offline();
    expect((await ask('version', '/version.txt')).type).toBe('error');
  });

  test('a network that hangs is given three seconds', async () => {
    await ask('version', '/version.txt?t=1');
    world.answers.set('/version.txt', (_, { signal }) => Promise.reject(signal?.reason));
    expect((await askUntilLimit('version', '/version.txt', 3000)).headers.get(SOURCE_HEADER)).toBe('cache');
  });

  test.each([
    ['a page', '<!doctype html><title>Wi-Fi</title>', 200],
    ['21 characters', 'a'.repeat(21), 200],
    ['nothing', '', 200],
    ['a failure', 'b2', 500],
  ])('%s is passed on and not kept', async (_, body, status) => {
    world.answers.set('/version.txt', world.answerWith(body, 'text/plain', status));
    const answer = await ask('version', '/version.txt');
    expect(await answer.text()).toBe(body);
    expect(answer.status).toBe(status);
    expect(await world.caches.paths('ferry-kept')).toEqual([]);
  });
});

describe('settings', () => {
  const url = (time: number) => `${SETTINGS_URL}?t=${time}`;

  test('fifty requests with fifty timestamps make one kept answer', async () => {
    for (let time = 0; time < 50; time += 1) await ask('settings', url(time));
    expect(await world.caches.paths('ferry-kept')).toEqual([SETTINGS_URL]);
  });

  test('the network comes first, the kept answer when it fails', async () => {
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
  ])('%s never takes the place of good settings', async (_, body, status) => {
    await ask('settings', url(1));
    world.answers.set(SETTINGS_URL, world.answerWith(body, 'application/json', status));
    expect(await (await ask('settings', url(2))).json()).toEqual({ brand: { name: 'Harbor Line' } });
  });

  test('a bucket that hangs is given three seconds', async () => {
    await ask('settings', url(1));
    world.answers.set(SETTINGS_URL, (_, { signal }) => Promise.reject(signal?.reason));
    expect(await (await askUntilLimit('settings', url(2), 3000)).json()).toEqual({
      brand: { name: 'Harbor Line' },
    });
  });

  test('a full disk costs the copy, not the answer', async () => {
    const tab = world.openTab();
    world.caches.isFull = true;
    expect(await (await ask('settings', url(1))).json()).toEqual({ brand: { name: 'Harbor Line' } });
    expect(tab.heardOf('STORAGE')).toHaveLength(1);
  });

  test('after everything was deleted nothing is kept again', async () => {
    for (const name of await world.caches.keys()) await world.caches.delete(name);
    await ask('settings', url(1));
    await ask('version', '/version.txt');
    expect(await world.caches.keys()).toEqual([]);
  });
});
