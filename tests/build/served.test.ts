import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketPages } from '#contract/paths.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { HOST_NAMES } from '#tests/process/http-client.ts';
import { endAll, newFolder, type ServerProcess, startServer } from '#tests/process/server-process.ts';

/*
 * The built app as its own server sends it, with the demo operator's data.
 */

/** What ten segments carry: all that arrives in the first round trip of a new connection. */
const FIRST_WINDOW = 10 * 1460;
/** Compressing fewer bytes saves nothing. */
const SMALL = 512;
const FIRST_SCREENS = Object.values(servedHosts).flatMap(({ subdomain, kilobytes }) =>
  Object.keys(kilobytes.firstScreens).map((path) => ({ host: subdomain, path })),
);

let server: ServerProcess;
const folder = newFolder();
const dist = fileURLToPath(new URL('../../dist/web', import.meta.url));

beforeAll(async () => {
  server = await startServer({ NODE_ENV: 'test', DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

describe('the pages as sent', () => {
  test('the purchase page arrives readable and styled in the first round trip', async () => {
    const page = await server.send(ticketPages.home, { headers: { 'accept-encoding': 'br' } });
    const head = Object.entries(page.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    expect(page.headers['content-encoding']).toBe('br');
    expect(page.bytes.length).toBeLessThanOrEqual(14 * 1024);
    expect(page.bytes.length + head.length).toBeLessThanOrEqual(FIRST_WINDOW);
  });

  test('the purchase page shows heading, ports, date and price before any script runs', async () => {
    const { text } = await server.send(ticketPages.home);
    expect(text).toContain('Purchase tickets</h1>');
    expect(text).toMatch(/<option[^>]*>Port Madrona<\/option>/);
    expect(text).toMatch(/id="trip-out-date"[^>]* value="\d\d\/\d\d\/\d{4}"/);
    expect(text).toMatch(/from(?:<!-- -->)? <strong[^>]*>(?:<[^>]+>)*\$\d+\.\d\d</);
  });

  test.each(FIRST_SCREENS)('nothing on $host$path blocks the first paint', async ({ host, path }) => {
    const { text } = await server.send(path, { host });
    const blocking = [...text.matchAll(/<link[^>]+rel="stylesheet"[^>]*>|<script[^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => !/ disabled|type="(?:module|application\/(?:ld\+)?json)"| async| defer/.test(tag));
    expect(blocking).toEqual([]);
  });
});

test('scripts and styles are sent as the build compressed them, with unchanged content', async () => {
  const { text } = await server.send(ticketPages.home);
  const paths = text.match(/\/assets\/[\w.-]+\.(js|css)/g) ?? [];
  expect(paths.length).toBeGreaterThan(3);
  for (const path of new Set(paths)) {
    const built = readFileSync(join(dist, path));
    const [packed, plain] = await Promise.all(
      ['br', 'identity'].map((encoding) => server.send(path, { headers: { 'accept-encoding': encoding } })),
    );
    const isCompressed = packed?.headers['content-encoding'] === 'br';
    expect(isCompressed, path).toBe(built.length > SMALL);
    if (isCompressed) {
      expect(packed.bytes).toEqual(readFileSync(join(dist, `${path}.br`)));
      expect(brotliDecompressSync(packed.bytes).equals(built)).toBe(true);
    }
    expect(plain?.bytes).toEqual(built);
  }
});

describe('what is not for visitors', () => {
  const PRIVATE = [
    '/index.html',
    '/pages.json',
    '/.vite/manifest.json',
    '/assets/index.js.map',
    '/src/server/main.js',
    '/package.json',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fprerender%2ftickets-home.js',
  ];

  test.each(HOST_NAMES)('%s serves no server file and no source', async (host) => {
    const answers = await Promise.all(
      PRIVATE.map(async (path) => [path, (await server.send(path, { host })).status]),
    );
    expect(answers.filter(([, status]) => status === 200)).toEqual([]);
  });

  test.each(FIRST_SCREENS)('$host$path contains no secret', async ({ host, path }) => {
    const { text } = await server.send(path, { host });
    expect(text).not.toMatch(/sk_(test|live)_|whsec_|APP_SECRET|smtp:|postgres:/);
  });
});
