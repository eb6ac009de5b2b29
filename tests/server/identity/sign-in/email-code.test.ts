import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { customers } from '#server/database/schema/people.ts';
import { lastCode, mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { askForCode, countSessions, isAlive, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const MINUTE = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function signIn(email: string, from = newAddress()) {
  return server.request('POST', api.signIn.path, { body: { email }, from });
}

function magicLink(body: unknown, from = newAddress()) {
  return server.request('POST', api.signInWithEmailCode.path, { body, from });
}

/** Six digits that differ from the given ones. */
function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

test('Signing in without a password mails a code and a link, and the response names the next step', async () => {
  const { email } = await createCustomer(server.context);
  const reply = await signIn(email);
  expect(reply.status).toBe(200);
  expect(reply.body.data).toEqual({
    temp: expect.stringMatching(/^[\w-]{43}$/),
    next: 'email_code',
    expires_in: 600,
    resend_in: 60,
  });
  expect(reply.body.temp).toBe(reply.body.data.temp);
  const [mail, ...more] = await mailsTo(server.context, email);
  expect(more).toEqual([]);
  expect(mail?.kind).toBe('sign-in-code');
  expect(mail?.data.code).toMatch(/^\d{6}$/);
  expect(mail?.data.link).toMatch(
    /^http:\/\/my\.ferry\.localhost:8080\/sessions\/magic_link\/verify#token=[\w-]{43}$/,
  );
});

test('The mailed code signs in the browser that requested it', async () => {
  const customer = await createCustomer(server.context);
  const temp = await askForCode(server, customer.email);
  const { code } = await lastCode(server.context, customer.email);
  const reply = await magicLink({ temp, code: `${code.slice(0, 3)} ${code.slice(3)}` });
  expect(reply.status).toBe(200);
  expect(await isAlive(server, reply.body.data.token)).toBe(true);
  expect(refusalOf(await magicLink({ temp, code }))).toEqual([422, 'attempt_expired']);
  expect(await countSessions(server, customer.id)).toBe(1);
});

test('Signing in by code uses up the link of the same mail', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  const { code, token } = await lastCode(server.context, email);
  await magicLink({ temp, code });
  const reply = await server.request('POST', api.signInWithLink.path, { body: { token } });
  expect(refusalOf(reply)).toEqual([422, 'link_expired']);
});

test('After five wrong guesses the right code is refused, and the link stays valid', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  const { code, token } = await lastCode(server.context, email);
  for (let index = 0; index < 5; index += 1) {
    expect(refusalOf(await magicLink({ temp, code: otherThan(code) }))).toEqual([422, 'invalid_code']);
  }
  expect(refusalOf(await magicLink({ temp, code }))).toEqual([422, 'attempt_expired']);
  expect(refusalOf(await magicLink({ temp }))).toEqual([422, 'attempt_expired']);
  const byLink = await server.request('POST', api.signInWithLink.path, { body: { token } });
  expect(byLink.status).toBe(200);
});

test('Of fifty concurrent guesses five are checked', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  const { code } = await lastCode(server.context, email);
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => magicLink({ temp, code: otherThan(code) })),
  );
  const codes = replies.map((reply) => refusalOf(reply)[1]);
  expect(codes.filter((each) => each === 'invalid_code')).toHaveLength(5);
  expect(codes.filter((each) => each === 'attempt_expired')).toHaveLength(45);
});

test('The same code sent ten times concurrently starts one session', async () => {
  const customer = await createCustomer(server.context);
  const temp = await askForCode(server, customer.email);
  const { code } = await lastCode(server.context, customer.email);
  const replies = await Promise.all(Array.from({ length: 10 }, () => magicLink({ temp, code })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.every(({ status }) => status === 200 || status === 422)).toBe(true);
  expect(await countSessions(server, customer.id)).toBe(1);
});

test('A code is valid for ten minutes', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  const { code } = await lastCode(server.context, email);
  server.clock.advance(10 * MINUTE);
  expect(refusalOf(await magicLink({ temp, code }))).toEqual([422, 'attempt_expired']);
});

test('A code is valid only for the attempt it was mailed for', async () => {
  const ada = await createCustomer(server.context);
  const bob = await createCustomer(server.context);
  const tempOfAda = await askForCode(server, ada.email);
  await askForCode(server, bob.email);
  const { code } = await lastCode(server.context, bob.email);
  const mine = await lastCode(server.context, ada.email);
  if (mine.code !== code) {
    expect(refusalOf(await magicLink({ temp: tempOfAda, code }))).toEqual([422, 'invalid_code']);
  }
  expect(refusalOf(await magicLink({ temp: 'A'.repeat(43), code }))).toEqual([422, 'attempt_expired']);
});

test('A code mailed to a former address of the account is refused', async () => {
  const customer = await createCustomer(server.context);
  const temp = await askForCode(server, customer.email);
  const { code, token } = await lastCode(server.context, customer.email);
  // Simulates a change between the look-up of the address and the insertion of the challenge.
  const moved = { email: `moved-${customer.email}` };
  await server.context.db.update(customers).set(moved).where(eq(customers.id, customer.id));
  expect(refusalOf(await magicLink({ temp, code }))).toEqual([422, 'attempt_expired']);
  const body = { token };
  const reply = await server.request('POST', api.signInWithLink.path, { body, from: newAddress() });
  expect(refusalOf(reply)).toEqual([422, 'link_expired']);
  expect(await countSessions(server, customer.id)).toBe(0);
});

