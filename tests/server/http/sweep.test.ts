import { afterAll, beforeAll, expect, test } from 'vitest';
import { providerEvents } from '#server/database/schema/sales.ts';
import { idempotencyKeys } from '#server/database/schema/system.ts';
import { registerSweep } from '#server/http/sweep.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const HOUR = 3_600_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('The hourly job deletes old keys and events, and keeps those that may still be asked for', async () => {
  const { db, jobs } = server.deps;
  const ago = (hours: number) => new Date(server.clock.now().getTime() - hours * HOUR);
  await db.insert(idempotencyKeys).values([
    { scope: 'a', key: 'old', requestHash: 'x', insertedAt: ago(49) },
    { scope: 'a', key: 'new', requestHash: 'x', insertedAt: ago(47) },
  ]);
  await db.insert(providerEvents).values([
    { id: 'evt_old', type: 'x', receivedAt: ago(31 * 24) },
    { id: 'evt_new', type: 'x', receivedAt: ago(29 * 24) },
  ]);
  await registerSweep(server.deps);
  await jobs.send('sweep', {});
  await server.jobs.runJobs();
  expect((await db.select().from(idempotencyKeys)).map(({ key }) => key)).toEqual(['new']);
  expect((await db.select().from(providerEvents)).map(({ id }) => id)).toEqual(['evt_new']);
});
