import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { endCustomerSession, endSessions } from '#server/identity/sessions.ts';
import { retentionRules } from '#server/register-jobs.ts';
import { applyRetention } from '#server/retention.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const DAY = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function signedIn() {
  const customer = await createCustomer(server.context);
  return { customer, token: await startSession(server.context, customer.id) };
}

function details(token?: string, headers: Record<string, string> = {}, query = '') {
  return server.request('GET', `${api.getDetails.path}${query}`, {
    ...(token === undefined ? {} : { token }),
    headers,
  });
}

test('A valid bearer token gives access to its account', async () => {
  const { customer, token } = await signedIn();
  const reply = await details(token);
  expect(reply.status).toBe(200);
  expect(reply.body.id).toBe(customer.id);
});

test('Without a token the answer is 401 unauthenticated', async () => {
  const reply = await details();
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ success: false, data: null, status_code: 401 });
  expect(reply.body.errors[0].code).toBe('unauthenticated');
});

test('A token in a cookie or in the query is not accepted', async () => {
  const { token } = await signedIn();
  const cookie = await details(undefined, { cookie: `my-session=${token}` });
  expect(cookie.status).toBe(401);
  const query = await details(undefined, {}, `?token=${token}&access_token=${token}`);
  expect(query.status).toBe(401);
});

test.each([
  ['short', 'gw_unknown'],
  ['well formed', `gw_${'A'.repeat(43)}`],
  ['followed by more', `gw_${'A'.repeat(43)} extra`],
  ['escaped', '%00'],
  ['SQL', "' or 1=1 --"],
  ['very long', 'x'.repeat(5000)],
])('An unknown token is refused: %s', async (_, token) => {
  const reply = await details(undefined, { authorization: `Bearer ${token}` });
  expect(reply.status).toBe(401);
});

test('Another scheme than bearer is not accepted', async () => {
  const { token } = await signedIn();
  const reply = await details(undefined, { authorization: `Basic ${token}` });
  expect(reply.body.errors[0].code).toBe('unauthenticated');
});

test('The token is not stored in the database', async () => {
  const { token } = await signedIn();
  const rows = await server.database.store.query('select * from sessions');
  expect(JSON.stringify(rows)).not.toContain(token.slice(3));
});

test('A session that is used ends after 365 days', async () => {
  const { token } = await signedIn();
  for (let day = 0; day < 364; day += 60) {
    expect((await details(token)).status).toBe(200);
    server.clock.advance(60 * DAY);
  }
  const reply = await details(token);
  expect(reply.status).toBe(401);
  expect(reply.body.errors[0].code).toBe('session_expired');
});

test('A session that is not used for 90 days ends', async () => {
  const { token } = await signedIn();
  server.clock.advance(89 * DAY);
  expect((await details(token)).status).toBe(200);
  server.clock.advance(90 * DAY);
  expect((await details(token)).status).toBe(401);
});

test('The last use is stored at most every five minutes', async () => {
  const { customer, token } = await signedIn();
  const seen = async () => {
    const [row] = await server.database.store.query<{ at: number }>(
      'select extract(epoch from last_seen_at)::int as at from sessions where customer_id = $1',
      [customer.id],
    );
    return row?.at;
  };
  const first = await seen();
  server.clock.advance(4 * 60_000);
  await details(token);
  expect(await seen()).toBe(first);
  server.clock.advance(60_000);
  await details(token);
  expect(await seen()).toBe(Number(first) + 300);
});

test('The 21st session of an account ends the oldest and no other', async () => {
  const { customer, token } = await signedIn();
  const later: string[] = [];
  for (let index = 0; index < 19; index += 1) {
    server.clock.advance(1000);
    later.push(await startSession(server.context, customer.id));
  }
  expect((await details(token)).status).toBe(200);
  later.push(await startSession(server.context, customer.id));
  expect((await details(token)).status).toBe(401);
  for (const other of later) expect((await details(other)).status).toBe(200);
});

test('Concurrent sign-ins leave at most 20 sessions', async () => {
  const { customer } = await signedIn();
  await Promise.all(Array.from({ length: 30 }, () => startSession(server.context, customer.id)));
  const [row] = await server.database.store.query<{ count: number }>(
    'select count(*)::int as count from sessions where customer_id = $1 and revoked_at is null',
    [customer.id],
  );
  expect(row?.count).toBe(20);
});

test('All sessions of a customer end at once, or all except the caller’s, and no session of another customer', async () => {
  const { customer, token } = await signedIn();
  const { db, clock } = server.context;
  const own = await startSession(server.context, customer.id);
  const stranger = await signedIn();
  const [current] = await server.database.store.query<{ id: string }>(
    'select id from sessions where customer_id = $1 order by inserted_at limit 1',
    [customer.id],
  );
  expect(await endSessions(db, { clock }, { customerId: customer.id, except: current?.id ?? '' })).toBe(1);
  const alive = [(await details(token)).status, (await details(own)).status];
  expect(alive.toSorted()).toEqual([200, 401]);
  expect(await endSessions(db, { clock }, { customerId: customer.id })).toBe(1);
  expect(await endSessions(db, { clock }, { customerId: customer.id })).toBe(0);
  expect((await details(token)).status).toBe(401);
  expect((await details(own)).status).toBe(401);
  expect((await details(stranger.token)).status).toBe(200);
});

test('A session is ended by its id only by its owner, and once', async () => {
  const { customer, token } = await signedIn();
  const stranger = await signedIn();
  const { db, clock } = server.context;
  const [session] = await server.database.store.query<{ id: string }>(
    'select id from sessions where customer_id = $1',
    [customer.id],
  );
  const sessionId = session?.id ?? '';
  const end = (customerId: string) => endCustomerSession(db, { clock }, { customerId, sessionId });
  expect(await end(stranger.customer.id)).toBe(false);
  expect((await details(token)).status).toBe(200);
  expect(await end(customer.id)).toBe(true);
  expect(await end(customer.id)).toBe(false);
  expect((await details(token)).status).toBe(401);
});

test('Retention deletes sessions a month after their end', async () => {
  const { token } = await signedIn();
  await server.request('DELETE', api.signOut.path, { token });
  server.clock.advance(400 * DAY);
  await applyRetention(server.context, retentionRules);
  const rows = await server.database.store.query('select id from sessions');
  expect(rows).toEqual([]);
});
