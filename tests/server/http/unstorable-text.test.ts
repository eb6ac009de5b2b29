import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { newId } from '#server/core/ids.ts';
import { codeOf } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await openTestServer();
  token = await startSession(server.context, (await createCustomer(server.context)).id);
});
afterAll(() => server.close());

/** PostgreSQL stores neither. */
const TEXTS = ['a\0b', 'a\ud800b'];

test.each(TEXTS)('the code of a pass is refused with %j', async (code) => {
  const reply = await server.request('POST', api.buyPass.path, {
    body: { code, price: 100 },
    idempotencyKey: randomUUID(),
    token,
  });
  expect([reply.status, codeOf(reply), reply.body.errors[0].field]).toEqual([422, 'invalid_input', 'code']);
});

test.each(TEXTS)('codes in queries, and their names, are refused with %j', async (text) => {
  const search = (query: string) =>
    server.request('GET', `${api.searchSailings.path}?route_id=${newId('rte')}&date=2026-06-02&${query}`);
  const escaped = text === TEXTS[0] ? 'a%00b' : 'a%ED%A0%80b';
  for (const query of [`vehicle_type=${escaped}`, `passengers[${escaped}]=1`]) {
    expect((await search(query)).status).toBeLessThan(500);
  }
});

test.each([{}, { 'content-length': '100' }])(
  'a body that its sender breaks off is no failure of the server, with the headers %j',
  async (headers) => {
    const lost = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    const request = new Request(`${server.context.config.origins.tickets}${api.lookUpOrder.path}`, {
      method: 'POST',
      headers: {
        host: new URL(server.context.config.origins.tickets).host,
        'content-type': 'application/json',
        ...headers,
      },
      body: new ReadableStream({ start: (controller) => controller.error(lost) }),
      duplex: 'half',
    } as RequestInit);
    const reply = await server.app.fetch(request, { incoming: { socket: { remoteAddress: '203.0.113.7' } } });
    expect(reply.status).toBe(400);
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
