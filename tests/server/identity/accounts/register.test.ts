import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { accountLinks, customers, securityEvents } from '#server/database/schema/people.ts';
import { mails } from '#server/database/schema/system.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { openBrowser } from '#tests/factories/browser.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import {
  kindsMailedTo,
  NEW_PASSWORD,
  newMailbox,
  register,
  STRANGE_TOKEN,
  signIn,
  tellTales,
  tokenMailedTo,
} from './mailed-links.ts';

const HOUR = 3_600_000;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const verify = (token: string, options = {}) =>
  server.request('POST', fillPath(api.verifyAccount.path, { token }), options);

async function registered(changes: Record<string, unknown> = {}) {
  const email = newMailbox();
  expect((await register(server, { email, ...changes })).status).toBe(200);
  return { email, token: await tokenMailedTo(server, email, 'confirm-account') };
}

async function findCustomer(email: string) {
  const [row] = await server.context.db.select().from(customers).where(eq(customers.email, email));
  return row;
}

test('A registration creates no account until its link is followed, and then starts no session by itself', async () => {
  const { email, token } = await registered({ phone: '+1 206 555 0100' });
  expect(await findCustomer(email)).toBeUndefined();
  expect(refusalOf(await signIn(server, email, PASSWORD))).toEqual([422, 'invalid_credentials']);

  const reply = await verify(token);
  expect(reply.status).toBe(200);
  expect(reply.body.data).toEqual({ email, has_password: true });
  expect(reply.headers.getSetCookie()).toEqual([]);
  expect(await findCustomer(email)).toMatchObject({
    name: 'Grace Hopper',
    phone: '+12065550100',
    emailVerifiedAt: server.clock.now(),
    mfaRequired: false,
    betaTester: false,
  });
  expect((await signIn(server, email, PASSWORD)).body.data.token).toMatch(/^gw_/);
});

async function registeredWithTemp(changes: Record<string, unknown> = {}) {
  const email = newMailbox();
  const reply = await register(server, { email, ...changes });
  expect(reply.body.data).toEqual({ temp: expect.stringMatching(/^[\w-]{43}$/), expires_in: 86_400 });
  const temp: string = reply.body.data.temp;
  return { email, temp, token: await tokenMailedTo(server, email, 'confirm-account') };
}

test('The browser that asked for the account is signed in by the link, and its owner gets one mail', async () => {
  const { email, temp, token } = await registeredWithTemp();
  const browser = openBrowser(server);
  const reply = await browser.send('POST', fillPath(api.verifyAccount.path, { token }), { body: { temp } });
  expect(reply.body.data).toEqual({ email, has_password: true, token: expect.stringMatching(/^gw_/) });
  const details = await browser.send('GET', api.getDetails.path, { token: reply.body.data.token });
  expect(details.body.email).toBe(email);
  const events = (await mailsTo(server.context, email)).flatMap(({ data }) => data.event ?? []);
  expect(events).toEqual(['account_created']);
});

test('A browser without the secret of the registration, or with that of another, is not signed in', async () => {
  const stranger = await registeredWithTemp();
  for (const body of [{}, { temp: stranger.temp }, { temp: STRANGE_TOKEN }]) {
    const { email, token } = await registeredWithTemp();
    const reply = await verify(token, { body });
    expect(reply.body.data).toEqual({ email, has_password: true });
    expect(reply.headers.getSetCookie()).toEqual([]);
  }
  expect(refusalOf(await verify(stranger.token, { body: { temp: 'short' } }))).toEqual([
    422,
    'invalid_input',
  ]);
});

test('A browser is not signed in if another one registered the same address', async () => {
  const { email, temp } = await registeredWithTemp({ password: NEW_PASSWORD });
  const second = (await register(server, { email })).body.data.temp;
  const token = await tokenMailedTo(server, email, 'confirm-account');
  const reply = await verify(token, { body: { temp: second } });
  expect(reply.body.data).toEqual({ email, has_password: false });
  expect(refusalOf(await verify(token, { body: { temp } }))).toEqual([422, 'link_expired']);
});

