import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths } from '#contract/paths.ts';
import { authenticators, customers, passkeys, recoveryCodes } from '#server/database/schema/people.ts';
import { newId } from '#server/ids.ts';
import { noteSecurityEvent } from '#server/security/security-events.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { isAlive, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { buildConfirmedOrder } from '../tickets/confirmed-order.ts';
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

type Overrides = Parameters<typeof createCustomer>[1];

async function owner(overrides: Overrides = {}) {
  const customer = await createCustomer(server.deps, { email: newMailbox(), ...overrides });
  const token = await startSession(server.deps, customer.id);
  return {
    customer,
    token,
    ask: (newEmail: unknown) => {
      server.clock.advance(1000);
      return server.request('POST', apiPaths.changeEmail, { token, body: { new_email: newEmail } });
    },
    resend: () => server.request('POST', apiPaths.resendChangeEmail, { token }),
    stored: async () => {
      const [row] = await server.deps.db.select().from(customers).where(eq(customers.id, customer.id));
      return row;
    },
  };
}

const verify = (token: unknown, session?: string) =>
  server.request('POST', apiPaths.verifyChangeEmail, {
    body: { token },
    ...(session ? { token: session } : {}),
  });
const undo = (token: unknown, session?: string) =>
  server.request('POST', apiPaths.undoChangeEmail, {
    body: { token },
    ...(session ? { token: session } : {}),
  });
const confirmToken = (email: string) => tokenMailedTo(server, email, 'confirm-email-change');

/** A customer whose address has just changed, and the link that takes it back. */
async function moved(overrides: Overrides = {}) {
  const who = await owner(overrides);
  const to = newMailbox();
  await who.ask(to);
  expect((await verify(await confirmToken(to))).status).toBe(200);
  return { ...who, to, back: await tokenMailedTo(server, who.customer.email, 'email-changed') };
}

