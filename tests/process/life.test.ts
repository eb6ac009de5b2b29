import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { auditBooks, cleanBooks } from './books.ts';
import { runNpmScript } from './command-line.ts';
import { hostHeader, open, readToEnd } from './http-client.ts';
import { newEmbeddedPlace } from './places.ts';
import { endAll, eventually, launch, newFolder, root, startServer } from './server-process.ts';
import { buyTicket, publishableKeyOf, type Send, sailingsOf } from './shopper.ts';

afterAll(endAll);

test('a second process on the same data folder is refused, and the first is not affected', async () => {
  const place = newEmbeddedPlace();
  const first = await startServer(place.env);
  const second = await launch(place.env);
  expect(await second.exited).toBe(1);
  expect(second.stderr()).toContain(`${place.env.DATA_DIR} is in use by process ${first.pid}`);
  expect(second.stderr()).toContain('DATA_DIR');
  expect(second.stderr()).not.toMatch(/\n\s+at /);
  expect((await first.send('/api/catalogue')).status).toBe(200);
  expect(await first.signal('SIGTERM')).toBe(0);
  await place.remove();
});

test('exactly one of two processes that start concurrently on one folder gets it', async () => {
  const place = newEmbeddedPlace();
  const both = [await launch(place.env), await launch(place.env)];
  const first = await Promise.race(both.map(async (server) => ({ server, code: await server.exited })));
  expect(first.code).toBe(1);
  const kept = both.find((server) => server !== first.server);
  await kept?.ready();
  expect(await kept?.signal('SIGTERM')).toBe(0);
  await place.remove();
});

test('the lock of a killed process is taken over, also when another process has its id by now', async () => {
  const place = newEmbeddedPlace();
  const lock = join(place.env.DATA_DIR ?? '', 'process.lock');
  const killed = await startServer(place.env);
  const kept = `${lock}.kept`;
  copyFileSync(lock, kept);
  await killed.signal('SIGKILL');
  expect(existsSync(lock)).toBe(true);
  const second = await startServer(place.env);
  expect((await second.send('/api/catalogue')).status).toBe(200);
  await second.signal('SIGKILL');

  // The process of this test exists, but it started at another time than the lock says.
  rmSync(kept);
  writeFileSync(lock, `${process.pid} 1`);
  const third = await startServer(place.env);
  expect(await third.signal('SIGTERM')).toBe(0);
  expect(existsSync(lock)).toBe(false);
  await place.remove();
});

