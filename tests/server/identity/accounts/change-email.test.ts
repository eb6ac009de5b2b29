import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { PASSWORD, startSession } from '#tests/factories/customers.ts';
import { isAlive, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { addressChangesOn } from './address-changes.ts';
import {
  askForReset,
  giveAuthenticator,
  kindsMailedTo,
  NEW_PASSWORD,
  newMailbox,
  register,
  STRANGE_TOKEN,
  signIn,
  tellTales,
  tokenMailedTo,
} from './mailed-links.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const { owner, verify, undo, confirmToken, moved } = addressChangesOn(() => server);

describe('Changing the address', () => {
  test('mails a link to the new address, notifies the current one, and changes nothing yet', async () => {
    const { customer, ask, stored } = await owner();
    const to = newMailbox();
    const reply = await ask(` ${to.toUpperCase()} `);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ email: customer.email, pending_email: to });
    expect(await stored()).toMatchObject({ email: customer.email, pendingEmail: to });
    const { portal } = server.context.config.origins;
    const [toNew] = await mailsTo(server.context, to);
    expect(toNew?.data.link).toMatch(new RegExp(`^${portal}/account/verify_email#token=[\\w-]{43}$`));
    const [toOld] = await mailsTo(server.context, customer.email);
    expect(toOld).toMatchObject({ kind: 'email-change-asked', data: { newEmail: to } });
    expect(toOld?.data.link).toMatch(new RegExp(`^${portal}/account/undo_email#token=[\\w-]{43}$`));
    expect(toOld?.data.link).not.toBe(toNew?.data.link);
    expect(await kindsMailedTo(server, customer.email)).toEqual(['email-change-asked']);
  });

  test('needs a session and a step-up', async () => {
    const { customer, stored } = await owner({ password: PASSWORD });
    const body = { new_email: newMailbox() };
    expect(refusalOf(await server.request('POST', api.changeEmail.path, { body }))).toEqual([
      401,
      'unauthenticated',
    ]);
    const token = await startSession(server.context, customer.id, { isFresh: false });
    const reply = await server.request('POST', api.changeEmail.path, { token, body });
    expect(refusalOf(reply)).toEqual([403, 'step_up_required']);
    expect(reply.body.errors[0].details).toEqual({ methods: ['password'] });
    expect((await stored())?.pendingEmail).toBe('');
    expect(await kindsMailedTo(server, body.new_email)).toEqual([]);
  });

  test('is refused for the current address', async () => {
    const { customer, ask } = await owner();
    const reply = await ask(customer.email.toUpperCase());
    expect(refusalOf(reply)).toEqual([422, 'invalid_input']);
    expect(reply.body.errors[0].field).toBe('new_email');
  });

  test.each([
    ['nothing', undefined],
    ['no address', 'nobody'],
    ['two addresses', 'a@example.com,b@example.com'],
    ['a line break', 'a@example.com\r\nBcc: b@example.com'],
    ['markup', '<img src=x>@example.com'],
    ['null', null],
    ['a list', ['a@example.com']],
  ])('for %s is refused', async (_, newEmail) => {
    const { ask, stored } = await owner();
    expect(refusalOf(await ask(newEmail))).toEqual([422, 'invalid_input']);
    expect((await stored())?.pendingEmail).toBe('');
  });

  test('answers the same for another customer’s address as for a free one, and notifies that customer', async () => {
    const other = await owner();
    const first = await owner();
    const second = await owner();
    const free = newMailbox();
    const taken = await first.ask(other.customer.email);
    const open = await second.ask(free);
    expect(taken.status).toBe(200);
    expect(Object.keys(taken.body.data)).toEqual(Object.keys(open.body.data));
    expect(taken.body.data.pending_email).toBe(other.customer.email);
    expect(tellTales({ ...taken, body: null })).toEqual(tellTales({ ...open, body: null }));
    expect(await kindsMailedTo(server, other.customer.email)).toEqual(['email-taken']);
    expect(await kindsMailedTo(server, first.customer.email)).toEqual(['email-change-asked']);
    server.clock.advance(MINUTE);
    expect(tellTales(await first.resend())).toEqual(tellTales(await second.resend()));
  });

  test('a second time invalidates the first link', async () => {
    const { ask, stored } = await owner();
    const [first, second] = [newMailbox(), newMailbox()];
    await ask(first);
    await ask(second);
    expect(refusalOf(await verify(await confirmToken(first)))).toEqual([422, 'link_expired']);
    expect((await verify(await confirmToken(second))).body.data).toEqual({ email: second });
    expect((await stored())?.email).toBe(second);
  });

  test('is possible five times a day', async () => {
    const { ask, customer } = await owner();
    for (let time = 0; time < 5; time += 1) expect((await ask(newMailbox())).status).toBe(200);
    expect(refusalOf(await ask(newMailbox()))).toEqual([429, 'rate_limited']);
    server.clock.advance(DAY);
    const token = await startSession(server.context, customer.id);
    const body = { new_email: newMailbox() };
    expect((await server.request('POST', api.changeEmail.path, { token, body })).status).toBe(200);
  });

  test('sends a limited number of mails to one address, however many accounts request it', async () => {
    const victim = newMailbox();
    for (let time = 0; time < 8; time += 1) {
      const { ask } = await owner();
      expect((await ask(victim)).status).toBe(200);
    }
    expect(await kindsMailedTo(server, victim)).toHaveLength(6);
  });
});

