import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import { queryRows } from '#server/database/database.ts';
import { customers } from '#server/database/schema/people.ts';
import { lastCode, mailsTo } from '#tests/factories/account-mails.ts';
import { openBrowser } from '#tests/factories/browser.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { addLockedCall, LOCKED_PATH } from '#tests/factories/locked-call.ts';
import { addPasskey } from '#tests/factories/passkey.ts';
import { addAuthenticator, addRecoveryCodes, askForSecondStep } from '#tests/factories/second-step.ts';
import { askForCode, isAlive, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const MINUTE = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  addLockedCall(server);
});
afterAll(() => server.close());

function reauthenticate(token: string, body: unknown) {
  return server.request('POST', api.reauthenticate.path, { body, token, from: newAddress() });
}

function locked(token: string) {
  return server.request('POST', LOCKED_PATH, { body: {}, token });
}

async function staleSession(options: Parameters<typeof createCustomer>[1] = {}) {
  const customer = await createCustomer(server.context, options);
  const token = await startSession(server.context, customer.id, { isFresh: false });
  return { ...customer, token };
}

function stepUpDetails(reply: Awaited<ReturnType<typeof locked>>) {
  expect(refusalOf(reply)).toEqual([403, 'step_up_required']);
  return reply.body.errors[0].details;
}

test('A step-up requires a session', async () => {
  const reply = await server.request('POST', api.reauthenticate.path, { body: { password: PASSWORD } });
  expect(refusalOf(reply)).toEqual([401, 'unauthenticated']);
});

test('A step-up is required ten minutes after signing in with a password', async () => {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const { body } = await server.request('POST', api.signIn.path, { body: { email, password: PASSWORD } });
  expect((await locked(body.data.token)).status).toBe(200);
  server.clock.advance(10 * MINUTE - 1);
  expect((await locked(body.data.token)).status).toBe(200);
  server.clock.advance(1);
  expect(stepUpDetails(await locked(body.data.token))).toEqual({ methods: ['password'] });
});

test('The password returns a token with a step-up, and the old token stays valid for a minute without one', async () => {
  const { token } = await staleSession({ password: PASSWORD });
  const reply = await reauthenticate(token, { password: PASSWORD });
  expect(reply.status).toBe(200);
  const renewed = reply.body.data.token;
  expect(renewed).not.toBe(token);
  expect((await locked(renewed)).status).toBe(200);
  expect(await isAlive(server, token)).toBe(true);
  expect((await locked(token)).status).toBe(403);
  server.clock.advance(MINUTE - 1);
  expect(await isAlive(server, token)).toBe(true);
  server.clock.advance(1);
  expect(await isAlive(server, token)).toBe(false);
  expect(await isAlive(server, renewed)).toBe(true);
});

test('A browser’s session stays bound to its cookie', async () => {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server, { from: newAddress() });
  const credentials = { body: { email, password: PASSWORD } };
  const { token } = (await browser.send('POST', api.signIn.path, credentials)).body.data;
  const reply = await browser.send('POST', api.reauthenticate.path, { token, body: { password: PASSWORD } });
  const renewed = reply.body.data.token;
  expect((await browser.send('GET', api.getDetails.path, { token: renewed })).status).toBe(200);
  expect(await isAlive(server, renewed)).toBe(false);
});

test('Signing out with the old token ends the session of the new one', async () => {
  const { token } = await staleSession({ password: PASSWORD });
  const { body } = await reauthenticate(token, { password: PASSWORD });
  await server.request('DELETE', api.signOut.path, { token });
  expect(await isAlive(server, body.data.token)).toBe(false);
});

test('A wrong password changes nothing, and the sixth is refused by the limit', async () => {
  const { token } = await staleSession({ password: PASSWORD });
  const from = newAddress();
  const wrong = () =>
    server.request('POST', api.reauthenticate.path, { token, from, body: { password: 'wrong' } });
  for (let index = 0; index < 5; index += 1) {
    expect(refusalOf(await wrong())).toEqual([422, 'invalid_credentials']);
  }
  expect(refusalOf(await wrong())).toEqual([429, 'rate_limited']);
  expect(await isAlive(server, token)).toBe(true);
  expect((await locked(token)).status).toBe(403);
});

test('A step-up accepts a code of the authenticator or a recovery code', async () => {
  const customer = await staleSession();
  const codeAt = await addAuthenticator(server.context, customer.id);
  const [recovery] = await addRecoveryCodes(server.context, customer.id);
  expect(stepUpDetails(await locked(customer.token))).toEqual({ methods: ['authenticator'] });
  const first = await reauthenticate(customer.token, { code: codeAt() });
  expect((await locked(first.body.data.token)).status).toBe(200);
  expect(refusalOf(await reauthenticate(first.body.data.token, { code: codeAt() }))[1]).toBe('invalid_code');
  const second = await reauthenticate(first.body.data.token, { code: recovery });
  expect((await locked(second.body.data.token)).status).toBe(200);
});

test('A step-up accepts a passkey of the account, and none of another account', async () => {
  const ada = await staleSession();
  const bob = await staleSession();
  const own = await addPasskey(server.context, ada.id);
  const others = await addPasskey(server.context, bob.id);
  const answer = async (passkey: typeof own) => {
    const { body } = await server.request('GET', api.getPasskeyChallenge.path, { from: newAddress() });
    return { temp: body.data.temp, response: passkey.assert(body.data.options) };
  };
  expect(refusalOf(await reauthenticate(ada.token, await answer(others)))).toEqual([422, 'passkey_refused']);
  const reply = await reauthenticate(ada.token, await answer(own));
  expect((await locked(reply.body.data.token)).status).toBe(200);
});