test('a stopping server finishes the request in progress, accepts no other, and exits with 0', async () => {
  const place = newEmbeddedPlace();
  const server = await startServer(place.env);
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'does not matter' });
  const idle = await open(server.port);
  const socket = await open(server.port);
  const answer = readToEnd(socket);
  // The interim answer shows that the request has begun.
  const begun = new Promise<string>((resolve) => socket.once('data', resolve));
  socket.write(
    [
      'POST /api/customers/sessions/sign_in HTTP/1.1',
      `Host: ${hostHeader('my', server.port)}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  );
  expect(await begun).toContain('100 Continue');
  const ended = server.signal('SIGTERM');
  await eventually(
    () =>
      open(server.port).then(
        (other) => {
          other.destroy();
          return false;
        },
        () => true,
      ),
    { what: 'the server to take no more connections', withinMs: 5_000 },
  );
  socket.write(body);
  expect(await answer).toMatch(/HTTP\/1\.1 422 [\s\S]*invalid_credentials/);
  expect(await ended).toBe(0);
  idle.destroy();
  expect(existsSync(join(place.env.DATA_DIR ?? '', 'process.lock'))).toBe(false);
  await place.remove();
});

test('a server whose data folder cannot be written says so', async () => {
  const folder = newFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const server = await launch({ DATA_DIR: join(file, 'data') });
  // Not the code of a wrong environment, because a disk may be mended while the server runs.
  expect(await server.exited).toBe(1);
  const message = `The folder ${join(file, 'data')} cannot be written (ENOTDIR). Check DATA_DIR and its disk.\n`;
  expect(server.stderr()).toBe(message);
  const command = await runNpmScript('settings', ['get'], { env: { DATA_DIR: join(file, 'data') } });
  expect(command).toEqual({ stdout: '', stderr: message, exitCode: 1 });
  rmSync(folder, { recursive: true });
});

test('a server on a full disk still answers what it reads, says 503 otherwise, and recovers when there is room', async () => {
  const place = newEmbeddedPlace();
  const folder = newFolder();
  const isFull = join(folder, 'full');
  const env = {
    ...place.env,
    FULL_DISK: isFull,
    NODE_OPTIONS: `--import ${join(root, 'tests/process/full-disk.js')}`,
  };
  // The log is on the full disk too.
  const server = await startServer(env, root, { logFile: join(folder, 'log') });
  const hasStatus = (status: number) => async () => (await server.send('/readyz')).status === status;
  writeFileSync(isFull, '');
  await eventually(hasStatus(503), { what: 'the full disk to be noticed', withinMs: 20_000 });
  expect((await server.send('/api/catalogue')).status).toBe(200);
  expect((await server.send('/')).status).toBe(200);
  const body = { email: 'demo@harborline.example', password: 'by ferry across the sound' };
  for (let times = 0; times < 5; times += 1) {
    const reply = await server.send('/api/customers/sessions/sign_in', { host: 'my', body });
    // Pages of the database that have room can still be written.
    if (reply.status !== 200) expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5']);
  }
  rmSync(isFull);
  await eventually(hasStatus(200), { what: 'the server to be ready again', withinMs: 20_000 });
  expect((await server.send('/api/customers/sessions/sign_in', { host: 'my', body })).status).toBe(200);
  expect(await server.signal('SIGTERM')).toBe(0);
  expect(server.stderr()).toBe('');
  rmSync(folder, { recursive: true });
  await place.remove();
});

test('a server ends when its event loop is blocked or its memory used up, and buyers finish at the next one', async () => {
  const place = newEmbeddedPlace();
  const folder = newFolder();
  const faults = { BLOCKED: join(folder, 'blocked'), OUT_OF_MEMORY: join(folder, 'out-of-memory') };
  const env = {
    ...place.env,
    ...faults,
    WATCHDOG_SECONDS: '3',
    NODE_OPTIONS: `--max-old-space-size=200 --import ${join(root, 'tests/process/faulty-server.js')}`,
  };
  let server = await startServer(env);
  const port = String(server.port);
  const send: Send = (path, options) => server.send(path, options);
  const publishableKey = await publishableKeyOf(send);
  const [sailing = ''] = await sailingsOf(send);
  for (const [file, reason] of [
    [
      faults.BLOCKED,
      /^The server was blocked for 3 seconds and ends, so that its supervisor starts it again\.\n$/,
    ],
    [faults.OUT_OF_MEMORY, /JavaScript heap out of memory/],
  ] as const) {
    const ended = server;
    const email = 'buyer@example.com';
    const beforePaying = async () => writeFileSync(file, '');
    const purchase = buyTicket(send, { sailing, email, publishableKey, beforePaying });
    expect(await ended.exited).toBeNull();
    expect(ended.stderr()).toMatch(reason);
    rmSync(file);
    // On a slow machine, the last collections of garbage may block for longer than the watchdog waits.
    server = await startServer({ ...env, PORT: port, WATCHDOG_SECONDS: '0' });
    expect((await purchase).result).toBe('confirmed');
  }
  expect(await server.signal('SIGTERM')).toBe(0);
  const database = await place.openDatabase();
  expect(await auditBooks(database.store)).toEqual(cleanBooks);
  await database.close();
  rmSync(folder, { recursive: true });
  await place.remove();
});

test('a server whose port is in use reports it and releases the data folder', async () => {
  const place = newEmbeddedPlace();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
  const address = squatter.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const server = await launch({ ...place.env, PORT: String(port) });
  expect(await server.exited).toBe(1);
  expect(server.stderr()).toBe(`Port ${port} is taken. Set PORT to a free one.\n`);
  expect(existsSync(join(place.env.DATA_DIR ?? '', 'process.lock'))).toBe(false);
  await new Promise((resolve) => squatter.close(resolve));
  await place.remove();
});

test.each([
  [
    'production without keys',
    { NODE_ENV: 'production' },
    'Production needs the STRIPE_ keys. To run on test payments on purpose, set PAYMENTS=sandbox.',
  ],
  [
    'live keys for the sandbox',
    {
      PAYMENTS: 'sandbox',
      STRIPE_SECRET_KEY: 'sk_live_123',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_123',
      STRIPE_WEBHOOK_SECRET: 'whsec_123',
    },
    'PAYMENTS=sandbox takes no live keys; unset STRIPE_SECRET_KEY.',
  ],
  [
    'half of the keys',
    { STRIPE_SECRET_KEY: 'sk_test_123' },
    'Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET together.',
  ],
  [
    'something that is no port',
    { PORT: 'eighty' },
    'These environment variables are not understood: PORT. docs/operating.md lists their values.',
  ],
])(
  'a server refuses to start with %s and explains the remedy',
  async (_, env: Record<string, string>, message) => {
    const folder = newFolder();
    const server = await launch({ DATA_DIR: join(folder, 'data'), ...env });
    expect(await server.exited).toBe(78);
    expect(server.stderr()).toBe(`${message}\n`);
    expect(existsSync(join(folder, 'data')), 'nothing is written').toBe(false);
    rmSync(folder, { recursive: true });
  },
);
