import { type AddressInfo, createServer } from 'node:net';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiErrors } from '#contract/errors.ts';
import { createApp } from '#server/app.ts';
import { schema } from '#server/database/schema.ts';
import { isDatabaseUnavailable } from '#server/database/unavailable.ts';
import { freePort } from '#tests/setup/engine.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
const pools: pg.Pool[] = [];
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await server.close();
});

/** The API with the real driver, pointed at a port. */
function appOn(port: number) {
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'x', connectionTimeoutMillis: 50 });
  pools.push(pool);
  return createApp({ ...server.context, db: drizzle(pool, { schema }) });
}

function ask(app: ReturnType<typeof appOn>, method: string, path: string, body?: object) {
  const { tickets } = server.context.config.origins;
  const headers = {
    host: new URL(tickets).host,
    'content-type': 'application/json',
    'idempotency-key': 'a-key-of-this-test',
    authorization: `Bearer gw_${'x'.repeat(43)}`,
  };
  return app.request(tickets + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

test.each([
  ['GET', '/api/catalogue', undefined],
  ['GET', '/api/customers/details', undefined],
  ['POST', '/api/orders/ord_00000000000000000000000000/payments', { method: 'card' }],
])('%s %s says that the records are unavailable while the database is down', async (method, path, body) => {
  const app = appOn(await freePort());
  const reply = await ask(app, method, path, body);
  expect(reply.status).toBe(503);
  expect(reply.headers.get('retry-after')).toBe('5');
  expect(await reply.json()).toMatchObject({
    errors: [{ code: 'unavailable', message: apiErrors.unavailable.message }],
  });
  expect((await ask(app, 'GET', '/api/ping')).status).toBe(200);
});

test('A database that accepts connections but does not respond counts as unavailable', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  expect((await ask(appOn(port), 'GET', '/api/catalogue')).status).toBe(503);
  silent.close();
});

test('A refusal by the database or an error of our code does not count as an outage', () => {
  const withCode = (code: string) => Object.assign(new Error('failed'), { code });
  for (const code of ['23505', '22P02', '42P01', 'ENOENT', 'ERR_INVALID_ARG_TYPE']) {
    expect(isDatabaseUnavailable(new Error('Failed query', { cause: withCode(code) }))).toBe(false);
  }
  const unavailable = [
    ...['ECONNREFUSED', 'ECONNRESET', '08006', '57P01', '57P02', '57P03'],
    ...['53100', '53200', '53300', '58030', '25006', '40001', '40P01'],
  ];
  for (const code of unavailable) {
    expect(isDatabaseUnavailable(new Error('Failed query', { cause: withCode(code) }))).toBe(true);
  }
  expect(isDatabaseUnavailable(new TypeError('x is not a function'))).toBe(false);
  expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false);
});

test('A file that the database cannot write counts as an outage, and a missing right does not', () => {
  const withMessage = (message: string) => Object.assign(new Error(message), { code: '42501' });
  const refused = withMessage('could not extend file "base/5/17999": Read-only file system');
  expect(isDatabaseUnavailable(new Error('Failed query', { cause: refused }))).toBe(true);
  expect(isDatabaseUnavailable(withMessage('permission denied for table orders'))).toBe(false);
});
