import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { dispatchByHost } from '#server/http/hosts.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let listener: Server;
let port: number;
beforeAll(async () => {
  server = await openTestServer();
  const hosts = new Map([['tickets.test', { fetch: server.app.fetch }]]);
  listener = createServer(dispatchByHost(hosts, { isReady: async () => true }));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as AddressInfo).port;
});
afterAll(async () => {
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
  await server.close();
});

/** Sends raw bytes, because a client library would correct them. */
function send(head: string[], body = ''): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${[...head, 'Connection: close', '', ''].join('\r\n')}${body}`);
    });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve({ status: Number(text.split(' ', 2)[1]), text }));
    socket.on('error', reject);
  });
}

test('The configured host is served', async () => {
  const reply = await send([`GET ${api.ping.path} HTTP/1.1`, 'Host: tickets.test']);
  expect(reply.status).toBe(200);
});

test.each([
  ['an unknown host', `GET ${api.ping.path} HTTP/1.1`, ['Host: evil.test'], [421]],
  ['a host that only ends like ours', `GET ${api.ping.path} HTTP/1.1`, ['Host: evil-tickets.test'], [421]],
  ['a host that only begins like ours', `GET ${api.ping.path} HTTP/1.1`, ['Host: tickets.test.evil'], [421]],
  ['ours with another port', `GET ${api.ping.path} HTTP/1.1`, ['Host: tickets.test:81'], [421]],
  [
    'a whole address as path',
    `GET http://evil.test${api.ping.path} HTTP/1.1`,
    ['Host: tickets.test'],
    [400, 421],
  ],
  [
    'a forwarded host',
    `GET ${api.ping.path} HTTP/1.1`,
    ['Host: evil.test', 'X-Forwarded-Host: tickets.test'],
    [421],
  ],
  ['two hosts', `GET ${api.ping.path} HTTP/1.1`, ['Host: evil.test', 'Host: tickets.test'], [400, 421]],
  ['no host', `GET ${api.ping.path} HTTP/1.1`, [], [400, 421]],
  ['an empty host', `GET ${api.ping.path} HTTP/1.1`, ['Host:'], [400, 421]],
])('A request with %s is refused', async (_, line, headers, statuses) => {
  const reply = await send([line, ...headers]);
  expect(statuses).toContain(reply.status);
});

test('TRACE returns no part of the request', async () => {
  const reply = await send([`TRACE ${api.ping.path} HTTP/1.1`, 'Host: tickets.test', 'X-Secret: for nobody']);
  expect([400, 404, 405, 501]).toContain(reply.status);
  expect(reply.text).not.toContain('for nobody');
});

test('A header of 20 KB is refused', async () => {
  const reply = await send([
    `GET ${api.ping.path} HTTP/1.1`,
    'Host: tickets.test',
    `X-Long: ${'x'.repeat(20_000)}`,
  ]);
  expect(reply.status).toBe(431);
});

test.each([
  ['2,000 parameters', `${api.ping.path}?${Array.from({ length: 2000 }, (_, i) => `p${i}`).join('&')}`],
  ['10 KB of path', `/api/${'x'.repeat(10_000)}`],
  ['a broken escape', '/api/settings/%E0%A4%A'],
  ['a NUL', '/api/settings/%00'],
  ['dots', '/api/settings/../../../etc/passwd'],
])('An address with %s is answered without failing', async (_, path) => {
  const reply = await send([`GET ${path} HTTP/1.1`, 'Host: tickets.test']);
  expect(reply.status).toBeGreaterThanOrEqual(200);
  expect(reply.status).toBeLessThan(500);
});

test('A body with both a length and chunks is refused', async () => {
  const head = [
    `POST ${api.signIn.path} HTTP/1.1`,
    'Host: tickets.test',
    'Content-Type: application/json',
    'Content-Length: 4',
    'Transfer-Encoding: chunked',
  ];
  expect((await send(head, '0\r\n\r\n')).status).toBe(400);
});

test('A body sent over a socket is read like one sent in process', async () => {
  const reply = await send(
    [
      `POST ${api.signIn.path} HTTP/1.1`,
      'Host: tickets.test',
      'Content-Type: application/json',
      'Content-Length: 2',
    ],
    '{}',
  );
  expect(reply.status).toBe(422);
  expect(reply.text).toContain('"invalid_input"');
});

test('a large answer is compressed for clients that accept it, and a small one is not', async () => {
  const read = (path: string, headers: Record<string, string>) =>
    server.app.fetch(
      new Request(`http://tickets.test${path}`, { headers: { host: 'tickets.test', ...headers } }),
      {
        incoming: { socket: { remoteAddress: '203.0.113.7' } },
      },
    );
  const plain = await read(api.getOpenApi.path, {});
  const small = await read(api.ping.path, { 'accept-encoding': 'gzip' });
  const large = await read(api.getOpenApi.path, { 'accept-encoding': 'br, gzip' });
  const encodings = [plain, small, large].map(({ headers }) => headers.get('content-encoding'));
  expect(encodings).toEqual([null, null, 'gzip']);
  expect([plain, large].map(({ headers }) => headers.get('vary'))).toEqual(
    Array(2).fill(expect.stringContaining('Accept-Encoding')),
  );
  const text = await new Response(large.body?.pipeThrough(new DecompressionStream('gzip'))).text();
  expect(text).toBe(await plain.text());
});
