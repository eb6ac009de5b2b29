import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { newPostgresPlace } from './places.ts';
import { endAll, eventually, startServer } from './server-process.ts';

afterAll(endAll);

test('without its database a server stays alive, reports that it is not ready, and recovers with the database', async () => {
  const place = await newPostgresPlace();
  const url = new URL(place.url);
  const line = await layLine(Number(url.port));
  url.port = String(line.port);
  const server = await startServer({ ...place.env, DATABASE_URL: url.href });
  expect((await server.send('/api/catalogue')).status).toBe(200);

  line.cut();
  const whileGone = await Promise.all(
    ['/livez', '/readyz', '/api/catalogue', '/'].map((path) => server.send(path)),
  );
  const [alive, ready, api, page] = whileGone;
  expect(alive?.status).toBe(200);
  expect([ready?.status, ready?.text]).toEqual([503, 'not ready']);
  expect([api?.status, api?.json().errors[0].code]).toEqual([503, 'unavailable']);
  expect(api?.text).not.toMatch(/ECONN|postgres|127\.0\.0\.1/);
  expect(page?.status, 'a page of a moment ago is better than none').toBe(200);

  await line.mend();
  await eventually(async () => (await server.send('/readyz')).status === 200, {
    what: 'the server to be ready again',
    withinMs: 20_000,
  });
  expect((await server.send('/api/catalogue')).status).toBe(200);

  line.freeze();
  const frozen = await server.send('/readyz');
  expect(frozen.status, 'a database that hangs is no better').toBe(503);
  line.cut();
  await line.mend();
  await eventually(async () => (await server.send('/readyz')).status === 200, {
    what: 'the server to be ready once more',
    withinMs: 20_000,
  });
  expect(await server.signal('SIGTERM')).toBe(0);
  line.cut();
  await place.remove();
});

/** A TCP proxy to a port of this machine that can be cut, restored and frozen. */
async function layLine(target: number) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let server: Server;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }
  async function listen(port: number): Promise<void> {
    server = createServer((near) => {
      keep(near);
      const far = keep(connect(target, '127.0.0.1'));
      near.on('data', (chunk) => isFrozen || far.write(chunk));
      far.on('data', (chunk) => isFrozen || near.write(chunk));
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  }

  await listen(0);
  const port = (server! as Server).address() as AddressInfo;
  return {
    port: port.port,
    cut() {
      isFrozen = false;
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    mend: () => listen(port.port),
    freeze() {
      isFrozen = true;
    },
  };
}
