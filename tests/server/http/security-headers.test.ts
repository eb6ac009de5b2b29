import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dispatchByHost, type Host } from '#server/http/hosts.ts';
import { defaultHeaders } from '#server/http/security-headers.ts';

const SECURE = defaultHeaders({ isSecure: true });
const pages: Host = {
  headers: SECURE,
  async fetch({ url }) {
    const { pathname } = new URL(url);
    if (pathname === '/own') return new Response('own', { headers: { 'X-Frame-Options': 'SAMEORIGIN' } });
    if (pathname === '/throws') throw new Error('not caught');
    const status = Number(pathname.slice(1));
    return new Response(null, { status, headers: status === 302 ? { Location: '/404' } : {} });
  },
};
let server: Server;
beforeAll(async () => {
  const hosts = new Map<string, Host>([
    ['tickets.test', pages],
    ['outside.test', { fetch: pages.fetch }],
  ]);
  server = createServer(dispatchByHost(hosts, { isReady: async () => false }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function ask(path: string, host = 'tickets.test') {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, headers: { host }, agent: false }, (incoming) => {
      incoming.resume();
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers });
    });
    sent.on('error', reject).end();
  });
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

test.each(['/200', '/302', '/304', '/404', '/405', '/500'])(
  'A response to %s has every default header',
  async (path) => {
    const reply = await ask(path);
    expect(reply.status).toBe(Number(path.slice(1)));
    expect(reply.headers).toMatchObject(lowerCase(SECURE));
  },
);

test('A response keeps the headers it sets itself', async () => {
  const { headers } = await ask('/own');
  expect(headers['x-frame-options']).toBe('SAMEORIGIN');
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('A handler that throws answers 500 with every default header', async () => {
  const silenced = console.error;
  console.error = () => {};
  const reply = await ask('/throws').finally(() => {
    console.error = silenced;
  });
  expect(reply.status).toBe(500);
  expect(reply.headers).toMatchObject(lowerCase(SECURE));
});

test.each([
  ['an unknown host', '/', 'evil.test', 421],
  ['an unknown host below /api', '/api/ping', 'evil.test', 421],
  ['a health check', '/readyz', 'evil.test', 503],
])(
  'A response to %s has the headers too, without Strict-Transport-Security',
  async (_, path, host, status) => {
    const reply = await ask(path, host);
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject(lowerCase(defaultHeaders({ isSecure: false })));
    expect(reply.headers['strict-transport-security']).toBeUndefined();
  },
);

test('A host without defaults, such as a stand-in with framed pages, gets no default headers', async () => {
  expect((await ask('/200', 'outside.test')).headers['x-frame-options']).toBeUndefined();
});