test('The browser that asked last is signed in, also when no further mail was sent', async () => {
  const { email, token, temp } = await registeredWithTemp();
  const asked = [temp];
  for (const _ of [2, 3, 4]) asked.push((await register(server, { email })).body.data.temp);
  expect(await kindsMailedTo(server, email)).toHaveLength(3);
  expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
  const last = await tokenMailedTo(server, email, 'confirm-account');
  const reply = await verify(last, { body: { temp: asked.at(-1) } });
  expect(reply.body.data.token).toMatch(/^gw_/);
});

test('The link leads to the configured portal, whatever host and proxy headers say', async () => {
  const email = newMailbox();
  const { portal } = server.context.config.origins;
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
  const body = { name: 'A', email, password: PASSWORD, terms_version: defaultWebSettings.terms.version };
  await server.request('POST', api.register.path, { body, headers, from: newAddress() });
  const [mail] = await mailsTo(server.context, email);
  expect(mail?.data.link).toMatch(new RegExp(`^${portal}/account/verify/[\\w-]{43}$`));
});

test('The mail to an unverified address contains no text from the request', async () => {
  const { email } = await registered({ name: 'Win a prize at evil.example' });
  expect(JSON.stringify(await mailsTo(server.context, email))).not.toContain('evil.example');
});

test('Following the link assigns the orders bought earlier under the address, and notifies the owner', async () => {
  const email = newMailbox();
  const order = await buildConfirmedOrder(server.context, {
    email: email.toUpperCase(),
    reference: 'AAAA-0001',
  });
  await register(server, { email });
  await verify(await tokenMailedTo(server, email, 'confirm-account'));
  const { body } = await signIn(server, email, PASSWORD);
  const list = await server.request('GET', api.listOrders.path, { token: body.data.token });
  expect(list.body.data.map((each: { id: string }) => each.id)).toEqual([order.id]);
  const owner = await findCustomer(email);
  const events = await server.context.db
    .select({ kind: securityEvents.kind })
    .from(securityEvents)
    .where(eq(securityEvents.customerId, owner?.id ?? ''));
  expect(events.map(({ kind }) => kind)).toContain('account_created');
  expect((await mailsTo(server.context, email)).map(({ data }) => data.event)).toContain('account_created');
});

