import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let network = 0;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Each test signs in from a separate network, so that tests do not share rate limits. */
function newAddress(): string {
  network += 1;
  return `10.${network >> 8}.${network & 255}.1`;
}

function signIn(body: unknown, from = newAddress(), headers: Record<string, string> = {}) {
  return server.request('POST', api.signIn.path, { body, from, headers });
}

function ping(headers: Record<string, string> = {}) {
  return server.request('GET', api.pingSession.path, { headers });
}

test('The right password returns a token for the account', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const reply = await signIn({ email: customer.email, password: PASSWORD });
  expect(reply.status).toBe(200);
  expect(reply.body.data.token).toMatch(/^gw_[\w-]{43}$/);
  expect(reply.headers.getSetCookie().join()).not.toContain(reply.body.data.token);
  const details = await server.request('GET', api.getDetails.path, { token: reply.body.data.token });
  expect(details.body.email).toBe(customer.email);
});

test('The address is accepted in capitals, with surrounding spaces and in another Unicode composition', async () => {
  await createCustomer(server.context, { email: 'rené.stra\u00dfe@example.com', password: PASSWORD });
  const reply = await signIn({ email: '  Rene\u0301.STRA\u00dfE@Example.COM ', password: PASSWORD });
  expect(reply.status).toBe(200);
});

test('A wrong password, an unknown address and an account without a password get the same response', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const without = await createCustomer(server.context);
  const wrong = await signIn({ email: customer.email, password: 'wrong' });
  const unknown = await signIn({ email: 'nobody@example.com', password: 'wrong' });
  const none = await signIn({ email: without.email, password: 'wrong' });
  expect(wrong.status).toBe(422);
  expect(wrong.body.errors[0].code).toBe('invalid_credentials');
  const names = (reply: typeof wrong) => [...reply.headers.keys()].filter((name) => name !== 'x-request-id');
  for (const other of [unknown, none]) {
    expect(other.body).toEqual(wrong.body);
    expect(other.status).toBe(wrong.status);
    expect(names(other)).toEqual(names(wrong));
  }
});

test.each([
  ['an empty password', { email: 'ada@example.com', password: '' }],
  ['null as password', { email: 'ada@example.com', password: null }],
  ['more than it takes', { email: 'a@example.com', password: 'x', mfa_required: false }],
  ['no address', { password: 'x' }],
  ['an address that is none', { email: 'ada', password: 'x' }],
  ['two addresses', { email: 'a@example.com,b@example.com', password: 'x' }],
  ['a list of addresses', { email: ['a@example.com'], password: 'x' }],
  ['a line break in the address', { email: 'a@example.com\r\nBcc: b@example.com', password: 'x' }],
  ['a NUL in the address', { email: 'a\0@example.com', password: 'x' }],
  ['a zero-width space in the address', { email: 'a\u200b@example.com', password: 'x' }],
  ['half a character in the address', { email: 'a\ud800@example.com', password: 'x' }],
  ['a very long password', { email: 'a@example.com', password: 'x'.repeat(5000) }],
  ['a condition as password', { email: 'a@example.com', password: { $ne: null } }],
])('A sign-in with %s is refused before any look-up', async (_, body) => {
  const reply = await signIn(body);
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].code).toBe('mfa_required' in body ? 'unknown_field' : 'invalid_input');
});

test('SQL in place of a password is a wrong password', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const reply = await signIn({ email: customer.email, password: "' or '1'='1" });
  expect(reply.body.errors[0].code).toBe('invalid_credentials');
});

test('Each sign-in returns a new token, regardless of a sent token or cookie', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const old = await startSession(server.context, customer.id);
  const planted = `gw_${'A'.repeat(43)}`;
  const reply = await signIn({ email: customer.email, password: PASSWORD }, newAddress(), {
    authorization: `Bearer ${planted}`,
    cookie: `my-session=${old}`,
  });
  expect(reply.body.data.token).not.toBe(planted);
  expect(reply.body.data.token).not.toBe(old);
  expect((await ping({ authorization: `Bearer ${planted}` })).status).toBe(401);
  expect((await ping({ authorization: `Bearer ${old}` })).status).toBe(200);
});

