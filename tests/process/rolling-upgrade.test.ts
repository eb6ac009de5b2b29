import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RELEASE_PARAMETER, SHELL_PATH, WORKER_PATH } from '#contract/worker-messages.ts';
import { checkTicket, readKeys } from '#server/commands/verify-ticket.ts';
import { FIRST_RELEASE, fillAsFirstRelease } from '#tests/setup/first-release.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import { readOrders } from './books.ts';
import { HOST_NAMES, type Reply, request } from './http-client.ts';
import { buildNextRelease, type NextRelease } from './next-release.ts';
import { newEmbeddedPlace, newPostgresPlace, type Place } from './places.ts';
import { endAll, eventually, type ServerProcess, startServer } from './server-process.ts';
import { buyTicket, dataOf, publishableKeyOf, type Send, sailingsOf } from './shopper.ts';

const PAGES = [
  ['tickets', '/'],
  ['tickets', '/orders/new'],
  ['tickets', '/orders/ord_00000000000000000000000000/confirmation'],
  ['my', '/sign_in'],
  ['my', '/orders'],
  ['my', '/account'],
  ['staff', '/'],
] as const;

let next: NextRelease;
beforeAll(async () => {
  next = await buildNextRelease();
}, 180_000);
afterAll(async () => {
  await endAll();
  next.remove();
});