test('A link works once, also when it is followed twice at the same time', async () => {
  const { email, token } = await registered();
  const replies = await Promise.all([verify(token), verify(token), verify(token)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
  const rows = await server.context.db.select().from(customers).where(eq(customers.email, email));
  expect(rows).toHaveLength(1);
});

test.each([
  ['a guess', STRANGE_TOKEN],
  ['too short', 'abc'],
  ['of other characters', '%00%2F..%2F'],
  ['a kilobyte', 'x'.repeat(1000)],
])('A link that is %s is refused like an old one', async (_, token) => {
  expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
});

test('A link expires after 24 hours', async () => {
  const { token } = await registered();
  const now = server.clock.now();
  server.clock.advance(24 * HOUR);
  expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
  server.clock.set(now.toISOString());
  expect((await verify(token)).status).toBe(200);
});

test('Opening a link, as mail scanners do, does not use it up', async () => {
  const { token } = await registered();
  const path = fillPath(api.verifyAccount.path, { token });
  expect((await server.request('GET', path)).status).toBe(405);
  expect((await server.request('HEAD', path)).status).toBe(405);
  expect((await verify(token)).status).toBe(200);
});

test('A later registration invalidates the earlier link', async () => {
  const { email, token } = await registered();
  await register(server, { email, name: 'Second Thought' });
  expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
  const reply = await verify(await tokenMailedTo(server, email, 'confirm-account'));
  expect(reply.body.data).toEqual({ email, has_password: true });
  expect((await findCustomer(email))?.name).toBe('Second Thought');
});

test('A person who registers another person’s address with a password cannot enter the account', async () => {
  const { email } = await registered({ password: NEW_PASSWORD, name: 'Mallory' });
  await register(server, { email });
  const reply = await verify(await tokenMailedTo(server, email, 'confirm-account'));
  expect(reply.body.data).toEqual({ email, has_password: false });
  for (const password of [NEW_PASSWORD, PASSWORD]) {
    expect(refusalOf(await signIn(server, email, password))).toEqual([422, 'invalid_credentials']);
  }
});

test('A person who registers another person’s address concurrently cannot enter the account', async () => {
  const email = newMailbox();
  await Promise.all([register(server, { email, password: NEW_PASSWORD }), register(server, { email })]);
  for (const { data } of await mailsTo(server.context, email)) await verify(data.link?.slice(-43) ?? '');
  expect((await findCustomer(email))?.passwordHash).toBeNull();
});

test('A person who uses up the hour’s mails for an address cannot enter the account of its owner', async () => {
  const { email } = await registered({ password: NEW_PASSWORD });
  for (const _ of [2, 3]) await register(server, { email, password: NEW_PASSWORD });
  expect((await register(server, { email })).status).toBe(200);
  expect(await kindsMailedTo(server, email)).toHaveLength(3);
  const reply = await verify(await tokenMailedTo(server, email, 'confirm-account'));
  expect(reply.body.data.has_password).toBe(false);
  expect(refusalOf(await signIn(server, email, NEW_PASSWORD))).toEqual([422, 'invalid_credentials']);
});

test('A known address gets the same answer, and its owner a mail without a link that does anything', async () => {
  const known = await createCustomer(server.context, { email: newMailbox(), password: PASSWORD });
  const unknown = newMailbox();
  const before = await count();
  const first = await register(server, { email: known.email.toUpperCase(), password: NEW_PASSWORD });
  const between = await count();
  const second = await register(server, { email: unknown, password: NEW_PASSWORD });
  const after = await count();
  expect(tellTales(first)).toEqual(tellTales(second));
  // Both cases write the same rows, so that neither takes longer.
  expect(between).toEqual({ links: before.links + 1, mails: before.mails + 1 });
  expect(after).toEqual({ links: between.links + 1, mails: between.mails + 1 });
  expect(await kindsMailedTo(server, known.email)).toEqual(['account-exists']);
  expect(await kindsMailedTo(server, unknown)).toEqual(['confirm-account']);
  expect(await findCustomer(known.email)).toEqual(known);
});

test('A link mailed before the address had an account is refused and changes nothing', async () => {
  const { email, token } = await registered({ password: NEW_PASSWORD });
  const owner = await createCustomer(server.context, { email, password: PASSWORD });
  expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
  expect(await findCustomer(email)).toEqual(owner);
});

test('Following a link while another customer is signed in does not change that customer', async () => {
  const other = await createCustomer(server.context);
  const session = await startSession(server.context, other.id);
  const { email, token } = await registered();
  expect((await verify(token, { token: session })).body.data.email).toBe(email);
  const details = await server.request('GET', api.getDetails.path, { token: session });
  expect(details.body.email).toBe(other.email);
});

test('A page of another site cannot follow a link', async () => {
  const { token } = await registered();
  const reply = await verify(token, { headers: { origin: 'https://evil.example' } });
  expect(refusalOf(reply)).toEqual([403, 'forbidden_origin']);
  const browser = openBrowser(server);
  expect((await browser.send('POST', fillPath(api.verifyAccount.path, { token }))).status).toBe(200);
});

test.each(['mfa_required', 'beta_tester', 'verified', 'email_verified_at', 'id', '__proto__'])(
  'A customer cannot register with %s',
  async (field) => {
    const email = newMailbox();
    const reply = await register(server, { email, ...JSON.parse(`{"${field}":true}`), [field]: true });
    expect([[422, 'unknown_field']]).toContainEqual(refusalOf(reply));
    expect(await kindsMailedTo(server, email)).toEqual([]);
  },
);

test.each([
  ['no name', { name: ' ' }, 'invalid_input'],
  ['a name with a line break', { name: 'Eve\r\nBcc: a@b.example' }, 'invalid_input'],
  ['a name that turns its direction', { name: 'a\u202eb' }, 'invalid_input'],
  ['two addresses', { email: 'a@example.com,b@example.com' }, 'invalid_input'],
  ['an address with a comment', { email: 'a(b)@example.com' }, 'invalid_input'],
  ['an address with a line break', { email: 'a@example.com\r\nBcc:b@example.com' }, 'invalid_input'],
  ['an address with a zero-width space', { email: 'a\u200b@example.com' }, 'invalid_input'],
  ['a script as phone', { phone: 'javascript:alert(1)' }, 'invalid_input'],
  ['no password', { password: '' }, 'invalid_input'],
  ['a list as password', { password: ['a'] }, 'invalid_input'],
  ['a short password', { password: 'abc' }, 'password_too_short'],
  ['a common password', { password: 'password123' }, 'password_too_common'],
  ['terms of before', { terms_version: '2019-01' }, 'terms_outdated'],
  ['no terms', { terms_version: undefined }, 'invalid_input'],
])('A registration with %s is refused and sends no mail', async (_, changes, code) => {
  const before = await count();
  const reply = await register(server, { email: newMailbox(), ...changes });
  expect(refusalOf(reply)).toEqual([422, code]);
  expect(await count()).toEqual(before);
});

test('A name that contains markup is stored as plain text', async () => {
  const name = '<img src=x onerror=alert(1)> {{7*7}}';
  const { email, token } = await registered({ name });
  await verify(token);
  expect((await findCustomer(email))?.name).toBe(name);
});

test('One mailbox gets three mails an hour, and responses do not reveal the limit', async () => {
  const known = await createCustomer(server.context, { email: newMailbox() });
  for (const email of [newMailbox(), known.email]) {
    const first = await register(server, { email });
    for (let time = 0; time < 5; time += 1) {
      expect(tellTales(await register(server, { email }))).toEqual(tellTales(first));
    }
    expect(await kindsMailedTo(server, email)).toHaveLength(3);
  }
});

test('One network gets five registrations an hour, for known and unknown addresses alike', async () => {
  const from = newAddress();
  const known = await createCustomer(server.context);
  for (let time = 0; time < 5; time += 1) {
    expect((await register(server, { email: newMailbox() }, from)).status).toBe(200);
  }
  for (const email of [newMailbox(), known.email]) {
    const reply = await register(server, { email }, from);
    expect(refusalOf(reply)).toEqual([429, 'rate_limited']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await kindsMailedTo(server, email)).toEqual([]);
  }
  expect((await register(server, { email: newMailbox() }, newAddress())).status).toBe(200);
});

test('The secret of a link and the password are not stored, and a link’s data is deleted with it', async () => {
  const { email, token } = await registered();
  const [link] = await server.context.db.select().from(accountLinks).where(eq(accountLinks.email, email));
  expect(JSON.stringify(link)).not.toContain(token);
  expect(JSON.stringify(link)).not.toContain(PASSWORD);
  await verify(token);
  const [used] = await server.context.db.select().from(accountLinks).where(eq(accountLinks.email, email));
  expect(used?.data).toEqual({});
  expect(JSON.stringify(server.logged)).not.toContain(token);
});

async function count(): Promise<{ links: number; mails: number }> {
  const [links] = await server.context.db.select({ count: sql<number>`count(*)::int` }).from(accountLinks);
  const [queued] = await server.context.db.select({ count: sql<number>`count(*)::int` }).from(mails);
  return { links: links?.count ?? 0, mails: queued?.count ?? 0 };
}
