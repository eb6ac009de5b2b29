import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { endSessions } from '#server/identity/sessions.ts';
import { lastCode, mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { addPasskey } from '#tests/factories/passkey.ts';
import { addAuthenticator, addRecoveryCodes, askForSecondStep } from '#tests/factories/second-step.ts';
import { askForCode, countSessions, isAlive, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const STEP = 30_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function createCareful() {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const codeAt = await addAuthenticator(server.context, customer.id);
  await askForSecondStep(server.context, customer.id);
  return { ...customer, codeAt };
}

async function firstStep(email: string): Promise<string> {
  const reply = await server.request('POST', api.signIn.path, {
    body: { email, password: PASSWORD },
    from: newAddress(),
  });
  return reply.body.data.temp;
}

function secondStep(temp: unknown, code: unknown) {
  return server.request('POST', api.verifySecondStep.path, { body: { temp, code }, from: newAddress() });
}

function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

test('With two-step sign-in, the correct password returns the handle of the second step and no token', async () => {
  const { email, id } = await createCareful();
  const reply = await server.request('POST', api.signIn.path, { body: { email, password: PASSWORD } });
  expect(reply.status).toBe(200);
  expect(reply.body.data).toEqual({
    temp: expect.stringMatching(/^[\w-]{43}$/),
    next: 'authenticator',
    expires_in: 600,
  });
  expect(reply.headers.getSetCookie()).toEqual([]);
  expect(await countSessions(server, id)).toBe(0);
});

test('A code of the authenticator completes the sign-in', async () => {
  const { id, email, codeAt } = await createCareful();
  const reply = await secondStep(await firstStep(email), codeAt());
  expect(reply.status).toBe(200);
  expect(await isAlive(server, reply.body.data.token)).toBe(true);
  const [row] = await server.database.store.query('select kind from sessions where customer_id = $1', [id]);
  expect(row).toEqual({ kind: 'authenticator' });
});

test.each(['code', 'link'])('A mailed %s does not get past two-step sign-in', async (direction) => {
  const { id, email, codeAt } = await createCareful();
  const temp = await askForCode(server, email);
  const { code, token } = await lastCode(server.context, email);
  const reply =
    direction === 'code'
      ? await server.request('POST', api.signInWithEmailCode.path, { body: { temp, code } })
      : await server.request('POST', api.signInWithLink.path, { body: { token } });
  expect(reply.body.data).toMatchObject({ next: 'authenticator' });
  expect(await countSessions(server, id)).toBe(0);
  expect((await secondStep(reply.body.data.temp, codeAt())).status).toBe(200);
});

test('Recovery codes replace a lost authenticator, in any spelling, each once', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const [code = ''] = await addRecoveryCodes(server.context, customer.id);
  await askForSecondStep(server.context, customer.id);
  const spelling = code.toLowerCase().replaceAll('-', ' ');
  expect((await secondStep(await firstStep(customer.email), spelling)).status).toBe(200);
  const again = await secondStep(await firstStep(customer.email), code);
  expect(refusalOf(again)).toEqual([422, 'invalid_code']);
  const mails = await mailsTo(server.context, customer.email);
  expect(mails.map(({ data }) => data.event)).toContain('recovery_code_used');
});

test('A code of the authenticator is accepted once, and never after a later one', async () => {
  const { email, codeAt } = await createCareful();
  const before = codeAt();
  server.clock.advance(STEP);
  const current = codeAt();
  expect((await secondStep(await firstStep(email), current)).status).toBe(200);
  expect(refusalOf(await secondStep(await firstStep(email), current))).toEqual([422, 'invalid_code']);
  expect(refusalOf(await secondStep(await firstStep(email), before))).toEqual([422, 'invalid_code']);
});

test('Codes are accepted one time step early or late, not two', async () => {
  const { email, codeAt } = await createCareful();
  const inSteps = (steps: number) => codeAt(new Date(server.clock.now().getTime() + steps * STEP));
  expect(refusalOf(await secondStep(await firstStep(email), inSteps(-2)))[1]).toBe('invalid_code');
  expect(refusalOf(await secondStep(await firstStep(email), inSteps(2)))[1]).toBe('invalid_code');
  expect((await secondStep(await firstStep(email), inSteps(-1))).status).toBe(200);
  expect((await secondStep(await firstStep(email), inSteps(1))).status).toBe(200);
});

test.each([2, -2])(
  'With a clock %i hours off recovery codes sign in, sessions go on, and all is well when the clock is right again',
  async (hours) => {
    const right = server.clock.now();
    const { id, email, codeAt } = await createCareful();
    const [recovery = ''] = await addRecoveryCodes(server.context, id);
    const before = await startSession(server.context, id);
    server.clock.set(new Date(right.getTime() + hours * 3_600_000).toISOString());
    expect(refusalOf(await secondStep(await firstStep(email), codeAt(right)))[1]).toBe('invalid_code');
    const { token } = (await secondStep(await firstStep(email), recovery)).body.data;
    const fresh = await startSession(server.context, id);
    for (const each of [before, token, fresh]) expect(await isAlive(server, each)).toBe(true);

    server.clock.set(right.toISOString());
    for (const each of [before, token, fresh]) expect(await isAlive(server, each)).toBe(true);
    // A step-up counts for ten minutes, not until the wrong clock's time has come.
    const reply = await server.request('DELETE', api.changeDetails.path, { token: fresh });
    expect(refusalOf(reply)).toEqual([403, 'step_up_required']);
    expect((await secondStep(await firstStep(email), codeAt())).status).toBe(200);
  },
);

test.each([
  ['full-width digits', '１２３４５６'],
  ['null', null],
  ['a list', ['123456']],
  ['a number', 123456],
  ['nothing', ''],
  ['an object', {}],
  ['letters', 'abcdef'],
  ['seven digits', '1234567'],
])('A code made of %s is refused and does not count as a try', async (_, code) => {
  const { email, codeAt } = await createCareful();
  const temp = await firstStep(email);
  for (let index = 0; index < 6; index += 1) {
    expect(refusalOf(await secondStep(temp, code))).toEqual([422, 'invalid_input']);
  }
  expect((await secondStep(temp, codeAt())).status).toBe(200);
});

test('Five wrong codes end the attempt', async () => {
  const { email, codeAt } = await createCareful();
  const temp = await firstStep(email);
  for (let index = 0; index < 5; index += 1) {
    expect(refusalOf(await secondStep(temp, otherThan(codeAt())))).toEqual([422, 'invalid_code']);
  }
  expect(refusalOf(await secondStep(temp, codeAt()))).toEqual([422, 'attempt_expired']);
});

test('Of fifty concurrent wrong codes five are checked', async () => {
  const { email, codeAt } = await createCareful();
  const temp = await firstStep(email);
  const replies = await Promise.all(Array.from({ length: 50 }, () => secondStep(temp, otherThan(codeAt()))));
  const codes = replies.map((reply) => refusalOf(reply)[1]);
  expect(codes.filter((code) => code === 'invalid_code')).toHaveLength(5);
  expect(codes.filter((code) => code === 'attempt_expired')).toHaveLength(45);
});

test('Every tenth wrong code in a row locks the second step, also across attempts', async () => {
  const { email, codeAt } = await createCareful();
  const wrong = () => otherThan(codeAt());
  for (const _ of [1, 2]) {
    const temp = await firstStep(email);
    for (let index = 0; index < 5; index += 1) await secondStep(temp, wrong());
  }
  const locked = await secondStep(await firstStep(email), codeAt());
  expect(refusalOf(locked)).toEqual([429, 'rate_limited']);
  expect(locked.headers.get('retry-after')).toBe('900');
  server.clock.advance(15 * 60_000);
  expect((await secondStep(await firstStep(email), codeAt())).status).toBe(200);
});

test('The same right code sent ten times concurrently starts one session', async () => {
  const { id, email, codeAt } = await createCareful();
  const temp = await firstStep(email);
  const code = codeAt();
  const replies = await Promise.all(Array.from({ length: 10 }, () => secondStep(temp, code)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.every(({ status }) => status === 200 || status === 422)).toBe(true);
  expect(await countSessions(server, id)).toBe(1);
});

test('Two concurrent right codes of one attempt start one session', async () => {
  const { id, email, codeAt } = await createCareful();
  const [recovery] = await addRecoveryCodes(server.context, id);
  const temp = await firstStep(email);
  const replies = await Promise.all([secondStep(temp, codeAt()), secondStep(temp, recovery)]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await countSessions(server, id)).toBe(1);
});

test('An attempt expires after ten minutes, or when the owner’s sessions are ended', async () => {
  const { id, email, codeAt } = await createCareful();
  const late = await firstStep(email);
  server.clock.advance(10 * 60_000);
  expect(refusalOf(await secondStep(late, codeAt()))).toEqual([422, 'attempt_expired']);
  const ended = await firstStep(email);
  await endSessions(server.context.db, server.context, { customerId: id });
  expect(refusalOf(await secondStep(ended, codeAt()))).toEqual([422, 'attempt_expired']);
});

test('The handle of one customer accepts no code of another', async () => {
  const ada = await createCareful();
  const bob = await createCareful();
  const reply = await secondStep(await firstStep(ada.email), bob.codeAt());
  if (ada.codeAt() !== bob.codeAt()) expect(refusalOf(reply)).toEqual([422, 'invalid_code']);
});

test('A handle of one kind of challenge is refused by another kind', async () => {
  const { email, codeAt } = await createCareful();
  const mailed = await askForCode(server, email);
  const { code, token } = await lastCode(server.context, email);
  expect(refusalOf(await secondStep(mailed, codeAt()))).toEqual([422, 'attempt_expired']);
  const second = await firstStep(email);
  const asMailed = await server.request('POST', api.signInWithEmailCode.path, {
    body: { temp: second, code },
  });
  expect(refusalOf(asMailed)).toEqual([422, 'attempt_expired']);
  const resend = await server.request('POST', api.signInWithEmailCode.path, { body: { temp: second } });
  expect(refusalOf(resend)).toEqual([422, 'attempt_expired']);
  const asLink = await server.request('POST', api.signInWithLink.path, { body: { token: second } });
  expect(refusalOf(asLink)).toEqual([422, 'link_expired']);
  expect(refusalOf(await secondStep(token, codeAt()))).toEqual([422, 'attempt_expired']);
});

test('The second step of a link requires that link and its own handle', async () => {
  const { email, codeAt } = await createCareful();
  await askForCode(server, email);
  const { token } = await lastCode(server.context, email);
  const verify = (body: unknown) => server.request('POST', api.signInWithLink.path, { body });
  const { temp } = (await verify({ token, code: null, temp: null })).body.data;
  expect(refusalOf(await verify({ token, code: codeAt() }))).toEqual([422, 'invalid_input']);
  expect(refusalOf(await verify({ token: 'A'.repeat(43), code: codeAt(), temp }))[1]).toBe('attempt_expired');
  const ofPassword = await firstStep(email);
  const swapped = await verify({ token, code: codeAt(), temp: ofPassword });
  expect(refusalOf(swapped)).toEqual([422, 'attempt_expired']);
  expect((await verify({ token, code: codeAt(), temp })).status).toBe(200);
});

test('A customer with passkeys only is asked for a passkey', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  await addPasskey(server.context, customer.id);
  await askForSecondStep(server.context, customer.id);
  const reply = await server.request('POST', api.signIn.path, {
    body: { email: customer.email, password: PASSWORD },
  });
  expect(reply.body.data).toMatchObject({ next: 'passkey' });
  expect(refusalOf(await secondStep(reply.body.data.temp, '123456'))).toEqual([422, 'invalid_code']);
});

test('An authenticator without two-step sign-in leaves a sign-in at one step', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  await addAuthenticator(server.context, customer.id);
  const reply = await server.request('POST', api.signIn.path, {
    body: { email: customer.email, password: PASSWORD },
  });
  expect(reply.body.data.token).toMatch(/^gw_/);
});