describe('processes of two releases on one database of the first release, behind one round-robin balancer', () => {
  let place: Place & { url: string };
  let env: Record<string, string>;
  let balancer: Balancer;
  let old: ServerProcess;
  let newer: ServerProcess;
  let oldVersion: string;
  let newVersion: string;
  /** The files that the old release names, read while only it ran. */
  let oldFiles: Set<string>;
  let versionsDuringStart: string[];

  const get = (port: number, host: string, path: string) =>
    request(port, path, { host: `${host}.ferry.localhost:${balancer.port}` });

  beforeAll(async () => {
    place = await newPostgresPlace({ isEmpty: true });
    await fillAsFirstRelease(place.url);
    balancer = await openBalancer();
    const { appSecret: APP_SECRET } = FIRST_RELEASE;
    env = { ...place.env, APP_SECRET, PUBLIC_PORT: String(balancer.port), TRUST_PROXY: '1' };
    old = await startServer(env);
    oldVersion = (await get(old.port, 'tickets', '/version.txt')).text;
    oldFiles = await filesNamedBy(old.port);
    newer = await startServer(env, next.root);
    balancer.sendTo(old.port, newer.port);
    versionsDuringStart = [];
    for (let count = 0; count < 20; count += 1)
      versionsDuringStart.push((await get(balancer.port, 'tickets', '/version.txt')).text);
    newVersion = versionsDuringStart[0] ?? '';
  }, 180_000);
  afterAll(async () => {
    await endAll();
    await balancer.close();
    await place.remove();
  });

  /** A request to the next process in turn. */
  const send: Send = (path, { host = 'tickets', ...options } = {}) =>
    request(balancer.port, path, { host: `${host}.ferry.localhost:${balancer.port}`, ...options });

  /** Buys a ticket at whichever processes are running. */
  async function buy(email: string): Promise<string> {
    const [sailing = ''] = await sailingsOf(send);
    return (await buyTicket(send, { sailing, email, publishableKey: await publishableKeyOf(send) })).result;
  }

  /** Every script and style that a release's pages and workers name. */
  async function filesNamedBy(port: number): Promise<Set<string>> {
    const texts = await Promise.all([
      ...PAGES.map(async ([host, path]) => (await get(port, host, path)).text),
      ...HOST_NAMES.map(async (host) => (await get(port, host, WORKER_PATH)).text),
    ]);
    return new Set(texts.flatMap((text) => text.match(/\/assets\/[\w.-]+\.(js|css|woff2)/g) ?? []));
  }

  test('all name the newer release as soon as its first process is ready, and never the old one after that', () => {
    expect(newVersion).toMatch(/^[\da-f]{12}$/);
    expect(newVersion).not.toBe(oldVersion);
    expect(new Set(versionsDuringStart)).toEqual(new Set([newVersion]));
  });

  test('each answers every file of both releases, with the same bytes and headers', async () => {
    const newFiles = await filesNamedBy(newer.port);
    const changed = [...newFiles].filter((path) => !oldFiles.has(path));
    expect(changed.length).toBeGreaterThan(10);
    for (const path of new Set([...oldFiles, ...newFiles])) {
      const [one, other] = await Promise.all(
        [old, newer].map(({ port }) =>
          request(port, path, {
            host: `tickets.ferry.localhost:${balancer.port}`,
            headers: { 'accept-encoding': 'br' },
          }),
        ),
      );
      expect([path, one?.status, other?.status]).toEqual([path, 200, 200]);
      expect(one && other && one.bytes.equals(other.bytes), path).toBe(true);
      expect(headersOf(one)).toEqual(headersOf(other));
      expect(one?.headers['cache-control']).toContain('immutable');
    }
  });

  test('each sends the newer release’s pages, worker and shell', async () => {
    for (const { port } of [old, newer]) {
      for (const [host, path] of PAGES) {
        const page = await get(port, host, path);
        expect([page.status, versionIn(page)], `${host}${path}`).toEqual([200, newVersion]);
        expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      }
      for (const host of HOST_NAMES) {
        const [worker, twin] = await Promise.all([
          get(port, host, WORKER_PATH),
          get(newer.port, host, WORKER_PATH),
        ]);
        expect(worker.text).toContain(`"build":"${newVersion}"`);
        expect(worker.text).toBe(twin.text);
        expect(headersOf(worker)).toEqual(headersOf(twin));
      }
    }
  });

  test('each sends a worker the documents of the release it asks for', async () => {
    for (const { port } of [old, newer])
      for (const version of [oldVersion, newVersion])
        for (const [host, path] of [
          ['tickets', '/'],
          ['tickets', SHELL_PATH],
          ['my', SHELL_PATH],
        ] as const) {
          const document = await get(port, host, `${path}?${RELEASE_PARAMETER}=${version}`);
          expect([document.status, versionIn(document)]).toEqual([200, version]);
        }
  });

  test('unknown paths get the same answers as before', async () => {
    for (const { port } of [old, newer]) {
      expect((await get(port, 'tickets', '/assets/main-00000000.js')).status).toBe(404);
      const unknown = await get(port, 'my', '/no/such/page');
      expect([unknown.status, unknown.headers.location]).toEqual([302, expect.stringMatching(/\/404$/)]);
      expect((await get(port, 'my', '/404')).status).toBe(404);
    }
  });

  test('customers of the first release find their account, orders, tickets and balances at both', async () => {
    const { email, password, guestOrder } = FIRST_RELEASE;
    const body = { email, password };
    const { token } = (await send('/api/customers/sessions/sign_in', { host: 'my', body })).json();
    const keys = readKeys((await send('/api/keys')).json());
    for (const { port } of [old, newer]) {
      const read = async (path: string) =>
        dataOf(await request(port, path, { host: `my.ferry.localhost:${balancer.port}`, token }));
      const orders: { reference: string }[] = await read('/api/customers/orders');
      expect(orders.map(({ reference }) => reference)).toEqual(
        expect.arrayContaining(['494A-YC2D', 'F667-Q5Y9']),
      );
      const [card] = await read('/api/customers/trip_cards');
      expect(card).toMatchObject({ name: 'Everyday card', balance: 1700 });
      const { tickets } = await read(`/api/orders/${guestOrder.id}`);
      expect(tickets).toHaveLength(2);
      for (const { barcode } of tickets)
        expect(checkTicket(barcode.payload, keys, new Date(FIRST_RELEASE.nextDay)).isValid).toBe(true);
    }
  });

  test('a purchase whose requests alternate between both is confirmed once', async () => {
    expect(await buy('between@example.com')).toBe('confirmed');
  });

  test('when the newer process has ended, the old release is shown again', async () => {
    expect(await newer.signal('SIGTERM')).toBe(0);
    balancer.sendTo(old.port);
    await eventually(async () => (await get(old.port, 'my', '/version.txt')).text === oldVersion, {
      what: 'the old release',
      withinMs: 20_000,
    });
    expect(versionIn(await get(old.port, 'tickets', '/'))).toBe(oldVersion);
  });

  test('the old release also starts on the newer tables, and sells', async () => {
    expect(await old.signal('SIGTERM')).toBe(0);
    old = await startServer(env);
    balancer.sendTo(old.port);
    expect(await buy('back@example.com')).toBe('confirmed');
    const database = await place.openDatabase();
    const orders = await readOrders(database.store);
    for (const email of ['between@example.com', 'back@example.com'])
      expect(orders.filter((order) => order.email === email)).toMatchObject([
        { status: 'confirmed', tickets: 1, charges: 1, refunds: 0 },
      ]);
    const added = 'select distinct next_release from orders';
    expect(await database.store.query(added)).toEqual([{ next_release: 'none' }]);
    await database.close();
  });
});

test('a tab of the previous release still finds its files after an upgrade on the embedded database', async () => {
  const place = newEmbeddedPlace();
  const old = await startServer(place.env);
  const { text } = await old.send('/sw.js');
  const listed = text.match(/\/assets\/[\w./{}-]+/g) ?? [];
  const files = new Set(listed.map((path) => path.replace('{language}', 'de')));
  expect(files.size).toBeGreaterThan(20);
  const version = (await old.send('/version.txt')).text;
  expect(await old.signal('SIGTERM')).toBe(0);

  const newer = await startServer(place.env, next.root);
  const statuses = await Promise.all([...files].map(async (path) => (await newer.send(path)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await newer.send('/version.txt')).text).not.toBe(version);
  await newer.signal('SIGKILL');

  const again = await startServer(place.env);
  expect((await again.send('/version.txt')).text).toBe(version);
  await endAll();
  await place.remove();
}, 180_000);

function versionIn({ text }: Reply): string | undefined {
  return /"version":"([\w.-]+)"/.exec(text)?.[1];
}

/** Removes headers that depend on the connection or the time. */
function headersOf(reply: Reply | undefined): object {
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = reply?.headers ?? {};
  return headers;
}
