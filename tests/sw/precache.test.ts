import { afterEach, expect, test, vi } from 'vitest';
import { type BuiltFile, precacheName, STORAGE_TIMEOUT } from '#sw/cache-rules.ts';
import { handleMessage } from '#sw/messages.ts';
import { activate, install } from '#sw/precache.ts';
import { strategies } from '#sw/strategies.ts';
import { BUILT, FakeWorld, ORIGIN } from './fake-worker-context.ts';

const B1 = precacheName('b1');
const NEXT: BuiltFile[] = BUILT.map((file) =>
  file.url === '/assets/orders-1.js' ? { ...file, url: '/assets/orders-2.js' } : file,
);

afterEach(() => void vi.useRealTimers());

async function release(world: FakeWorld, build: string, built = BUILT): Promise<void> {
  world.serve(build, built);
  const context = world.worker(build, { built });
  await install(context);
  await activate(context);
}

test('installing caches every file and document of its host, and nothing of the other host', async () => {
  const world = new FakeWorld().serve('b1');
  await install(world.worker('b1'));
  expect((await world.caches.paths(B1)).toSorted()).toEqual([
    '/__shell',
    '/assets/main-1.js',
    '/assets/orders-1.css',
    '/assets/orders-1.js',
    '/icon.svg',
    '/orders',
    '/trip_cards',
  ]);
});

test('the messages of the visitor’s language are cached, and those of a language chosen later too', async () => {
  const world = new FakeWorld().serve('b1');
  const cached = async () => (await world.caches.paths(B1)).filter((path) => path.includes('/messages-'));
  world.language = 'en-XA';
  await install(world.worker('b1'));
  expect(await cached()).toEqual(['/assets/messages-1/en-XA/portal/start.js']);
  world.language = 'ar-XB';
  await handleMessage(world.worker('b1'), { v: 1, type: 'CHANGE_LANGUAGE' }, world.openTab());
  expect(await cached()).toHaveLength(2);
  const shell = await (await world.caches.open(B1)).match('/__shell');
  expect(await shell?.text()).toContain('/ar-XB/');
});

test('a language chosen without a connection leaves the cached documents as they are', async () => {
  const world = new FakeWorld().serve('b1');
  await install(world.worker('b1'));
  world.offline();
  await handleMessage(world.worker('b1'), { v: 1, type: 'CHANGE_LANGUAGE' }, world.openTab());
  expect(await world.caches.paths(B1)).toContain('/__shell');
});

test('the ticket host keeps its readable home page beside the shell', async () => {
  const world = new FakeWorld().serve('b1');
  await install(world.worker('b1', { host: 'tickets' }));
  expect(await world.caches.paths(B1)).toEqual(expect.arrayContaining(['/', '/__shell', '/assets/pay-1.js']));
});

test('every file is fetched with a time limit, and documents bypass the browser’s cache', async () => {
  const world = new FakeWorld().serve('b1');
  await install(world.worker('b1'));
  expect(world.requests.every(({ init }) => init.signal instanceof AbortSignal)).toBe(true);
  expect(world.requests.find(({ url }) => url === '/__shell')?.init.cache).toBe('no-cache');
});

test('documents are requested by release, because several may run concurrently', async () => {
  const world = new FakeWorld().serve('b1');
  await install(world.worker('b1', { host: 'tickets' }));
  const asked = world.requests.filter(({ release }) => release !== null);
  expect(asked.map(({ url, release }) => [url, release])).toEqual([
    ['/', 'b1'],
    ['/__shell', 'b1'],
  ]);
});

test.each([
  ['is gone', (world: FakeWorld) => world.answerWith('Not found', 'text/plain', 404)],
  ['is a sign-in page of the network', (world: FakeWorld) => world.answerWith('<h1>Wi-Fi</h1>', 'text/html')],
] as const)('a file that %s fails the installation and is not kept', async (_, answer) => {
  const world = new FakeWorld().serve('b1');
  world.answers.set('/assets/orders-1.js', answer(world));
  await expect(install(world.worker('b1'))).rejects.toThrow('/assets/orders-1.js');
  expect(await world.caches.paths(B1)).not.toContain('/assets/orders-1.js');
});

