import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dispatchByHost, drainBeforeStop, type HealthChecks } from '#server/http/hosts.ts';
import { closeHttpServer, createHttpServer, HTTP_LIMITS } from '#server/http/http-server.ts';
import { open, readToEnd, request } from './http-client.ts';
import { eventually } from './server-process.ts';

const LIMITS = {
  headersTimeout: 300,
  requestTimeout: 600,
  keepAliveTimeout: 300,
  connectionsCheckingInterval: 50,
  maxConnections: 400,
};
const READY: HealthChecks = { isReady: async () => true };
/** Far above all limits above, and far below Node's defaults. */
const CUT_WITHIN_MS = 10_000;

let server: Server;
let port: number;
beforeAll(async () => {
  ({ server, port } = await listen(LIMITS));
});
afterAll(() => closeHttpServer(server));

test('the configured limits are 10 s for a header and 30 s for a body, and are checked often enough', () => {
  expect(HTTP_LIMITS.headersTimeout).toBe(10_000);
  expect(HTTP_LIMITS.requestTimeout).toBe(30_000);
  expect(HTTP_LIMITS.connectionsCheckingInterval).toBeLessThanOrEqual(5_000);
  expect(HTTP_LIMITS.maxConnections).toBeGreaterThan(300);
});

test(
  'a connection that sends its header too slowly is closed',
  async () => {
    const socket = await open(port);
    const cut = readToEnd(socket);
    const stop = drip(socket, 'GET / HTTP/1.1\r\nHost: x', 'a');
    expect(await cut).toMatch(/^HTTP\/1\.1 408 /);
    stop();
  },
  CUT_WITHIN_MS,
);

test(
  'a connection that sends its body too slowly is closed',
  async () => {
    const socket = await open(port);
    const cut = readToEnd(socket);
    const stop = drip(socket, 'POST / HTTP/1.1\r\nHost: tickets.test\r\nContent-Length: 100000\r\n\r\n', 'a');
    expect(await cut).toMatch(/^HTTP\/1\.1 408 /);
    stop();
  },
  CUT_WITHIN_MS,
);

test(
  'a connection that sends a chunked body too slowly is closed',
  async () => {
    const socket = await open(port);
    const cut = readToEnd(socket);
    const stop = drip(
      socket,
      'POST / HTTP/1.1\r\nHost: tickets.test\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\na\r\n',
    );
    expect(await cut).toMatch(/^HTTP\/1\.1 408 /);
    stop();
  },
  CUT_WITHIN_MS,
);

test(
  'a connection without a request is closed',
  async () => {
    const socket = await open(port);
    await readToEnd(socket);
    expect(socket.destroyed).toBe(true);
  },
  CUT_WITHIN_MS,
);

test(
  'three hundred idle connections do not delay other requests',
  async () => {
    const patient = await listen({ ...LIMITS, headersTimeout: 60_000, requestTimeout: 60_000 });
    const idle = await Promise.all(Array.from({ length: 300 }, () => open(patient.port)));
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => request(patient.port, '/', { host: 'tickets.test' })),
    );
    expect(replies.map(({ text }) => text)).toEqual(Array(20).fill('read 0'));
    expect(idle.filter(({ destroyed }) => destroyed)).toEqual([]);
    for (const socket of idle) socket.destroy();
    await closeHttpServer(patient.server);
  },
  CUT_WITHIN_MS,
);

test(
  'the number of connections is limited, and closed connections make room for others',
  async () => {
    const small = await listen({
      ...LIMITS,
      headersTimeout: 60_000,
      requestTimeout: 60_000,
      maxConnections: 5,
    });
    const idle = await Promise.all(Array.from({ length: 5 }, () => open(small.port)));
    await expect(request(small.port, '/', { host: 'tickets.test' })).rejects.toThrow();
    for (const socket of idle) socket.destroy();
    await eventually(
      () =>
        request(small.port, '/', { host: 'tickets.test' }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      { what: 'room for another connection', withinMs: CUT_WITHIN_MS },
    );
    await closeHttpServer(small.server);
  },
  CUT_WITHIN_MS,
);

test('a process that was asked to stop reports that it is not ready, and goes on answering for a while', async () => {
  const draining = drainBeforeStop(READY, 60_000);
  const stopping = await listen(LIMITS, draining);
  const ask = async (path: string) => (await request(stopping.port, path, { host: 'tickets.test' })).status;
  expect(await ask('/readyz')).toBe(200);
  void draining.stop();
  expect([await ask('/readyz'), await ask('/livez'), await ask('/')]).toEqual([503, 200, 200]);
  await closeHttpServer(stopping.server);
});

/** A server of one host that answers how much it read. */
async function listen(
  limits: typeof LIMITS,
  health: HealthChecks = READY,
): Promise<{ server: Server; port: number }> {
  const answer = async (incoming: Request) => new Response(`read ${(await incoming.text()).length}`);
  const listener = dispatchByHost(new Map([['tickets.test', { fetch: answer }]]), health);
  const created = createHttpServer(listener, limits);
  await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
  return { server: created, port: (created.address() as AddressInfo).port };
}

/** Sends a first part and then small parts repeatedly, so that the connection is never idle. */
function drip(socket: Socket, beginning: string, drop: string): () => void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(drop), 20);
  socket.on('close', () => clearInterval(timer));
  return () => clearInterval(timer);
}
