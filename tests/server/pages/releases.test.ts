import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOSTS } from '#contract/hosts.ts';
import { SHELL_PATH, WORKER_PATH } from '#contract/worker-messages.ts';
import { type Asset, createAsset } from '#server/pages/assets.ts';
import type { OwnFrontEnd } from '#server/pages/front-end.ts';
import { recordRunning, STOPPED_AFTER_MS } from '#server/pages/release-store.ts';
import { LIST_FRESH_MS, openReleases, type Releases } from '#server/pages/releases.ts';
import { retentionRules } from '#server/register-jobs.ts';
import { applyRetention } from '#server/retention.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

let server: TestServer;
let started: Releases[];
beforeEach(async () => {
  server = await openTestServer();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((releases) => releases.stop()));
  await server.close();
});

/** A process of a release; `files` by path. */
async function start(
  version: string,
  files: Record<string, string> = {},
  { isAlone = false } = {},
): Promise<Releases> {
  const assets = new Map(Object.entries(files).map(([path, content]) => [path, createAsset(path, content)]));
  const releases = await openReleases(server.context, frontEndOf(version), {
    assets,
    isAlone,
    wait: async () => undefined,
  });
  started.push(releases);
  return releases;
}

function frontEndOf(version: string): OwnFrontEnd {
  const page = (name: string) => ({ asset: createAsset('/index.html', `${version} ${name}`), headers: {} });
  return {
    version,
    serves: () => true,
    screens: { tickets: ['/', `/only-in-${version}`], portal: ['/orders/{id}'] },
    findPage: async (_, pathname) => page(pathname),
    findWorker: () => page(WORKER_PATH),
    refresh: () => {},
    loadData: () => Promise.reject(new Error('A release without data.')),
    composeStillHome: async () => '',
    composeManifest: async () => createAsset('/manifest.webmanifest', '{}'),
    composeDocuments: async () =>
      HOSTS.flatMap((host) =>
        [WORKER_PATH, SHELL_PATH, '/'].map((path) => ({
          host,
          path,
          fingerprint: version,
          headers: { 'x-release': version },
          content: `${version} ${host} ${path}`,
        })),
      ),
  };
}

/** Simulates a request that arrives after the list of releases was last read. */
async function shownBy(releases: Releases, asked: string | null = null): Promise<string> {
  server.clock.advance(LIST_FRESH_MS);
  return (await releases.findFrontEnd(asked)).version;
}

function textOf({ plain }: Asset): string {
  return Buffer.from(plain).toString('utf8');
}

describe('processes of two releases', () => {
  test('serve each other’s files with the same type and headers', async () => {
    const long = 'export const text = 1;\n'.repeat(100);
    const old = await start('old', { '/assets/shared-1.js': 'same', '/assets/old-1.js': long });
    server.clock.advance(1);
    const next = await start('new', { '/assets/shared-1.js': 'same', '/assets/new-1.css': 'a{}' });
    const home = createAsset('/assets/old-1.js', long);
    const file = await next.findFile('/assets/old-1.js');
    expect(file).toEqual(home);
    expect(file).toMatchObject({
      isImmutable: true,
      type: 'text/javascript; charset=utf-8',
      brotli: expect.any(Uint8Array),
    });
    expect((await old.findFile('/assets/new-1.css'))?.type).toBe('text/css; charset=utf-8');
    expect(await old.findFile('/assets/nowhere-1.js')).toBeNull();
  });

  test('both serve the newer one as soon as it runs', async () => {
    const old = await start('old');
    expect(await shownBy(old)).toBe('old');
    server.clock.advance(1);
    const next = await start('new');
    expect([await shownBy(old), await shownBy(next)]).toEqual(['new', 'new']);
    const frontEnd = await old.findFrontEnd(null);
    const worker = frontEnd.findWorker('portal');
    expect([textOf(worker.asset), worker.headers]).toEqual(['new portal /sw.js', { 'x-release': 'new' }]);
    const [home, screen, unknown] = await Promise.all(
      ['/', '/only-in-new', '/only-in-old'].map((path) => frontEnd.findPage('tickets', path, 'en-US')),
    );
    expect(home && textOf(home.asset)).toBe('new tickets /');
    expect(screen && textOf(screen.asset)).toBe('new tickets /__shell');
    expect(unknown).toBeNull();
    const order = await frontEnd.findPage('portal', '/orders/42', 'en-US');
    expect(order && textOf(order.asset)).toBe('new portal /__shell');
  });

  test('serve the release that a worker requests, and the newer one if it is unknown', async () => {
    const old = await start('old');
    server.clock.advance(1);
    const next = await start('new');
    expect(await shownBy(next, 'old')).toBe('old');
    expect(await shownBy(old, 'old')).toBe('old');
    expect(await shownBy(old, 'never-was')).toBe('new');
  });

  test('keep serving the newer one when an old process starts late', async () => {
    const old = await start('old');
    server.clock.advance(1);
    const next = await start('new');
    server.clock.advance(1);
    const late = await start('old');
    expect(await Promise.all([old, next, late].map((each) => shownBy(each)))).toEqual(['new', 'new', 'new']);
  });

  test('go back to the old release when the last process of the newer one has stopped', async () => {
    const old = await start('old');
    server.clock.advance(1);
    const next = await start('new');
    expect(await shownBy(old)).toBe('new');
    await next.stop();
    expect(await shownBy(old)).toBe('old');
  });

  test('treat a killed process as stopped after two minutes', async () => {
    const old = await start('old');
    server.clock.advance(1);
    await start('new');
    server.clock.advance(STOPPED_AFTER_MS - 2 * LIST_FRESH_MS);
    expect(await shownBy(old)).toBe('new');
    server.clock.advance(2 * LIST_FRESH_MS);
    expect(await shownBy(old)).toBe('old');
  });
});

describe('the only process on a database', () => {
  test('serves its own release and the files of the previous one', async () => {
    await start('new', { '/assets/new-1.js': 'new' }, { isAlone: true });
    server.clock.advance(1);
    const old = await start('old', {}, { isAlone: true });
    expect(await shownBy(old)).toBe('old');
    expect(await old.findFile('/assets/new-1.js')).not.toBeNull();
  });
});

describe('retention of releases', () => {
  test('keeps the files of a release for thirty days after a process last ran it', async () => {
    const old = await start('old', { '/assets/old-1.js': 'old', '/assets/shared-1.js': 'same' });
    server.clock.advance(1);
    await start('new', { '/assets/new-1.js': 'new', '/assets/shared-1.js': 'same' });
    await applyRetention(server.context, retentionRules);
    await old.stop();

    server.clock.advance(30 * DAY - HOUR);
    const reader = await start('new');
    await applyRetention(server.context, retentionRules);
    expect(await reader.findFile('/assets/old-1.js')).not.toBeNull();

    server.clock.advance(2 * HOUR);
    const later = await start('new');
    await applyRetention(server.context, retentionRules);
    expect(await later.findFile('/assets/old-1.js')).toBeNull();
    expect(await later.findFile('/assets/shared-1.js')).not.toBeNull();
  });

  test('keeps a release that one process has run for months', async () => {
    await start('old', { '/assets/old-1.js': 'old' });
    for (let day = 0; day < 40; day += 1) {
      server.clock.advance(DAY);
      await recordRunning(server.context.db, { id: 'prc_steady', version: 'old' }, server.clock.now());
      await applyRetention(server.context, retentionRules);
    }
    const next = await start('new');
    expect(await next.findFile('/assets/old-1.js')).not.toBeNull();
  });
});
