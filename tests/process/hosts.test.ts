import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST_NAMES, hostHeader, sendRaw } from './http-client.ts';
import { newEmbeddedPlace, type Place } from './places.ts';
import { endAll, eventually, type ServerProcess, startServer } from './server-process.ts';
import { buyTicket, publishableKeyOf, sailingsOf } from './shopper.ts';

let place: Place;
let server: ServerProcess;
beforeAll(async () => {
  place = newEmbeddedPlace();
  server = await startServer(place.env);
});
afterAll(async () => {
  await endAll();
  await place.remove();
});

const raw = (...head: string[]) => sendRaw(server.port, [...head, 'Connection: close', '', ''].join('\r\n'));
const ours = () => `Host: ${hostHeader('tickets', server.port)}`;

describe('the Host of a request', () => {
  test.each([...HOST_NAMES, 'pay', 'mail', 'localhost'])('is accepted if it is %s', async (host) => {
    const reply = await server.send('/', { host });
    // The portal's home page redirects to the orders by script; the page itself exists.
    expect(reply.status).toBe(200);
  });

  test.each([
    'evil.test',
    '127.0.0.1',
    'ferry.localhost',
    'tickets.ferry.localhost:1',
    'x.tickets.ferry.localhost',
  ])('is refused with 421 on every path if it is %s', async (host) => {
    for (const path of ['/', '/api/ping', '/version.txt', '/v1/charges']) {
      const reply = await server.send(path, { host });
      expect([path, reply.status]).toEqual([path, 421]);
      expect(reply.json().errors[0].code).toBe('misdirected_host');
    }
  });

  test('is case-insensitive', async () => {
    const host = hostHeader('tickets', server.port).toUpperCase();
    expect((await server.send('/api/ping', { host })).status).toBe(200);
  });

  test('is refused if it is missing, repeated or contradicts an absolute address in the request line', async () => {
    expect((await raw('GET /api/ping HTTP/1.1')).status).toBe(400);
    expect((await raw('GET /api/ping HTTP/1.1', ours(), 'Host: evil.test')).status).toBe(400);
    expect((await raw('GET /api/ping HTTP/1.1', 'Host: evil.test', ours())).status).toBe(400);
    expect([400, 421]).toContain((await raw('GET http://evil.test/api/ping HTTP/1.1', ours())).status);
    expect([400, 421]).toContain((await raw('GET //evil.test/api/ping HTTP/1.1', 'Host: evil.test')).status);
  });

  test('is not taken from X-Forwarded-Host', async () => {
    const headers = { 'x-forwarded-host': hostHeader('tickets', server.port), 'x-forwarded-proto': 'https' };
    expect((await server.send('/api/ping', { host: 'evil.test', headers })).status).toBe(421);
    const evil = { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test', 'x-host': 'evil.test' };
    const lost = await server.send('/no-such-page', { headers: evil });
    expect(lost.headers.location).toBe(`http://${hostHeader('tickets', server.port)}/404`);
  });

  test('never appears in the links of a mail', async () => {
    const publishableKey = await publishableKeyOf(server.send);
    const [sailing = ''] = await sailingsOf(server.send);
    const email = 'links@example.com';
    const { reference, orderId } = await buyTicket(server.send, { sailing, email, publishableKey });
    const asked = await server.send('/api/orders/lookup', {
      host: 'my',
      body: { reference, email },
      headers: { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'gopher' },
    });
    expect(asked.status).toBe(200);
    const mails = async () =>
      (await server.send(`/api/messages?to=${email}`, { host: 'mail' })).json().data as {
        id: string;
        text: string;
        html: string;
      }[];
    await eventually(async () => (await mails()).length === 2, { what: 'two mails', withinMs: 30_000 });
    const page = `http://${hostHeader('tickets', server.port)}/orders/${orderId}/confirmation`;
    for (const { text, html } of await mails()) {
      expect(text).toContain(page);
      const links = [...`${text} ${html}`.matchAll(/\w+:\/\/([^/"'\s<]+)/g)].map(([, host]) => host);
      // Mails link to a public map of the pier and to the operator's own pages, and name the vocabulary of their data.
      const others = ['www.openstreetmap.org', 'harborline.example', 'schema.org'];
      const known = [`tickets.ferry.localhost:${server.port}`, ...others];
      expect(links.filter((host) => !known.includes(host ?? ''))).toEqual([]);
    }
  });
});

describe('health', () => {
  test.each([
    ['/livez', 'alive'],
    ['/readyz', 'ready'],
  ])('responds at %s under any host', async (path, text) => {
    for (const host of ['tickets', 'evil.test']) {
      const reply = await server.send(path, { host });
      expect([reply.status, reply.text, reply.headers['cache-control']]).toEqual([200, text, 'no-store']);
    }
  });
});

describe('the API', () => {
  test.each(HOST_NAMES)(
    'at %s answers an unknown path with a JSON error, never with a page',
    async (host) => {
      for (const path of [
        '/api/nothing',
        '/api/',
        '/api',
        '/api/ping/',
        '/api/orders/',
        '/api/..%2fpages.json',
      ]) {
        const reply = await server.send(path, { host });
        expect([path, reply.status]).toEqual([path, 404]);
        expect(reply.json()).toMatchObject({ success: false, data: null, status_code: 404 });
      }
    },
  );

  test.each([
    ['DELETE', '/api/ping', 'GET'],
    ['GET', '/api/quotes', 'POST'],
    ['HEAD', '/api/quotes', 'POST'],
    ['PUT', '/api/holds/hld_00000000000000000000000000', 'PATCH, DELETE'],
  ])('answers %s %s with the allowed methods', async (method, path, allow) => {
    const reply = await server.send(path, { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe(allow);
    if (method !== 'HEAD') expect(reply.json().errors[0].code).toBe('method_not_allowed');
  });

  test('answers HEAD like GET, without the body', async () => {
    const [head, get] = await Promise.all([
      server.send('/api/catalogue', { method: 'HEAD' }),
      server.send('/api/catalogue'),
    ]);
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of [
      'content-type',
      'cache-control',
      'x-content-type-options',
      'content-security-policy',
    ]) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    }
  });

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'QUERY'])(
    'refuses the method %s and echoes nothing',
    async (method) => {
      for (const path of ['/api/ping', '/']) {
        const { status, text } = await raw(`${method} ${path} HTTP/1.1`, ours(), 'X-Secret: echo-me');
        // CONNECT gets no response; the connection is closed.
        expect(status >= 400 && status < 500 ? 'refused' : text).toBe(method === 'CONNECT' ? '' : 'refused');
        expect(text).not.toContain('echo-me');
      }
    },
  );

  test.each(['null', 'http://evil.test', 'http://tickets.ferry.localhost.evil.test'])(
    'refuses reads and writes from a page of %s',
    async (origin) => {
      const read = await server.send('/api/catalogue', { headers: { origin } });
      expect(read.headers['access-control-allow-origin']).toBeUndefined();
      const asked = await server.send('/api/quotes', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(asked.headers['access-control-allow-origin']).toBeUndefined();
      const write = await server.send('/api/quotes', { body: {}, headers: { origin } });
      expect([write.status, write.json().errors[0].code]).toEqual([403, 'forbidden_origin']);
    },
  );
});
