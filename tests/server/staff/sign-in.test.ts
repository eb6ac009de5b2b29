import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { disableStaff } from '#server/staff/manage.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createCustomer, PASSWORD } from '#tests/factories/customers.ts';
import { addPasskey as addCustomerPasskey, createSoftwarePasskey } from '#tests/factories/passkey.ts';
import { newAddress } from '#tests/factories/sign-in.ts';
import {
  addStaffPassword,
  createStaffMember,
  STAFF_PASSWORD,
  startStaffSession,
} from '#tests/factories/staff.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const NOW = '2026-06-01T15:00:00.000Z';
const MINUTE = 60_000;
const actor = { kind: 'command', systemUser: 'olga' } as const;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.clock.set(NOW);
  Object.assign(server.context.provider, { isTest: true });
});

async function createMember() {
  const member = await createStaffMember(server.context, 'office');
  const codeAt = await addStaffPassword(server.context, member.id);
  return { ...member, codeAt };
}

const signIn = (body: Record<string, unknown>, from = newAddress()) =>
  server.request('POST', api.signInStaff.path, { body: { password: STAFF_PASSWORD, ...body }, from });

test('a password is followed by a code of the authenticator', async () => {
  const { email, codeAt } = await createMember();
  const first = await signIn({ email });
  expect([first.body.data, first.headers.getSetCookie()]).toEqual([{ next: 'code' }, []]);
  const reply = await signIn({ email: email.toUpperCase(), code: codeAt() });
  expect(reply.body.data.staff).toMatchObject({ email, role: 'office' });
  expect(reply.headers.getSetCookie()[0]).toMatch(/^my-staff-session=gst_.*HttpOnly; SameSite=Strict/);
});

test('a code without the right password does not sign in', async () => {
  const { email, codeAt } = await createMember();
  expect(codeOf(await signIn({ email, password: 'wrong', code: codeAt() }))).toBe('invalid_credentials');
});

test('each code is accepted once', async () => {
  const { email, codeAt } = await createMember();
  const code = codeAt();
  must(await signIn({ email, code }));
  expect(codeOf(await signIn({ email, code }))).toBe('invalid_code');
  server.clock.advance(MINUTE);
  expect((await signIn({ email, code: codeAt() })).status).toBe(200);
});

test('unknown, invited, disabled, passwordless and customers’ accounts give the response to a wrong password', async () => {
  const wrong = await signIn({ email: (await createMember()).email, password: 'wrong' });
  const passwordless = await createStaffMember(server.context);
  const invited = await createMember();
  await server.database.store.query(`update staff_members set accepted_at = null where id = '${invited.id}'`);
  const disabled = await createMember();
  await disableStaff(server.context, { id: disabled.id, actor });
  const customer = await createCustomer(server.context);
  for (const body of [
    { email: 'unknown@ferry.example' },
    { email: passwordless.email },
    { email: invited.email },
    { email: disabled.email },
    { email: customer.email, password: PASSWORD },
  ]) {
    const reply = await signIn(body);
    expect([body, reply.status, reply.body]).toEqual([body, 422, wrong.body]);
  }
});

test('a staff member cannot sign in as a customer', async () => {
  const { email } = await createMember();
  const body = { email, password: STAFF_PASSWORD };
  expect(codeOf(await server.request('POST', api.signIn.path, { body }))).toBe('invalid_credentials');
});

test('five wrong passwords of a network lock it out of the account, and no other network', async () => {
  const { email } = await createMember();
  const from = newAddress();
  for (let tries = 0; tries < 5; tries += 1) await signIn({ email, password: 'wrong' }, from);
  expect((await signIn({ email }, from)).status).toBe(429);
  expect((await signIn({ email })).body.data).toEqual({ next: 'code' });
  server.clock.advance(15 * MINUTE);
  expect((await signIn({ email }, from)).body.data).toEqual({ next: 'code' });
});

test('ten wrong codes lock the second step, then for twice as long', async () => {
  const { email, codeAt } = await createMember();
  const miss = async () => {
    for (let tries = 0; tries < 10; tries += 1) await signIn({ email, code: '000000' });
  };
  await miss();
  const locked = await signIn({ email, code: codeAt() });
  expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '900']);
  server.clock.advance(15 * MINUTE);
  await miss();
  expect((await signIn({ email, code: codeAt() })).headers.get('retry-after')).toBe('1800');
});

test('a hundred wrong passwords switch the password off', async () => {
  const { id, email } = await createMember();
  await server.database.store.query(`update staff_members set password_failures = 100 where id = '${id}'`);
  expect(codeOf(await signIn({ email }))).toBe('invalid_credentials');
});

test('malformed input is refused before anything is looked up', async () => {
  for (const body of [
    { email: 'x' },
    { email: 'a@b.example', code: '12' },
    { email: 'a@b.example', more: 1 },
  ]) {
    expect((await signIn(body)).status).toBe(422);
  }
});

test('the demo’s people cannot sign in where real payments are taken', async () => {
  const { id, email, codeAt } = await createMember();
  await server.database.store.query(`update staff_members set is_demo = true where id = '${id}'`);
  Object.assign(server.context.provider, { isTest: false });
  expect(codeOf(await signIn({ email, code: codeAt() }))).toBe('demo_closed');
});

test('passkeys of customers do not sign staff in, nor do unknown ones', async () => {
  const customer = await createCustomer(server.context);
  const customers = await addCustomerPasskey(server.context, customer.id);
  const unknown = createSoftwarePasskey({ origin: server.context.config.origins.staff });
  for (const device of [customers, unknown]) {
    const { temp, options } = must(await server.request('GET', api.getStaffPasskeyChallenge.path));
    const body = { temp, response: device.assert(options) };
    const reply = await server.request('POST', api.signInStaffWithPasskey.path, { body });
    expect(codeOf(reply)).toBe('unknown_credential');
  }
});

test('a challenge for customers does not sign staff in', async () => {
  const { temp, options } = must(await server.request('GET', api.getPasskeyChallenge.path));
  const device = createSoftwarePasskey({ origin: server.context.config.origins.staff });
  const body = { temp, response: device.assert(options) };
  const reply = await server.request('POST', api.signInStaffWithPasskey.path, { body });
  expect(codeOf(reply)).toBe('attempt_expired');
});

test('disabling someone ends their sessions at once', async () => {
  const { id } = await createMember();
  const { headers } = await startStaffSession(server.context, id);
  const read = () => server.request('GET', api.getStaffSession.path, { headers });
  expect((await read()).status).toBe(200);
  await disableStaff(server.context, { id, actor });
  expect((await read()).status).toBe(401);
});

test('a step-up with a code lasts ten minutes', async () => {
  const { id, codeAt } = await createMember();
  const { headers } = await startStaffSession(server.context, id, { isFresh: false });
  const stepUp = (code: string) => server.request('POST', api.stepUpStaff.path, { headers, body: { code } });
  expect(codeOf(await stepUp('000000'))).toBe('invalid_code');
  expect((await stepUp(codeAt())).status).toBe(200);
  const [session] = await server.database.store.query<{ until: string }>(
    `select fresh_until as until from staff_sessions where staff_id = '${id}'`,
  );
  expect(new Date(session?.until ?? 0).getTime()).toBe(new Date(NOW).getTime() + 10 * MINUTE);
});
