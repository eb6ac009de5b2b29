import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { computeAuthenticatorCode } from '#server/credentials/authenticator-codes.ts';
import { inviteStaff, resetStaff } from '#server/staff/invitations.ts';
import { disableStaff } from '#server/staff/manage.ts';
import { findStaffByEmail } from '#server/staff/members.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createSoftwarePasskey } from '#tests/factories/passkey.ts';
import { newAddress } from '#tests/factories/sign-in.ts';
import { createStaffMember, STAFF_PASSWORD, startStaffSession } from '#tests/factories/staff.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const NOW = '2026-06-01T15:00:00.000Z';
const DAY = 86_400_000;
const actor = { kind: 'command', systemUser: 'olga' } as const;

let server: TestServer;
let count = 0;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.clock.set(NOW));

async function invite(role: 'gate' | 'manager' = 'gate') {
  count += 1;
  const email = `new-${count}@ferry.example`;
  const { link } = await inviteStaff(server.context, { email, name: 'Grace', role, actor });
  return { email, token: link.split('#token=')[1] ?? '' };
}

const post = (path: string, body: unknown) => server.request('POST', path, { body, from: newAddress() });

async function codeFor(token: string) {
  const data = must(await post(api.readStaffInvitation.path, { token }));
  return computeAuthenticatorCode(data.authenticator.secret, server.clock.now());
}

async function accept(token: string, change: Record<string, unknown> = {}) {
  const code = 'code' in change ? change.code : await codeFor(token);
  const body = { token, name: 'Grace Hopper', password: STAFF_PASSWORD, ...change, code };
  return post(api.acceptStaffInvitation.path, body);
}

const cookieOf = (reply: { headers: Headers }) => (reply.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
const readSession = (cookie: string) =>
  server.request('GET', api.getStaffSession.path, { headers: { cookie } });

test('an invitation is mailed with a link to the staff host, and says who is invited as what', async () => {
  const { email, token } = await invite();
  const [mail] = await mailsTo(server.context, email);
  expect(mail?.kind).toBe('staff-invitation');
  expect(mail?.data.link).toBe(`${server.context.config.origins.staff}/invitation#token=${token}`);
  const reply = await post(api.readStaffInvitation.path, { token });
  expect(reply.body.data).toMatchObject({ email, name: 'Grace', role: 'gate' });
});

test('accepting with a password and a code of the authenticator signs in with a cookie that no script reads', async () => {
  const { email, token } = await invite();
  const reply = await accept(token);
  expect(reply.status).toBe(200);
  expect(reply.body.data.staff).toMatchObject({ email, name: 'Grace Hopper', role: 'gate' });
  expect(reply.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await readSession(cookieOf(reply))).body.data.staff.email).toBe(email);
});

test('accepting with a passkey signs in, and the passkey signs in again', async () => {
  const { email, token } = await invite();
  const device = createSoftwarePasskey({ origin: server.context.config.origins.staff });
  const data = must(await post(api.createInvitedPasskey.path, { token }));
  expect(data.options.rp.id).toBe('staff.ferry.localhost');
  const body = { token, name: 'Grace', temp: data.temp, response: device.register(data.options) };
  expect((await post(api.acceptStaffInvitation.path, body)).status).toBe(200);
  const asked = must(await server.request('GET', api.getStaffPasskeyChallenge.path));
  const response = device.assert(asked.options);
  const reply = await post(api.signInStaffWithPasskey.path, { temp: asked.temp, response });
  expect(reply.body.data.staff.email).toBe(email);
});

test('a passkey that does not verify its user is refused, because it replaces both steps', async () => {
  const { token } = await invite();
  const device = createSoftwarePasskey({ origin: server.context.config.origins.staff });
  const data = must(await post(api.createInvitedPasskey.path, { token }));
  const response = device.register(data.options, { userVerified: false });
  const body = { token, name: 'Grace', temp: data.temp, response };
  expect(codeOf(await post(api.acceptStaffInvitation.path, body))).toBe('passkey_refused');
});

test('a link works once', async () => {
  const { token } = await invite();
  const code = await codeFor(token);
  expect((await accept(token)).status).toBe(200);
  const body = { token, name: 'Mallory', password: STAFF_PASSWORD, code };
  for (const reply of [
    await post(api.acceptStaffInvitation.path, body),
    await post(api.readStaffInvitation.path, { token }),
    await post(api.createInvitedPasskey.path, { token }),
  ]) {
    expect([reply.status, codeOf(reply)]).toEqual([422, 'link_expired']);
  }
});

