import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { findTimeStep } from '#server/credentials/authenticator-codes.ts';
import { authenticators, customers } from '#server/database/schema/people.ts';
import { checkSecondStep } from '#server/identity/security/second-step.ts';
import { PASSWORD, startSession } from '#tests/factories/customers.ts';
import { addPasskey } from '#tests/factories/passkey.ts';
import { addAuthenticator, addRecoveryCodes, askForSecondStep } from '#tests/factories/second-step.ts';
import { refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { type Owner, openOwner } from './owner.ts';

const NOW = '2026-06-01T15:00:00.000Z';
const STEP_MS = 30_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.clock.set(NOW));

async function begin(owner: Owner): Promise<{ secret: string; otpauth_uri: string }> {
  const reply = await owner.call('POST', api.setUpAuthenticator.path);
  expect(reply.status).toBe(200);
  return reply.body.data;
}

function confirm(owner: Owner, code: unknown) {
  return owner.call('POST', api.confirmAuthenticator.path, { code });
}

function codeOf(secret: string, at = server.clock.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

function wrongCodeOf(secret: string): string {
  return String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');
}

async function overview(owner: Owner) {
  return (await owner.call('GET', api.getSecurity.path)).body.data;
}

test('An authenticator’s secret is shown once, confirmed with a code, and required from then on', async () => {
  const owner = await openOwner(server);
  expect((await overview(owner)).authenticator).toEqual({ status: 'none', confirmed_at: null });
  const { secret, otpauth_uri: uri } = await begin(owner);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(new URL(uri).searchParams.get('secret')).toBe(secret);
  expect(decodeURIComponent(uri)).toContain(owner.customer.email);
  expect(await overview(owner)).toMatchObject({
    authenticator: { status: 'pending', confirmed_at: null },
    mfa_required: false,
  });
  const reply = await confirm(owner, codeOf(secret));
  expect(reply.status).toBe(200);
  const codes: string[] = reply.body.data.recovery_codes;
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
  expect(await overview(owner)).toMatchObject({
    authenticator: { status: 'active', confirmed_at: NOW },
    mfa_required: true,
    recovery_codes_left: 10,
  });
  expect(await owner.told()).toEqual(['authenticator_added']);
  expect(await owner.events()).toEqual(['authenticator_added', 'mfa_on', 'recovery_codes_made']);
});

test('Neither the secret nor a recovery code is in the database', async () => {
  const owner = await openOwner(server);
  const { secret } = await begin(owner);
  const codes: string[] = (await confirm(owner, codeOf(secret))).body.data.recovery_codes;
  const kept = JSON.stringify([
    await server.database.store.query('select * from authenticators'),
    await server.database.store.query('select * from recovery_codes'),
    await server.database.store.query('select * from mails'),
  ]);
  for (const word of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
    expect(kept).not.toContain(word);
  }
});

test.each([
  ['full-width digits', '１２３４５６'],
  ['null', null],
  ['a list', ['123456']],
  ['a number', 123456],
  ['letters', 'abcdef'],
  ['a recovery code', 'ABCD-EFGH-2345-WXYZ'],
])('A malformed code is refused: %s', async (_, code) => {
  const owner = await openOwner(server);
  await begin(owner);
  expect(refusalOf(await confirm(owner, code))).toEqual([422, 'invalid_input']);
});

test('A secret accepts five wrong codes; another secret accepts another five', async () => {
  const owner = await openOwner(server);
  const first = await begin(owner);
  for (let index = 0; index < 5; index += 1) {
    expect(refusalOf(await confirm(owner, wrongCodeOf(first.secret)))).toEqual([422, 'invalid_code']);
  }
  expect(refusalOf(await confirm(owner, codeOf(first.secret)))).toEqual([429, 'rate_limited']);
  const second = await begin(owner);
  expect(refusalOf(await confirm(owner, codeOf(first.secret)))).toEqual([422, 'invalid_code']);
  expect((await confirm(owner, codeOf(second.secret))).status).toBe(200);
});

test('Confirming without a secret, or with one an hour old, is refused', async () => {
  const owner = await openOwner(server);
  expect(refusalOf(await confirm(owner, '123456'))).toEqual([422, 'attempt_expired']);
  const { secret } = await begin(owner);
  server.clock.advance(3_600_000);
  expect((await overview(owner)).authenticator.status).toBe('none');
  const token = await startSession(server.context, owner.customer.id);
  const reply = await server.request('POST', api.confirmAuthenticator.path, {
    token,
    body: { code: codeOf(secret) },
  });
  expect(refusalOf(reply)).toEqual([422, 'attempt_expired']);
});

test('Ten concurrent confirmations with the same code have one effect', async () => {
  const owner = await openOwner(server);
  const { secret } = await begin(owner);
  const code = codeOf(secret);
  const replies = await Promise.all(Array.from({ length: 10 }, () => confirm(owner, code)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await overview(owner)).recovery_codes_left).toBe(10);
});

test('A second authenticator has to wait until the first is removed', async () => {
  const owner = await openOwner(server);
  await addAuthenticator(server.context, owner.customer.id);
  expect(refusalOf(await owner.call('POST', api.setUpAuthenticator.path))).toEqual([
    422,
    'authenticator_active',
  ]);
  expect(refusalOf(await confirm(owner, '123456'))).toEqual([422, 'authenticator_active']);
});

test('The last second factor cannot be removed while two-step sign-in is on', async () => {
  const owner = await openOwner(server);
  await addAuthenticator(server.context, owner.customer.id);
  await addRecoveryCodes(server.context, owner.customer.id);
  await askForSecondStep(server.context, owner.customer.id);
  const refused = await owner.call('DELETE', api.setUpAuthenticator.path);
  expect(refusalOf(refused)).toEqual([422, 'last_second_factor']);
  expect((await overview(owner)).authenticator.status).toBe('active');
  await addPasskey(server.context, owner.customer.id);
  expect((await owner.call('DELETE', api.setUpAuthenticator.path)).status).toBe(200);
  expect(await overview(owner)).toMatchObject({
    authenticator: { status: 'none' },
    passkeys: 1,
    recovery_codes_left: 10,
  });
  expect(await owner.told()).toEqual(['authenticator_removed']);
});

test('Removing the last factor removes the recovery codes too', async () => {
  const owner = await openOwner(server);
  await addAuthenticator(server.context, owner.customer.id);
  await addRecoveryCodes(server.context, owner.customer.id);
  expect((await owner.call('DELETE', api.setUpAuthenticator.path)).status).toBe(200);
  expect((await overview(owner)).recovery_codes_left).toBe(0);
  expect(refusalOf(await owner.call('DELETE', api.setUpAuthenticator.path))).toEqual([404, 'not_found']);
});

test('An unconfirmed secret expires without a mail', async () => {
  const owner = await openOwner(server);
  await begin(owner);
  expect((await owner.call('DELETE', api.setUpAuthenticator.path)).status).toBe(200);
  expect((await overview(owner)).authenticator.status).toBe('none');
  expect(await owner.told()).toEqual([]);
});

test('Two-step sign-in is turned on with a factor and off with a step-up', async () => {
  const owner = await openOwner(server);
  const patch = (isOn: boolean) => owner.call('PATCH', api.changeDetails.path, { mfa_required: isOn });
  expect(refusalOf(await patch(true))).toEqual([422, 'second_factor_missing']);
  await addAuthenticator(server.context, owner.customer.id);
  expect((await patch(true)).body.mfa_required).toBe(true);
  expect((await patch(false)).body.mfa_required).toBe(false);
  expect(await owner.told()).toEqual(['mfa_off', 'mfa_on']);
  await patch(true);
  server.clock.advance(10 * 60_000);
  expect(refusalOf(await patch(false))).toEqual([403, 'step_up_required']);
  expect((await overview(owner)).mfa_required).toBe(true);
});

test('A session with a weaker step-up needs a stronger one to turn two-step sign-in off', async () => {
  for (const direction of ['confirm', 'patch']) {
    const owner = await openOwner(server, { password: PASSWORD });
    const thief = await startSession(server.context, owner.customer.id);
    if (direction === 'confirm') await confirm(owner, codeOf((await begin(owner)).secret));
    else {
      await addAuthenticator(server.context, owner.customer.id);
      await owner.call('PATCH', api.changeDetails.path, { mfa_required: true });
    }
    const off = { mfa_required: false };
    const reply = await server.request('PATCH', api.changeDetails.path, { token: thief, body: off });
    expect(refusalOf(reply)).toEqual([403, 'step_up_required']);
    expect(reply.body.errors[0].details).toEqual({ methods: ['authenticator'] });
    expect((await owner.call('PATCH', api.changeDetails.path, off)).status).toBe(200);
  }
});

test('New recovery codes replace the old ones, and require a second factor', async () => {
  const owner = await openOwner(server);
  const renew = () => owner.call('POST', api.renewRecoveryCodes.path);
  expect(refusalOf(await renew())).toEqual([422, 'second_factor_missing']);
  await addPasskey(server.context, owner.customer.id);
  const [old = ''] = (await renew()).body.data.recovery_codes;
  const [fresh = ''] = (await renew()).body.data.recovery_codes;
  await expect(check(owner, old)).rejects.toMatchObject({ code: 'invalid_code' });
  await check(owner, fresh);
  expect((await overview(owner)).recovery_codes_left).toBe(9);
  expect(await owner.told()).toEqual(['recovery_code_used', 'recovery_codes_made', 'recovery_codes_made']);
});

function check(owner: Owner, code: string): Promise<void> {
  return checkSecondStep(server.context, {
    customerId: owner.customer.id,
    code: code.replaceAll('-', ''),
    device: 'Firefox on Linux',
  });
}

/** RFC 6238, appendix B, SHA-1; the last six of its eight digits. */
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

test.each(VECTORS)(
  'At second %i the code is that of RFC 6238, and is accepted once',
  async (seconds, code) => {
    const secret = Secret.fromLatin1('12345678901234567890').base32;
    server.clock.set(new Date(seconds * 1000).toISOString());
    const owner = await openOwner(server);
    await server.context.db.insert(authenticators).values({
      customerId: owner.customer.id,
      encryptedSecret: server.context.vault.encrypt(secret),
      confirmedAt: server.clock.now(),
      insertedAt: server.clock.now(),
    });
    expect(findTimeStep(secret, code, server.clock.now())).toBe(Math.floor(seconds / 30));
    await check(owner, code);
    await expect(check(owner, code)).rejects.toMatchObject({ code: 'invalid_code' });
  },
);

test('A code is accepted one step early or late, and only as six plain digits', async () => {
  const secret = Secret.fromLatin1('12345678901234567890').base32;
  const at = (steps: number) =>
    findTimeStep(secret, codeOf(secret), new Date(Date.parse(NOW) + steps * STEP_MS));
  const step = Date.parse(NOW) / STEP_MS;
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step, step, step, null]);
  for (const code of ['', '12345', '1234567', '１２３４５６', ' 12345']) {
    expect(findTimeStep(secret, code, server.clock.now())).toBeNull();
  }
});