describe('Asking for another address', () => {
  test('mails a link to the new one, tells the one of now, and changes nothing yet', async () => {
    const { customer, ask, stored } = await owner();
    const to = newMailbox();
    const reply = await ask(` ${to.toUpperCase()} `);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ email: customer.email, pending_email: to });
    expect(await stored()).toMatchObject({ email: customer.email, pendingEmail: to });
    const { portal } = server.deps.config.origins;
    const [toNew] = await mailsTo(server.deps, to);
    expect(toNew?.facts.link).toMatch(new RegExp(`^${portal}/account/verify_email#token=[\\w-]{43}$`));
    const [toOld] = await mailsTo(server.deps, customer.email);
    expect(toOld).toMatchObject({ kind: 'email-change-asked', facts: { newEmail: to } });
    expect(toOld?.facts.link).toMatch(new RegExp(`^${portal}/account/undo_email#token=[\\w-]{43}$`));
    expect(toOld?.facts.link).not.toBe(toNew?.facts.link);
    expect(await kindsMailedTo(server, customer.email)).toEqual(['email-change-asked']);
  });

  test('needs a session and a step-up', async () => {
    const { customer, stored } = await owner({ password: PASSWORD });
    const body = { new_email: newMailbox() };
    expect(refusalOf(await server.request('POST', apiPaths.changeEmail, { body }))).toEqual([
      401,
      'unauthenticated',
    ]);
    const token = await startSession(server.deps, customer.id, { isFresh: false });
    const reply = await server.request('POST', apiPaths.changeEmail, { token, body });
    expect(refusalOf(reply)).toEqual([403, 'step_up_required']);
    expect(reply.body.errors[0].details).toEqual({ methods: ['password'] });
    expect((await stored())?.pendingEmail).toBe('');
    expect(await kindsMailedTo(server, body.new_email)).toEqual([]);
  });

  test('for the same address is refused', async () => {
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

  test('for somebody else’s says the same as for a free one, and its owner is told', async () => {
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

  test('again makes the link before useless', async () => {
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
    const token = await startSession(server.deps, customer.id);
    const body = { new_email: newMailbox() };
    expect((await server.request('POST', apiPaths.changeEmail, { token, body })).status).toBe(200);
  });

  test('floods no mailbox, however many accounts ask', async () => {
    const victim = newMailbox();
    for (let time = 0; time < 8; time += 1) {
      const { ask } = await owner();
      expect((await ask(victim)).status).toBe(200);
    }
    expect(await kindsMailedTo(server, victim)).toHaveLength(6);
  });
});

describe('Having the link sent again', () => {
  test('waits a minute, makes the one before useless, and ends after five a day', async () => {
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

  test('mails one letter when asked twice at once', async () => {
    const { ask, resend } = await owner();
    const to = newMailbox();
    await ask(to);
    server.clock.advance(MINUTE);
    const replies = await Promise.all([resend(), resend()]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    expect(await kindsMailedTo(server, to)).toHaveLength(2);
  });

  test('needs a session and a change under way', async () => {
    expect(refusalOf(await server.request('POST', apiPaths.resendChangeEmail))).toEqual([
      401,
      'unauthenticated',
    ]);
    const { resend } = await owner();
    expect(refusalOf(await resend())).toEqual([422, 'no_email_change']);
  });
});

describe('Following the link to the new address', () => {
  test('swaps the address, signed out, ends every session, and tells both addresses', async () => {
    const { customer, token, stored, to } = await moved({ password: PASSWORD });
    expect(await stored()).toMatchObject({
      email: to,
      pendingEmail: '',
      emailVerifiedAt: server.clock.now(),
    });
    expect(await isAlive(server, token)).toBe(false);
    expect((await signIn(server, to, PASSWORD)).status).toBe(200);
    expect(refusalOf(await signIn(server, customer.email, PASSWORD))).toEqual([422, 'invalid_credentials']);
    expect((await mailsTo(server.deps, to)).map(({ facts }) => facts.event)).toContain('email_changed');
    expect(await kindsMailedTo(server, customer.email)).toContain('email-changed');
  });

  test('signed in keeps that session and ends the others', async () => {
    const { customer, token, ask } = await owner();
    const elsewhere = await startSession(server.deps, customer.id);
    const to = newMailbox();
    await ask(to);
    expect((await verify(await confirmToken(to), token)).body.data).toEqual({ email: to });
    expect(await isAlive(server, token)).toBe(true);
    expect(await isAlive(server, elsewhere)).toBe(false);
  });

  test('with somebody else’s session changes the account of the link, not of the session', async () => {
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

  test('signs nobody in, not past the second step either', async () => {
    const { ask, stored, customer } = await owner({ mfaRequired: true, password: PASSWORD });
    await giveAuthenticator(server.deps, customer.id);
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

  test('is too late after 24 hours', async () => {
    const { ask, stored, customer } = await owner();
    const to = newMailbox();
    await ask(to);
    const token = await confirmToken(to);
    server.clock.advance(24 * HOUR);
    expect(refusalOf(await verify(token))).toEqual([422, 'link_expired']);
    expect((await stored())?.email).toBe(customer.email);
  });

  test('is won by one of two accounts that want the same address', async () => {
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

  test('makes links mailed to the address before useless, and registrations of the new one', async () => {
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
    expect(refusalOf(await server.request('POST', apiPaths.resetPassword, { body }))).toEqual([
      422,
      'link_expired',
    ]);
    expect((await stored())?.email).toBe(to);
  });

  test('joins the orders bought under the new address before', async () => {
    const { ask } = await owner({ password: PASSWORD });
    const to = newMailbox();
    const order = await buildConfirmedOrder(server.deps, { email: to, reference: 'BBBB-0001' });
    await ask(to);
    await verify(await confirmToken(to));
    const { token } = (await signIn(server, to, PASSWORD)).body.data;
    const list = await server.request('GET', apiPaths.customerOrders, { token });
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

describe('“This wasn’t me”', () => {
  test('stops a change under way: the other link is dead, everybody is out, the password is gone', async () => {
    const { customer, token, ask, stored } = await owner({ password: PASSWORD });
    const to = newMailbox();
    await ask(to);
    const stop = await tokenMailedTo(server, customer.email, 'email-change-asked');
    const reply = await undo(stop);
    expect(reply.body.data).toEqual({ email: customer.email });
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect(refusalOf(await verify(await confirmToken(to)))).toEqual([422, 'link_expired']);
    expect(await isAlive(server, token)).toBe(false);
    expect(await stored()).toMatchObject({ email: customer.email, pendingEmail: '', passwordHash: null });
    expect(await kindsMailedTo(server, customer.email)).toContain('email-change-undone');
    expect(refusalOf(await undo(stop))).toEqual([422, 'link_expired']);
  });

  test('takes a completed change back for seven days, and the owner comes in again by mail', async () => {
    const { customer, back, stored, to } = await moved({ password: PASSWORD });
    const thief = (await signIn(server, to, PASSWORD)).body.data.token;
    server.clock.advance(7 * DAY - MINUTE);
    expect((await undo(back, thief)).body.data).toEqual({ email: customer.email });
    expect(await isAlive(server, thief)).toBe(false);
    expect((await stored())?.email).toBe(customer.email);
    expect(refusalOf(await signIn(server, customer.email, PASSWORD))).toEqual([422, 'invalid_credentials']);
    await askForReset(server, customer.email);
    const body = {
      token: await tokenMailedTo(server, customer.email, 'reset-password'),
      password: NEW_PASSWORD,
    };
    expect((await server.request('POST', apiPaths.resetPassword, { body })).status).toBe(200);
    expect((await signIn(server, customer.email, NEW_PASSWORD)).status).toBe(200);
  });

  test('comes too late after seven days, and works once', async () => {
    const late = await moved();
    const once = await moved();
    expect((await undo(once.back)).status).toBe(200);
    expect(refusalOf(await undo(once.back))).toEqual([422, 'link_expired']);
    server.clock.advance(7 * DAY);
    expect(refusalOf(await undo(late.back))).toEqual([422, 'link_expired']);
    expect((await late.stored())?.email).toBe(late.to);
  });

  test('works through a second change, whose own link back is then dead', async () => {
    const { customer, back, to, stored } = await moved();
    const token = await startSession(server.deps, customer.id);
    const further = newMailbox();
    server.clock.advance(1000);
    await server.request('POST', apiPaths.changeEmail, { token, body: { new_email: further } });
    await verify(await confirmToken(further));
    expect((await stored())?.email).toBe(further);
    const toThief = await tokenMailedTo(server, to, 'email-changed');
    expect((await undo(back)).status).toBe(200);
    expect((await stored())?.email).toBe(customer.email);
    expect(refusalOf(await undo(toThief))).toEqual([422, 'link_expired']);
  });

  test('is still possible when whoever asked withdrew', async () => {
    const { customer, token, ask } = await owner();
    await ask(newMailbox());
    await server.request('PATCH', apiPaths.customer, { token, body: { pending_email: '' } });
    expect((await undo(await tokenMailedTo(server, customer.email, 'email-change-asked'))).status).toBe(200);
    expect(await isAlive(server, token)).toBe(false);
  });

  test('removes the factors added since and keeps those of before', async () => {
    const { deps, clock } = server;
    const who = await owner();
    const kept = await givePasskey(who.customer.id);
    clock.advance(MINUTE);
    const to = newMailbox();
    await who.ask(to);
    await verify(await confirmToken(to));
    clock.advance(MINUTE);
    await givePasskey(who.customer.id);
    await giveAuthenticator(deps, who.customer.id);
    await giveRecoveryCode(who.customer.id);
    await deps.db.update(customers).set({ mfaRequired: true }).where(eq(customers.id, who.customer.id));
    await undo(await tokenMailedTo(server, who.customer.email, 'email-changed'));
    expect(await factorsOf(who.customer.id)).toEqual({ passkeys: [kept], authenticators: 0, codes: 0 });
    expect((await who.stored())?.mfaRequired).toBe(true);
  });

  test('keeps an authenticator of before and drops the recovery codes made since', async () => {
    const { deps, clock } = server;
    const who = await owner({ mfaRequired: true });
    await giveAuthenticator(deps, who.customer.id);
    await giveRecoveryCode(who.customer.id);
    clock.advance(MINUTE);
    await who.ask(newMailbox());
    const stop = await tokenMailedTo(server, who.customer.email, 'email-change-asked');
    const untouched = { passkeys: [], authenticators: 1, codes: 1 };
    expect(await factorsOf(who.customer.id)).toEqual(untouched);
    await noteSecurityEvent(deps.db, deps, {
      customerId: who.customer.id,
      kind: 'recovery_codes_made',
      device: 'Safari on iPhone',
    });
    await undo(stop);
    expect(await factorsOf(who.customer.id)).toEqual({ ...untouched, codes: 0 });
    expect((await who.stored())?.mfaRequired).toBe(true);
  });

  test('asks for no second step any more when only factors added since were there', async () => {
    const who = await owner();
    await who.ask(newMailbox());
    await giveAuthenticator(server.deps, who.customer.id);
    await server.deps.db
      .update(customers)
      .set({ mfaRequired: true })
      .where(eq(customers.id, who.customer.id));
    await undo(await tokenMailedTo(server, who.customer.email, 'email-change-asked'));
    expect((await who.stored())?.mfaRequired).toBe(false);
  });

  test('is refused while another account has the address, and changes nothing', async () => {
    const { customer, back, stored } = await moved();
    await createCustomer(server.deps, { email: customer.email });
    const before = await stored();
    expect(refusalOf(await undo(back))).toEqual([422, 'link_expired']);
    expect(await stored()).toEqual(before);
  });
});

async function givePasskey(customerId: string): Promise<string> {
  const id = newId('pky');
  await server.deps.db.insert(passkeys).values({
    id,
    customerId,
    credentialId: id,
    publicKey: 'key',
    counter: 0,
    transports: [],
    backedUp: false,
    aaguid: '',
    name: 'Phone',
    insertedAt: server.clock.now(),
  });
  return id;
}

async function giveRecoveryCode(customerId: string): Promise<void> {
  await server.deps.db
    .insert(recoveryCodes)
    .values({ id: newId('rcv'), customerId, prefix: 'ABCD', codeHash: 'hash' });
}

async function factorsOf(customerId: string) {
  const { db } = server.deps;
  const keys = await db.select().from(passkeys).where(eq(passkeys.customerId, customerId));
  const apps = await db.select().from(authenticators).where(eq(authenticators.customerId, customerId));
  const codes = await db.select().from(recoveryCodes).where(eq(recoveryCodes.customerId, customerId));
  return { passkeys: keys.map(({ id }) => id), authenticators: apps.length, codes: codes.length };
}
