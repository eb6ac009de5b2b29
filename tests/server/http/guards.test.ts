import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const evilOrigins = [
  'http://evil.test',
  'null',
  'http://ferry.localhost.evil.test',
  'http://evilferry.localhost',
  'http://tickets.ferry.localhost',
  'https://tickets.ferry.localhost:8080',
  'http://tickets.ferry.localhost:8080.evil.test',
  'http://pay.ferry.localhost:8080',
];

test.each(evilOrigins)('A preflight from %s is refused', async (origin) => {
  const reply = await server.request('OPTIONS', api.changeDetails.path, {
    headers: { origin, 'access-control-request-method': 'PATCH' },
  });
  const allowed = [...reply.headers.keys()].filter((name) => name.startsWith('access-control-'));
  expect(allowed).toEqual([]);
});

test.each(evilOrigins)('A write from %s is refused', async (origin) => {
  const reply = await server.request('POST', api.signIn.path, { headers: { origin }, body: {} });
  expect(reply.status).toBe(403);
  expect(reply.body.errors[0].code).toBe('forbidden_origin');
  expect(reply.headers.get('access-control-allow-origin')).toBeNull();
});

test('Each host can call the API of the other', async () => {
  for (const origin of [server.context.config.origins.tickets, server.context.config.origins.portal]) {
    const preflight = await server.request('OPTIONS', api.changeDetails.path, {
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const reply = await server.request('POST', api.signIn.path, { headers: { origin }, body: {} });
    expect(reply.status).toBe(422);
    expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
  }
});

test('All responses have the headers that forbid rendering, sniffing and caching', async () => {
  const replies = [
    await server.request('GET', api.ping.path),
    await server.request('GET', api.getDetails.path),
    await server.request('GET', '/api/nothing/here'),
  ];
  for (const { headers } of replies) {
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test.each([
  ['POST', api.ping.path, 405],
  ['PUT', api.changeDetails.path, 405],
  ['GET', api.signIn.path, 405],
  ['DELETE', api.getDetails.path, 405],
  ['GET', '/api', 404],
  ['GET', '/api/', 404],
  ['GET', '/api/nothing', 404],
  ['GET', `${api.ping.path}/`, 404],
  ['GET', '/api//ping', 404],
  ['GET', '/API/ping', 404],
  ['POST', '/api/__proto__', 404],
])('%s %s is answered with %i in the envelope', async (method, path, status) => {
  const reply = await server.request(method, path);
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ success: false, data: null, status_code: status });
  if (status === 405) expect(reply.headers.get('allow')).toBeTruthy();
});

test('HEAD answers as GET does, without a body', async () => {
  const reply = await server.request('HEAD', api.ping.path);
  expect(reply.status).toBe(200);
  expect(reply.body).toBe('');
});

const json = { 'content-type': 'application/json' };
test.each([
  ['text/plain', '{"email":"a@example.com","password":"x"}', { 'content-type': 'text/plain' }, 415],
  ['a form', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['no type', '{}', { 'content-type': '' }, 415],
  ['a type that only begins like JSON', '{}', { 'content-type': 'application/jsonp' }, 415],
  ['a packed body', '{}', { ...json, 'content-encoding': 'gzip' }, 415],
  ['an empty body', '', json, 400],
  ['a broken body', '{"email":', json, 400],
  ['null', 'null', json, 422],
  ['an array', '[]', json, 422],
  ['a string', '"x"', json, 422],
  ['a number beyond numbers', '1e999', json, 422],
  ['nesting without end', '['.repeat(15_000) + ']'.repeat(15_000), json, 400],
  ['a prototype', '{"__proto__":{"isAdmin":true},"email":"a@example.com","password":"x"}', json, 422],
  ['half a character', '\ud800', json, 400],
  ['10 MB', `{"email":"${'a'.repeat(10_000_000)}"}`, json, 413],
])('A body that is %s is refused with the error envelope', async (_, body, headers, status) => {
  const reply = await server.request('POST', api.signIn.path, { body, headers });
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ success: false, data: null, status_code: status });
  expect(reply.body.error).toBe(
    reply.body.errors.map((error: { message: string }) => error.message).join(', '),
  );
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
});

test('A chunked body of 10 MB without a length is refused', async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      if (sent > 10_000_000) controller.close();
      else controller.enqueue(new Uint8Array(65_536).fill(32));
    },
  });
  const request = new Request(`${server.context.config.origins.tickets}${api.signIn.path}`, {
    method: 'POST',
    headers: json,
    body,
    duplex: 'half',
  } as RequestInit);
  const response = await server.app.fetch(request);
  expect(response.status).toBe(413);
  expect(sent).toBeLessThan(1_000_000);
});

test('The last value of a repeated field counts, and unknown fields are named', async () => {
  const reply = await server.request('POST', api.signIn.path, {
    body: '{"email":"a@example.com","email":3,"password":"x","role":"admin"}',
  });
  expect(reply.status).toBe(422);
  expect(
    reply.body.errors.map((error: { code: string; field: string }) => [error.code, error.field]),
  ).toEqual([
    ['invalid_input', 'email'],
    ['unknown_field', 'role'],
  ]);
});

test('The log names the route and never the path, the query or the address', async () => {
  server.logged.length = 0;
  const path = fillPath(api.getSettings.path, { name: 'secret-name' });
  await server.request('GET', `${path}?token=gw_secret`, { from: '198.51.100.9', token: 'gw_secret' });
  const [line] = server.logged.filter((each) => each.event === 'request');
  expect(line).toMatchObject({ method: 'GET', route: '/api/settings/:name', status: 404 });
  expect(Object.keys(line ?? {}).toSorted()).toEqual(
    ['event', 'level', 'method', 'ms', 'request_id', 'route', 'status', 'time'].toSorted(),
  );
  expect(JSON.stringify(server.logged)).not.toMatch(/secret|198\.51/);
});

test('The log contains nothing of a path without a route', async () => {
  server.logged.length = 0;
  await server.request('GET', '/api/orders-of/ada@example.com');
  expect(JSON.stringify(server.logged)).not.toContain('ada@example');
});
