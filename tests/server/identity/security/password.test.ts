import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { requireGoodPassword } from '#server/credentials/password-rules.ts';
import { customers } from '#server/database/schema/people.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { PASSWORD, startSession } from '#tests/factories/customers.ts';
import { askForCode, isAlive, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { type Owner, openOwner } from './owner.ts';

const OTHER = 'unrelated words stand here';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function change(owner: Owner, password: string) {
  return owner.call('POST', api.changePassword.path, { password });
}

function signIn(email: string, password: string) {
  return server.request('POST', api.signIn.path, { body: { email, password }, from: newAddress() });
}

test('A changed password signs in, the old one does not, and the owner is notified', async () => {
  const owner = await openOwner(server, { password: PASSWORD });
  expect((await change(owner, OTHER)).status).toBe(200);
  expect(refusalOf(await signIn(owner.customer.email, PASSWORD))).toEqual([422, 'invalid_credentials']);
  expect((await signIn(owner.customer.email, OTHER)).status).toBe(200);
  expect(await owner.told()).toContain('password_changed');
  expect(await owner.events()).toContain('password_changed');
});

test('A customer without a password can set one', async () => {
  const owner = await openOwner(server);
  expect((await owner.call('GET', api.getSecurity.path)).body.data).toMatchObject({
    has_password: false,
    password_changed_at: null,
  });
  expect((await change(owner, OTHER)).status).toBe(200);
  expect((await owner.call('GET', api.getSecurity.path)).body.data).toMatchObject({
    has_password: true,
    password_changed_at: server.clock.now().toISOString(),
  });
});

test('A changed password ends the other sessions and pending sign-ins, and not this session', async () => {
  const owner = await openOwner(server, { password: PASSWORD });
  const other = await startSession(server.context, owner.customer.id);
  const temp = await askForCode(server, owner.customer.email);
  expect((await change(owner, OTHER)).status).toBe(200);
  expect(await isAlive(server, other)).toBe(false);
  expect(await isAlive(server, owner.token)).toBe(true);
  const reply = await server.request('POST', api.signInWithEmailCode.path, {
    body: { temp, code: '123456' },
  });
  expect(refusalOf(reply)).toEqual([422, 'attempt_expired']);
});

test('Changing a password that was disabled after too many wrong guesses enables it again', async () => {
  const owner = await openOwner(server, { password: PASSWORD, passwordFailures: 100 });
  expect(refusalOf(await signIn(owner.customer.email, PASSWORD))).toEqual([422, 'invalid_credentials']);
  expect((await change(owner, OTHER)).status).toBe(200);
  expect((await signIn(owner.customer.email, OTHER)).status).toBe(200);
});

test('A refused password changes nothing and sends no mail', async () => {
  const owner = await openOwner(server, { password: PASSWORD });
  const other = await startSession(server.context, owner.customer.id);
  const reply = await change(owner, 'password1');
  expect(refusalOf(reply)).toEqual([422, 'password_too_common']);
  expect(reply.body.errors[0].field).toBe('password');
  const [stored] = await server.context.db
    .select()
    .from(customers)
    .where(eq(customers.id, owner.customer.id));
  expect(stored?.passwordHash).toBe(owner.customer.passwordHash);
  expect(await isAlive(server, other)).toBe(true);
  expect(await owner.told()).toEqual([]);
});

function good(password: string, minimum = 8) {
  const context = { ...server.context, config: { ...server.context.config, passwordMinLength: minimum } };
  const owner = { email: 'grace.hopper@example.com', name: 'Grace Hopper' };
  const caller = { key: password, account: password, network: null };
  return requireGoodPassword(context, { caller, password, ...owner });
}

test.each([
  ['seven characters', 'kV9#tq2', 'password_too_short'],
  ['eight bytes that are two characters', '🦑🦑', 'password_too_short'],
  ['characters that compose into fewer', 'e\u0301'.repeat(7), 'password_too_short'],
  ['1025 characters', 'aB3$'.repeat(256).concat('x'), 'password_too_long'],
  ['the most common', 'password', 'password_too_common'],
  ['a common one in disguise', 'P@ssw0rd1', 'password_too_common'],
  ['a walk on the keyboard', 'qwertyuiop', 'password_too_common'],
  ['one character again and again', 'a'.repeat(1000), 'password_too_common'],
  ['the operator', `${defaultWebSettings.brand.name} 1`, 'password_too_common'],
  ['the owner’s address', 'grace.hopper@example.com', 'password_too_common'],
  ['the owner’s name', 'GraceHopper1', 'password_too_common'],
])('A password is refused: %s', async (_, password, code) => {
  await expect(good(password)).rejects.toMatchObject({ code });
});

test.each([
  ['four words', 'correct horse battery staple'],
  ['eight random characters', 'kV9#tq2m'],
  ['another script', 'длинный и странный пароль'],
  ['pictures', '🦑🌋🧭⛴️🪝🐚🥨🛟'],
  ['1024 characters of any kind', `${'kV9#tq2m xo§'.repeat(85)}zzzz`],
  ['spaces at its ends', '  unrelated words  '],
])('A password is accepted: %s', async (_, password) => {
  await expect(good(password)).resolves.toBeUndefined();
});

test('The operator may ask for longer passwords', async () => {
  await expect(good('kV9#tq2m', 15)).rejects.toMatchObject({ code: 'password_too_short' });
  await expect(good('kV9#tq2m and more', 15)).resolves.toBeUndefined();
});

test('Concurrent checks each get their own result', async () => {
  const asked = ['password', 'correct horse battery staple', 'qwertyuiop', 'kV9#tq2m'];
  const outcomes = await Promise.allSettled(asked.map((password) => good(password)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
});