test('One recovery code sent ten times concurrently is accepted once', async () => {
  const owner = await openOwner(server);
  await addAuthenticator(server.context, owner.customer.id);
  const [code = ''] = await addRecoveryCodes(server.context, owner.customer.id);
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => check(owner, code)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await overview(owner)).recovery_codes_left).toBe(9);
  expect(await owner.told()).toContain('recovery_code_used');
});

test('The codes of one customer are refused for another', async () => {
  const owner = await openOwner(server);
  const stranger = await openOwner(server);
  const code = await addAuthenticator(server.context, stranger.customer.id);
  const [recovery = ''] = await addRecoveryCodes(server.context, stranger.customer.id);
  await addAuthenticator(server.context, owner.customer.id);
  await expect(check(owner, code())).rejects.toMatchObject({ code: 'invalid_code' });
  await expect(check(owner, recovery)).rejects.toMatchObject({ code: 'invalid_code' });
  await check(stranger, code());
});

async function missTenTimes(owner: Owner): Promise<void> {
  for (let index = 0; index < 10; index += 1) {
    await expect(check(owner, 'AAAAAAAAAAAAAAAA')).rejects.toMatchObject({ code: 'invalid_code' });
  }
}

async function missOnceAfter(owner: Owner, misses: number): Promise<void> {
  await server.context.db
    .update(customers)
    .set({ secondStepFailures: misses })
    .where(eq(customers.id, owner.customer.id));
  await expect(check(owner, 'AAAAAAAAAAAAAAAA')).rejects.toMatchObject({ code: 'invalid_code' });
}

