import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { startSession } from '#tests/factories/customers.ts';
import { isAlive, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { type Owner, openOwner } from './owner.ts';

const DAY = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function list(owner: Owner) {
  return (await owner.call('GET', api.listSessions.path)).body.data;
}

test('The list contains each active session, last used first, and marks the current one', async () => {
  const owner = await openOwner(server);
  const began = server.clock.now().toISOString();
  server.clock.advance(60_000);
  await startSession(server.context, owner.customer.id);
  const sessions = await list(owner);
  expect(sessions).toHaveLength(2);
  expect(sessions[0]).toMatchObject({ current: false, last_seen_at: server.clock.now().toISOString() });
  expect(sessions[1]).toEqual({
    id: expect.stringMatching(/^ses_/),
    kind: 'password',
    device: 'Safari on iPhone',
    inserted_at: began,
    last_seen_at: began,
    current: true,
  });
});

test('The list omits sessions that were ended, expired or not used for a long time', async () => {
  const owner = await openOwner(server);
  const other = await startSession(server.context, owner.customer.id);
  await server.request('DELETE', api.signOut.path, { token: other });
  expect(await list(owner)).toHaveLength(1);
  await startSession(server.context, owner.customer.id);
  for (let day = 0; day < 100; day += 50) {
    server.clock.advance(50 * DAY);
    await list(owner);
  }
  expect(await list(owner)).toHaveLength(1);
});

test('A session that is ended from the list answers 401 at once, and the owner is notified', async () => {
  const owner = await openOwner(server);
  const other = await startSession(server.context, owner.customer.id);
  expect(await isAlive(server, other)).toBe(true);
  const { id } = (await list(owner)).find(({ current }: { current: boolean }) => !current);
  expect((await owner.call('DELETE', fillPath(api.endSession.path, { id }))).status).toBe(200);
  expect(await isAlive(server, other)).toBe(false);
  expect(await isAlive(server, owner.token)).toBe(true);
  expect(await owner.told()).toEqual(['sessions_ended']);
  const again = await owner.call('DELETE', fillPath(api.endSession.path, { id }));
  expect(refusalOf(again)).toEqual([404, 'not_found']);
});

test('Ending the current session from the list signs the customer out', async () => {
  const owner = await openOwner(server);
  const [{ id }] = await list(owner);
  expect((await owner.call('DELETE', fillPath(api.endSession.path, { id }))).status).toBe(200);
  expect(await isAlive(server, owner.token)).toBe(false);
  expect(await owner.told()).toEqual([]);
});

test('The session of another customer answers 404', async () => {
  const owner = await openOwner(server);
  const stranger = await openOwner(server);
  const [{ id }] = await list(stranger);
  for (const other of [id, 'ses_1', "' or 1=1 --", '%00']) {
    const path = fillPath(api.endSession.path, { id: other });
    expect(refusalOf(await owner.call('DELETE', path))).toEqual([404, 'not_found']);
  }
  expect(await isAlive(server, stranger.token)).toBe(true);
});

test('All sessions but this one end together', async () => {
  const owner = await openOwner(server);
  const stranger = await openOwner(server);
  const others = [
    await startSession(server.context, owner.customer.id),
    await startSession(server.context, owner.customer.id),
  ];
  expect((await owner.call('DELETE', api.listSessions.path)).status).toBe(200);
  for (const token of others) expect(await isAlive(server, token)).toBe(false);
  expect(await isAlive(server, owner.token)).toBe(true);
  expect(await isAlive(server, stranger.token)).toBe(true);
  expect((await owner.call('DELETE', api.listSessions.path)).status).toBe(200);
  expect(await owner.told()).toEqual(['sessions_ended']);
});