test('With two-step sign-in, a password alone is not sufficient for sensitive changes', async () => {
  const customer = await staleSession({ password: PASSWORD });
  const codeAt = await addAuthenticator(server.context, customer.id);
  await askForSecondStep(server.context, customer.id);
  const refused = await reauthenticate(customer.token, { password: PASSWORD });
  expect(stepUpDetails(refused)).toEqual({ methods: ['authenticator'] });
  expect((await reauthenticate(customer.token, { code: codeAt() })).status).toBe(200);
});

test('A mailed code is accepted only from a customer without another factor', async () => {
  const customer = await staleSession({ password: PASSWORD });
  const refused = await reauthenticate(customer.token, { send: 'email_code' });
  expect(stepUpDetails(refused)).toEqual({ methods: ['password'] });
  expect(await mailsTo(server.context, customer.email)).toEqual([]);
});

test('A customer without password and passkey is mailed a code', async () => {
  const customer = await staleSession();
  expect(stepUpDetails(await locked(customer.token))).toEqual({ methods: ['email_code'] });
  const asked = await reauthenticate(customer.token, { send: 'email_code' });
  expect(asked.body.data).toMatchObject({ next: 'email_code', expires_in: 600, resend_in: 60 });
  const { temp } = asked.body.data;
  const { code } = await lastCode(server.context, customer.email);
  const [mail] = await mailsTo(server.context, customer.email);
  expect([mail?.kind, Object.keys(mail?.data ?? {})]).toEqual(['step-up-code', ['code', 'device']]);
  const wrong = code === '000000' ? '000001' : '000000';
  expect(refusalOf(await reauthenticate(customer.token, { temp, code: wrong }))[1]).toBe('invalid_code');
  const replies = await Promise.all(
    Array.from({ length: 3 }, () => reauthenticate(customer.token, { temp, code })),
  );
  const good = replies.filter(({ status }) => status === 200);
  expect(good).toHaveLength(1);
  expect((await locked(good[0]?.body.data.token)).status).toBe(200);
});

test('Codes for a step-up are a minute apart, and each invalidates the previous one', async () => {
  const customer = await staleSession();
  const first = (await reauthenticate(customer.token, { send: 'email_code' })).body.data.temp;
  const { code } = await lastCode(server.context, customer.email);
  expect(refusalOf(await reauthenticate(customer.token, { send: 'email_code' }))[1]).toBe('rate_limited');
  server.clock.advance(MINUTE);
  expect((await reauthenticate(customer.token, { send: 'email_code' })).status).toBe(200);
  expect(refusalOf(await reauthenticate(customer.token, { temp: first, code }))[1]).toBe('attempt_expired');
});

test('A code mailed for signing in, or to another customer, is refused for a step-up', async () => {
  const ada = await staleSession();
  const bob = await staleSession();
  const temp = await askForCode(server, ada.email);
  const { code } = await lastCode(server.context, ada.email);
  expect(refusalOf(await reauthenticate(ada.token, { temp, code }))).toEqual([422, 'attempt_expired']);
  const ofBob = (await reauthenticate(bob.token, { send: 'email_code' })).body.data.temp;
  const mailed = await lastCode(server.context, bob.email);
  const swapped = await reauthenticate(ada.token, { temp: ofBob, code: mailed.code });
  expect(refusalOf(swapped)).toEqual([422, 'attempt_expired']);
  const signIn = await server.request('POST', api.signInWithEmailCode.path, {
    body: { temp: ofBob, code: mailed.code },
  });
  expect(refusalOf(signIn)).toEqual([422, 'attempt_expired']);
});

test('A sign-in by mail counts as a step-up only for a customer without a stronger factor', async () => {
  const signInByMail = async (email: string) => {
    const temp = await askForCode(server, email);
    const { code } = await lastCode(server.context, email);
    const reply = await server.request('POST', api.signInWithEmailCode.path, { body: { temp, code } });
    return locked(reply.body.data.token);
  };
  const withPassword = await createCustomer(server.context, { password: PASSWORD });
  expect((await signInByMail(withPassword.email)).status).toBe(403);
  const withPasskey = await createCustomer(server.context);
  await addPasskey(server.context, withPasskey.id);
  expect((await signInByMail(withPasskey.email)).status).toBe(403);
  const without = await createCustomer(server.context);
  expect((await signInByMail(without.email)).status).toBe(200);
});

test.each([
  ['nothing', {}],
  ['an empty password', { password: '' }],
  ['two ways at once', { password: PASSWORD, code: '123456' }],
  ['another method', { send: 'sms' }],
  ['a list', { code: ['123456'] }],
])('A body with %s is refused', async (_, body) => {
  const { token } = await staleSession({ password: PASSWORD });
  expect((await reauthenticate(token, body)).status).toBe(422);
});

test.runIf(inject('engine') === 'postgres')(
  'A password is not sufficient if two-step sign-in was turned on while it was checked',
  async () => {
    const { db } = server.context;
    const customer = await staleSession({ password: PASSWORD });
    await addRecoveryCodes(server.context, customer.id);
    const waiting = sql`
      select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where not l.granted and a.datname = current_database()
    `;
    const { asked } = await db.transaction(async (owner) => {
      await owner.update(customers).set({ mfaRequired: true }).where(eq(customers.id, customer.id));
      const reply = reauthenticate(customer.token, { password: PASSWORD });
      await vi.waitUntil(async () => (await queryRows(db, waiting)).length > 0, { timeout: 20_000 });
      // In an object, because a returned promise would be awaited before the row lock is released.
      return { asked: reply };
    });
    expect(stepUpDetails(await asked)).toEqual({ methods: ['authenticator'] });
    expect(refusalOf(await locked(customer.token))).toEqual([403, 'step_up_required']);
  },
);
