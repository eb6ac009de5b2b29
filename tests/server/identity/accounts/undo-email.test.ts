import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { newId } from '#server/core/ids.ts';
import { authenticators, customers, passkeys, recoveryCodes } from '#server/database/schema/people.ts';
import { reportSecurityEvent } from '#server/identity/security/security-events.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { isAlive, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { addressChangesOn } from './address-changes.ts';
import {
  askForReset,
  giveAuthenticator,
  kindsMailedTo,
  NEW_PASSWORD,
  newMailbox,
  signIn,
  tokenMailedTo,
} from './mailed-links.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const { owner, verify, undo, confirmToken, moved } = addressChangesOn(() => server);

describe('“This wasn’t me”', () => {
  test('cancels a pending change, invalidates its link, ends every session and removes the password', async () => {
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

  test('reverts a completed change for seven days, and the owner signs in again by mail', async () => {
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
    expect((await server.request('POST', api.resetPassword.path, { body })).status).toBe(200);
    expect((await signIn(server, customer.email, NEW_PASSWORD)).status).toBe(200);
  });

  test('fails after seven days, and works once', async () => {
    const late = await moved();
    const once = await moved();
    expect((await undo(once.back)).status).toBe(200);
    expect(refusalOf(await undo(once.back))).toEqual([422, 'link_expired']);
    server.clock.advance(7 * DAY);
    expect(refusalOf(await undo(late.back))).toEqual([422, 'link_expired']);
    expect((await late.stored())?.email).toBe(late.to);
  });

  test('also reverts a second change, and invalidates the link that would undo that one', async () => {
    const { customer, back, to, stored } = await moved();
    const token = await startSession(server.context, customer.id);
    const further = newMailbox();
    server.clock.advance(1000);
    await server.request('POST', api.changeEmail.path, { token, body: { new_email: further } });
    await verify(await confirmToken(further));
    expect((await stored())?.email).toBe(further);
    const toThief = await tokenMailedTo(server, to, 'email-changed');
    expect((await undo(back)).status).toBe(200);
    expect((await stored())?.email).toBe(customer.email);
    expect(refusalOf(await undo(toThief))).toEqual([422, 'link_expired']);
  });

  test('still works after the change was withdrawn', async () => {
    const { customer, token, ask } = await owner();
    await ask(newMailbox());
    await server.request('PATCH', api.changeDetails.path, { token, body: { pending_email: '' } });
    expect((await undo(await tokenMailedTo(server, customer.email, 'email-change-asked'))).status).toBe(200);
    expect(await isAlive(server, token)).toBe(false);
  });

  test('removes factors added since the change and keeps older ones', async () => {
    const { context, clock } = server;
    const who = await owner();
    const kept = await givePasskey(who.customer.id);
    clock.advance(MINUTE);
    const to = newMailbox();
    await who.ask(to);
    await verify(await confirmToken(to));
    clock.advance(MINUTE);
    await givePasskey(who.customer.id);
    await giveAuthenticator(context, who.customer.id);
    await giveRecoveryCode(who.customer.id);
    await context.db.update(customers).set({ mfaRequired: true }).where(eq(customers.id, who.customer.id));
    await undo(await tokenMailedTo(server, who.customer.email, 'email-changed'));
    expect(await factorsOf(who.customer.id)).toEqual({ passkeys: [kept], authenticators: 0, codes: 0 });
    expect((await who.stored())?.mfaRequired).toBe(true);
  });

  test('keeps an older authenticator and removes recovery codes created since the change', async () => {
    const { context, clock } = server;
    const who = await owner({ mfaRequired: true });
    await giveAuthenticator(context, who.customer.id);
    await giveRecoveryCode(who.customer.id);
    clock.advance(MINUTE);
    await who.ask(newMailbox());
    const stop = await tokenMailedTo(server, who.customer.email, 'email-change-asked');
    const untouched = { passkeys: [], authenticators: 1, codes: 1 };
    expect(await factorsOf(who.customer.id)).toEqual(untouched);
    await reportSecurityEvent(context.db, context, {
      customerId: who.customer.id,
      kind: 'recovery_codes_made',
      device: 'Safari on iPhone',
    });
    await undo(stop);
    expect(await factorsOf(who.customer.id)).toEqual({ ...untouched, codes: 0 });
    expect((await who.stored())?.mfaRequired).toBe(true);
  });

  test('turns two-step sign-in off if all factors were added since the change', async () => {
    const who = await owner();
    await who.ask(newMailbox());
    await giveAuthenticator(server.context, who.customer.id);
    await server.context.db
      .update(customers)
      .set({ mfaRequired: true })
      .where(eq(customers.id, who.customer.id));
    await undo(await tokenMailedTo(server, who.customer.email, 'email-change-asked'));
    expect((await who.stored())?.mfaRequired).toBe(false);
  });

  test('is refused while another account has the address, and changes nothing', async () => {
    const { customer, back, stored } = await moved();
    await createCustomer(server.context, { email: customer.email });
    const before = await stored();
    expect(refusalOf(await undo(back))).toEqual([422, 'link_expired']);
    expect(await stored()).toEqual(before);
  });
});

async function givePasskey(customerId: string): Promise<string> {
  const id = newId('pky');
  await server.context.db.insert(passkeys).values({
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
  await server.context.db
    .insert(recoveryCodes)
    .values({ id: newId('rcv'), customerId, prefix: 'ABCD', codeHash: 'hash' });
}

async function factorsOf(customerId: string) {
  const { db } = server.context;
  const keys = await db.select().from(passkeys).where(eq(passkeys.customerId, customerId));
  const apps = await db.select().from(authenticators).where(eq(authenticators.customerId, customerId));
  const codes = await db.select().from(recoveryCodes).where(eq(recoveryCodes.customerId, customerId));
  return { passkeys: keys.map(({ id }) => id), authenticators: apps.length, codes: codes.length };
}
