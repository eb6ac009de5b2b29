import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RELEASE_PARAMETER, SHELL_PATH, WORKER_PATH } from '#contract/worker-messages.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import { type Reply, request } from './http-client.ts';
import { buildNextRelease, type NextRelease } from './next-release.ts';
import { newEmbeddedPlace, newPostgresPlace, type Place } from './places.ts';
import { endAll, eventually, type ServerProcess, startServer } from './server-process.ts';

const PAGES = [
  ['tickets', '/'],
  ['tickets', '/orders/new'],
  ['tickets', '/orders/ord_00000000000000000000000000/confirmation'],
  ['my', '/sign_in'],
  ['my', '/orders'],
  ['my', '/account'],
] as const;
type HostName = (typeof PAGES)[number][0];

let next: NextRelease;
beforeAll(async () => {
  next = await buildNextRelease();
}, 180_000);
afterAll(async () => {
  await endAll();
  next.remove();
});

describe('processes of two releases on one PostgreSQL, behind one round-robin balancer', () => {
  let place: Place;
  let balancer: Balancer;
  let old: ServerProcess;
  let newer: ServerProcess;
  let oldVersion: string;
  let newVersion: string;
  /** The files that the old release names, read while only it ran. */
  let oldFiles: Set<string>;
  let versionsDuringStart: string[];

  const get = (port: number, host: HostName, path: string) =>
    request(port, path, { host: `${host}.ferry.localhost:${balancer.port}` });

  beforeAll(async () => {
    place = await newPostgresPlace();
    balancer = await openBalancer();
    const env = { ...place.env, PUBLIC_PORT: String(balancer.port), TRUST_PROXY: '1' };
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

  /** Every script and style that a release's pages and workers name. */
  async function filesNamedBy(port: number): Promise<Set<string>> {
    const texts = await Promise.all([
      ...PAGES.map(async ([host, path]) => (await get(port, host, path)).text),
      ...(['tickets', 'my'] as const).map(async (host) => (await get(port, host, WORKER_PATH)).text),
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
      for (const host of ['tickets', 'my'] as const) {
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

  test('when the newer process has ended, the old release is shown again', async () => {
    expect(await newer.signal('SIGTERM')).toBe(0);
    balancer.sendTo(old.port);
    await eventually(async () => (await get(old.port, 'my', '/version.txt')).text === oldVersion, {
      what: 'the old release',
      withinMs: 20_000,
    });
    expect(versionIn(await get(old.port, 'tickets', '/'))).toBe(oldVersion);
  });
});

test('a tab of the previous release still finds its files after an upgrade on the embedded database', async () => {
  const place = newEmbeddedPlace();
  const old = await startServer(place.env);
  const { text } = await old.send('/sw.js');
  const files = new Set(text.match(/\/assets\/[\w.-]+/g) ?? []);
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