test('Ten wrong codes in a row lock the second step for 15 minutes, ten more for twice that, up to a day', async () => {
  const owner = await openOwner(server);
  const code = await addAuthenticator(server.context, owner.customer.id);
  const minutes = [15, 30, 60, 120, 240, 480, 960, 1440, 1440];
  for (const [round, wait] of minutes.entries()) {
    // Only the first ten are tried one by one; each try costs a slow hash.
    if (round === 0) await missTenTimes(owner);
    else await missOnceAfter(owner, round * 10 + 9);
    await expect(check(owner, code())).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: wait * 60,
    });
    server.clock.advance(wait * 60_000);
  }
  expect(await owner.told()).toEqual(minutes.map(() => 'second_step_locked'));
  await check(owner, code());
  await missTenTimes(owner);
  await expect(check(owner, code())).rejects.toMatchObject({ retryAfter: 15 * 60 });
});

test('Of fifty concurrent guesses ten are checked', async () => {
  const owner = await openOwner(server);
  await addAuthenticator(server.context, owner.customer.id);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, () => check(owner, 'AAAAAAAAAAAAAAAA')),
  );
  const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : null));
  expect(codes.filter((code) => code === 'invalid_code')).toHaveLength(10);
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(40);
  expect(await owner.told()).toEqual(['second_step_locked']);
});

test('A right code resets the count of wrong ones, also as the tenth try', async () => {
  const owner = await openOwner(server);
  const code = await addAuthenticator(server.context, owner.customer.id);
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 9; index += 1) {
      await expect(check(owner, 'AAAAAAAAAAAAAAAA')).rejects.toMatchObject({ code: 'invalid_code' });
    }
    await check(owner, code());
    server.clock.advance(STEP_MS);
  }
  expect(await owner.told()).toEqual([]);
});