describe('Resending the link', () => {
  test('is possible after a minute, invalidates the previous link, and is limited to five a day', async () => {
    const { ask, resend } = await owner();
    const to = newMailbox();
    await ask(to);
    const first = await confirmToken(to);
    const early = await resend();
    expect(refusalOf(early)).toEqual([429, 'rate_limited']);
    expect(early.headers.get('retry-after')).toBe('60');
    for (let time = 0; time < 5; time += 1) {
      server.clock.advance(MINUTE);
      expect((await resend()).status).toBe(200);
    }
    server.clock.advance(MINUTE);
    expect(refusalOf(await resend())).toEqual([429, 'rate_limited']);
    expect(await kindsMailedTo(server, to)).toHaveLength(6);
    expect(refusalOf(await verify(first))).toEqual([422, 'link_expired']);
    expect((await verify(await confirmToken(to))).status).toBe(200);
  });

  test('sends one mail for two concurrent requests', async () => {
    const { ask, resend } = await owner();
    const to = newMailbox();
    await ask(to);
    server.clock.advance(MINUTE);
    const replies = await Promise.all([resend(), resend()]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    expect(await kindsMailedTo(server, to)).toHaveLength(2);
  });

  test('needs a session and a pending change', async () => {
    expect(refusalOf(await server.request('POST', api.resendEmailChange.path))).toEqual([
      401,
      'unauthenticated',
    ]);
    const { resend } = await owner();
    expect(refusalOf(await resend())).toEqual([422, 'no_email_change']);
  });
});

describe('Following the link to the new address', () => {
  test('replaces the address without a session, ends every session, and notifies both addresses', async () => {
    const { customer, token, stored, to } = await moved({ password: PASSWORD });
    expect(await stored()).toMatchObject({
      email: to,
      pendingEmail: '',
      emailVerifiedAt: server.clock.now(),
    });
    expect(await isAlive(server, token)).toBe(false);
    expect((await signIn(server, to, PASSWORD)).status).toBe(200);
    expect(refusalOf(await signIn(server, customer.email, PASSWORD))).toEqual([422, 'invalid_credentials']);
    expect((await mailsTo(server.context, to)).map(({ data }) => data.event)).toContain('email_changed');
    expect(await kindsMailedTo(server, customer.email)).toContain('email-changed');
  });

  test('keeps the session of the browser that follows it and ends the others', async () => {
    const { customer, token, ask } = await owner();
    const elsewhere = await startSession(server.context, customer.id);
    const to = newMailbox();
    await ask(to);
    expect((await verify(await confirmToken(to), token)).body.data).toEqual({ email: to });
    expect(await isAlive(server, token)).toBe(true);
    expect(await isAlive(server, elsewhere)).toBe(false);
  });

  test('changes the account of the link, even in another customer’s session', async () => {
    const { ask, stored, token } = await owner();
    const other = await owner();
    const to = newMailbox();
    await ask(to);
    expect((await verify(await confirmToken(to), other.token)).status).toBe(200);
    expect((await stored())?.email).toBe(to);
    expect((await other.stored())?.email).toBe(other.customer.email);
    expect(await isAlive(server, other.token)).toBe(true);
    expect(await isAlive(server, token)).toBe(false);
  });

  test('starts no session, and does not bypass the second step', async () => {
    const { ask, stored, customer } = await owner({ mfaRequired: true, password: PASSWORD });
    await giveAuthenticator(server.context, customer.id);
    const to = newMailbox();
    await ask(to);
    const reply = await verify(await confirmToken(to));
    expect(reply.body.data).toEqual({ email: to });
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect((await stored())?.mfaRequired).toBe(true);
    expect((await signIn(server, to, PASSWORD)).body.data.next).toBe('authenticator');
  });

  test('works once, also when it is followed twice at the same time', async () => {
    const { ask } = await owner();
    const to = newMailbox();
    await ask(to);
    const token = await confirmToken(to);
    const replies = await Promise.all([verify(token), verify(token)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
  });

  test('fails after 24 hours', async () => {
    const { ask, stored, customer } = await owner();
    const to = newMailbox();
    await ask(to);
    const token = await confirmToken(to);
    server.clock.advance(24 * HOUR);
    expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
    expect((await stored())?.email).toBe(customer.email);
  });

  test('succeeds for only one of two accounts that request the same address', async () => {
    const [first, second] = [await owner(), await owner()];
    const to = newMailbox();
    await first.ask(to);
    const firstToken = await confirmToken(to);
    await second.ask(to);
    const secondToken = await confirmToken(to);
    const replies = await Promise.all([verify(firstToken), verify(secondToken)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    const refused = replies.find(({ status }) => status === 422);
    expect(refused && refusalOf(refused)).toEqual([422, 'link_expired']);
    const emails = [(await first.stored())?.email, (await second.stored())?.email];
    expect(emails.filter((email) => email === to)).toHaveLength(1);
  });

  test('invalidates links mailed to the old address and registrations of the new one', async () => {
    const { customer, ask, stored } = await owner({ password: PASSWORD });
    const to = newMailbox();
    await askForReset(server, customer.email);
    await register(server, { email: to, password: NEW_PASSWORD });
    await ask(to);
    expect((await verify(await confirmToken(to))).status).toBe(200);
    const body = {
      token: await tokenMailedTo(server, customer.email, 'reset-password'),
      password: NEW_PASSWORD,
    };
    expect(refusalOf(await server.request('POST', api.resetPassword.path, { body }))).toEqual([
      422,
      'link_expired',
    ]);
    expect((await stored())?.email).toBe(to);
  });

  test('adds orders bought earlier under the new address to the account', async () => {
    const { ask } = await owner({ password: PASSWORD });
    const to = newMailbox();
    const order = await buildConfirmedOrder(server.context, { email: to, reference: 'BBBB-0001' });
    await ask(to);
    await verify(await confirmToken(to));
    const { token } = (await signIn(server, to, PASSWORD)).body.data;
    const list = await server.request('GET', api.listOrders.path, { token });
    expect(list.body.data.map((each: { id: string }) => each.id)).toEqual([order.id]);
  });

  test.each([
    ['a guess', STRANGE_TOKEN, 'link_expired'],
    ['no token', 'abc', 'invalid_input'],
    ['null', null, 'invalid_input'],
    ['nothing', undefined, 'invalid_input'],
  ])('with %s is refused', async (_, token, code) => {
    expect(refusalOf(await verify(token))).toEqual([422, code]);
    expect(refusalOf(await undo(token))).toEqual([422, code]);
  });
});