test('of two requests at the same time one accepts the invitation', async () => {
  const { token } = await invite();
  const code = await codeFor(token);
  const replies = await Promise.all([accept(token, { code }), accept(token, { code })]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('a link ends after seven days, and when another is mailed', async () => {
  const { token, email } = await invite();
  server.clock.advance(7 * DAY - 1);
  expect((await post(api.readStaffInvitation.path, { token })).status).toBe(200);
  server.clock.advance(1);
  expect(codeOf(await post(api.readStaffInvitation.path, { token }))).toBe('link_expired');
  server.clock.set(NOW);
  await inviteStaff(server.context, { email, name: 'Grace', role: 'desk', actor });
  expect(codeOf(await post(api.readStaffInvitation.path, { token }))).toBe('link_expired');
});

test('a weak password, a wrong code and half of what is needed are refused', async () => {
  const { token } = await invite();
  expect(codeOf(await accept(token, { password: 'harbor' }))).toBe('password_too_short');
  expect(codeOf(await accept(token, { password: 'password1234' }))).toBe('password_too_common');
  expect(codeOf(await accept(token, { code: '000000' }))).toBe('invalid_code');
  expect(codeOf(await accept(token, { code: undefined }))).toBe('invalid_input');
  expect(codeOf(await accept(token, { password: undefined }))).toBe('invalid_input');
  expect(codeOf(await post(api.readStaffInvitation.path, { token: 'x' }))).toBe('invalid_input');
  expect((await accept(token)).status).toBe(200);
});

test('who works here already is not invited again, and who was disabled is', async () => {
  const { email, token } = await invite();
  must(await accept(token));
  const again = { email: email.toUpperCase(), name: 'Grace', role: 'manager', actor } as const;
  await expect(inviteStaff(server.context, again)).rejects.toMatchObject({ code: 'staff_exists' });
  const member = await findStaffByEmail(server.context.db, email);
  await disableStaff(server.context, { id: member?.id ?? '', actor });
  await inviteStaff(server.context, again);
  expect(await findStaffByEmail(server.context.db, email)).toMatchObject({
    passwordHash: null,
    encryptedAuthenticator: null,
    acceptedAt: null,
    role: 'manager',
  });
});

test('a reset ends sessions and the old ways to sign in, and mails a link to choose new ones', async () => {
  const { email, token } = await invite();
  const cookie = cookieOf(await accept(token));
  const member = await findStaffByEmail(server.context.db, email);
  const { link } = await resetStaff(server.context, { id: member?.id ?? '', actor });
  expect((await readSession(cookie)).status).toBe(401);
  const credentials = { email, password: STAFF_PASSWORD };
  expect(codeOf(await post(api.signInStaff.path, credentials))).toBe('invalid_credentials');
  expect((await accept(link.split('#token=')[1] ?? '')).status).toBe(200);
  expect((await post(api.signInStaff.path, credentials)).body.data).toEqual({ next: 'code' });
});

test('a staff member cannot reset the last manager', async () => {
  await server.database.store.query(`update staff_members set role = 'gate'`);
  const { id } = await createStaffMember(server.context, 'manager');
  const manager = { kind: 'staff', staffId: id, role: 'manager', device: 'x', network: 'y' } as const;
  await expect(resetStaff(server.context, { id, actor: manager })).rejects.toMatchObject({
    code: 'last_manager',
  });
});

test('invitations and their acceptance are in the audit log', async () => {
  const { email, token } = await invite('manager');
  must(await accept(token));
  const id = (await findStaffByEmail(server.context.db, email))?.id;
  const rows = await server.database.store.query<{ action: string; actor: string }>(
    `select action, actor_id as actor from audit_log where object_id = '${id}' order by seq`,
  );
  expect(rows).toEqual([
    { action: 'staff_invited', actor: 'olga' },
    { action: 'staff_accepted', actor: id },
  ]);
});

test('neither the database nor the log contains the secret of a link or of an authenticator', async () => {
  server.logged.length = 0;
  const { token } = await invite();
  const data = must(await post(api.readStaffInvitation.path, { token }));
  must(await accept(token));
  const rows = await server.database.store.query('select * from staff_members');
  const text = JSON.stringify([rows, server.logged]);
  for (const secret of [token, data.authenticator.secret, STAFF_PASSWORD]) expect(text).not.toContain(secret);
});

test('a session of someone else does not help with an invitation', async () => {
  const { token } = await invite();
  const manager = await createStaffMember(server.context);
  const { headers } = await startStaffSession(server.context, manager.id);
  const reply = await server.request('POST', api.readStaffInvitation.path, {
    body: { token: `${token.slice(0, -1)}_` },
    headers,
  });
  expect(codeOf(reply)).toBe('link_expired');
});