test('a shell of another build, as between two releases, fails the installation', async () => {
  const world = new FakeWorld().serve('b1');
  world.answers.set('/__shell', () => world.document('b2'));
  await expect(install(world.worker('b1'))).rejects.toThrow('/__shell');
});

test('the next try fetches only the files that the first could not', async () => {
  const world = new FakeWorld().serve('b1');
  world.answers.set('/assets/orders-1.js', new TypeError('Failed to fetch'));
  await expect(install(world.worker('b1'))).rejects.toThrow();
  world.serve('b1');
  world.requests.length = 0;
  await install(world.worker('b1'));
  expect(world.requests.map(({ url }) => url)).not.toContain('/assets/main-1.js');
  expect(world.requests.map(({ url }) => url)).toContain('/assets/orders-1.js');
  expect(await world.caches.paths(B1)).toHaveLength(7);
});

test('an unchanged file is copied from the previous build, not fetched', async () => {
  const world = new FakeWorld();
  await release(world, 'b1');
  world.requests.length = 0;
  await release(world, 'b2', NEXT);
  expect(world.requests.map(({ url }) => url).toSorted()).toEqual([
    '/__shell',
    '/assets/orders-2.js',
    '/icon.svg',
    '/orders',
    '/trip_cards',
  ]);
});

test('a tab of the previous build still gets its files, until two builds later', async () => {
  const world = new FakeWorld();
  await release(world, 'b1');
  await release(world, 'b2', NEXT);
  world.offline();
  const old = new Request(`${ORIGIN}/assets/orders-1.js`);
  const answer = await strategies.file(world.worker('b2', { built: NEXT }), old, () => undefined);
  expect(await answer.text()).toBe('/assets/orders-1.js');
  await release(world, 'b3', NEXT);
  expect(await world.caches.keys()).not.toContain(B1);
  expect(await world.caches.keys()).toEqual(expect.arrayContaining(['ferry-files-b2', 'ferry-files-b3']));
});

test('a release that never activated does not count as the previous one', async () => {
  const world = new FakeWorld();
  await release(world, 'b1');
  world.serve('b2', NEXT);
  await install(world.worker('b2', { built: NEXT }));
  await release(world, 'b3', NEXT);
  expect((await world.caches.keys()).filter((name) => name.startsWith('ferry-files-')).toSorted()).toEqual([
    'ferry-files-b1',
    'ferry-files-b3',
  ]);
});

test('a rollback keeps the files of the release it replaces for the tabs that still run it', async () => {
  const world = new FakeWorld();
  await release(world, 'b1');
  await release(world, 'b2', NEXT);
  await release(world, 'b1');
  expect(await world.caches.keys()).toEqual(expect.arrayContaining([B1, 'ferry-files-b2']));
});

test('a worker installed again with the same build keeps the previous build', async () => {
  const world = new FakeWorld();
  await release(world, 'b1');
  await release(world, 'b2', NEXT);
  await release(world, 'b2', NEXT);
  expect(await world.caches.keys()).toContain(B1);
});

test.each(['keys', 'delete'] as const)(
  'a storage that hangs at %s does not delay the activation, and the next activation deletes the rest',
  async (method) => {
    const world = new FakeWorld();
    await release(world, 'b1');
    await release(world, 'b2');
    world.serve('b3');
    await install(world.worker('b3'));
    const hanging = vi.spyOn(world.caches, method).mockReturnValue(new Promise<never>(() => undefined));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const activated = activate(world.worker('b3'));
    await vi.advanceTimersByTimeAsync(STORAGE_TIMEOUT);
    await activated;
    hanging.mockRestore();
    expect(await world.caches.keys()).toContain(B1);
    await release(world, 'b4');
    expect(await world.caches.keys()).not.toContain(B1);
  },
);

test('a full disk is reported and fails the installation', async () => {
  const world = new FakeWorld().serve('b1');
  const tab = world.openTab();
  world.caches.isFull = true;
  await expect(install(world.worker('b1'))).rejects.toThrow('Quota');
  expect(tab.heardOf('STORAGE')).toEqual([{ v: 1, type: 'STORAGE', problem: 'quota' }]);
});
