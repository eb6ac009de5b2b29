import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { recordSecurityEvent, reportSecurityEvent } from '#server/identity/security/security-events.ts';
import { refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { openOwner } from './owner.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('A customer’s own security events are listed newest first, twenty to a page', async () => {
  const owner = await openOwner(server);
  const stranger = await openOwner(server);
  const { db, clock } = server.context;
  const event = { customerId: owner.customer.id, device: 'Firefox on Linux' };
  for (let index = 0; index < 21; index += 1) {
    server.clock.advance(1000);
    await recordSecurityEvent(db, { clock }, { ...event, kind: index === 20 ? 'mfa_on' : 'passkey_added' });
  }
  const first = (await owner.call('GET', api.listSecurityEvents.path)).body;
  expect(first.meta).toEqual({ page: 1, page_size: 20, total_pages: 2, total_count: 21 });
  expect(first.data[0]).toEqual({
    id: expect.stringMatching(/^sev_/),
    kind: 'mfa_on',
    device: 'Firefox on Linux',
    inserted_at: server.clock.now().toISOString(),
  });
  const second = (await owner.call('GET', `${api.listSecurityEvents.path}?page=2`)).body;
  expect(second.data).toHaveLength(1);
  expect((await stranger.call('GET', api.listSecurityEvents.path)).body.data).toEqual([]);
});

test.each([
  'page=0',
  'page=1.5',
  'page=1&page=2',
  'filters[0][field]=kind&filters[0][op]===&filters[0][value]=mfa_on',
])('An invalid list query is refused: %s', async (query) => {
  const owner = await openOwner(server);
  expect(refusalOf(await owner.call('GET', `${api.listSecurityEvents.path}?${query}`))).toEqual([
    422,
    'invalid_input',
  ]);
});

test('An event and its mail are written together or not at all', async () => {
  const owner = await openOwner(server);
  const event = { customerId: owner.customer.id, kind: 'mfa_off', device: 'Chrome on Windows' } as const;
  const undone = server.context.db.transaction(async (tx) => {
    await reportSecurityEvent(tx, server.context, event);
    throw new Error('The change did not happen.');
  });
  await expect(undone).rejects.toThrow('The change did not happen.');
  expect(await owner.events()).toEqual([]);
  expect(await owner.told()).toEqual([]);
  await server.context.db.transaction((tx) => reportSecurityEvent(tx, server.context, event));
  expect(await owner.events()).toEqual(['mfa_off']);
  expect(await owner.told()).toEqual(['mfa_off']);
});
