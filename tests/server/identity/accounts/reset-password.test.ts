import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { customers } from '#server/database/schema/people.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { askForCode, isAlive, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type RequestOptions, type TestServer } from '#tests/setup/server.ts';
import {
  askForReset,
  giveAuthenticator,
  kindsMailedTo,
  NEW_PASSWORD,
  newMailbox,
  STRANGE_TOKEN,
  signIn,
  tellTales,
  tokenMailedTo,
} from './mailed-links.ts';

const MINUTE = 60_000;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

type Overrides = Parameters<typeof createCustomer>[1];

/** A customer who requested a new password, and the mailed link. */
async function forgetful(overrides: Overrides = {}) {
  const email = newMailbox();
  const customer = await createCustomer(server.context, { email, password: PASSWORD, ...overrides });
  expect((await askForReset(server, email)).status).toBe(200);
  return { email, customer, token: await tokenMailedTo(server, email, 'reset-password') };
}

const reset = (token: unknown, more: object = {}, options: RequestOptions = {}) =>
  server.request('POST', api.resetPassword.path, {
    body: { token, password: NEW_PASSWORD, ...more },
    ...options,
  });

test('The mailed link sets a new password, the old one is refused, and the owner is notified', async () => {
  const { email, token, customer } = await forgetful();
  const reply = await reset(token);
  expect(reply.status).toBe(200);
  expect(reply.body.data).toBeNull();
  expect(reply.headers.getSetCookie()).toEqual([]);
  expect(refusalOf(await signIn(server, email, PASSWORD))).toEqual([422, 'invalid_credentials']);
  expect((await signIn(server, email, NEW_PASSWORD)).status).toBe(200);
  expect((await mailsTo(server.context, email)).map(({ data }) => data.event)).toContain('password_reset');
  const [stored] = await server.context.db.select().from(customers).where(eq(customers.id, customer.id));
  expect(stored?.passwordChangedAt).toEqual(server.clock.now());
});

test('The secret is in the hash of a link to the configured portal, regardless of the request’s host', async () => {
  const { portal } = server.context.config.origins;
  const customer = await createCustomer(server.context, { email: newMailbox() });
  await server.request('POST', api.sendResetInstructions.path, {
    body: { email: customer.email },
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
    from: newAddress(),
  });
  const [mail] = await mailsTo(server.context, customer.email);
  expect(mail?.data.link).toMatch(new RegExp(`^${portal}/password/new#token=[\\w-]{43}$`));
});

test('A reset ends all sessions and pending sign-ins, and invalidates every other link', async () => {
  const { email, customer, token } = await forgetful();
  await askForReset(server, email);
  const newest = await tokenMailedTo(server, email, 'reset-password');
  const session = await startSession(server.context, customer.id);
  const body = { new_email: 'thief@example.com' };
  await server.request('POST', api.changeEmail.path, { token: session, body });
  const change = await tokenMailedTo(server, 'thief@example.com', 'confirm-email-change');
  const temp = await askForCode(server, email);
  const mail = (await mailsTo(server.context, email)).find(({ kind }) => kind === 'sign-in-code');

  expect((await reset(newest)).status).toBe(200);
  expect(await isAlive(server, session)).toBe(false);
  const begun = { body: { temp, code: mail?.data.code } };
  expect(refusalOf(await server.request('POST', api.signInWithEmailCode.path, begun))).toEqual([
    422,
    'attempt_expired',
  ]);
  expect(refusalOf(await reset(token))).toEqual([422, 'link_expired']);
  const verified = await server.request('POST', api.verifyEmailChange.path, { body: { token: change } });
  expect(refusalOf(verified)).toEqual([422, 'link_expired']);
  const [stored] = await server.context.db.select().from(customers).where(eq(customers.id, customer.id));
  expect(stored).toMatchObject({ email, pendingEmail: '' });
});