test('The sixth wrong try on an account from one network is refused, and other networks are not affected', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const from = newAddress();
  for (let index = 0; index < 5; index += 1) {
    const reply = await signIn({ email: customer.email, password: 'wrong' }, from);
    expect(reply.status).toBe(422);
  }
  const refused = await signIn({ email: customer.email, password: PASSWORD }, from.replace(/1$/, '99'));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body.errors[0].code).toBe('rate_limited');
  expect((await signIn({ email: customer.email, password: PASSWORD })).status).toBe(200);
  server.clock.advance(15 * 60_000);
  expect((await signIn({ email: customer.email, password: PASSWORD }, from)).status).toBe(200);
});

test('Attempts on unknown addresses are counted the same way', async () => {
  const from = newAddress();
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    statuses.push((await signIn({ email: 'ghost@example.com', password: 'wrong' }, from)).status);
  }
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
});

test('Of fifty concurrent guesses five are checked', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const from = newAddress();
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => signIn({ email: customer.email, password: 'wrong' }, from)),
  );
  expect(replies.filter((reply) => reply.status === 422)).toHaveLength(5);
  expect(replies.filter((reply) => reply.status === 429)).toHaveLength(45);
});

test('One network gets 20 wrong tries a minute over all accounts', async () => {
  const from = newAddress();
  const statuses: number[] = [];
  for (let index = 0; index < 21; index += 1) {
    statuses.push((await signIn({ email: `guess${index}@example.com`, password: 'wrong' }, from)).status);
  }
  expect(statuses.slice(0, 20).every((status) => status === 422)).toBe(true);
  expect(statuses[20]).toBe(429);
});

test('Sign-ins with the right password are not limited', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const from = newAddress();
  for (let index = 0; index < 22; index += 1) {
    expect((await signIn({ email: customer.email, password: PASSWORD }, from)).status).toBe(200);
  }
});

test('A session stores a short device name and not the whole user agent', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/1 Safari/604.1';
  await signIn({ email: customer.email, password: PASSWORD }, newAddress(), { 'user-agent': agent });
  const [row] = await server.database.store.query<{ device: string }>(
    'select device from sessions where customer_id = $1',
    [customer.id],
  );
  expect(row?.device).toBe('Safari on iPhone');
});

test('Signing out ends the session, and gives the same response a second time and without a session', async () => {
  const customer = await createCustomer(server.context);
  const token = await startSession(server.context, customer.id);
  const other = await startSession(server.context, customer.id);
  for (const options of [{ token }, { token }, { token: 'nonsense' }, {}]) {
    const reply = await server.request('DELETE', api.signOut.path, options);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ success: true, data: null, errors: [], status_code: 200 });
  }
  expect((await server.request('GET', api.getDetails.path, { token })).status).toBe(401);
  expect((await server.request('GET', api.getDetails.path, { token: other })).status).toBe(200);
});

test('The ping of a valid session succeeds', async () => {
  const customer = await createCustomer(server.context);
  const token = await startSession(server.context, customer.id);
  const reply = await ping({ authorization: `Bearer ${token}` });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ success: true, errorCode: null, status_code: 200 });
});

test('The ping without a token fails without being a rejected session', async () => {
  const reply = await ping();
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ success: false, errorCode: 'unauthenticated', data: null });
  expect(reply.body.errors[0].code).toBe('unauthenticated');
});

test('The ping of an ended session answers 401', async () => {
  const customer = await createCustomer(server.context);
  const token = await startSession(server.context, customer.id);
  await server.request('DELETE', api.signOut.path, { token });
  const reply = await ping({ authorization: `Bearer ${token}` });
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ success: false, errorCode: 'session_expired', status_code: 401 });
});

test('No line of the log reveals who signed in', async () => {
  server.logged.length = 0;
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const from = newAddress();
  await signIn({ email: customer.email, password: PASSWORD }, from);
  await signIn({ email: customer.email, password: 'wrong' }, from);
  const text = JSON.stringify(server.logged);
  for (const secret of [customer.email, customer.id, PASSWORD, from, 'gw_'])
    expect(text).not.toContain(secret);
});