test('Another mail contains a new code and link, and invalidates the previous ones', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  const before = await lastCode(server.context, email);
  server.clock.advance(MINUTE);
  const again = await magicLink({ temp, code: null });
  expect(again.body.data).toEqual({ temp, next: 'email_code', expires_in: 600, resend_in: 60 });
  const after = await lastCode(server.context, email);
  expect(after.token).not.toBe(before.token);
  const old = await server.request('POST', api.signInWithLink.path, { body: { token: before.token } });
  expect(refusalOf(old)).toEqual([422, 'link_expired']);
  if (before.code !== after.code) {
    expect(refusalOf(await magicLink({ temp, code: before.code }))).toEqual([422, 'invalid_code']);
  }
  expect((await magicLink({ temp, code: after.code })).status).toBe(200);
});

test('Another mail does not reset the count of guesses', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  const first = await lastCode(server.context, email);
  for (let index = 0; index < 4; index += 1) await magicLink({ temp, code: otherThan(first.code) });
  server.clock.advance(MINUTE);
  await magicLink({ temp });
  const { code } = await lastCode(server.context, email);
  expect(refusalOf(await magicLink({ temp, code: otherThan(code) }))).toEqual([422, 'invalid_code']);
  expect(refusalOf(await magicLink({ temp, code }))).toEqual([422, 'attempt_expired']);
});

test('One attempt sends at most three mails, a minute apart', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  server.clock.advance(59_000);
  const early = await magicLink({ temp });
  expect(refusalOf(early)).toEqual([429, 'rate_limited']);
  expect(early.headers.get('retry-after')).toBe('1');
  server.clock.advance(1000);
  expect((await magicLink({ temp })).status).toBe(200);
  server.clock.advance(MINUTE);
  expect((await magicLink({ temp })).status).toBe(200);
  server.clock.advance(MINUTE);
  expect(refusalOf(await magicLink({ temp }))).toEqual([429, 'rate_limited']);
  expect(await mailsTo(server.context, email)).toHaveLength(3);
});

test('Ten concurrent requests for another mail send one', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  server.clock.advance(MINUTE);
  await Promise.all(Array.from({ length: 10 }, () => magicLink({ temp })));
  expect(await mailsTo(server.context, email)).toHaveLength(2);
});

test('An empty code is refused and sends no mail', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  server.clock.advance(MINUTE);
  expect(refusalOf(await magicLink({ temp, code: '' }))).toEqual([422, 'invalid_input']);
  expect(await mailsTo(server.context, email)).toHaveLength(1);
});

test.each([
  ['full-width digits', '１２３４５６'],
  ['a number', 123456],
  ['a list', ['123456']],
  ['five digits', '12345'],
  ['an object', { $ne: null }],
  ['SQL', "' or 1=1"],
])('A code made of %s is refused and does not count as a guess', async (_, code) => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  expect(refusalOf(await magicLink({ temp, code }))).toEqual([422, 'invalid_input']);
  const right = await lastCode(server.context, email);
  expect((await magicLink({ temp, code: right.code })).status).toBe(200);
});

test('One mailbox gets five codes an hour and ten a day, from all networks together', async () => {
  const { email } = await createCustomer(server.context);
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) statuses.push((await signIn(email)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  server.clock.advance(60 * MINUTE);
  for (let index = 0; index < 5; index += 1) expect((await signIn(email)).status).toBe(200);
  server.clock.advance(60 * MINUTE);
  const refused = await signIn(email);
  expect(refusalOf(refused)).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600);
  expect(await mailsTo(server.context, email)).toHaveLength(10);
});

test('One network can send codes to twenty mailboxes an hour, and those continue to work', async () => {
  const from = newAddress();
  for (let index = 0; index < 20; index += 1) {
    expect((await signIn(`box${index}@example.com`, from)).status).toBe(200);
  }
  for (const _ of [1, 2]) {
    expect(refusalOf(await signIn('box20@example.com', from))).toEqual([429, 'rate_limited']);
  }
  expect((await signIn('box0@example.com', from)).status).toBe(200);
  expect((await signIn('box20@example.com')).status).toBe(200);
});

test('Handles, codes and links are not stored in plain text', async () => {
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  const { code, token } = await lastCode(server.context, email);
  const attempts = await server.database.store.query('select * from sign_in_attempts where email = $1', [
    email,
  ]);
  const mails = await server.database.store.query('select * from mails where to_address = $1', [email]);
  const text = JSON.stringify([attempts, mails]);
  for (const secret of [temp, token, `"${code}"`]) expect(text).not.toContain(secret);
});

test('No line of the log contains a handle, a code, a link, a token or an address', async () => {
  server.logged.length = 0;
  const { email } = await createCustomer(server.context);
  const temp = await askForCode(server, email);
  const { code, token } = await lastCode(server.context, email);
  const signedIn = await magicLink({ temp, code });
  const text = JSON.stringify(server.logged);
  expect(server.logged).toHaveLength(2);
  for (const secret of [temp, code, token, signedIn.body.data.token, email]) {
    expect(text).not.toContain(secret);
  }
});