test('A link works once, also when it is followed twice at the same time', async () => {
  const { token } = await forgetful();
  const replies = await Promise.all([reset(token), reset(token)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect(refusalOf(await reset(token))).toEqual([422, 'link_expired']);
});

test('A link mailed to a former address of the account sets no password', async () => {
  const { customer, token } = await forgetful();
  // Simulates a change between the look-up of the address and the insertion of the link.
  const moved = { email: newMailbox() };
  await server.context.db.update(customers).set(moved).where(eq(customers.id, customer.id));
  expect(refusalOf(await reset(token))).toEqual([422, 'link_expired']);
  expect((await signIn(server, moved.email, PASSWORD)).status).toBe(200);
});

test('A link expires after half an hour', async () => {
  const { token } = await forgetful();
  server.clock.advance(30 * MINUTE);
  expect(refusalOf(await reset(token))).toEqual([422, 'link_expired']);
});

test.each([
  ['a guess', STRANGE_TOKEN, 'link_expired'],
  ['too short', 'abc', 'invalid_input'],
  ['a number', 12, 'invalid_input'],
  ['nothing', undefined, 'invalid_input'],
])('A token that is %s is refused', async (_, token, code) => {
  expect(refusalOf(await reset(token))).toEqual([422, code]);
});

test('A link of another kind sets no password', async () => {
  const customer = await createCustomer(server.context, { email: newMailbox() });
  const session = await startSession(server.context, customer.id);
  const body = { new_email: newMailbox() };
  await server.request('POST', api.changeEmail.path, { token: session, body });
  const token = await tokenMailedTo(server, body.new_email, 'confirm-email-change');
  expect(refusalOf(await reset(token))).toEqual([422, 'link_expired']);
});

test.each([
  ['a short one', { password: 'abc' }, 'password_too_short'],
  ['a common one', { password: 'password123' }, 'password_too_common'],
  ['an empty one', { password: '' }, 'invalid_input'],
  ['a field more', { customer_id: 'x' }, 'unknown_field'],
])('A bad new password (%s) is refused and does not use the link up', async (_, more, code) => {
  const { token } = await forgetful();
  expect(refusalOf(await reset(token, more))).toEqual([422, code]);
  expect((await reset(token)).status).toBe(200);
});

test('Two-step sign-in requires a second factor too, and a wrong code does not use up the link', async () => {
  const { email, customer, token } = await forgetful({ mfaRequired: true });
  const code = await giveAuthenticator(server.context, customer.id);
  expect(refusalOf(await reset(token))).toEqual([422, 'second_step_required']);
  expect(refusalOf(await reset(token, { code: null }))).toEqual([422, 'second_step_required']);
  const wrong = code() === '000000' ? '000001' : '000000';
  expect(refusalOf(await reset(token, { code: wrong }))).toEqual([422, 'invalid_code']);
  expect(refusalOf(await reset(token, { code: 'abc' }))).toEqual([422, 'invalid_input']);
  expect((await reset(token, { code: code() })).status).toBe(200);
  const signedIn = await signIn(server, email, NEW_PASSWORD);
  expect(signedIn.body.data).toMatchObject({ next: 'authenticator' });
  expect(signedIn.body.data.token).toBeUndefined();
});

test('Ten wrong codes after a reset link lock the second step', async () => {
  const { customer, token } = await forgetful({ mfaRequired: true });
  const code = await giveAuthenticator(server.context, customer.id);
  const wrong = code() === '000000' ? '000001' : '000000';
  for (let time = 0; time < 10; time += 1) await reset(token, { code: wrong });
  expect(refusalOf(await reset(token, { code: code() }))).toEqual([429, 'rate_limited']);
});

test('A disabled password works again once it is reset', async () => {
  const { email, token } = await forgetful({ passwordFailures: 100 });
  expect(refusalOf(await signIn(server, email, PASSWORD))).toEqual([422, 'invalid_credentials']);
  await reset(token);
  expect((await signIn(server, email, NEW_PASSWORD)).status).toBe(200);
});

test('A customer without a password sets their first one this way', async () => {
  const customer = await createCustomer(server.context, { email: newMailbox() });
  await askForReset(server, customer.email);
  await reset(await tokenMailedTo(server, customer.email, 'reset-password'));
  expect((await signIn(server, customer.email, NEW_PASSWORD)).status).toBe(200);
});

test('Known and unknown addresses get the same response; an unknown one is mailed that it has no account', async () => {
  const known = await createCustomer(server.context, { email: newMailbox() });
  const unknown = newMailbox();
  const first = await askForReset(server, known.email.toUpperCase());
  const second = await askForReset(server, unknown);
  expect(first.status).toBe(200);
  expect(tellTales(first)).toEqual(tellTales(second));
  expect(await kindsMailedTo(server, known.email)).toEqual(['reset-password']);
  expect(await kindsMailedTo(server, unknown)).toEqual(['no-account']);
});

test('A hundred resets for one address send three mails and get the same response', async () => {
  for (const email of [(await createCustomer(server.context, { email: newMailbox() })).email, newMailbox()]) {
    const first = await askForReset(server, email);
    for (let time = 1; time < 100; time += 1) {
      expect(tellTales(await askForReset(server, email))).toEqual(tellTales(first));
    }
    expect(await kindsMailedTo(server, email)).toHaveLength(3);
  }
});

test('Resets for a hundred addresses from one network send five mails, then the network is refused', async () => {
  const from = newAddress();
  const mailed: string[] = [];
  for (let time = 0; time < 100; time += 1) {
    const email = newMailbox();
    const reply = await askForReset(server, email, from);
    if (time < 5) expect(reply.status).toBe(200);
    else expect(refusalOf(reply)).toEqual([429, 'rate_limited']);
    mailed.push(...(await kindsMailedTo(server, email)));
  }
  expect(mailed).toHaveLength(5);
});

test.each([
  ['no address', {}],
  ['two addresses', { email: 'a@example.com,b@example.com' }],
  ['a line break', { email: 'a@example.com\r\nBcc: b@example.com' }],
  ['a display name', { email: 'Ada <a@example.com>' }],
  ['a list', { email: ['a@example.com'] }],
  ['null', { email: null }],
])('Asking for a reset with %s is refused', async (_, body) => {
  const reply = await server.request('POST', api.sendResetInstructions.path, { body, from: newAddress() });
  expect(refusalOf(reply)).toEqual([422, 'invalid_input']);
});

test('Nothing of a link or an address is logged', () => {
  const lines = JSON.stringify(server.logged);
  expect(lines).not.toContain('@example.com');
  expect(lines).not.toMatch(/token=/);
});
