import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { documentQueue } from '#server/documents/documents.ts';
import { codeOf } from '#tests/factories/buyer.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let path: string;
beforeAll(async () => {
  server = await openTestServer();
  const order = await buildConfirmedOrder(server.context);
  path = fillPath(api.getTicketsPdf.path, { id: order.id });
});
afterAll(() => server.close());

/** Occupies the one slot, so that all other work waits until `release` is called. */
function occupySlot(): () => Promise<void> {
  let end = () => {};
  const held = documentQueue.run({ key: 'holder' }, () => new Promise<void>((resolve) => (end = resolve)));
  return () => {
    end();
    return held;
  };
}

test('A network that requests many PDF tickets concurrently is refused, and another network is served', async () => {
  const release = occupySlot();
  const waiting = Array.from({ length: 16 }, () => server.request('GET', path));
  await expect.poll(() => documentQueue.waiting, { interval: 5, timeout: 20_000 }).toBe(16);
  const refused = await server.request('GET', path);
  expect([refused.status, codeOf(refused), refused.headers.get('retry-after')]).toEqual([
    503,
    'server_busy',
    '2',
  ]);
  const other = server.request('GET', path, { from: '198.51.100.7' });
  await expect.poll(() => documentQueue.waiting, { interval: 5, timeout: 20_000 }).toBe(17);
  await release();
  const replies = await Promise.all([...waiting, other]);
  expect(replies.every(({ status }) => status === 200)).toBe(true);
});

test('A PDF is not created for a caller who disconnected', async () => {
  const release = occupySlot();
  const caller = new AbortController();
  const request = new Request(`${server.context.config.origins.tickets}${path}`, { signal: caller.signal });
  const reply = server.app.fetch(request, { incoming: { socket: { remoteAddress: '203.0.113.7' } } });
  await expect.poll(() => documentQueue.waiting, { interval: 5, timeout: 20_000 }).toBe(1);
  caller.abort();
  expect((await reply).status).toBe(503);
  expect(documentQueue.waiting).toBe(0);
  await release();
});
