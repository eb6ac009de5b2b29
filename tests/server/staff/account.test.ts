import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createSoftwarePasskey } from '#tests/factories/passkey.ts';
import {
  addStaffPassword,
  createStaffMember,
  STAFF_PASSWORD,
  startStaffSession,
} from '#tests/factories/staff.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const OTHER_PASSWORD = 'seven gulls over the harbor wall';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function open({ isFresh = true, hasPassword = true } = {}) {
  const member = await createStaffMember(server.context, 'gate');
  if (hasPassword) await addStaffPassword(server.context, member.id);
  const { headers } = await startStaffSession(server.context, member.id, { isFresh });
  const call = (method: string, path: string, body?: unknown) =>
    server.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
  return { member, call };
}

async function addPasskey(call: Awaited<ReturnType<typeof open>>['call']) {
  const device = createSoftwarePasskey({ origin: server.context.config.origins.staff });
  const { temp, options } = must(await call('POST', api.createStaffPasskeyChallenge.path));
  must(await call('POST', api.addStaffPasskey.path, { temp, response: device.register(options) }));
  return device;
}

const passkeyPath = (id: string) => fillPath(api.removeStaffPasskey.path, { id });
const sessionPath = (id: string) => fillPath(api.endOwnStaffSession.path, { id });

test('the account says how its owner signs in and where, and not where others do', async () => {
  const { call } = await open();
  await open();
  const account = must(await call('GET', api.getStaffAccount.path));
  expect(account).toMatchObject({ has_password: true, has_authenticator: true, passkeys: [] });
  expect(account.sessions).toMatchObject([{ device: 'Safari on iPad', current: true }]);
  expect(JSON.stringify(account)).not.toContain('hash');
});

test('a new password replaces the old one and ends the other sessions', async () => {
  const { member, call } = await open();
  const other = await startStaffSession(server.context, member.id);
  must(await call('POST', api.changeStaffPassword.path, { password: OTHER_PASSWORD }));
  const read = await server.request('GET', api.getStaffSession.path, { headers: other.headers });
  expect([read.status, (await call('GET', api.getStaffSession.path)).status]).toEqual([401, 200]);
  const signIn = (password: string) =>
    server.request('POST', api.signInStaff.path, { body: { email: member.email, password } });
  expect(codeOf(await signIn(STAFF_PASSWORD))).toBe('invalid_credentials');
  expect((await signIn(OTHER_PASSWORD)).body.data).toEqual({ next: 'code' });
});

test('a weak password, and one without an authenticator, are refused', async () => {
  const { call } = await open();
  const change = (own: typeof call, password: string) =>
    own('POST', api.changeStaffPassword.path, { password });
  expect(codeOf(await change(call, 'harbor'))).toBe('password_too_short');
  const without = await open({ hasPassword: false });
  expect(codeOf(await change(without.call, OTHER_PASSWORD))).toBe('second_factor_missing');
});

test('an added passkey signs in, and a removed one no longer', async () => {
  const { member, call } = await open();
  const device = await addPasskey(call);
  const signIn = async () => {
    const { temp, options } = must(await server.request('GET', api.getStaffPasskeyChallenge.path));
    const body = { temp, response: device.assert(options) };
    return server.request('POST', api.signInStaffWithPasskey.path, { body });
  };
  expect(must(await signIn()).staff.id).toBe(member.id);
  const [passkey] = must(await call('GET', api.getStaffAccount.path)).passkeys;
  must(await call('DELETE', passkeyPath(passkey.id)));
  expect(codeOf(await signIn())).toBe('unknown_credential');
});

test('the only way to sign in cannot be removed', async () => {
  const { call } = await open({ hasPassword: false });
  await addPasskey(call);
  const [passkey] = must(await call('GET', api.getStaffAccount.path)).passkeys;
  expect(codeOf(await call('DELETE', passkeyPath(passkey.id)))).toBe('last_sign_in');
  expect(must(await call('GET', api.getStaffAccount.path)).passkeys).toHaveLength(1);
});

test('passkeys and sessions of others are not found', async () => {
  const mine = await open();
  const theirs = await open();
  await addPasskey(theirs.call);
  const { passkeys, sessions } = must(await theirs.call('GET', api.getStaffAccount.path));
  expect((await mine.call('DELETE', passkeyPath(passkeys[0].id))).status).toBe(404);
  expect((await mine.call('DELETE', sessionPath(sessions[0].id))).status).toBe(404);
  expect((await theirs.call('GET', api.getStaffSession.path)).status).toBe(200);
});

test('a challenge for the passkey of another account is refused', async () => {
  const mine = await open();
  const theirs = await open();
  const device = createSoftwarePasskey({ origin: server.context.config.origins.staff });
  const { temp, options } = must(await theirs.call('POST', api.createStaffPasskeyChallenge.path));
  const body = { temp, response: device.register(options) };
  expect(codeOf(await mine.call('POST', api.addStaffPasskey.path, body))).toBe('attempt_expired');
});

test('one session is ended', async () => {
  const { member, call } = await open();
  const other = await startStaffSession(server.context, member.id);
  const { sessions } = must(await call('GET', api.getStaffAccount.path));
  const { id } = sessions.find(({ current }: { current: boolean }) => !current);
  must(await call('DELETE', sessionPath(id)));
  const read = await server.request('GET', api.getStaffSession.path, { headers: other.headers });
  expect(read.status).toBe(401);
  expect((await call('DELETE', sessionPath(id))).status).toBe(404);
});

test('changes of how someone signs in need a step-up and are in the audit log', async () => {
  const old = await open({ isFresh: false });
  for (const [method, path, body] of [
    ['POST', api.changeStaffPassword.path, { password: OTHER_PASSWORD }],
    ['POST', api.createStaffPasskeyChallenge.path, undefined],
    ['DELETE', passkeyPath('pky_00000000000000000000000000'), undefined],
  ] as const) {
    expect([path, codeOf(await old.call(method, path, body))]).toEqual([path, 'step_up_required']);
  }
  const { member, call } = await open();
  await addPasskey(call);
  const entries = await server.database.store.query(
    `select action, after from audit_log where object_id = '${member.id}'`,
  );
  expect(entries).toEqual([{ action: 'staff_sign_in_changed', after: { passkey: 'added' } }]);
});
