import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import { signInChallenges } from '#server/database/schema/people.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { askForCode, newAddress } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';
import { register } from '../accounts/mailed-links.ts';

/* Neither a response nor its timing may reveal whether an address has an account. */

const argon2 = vi.spyOn(crypto, 'argon2');
syncBuiltinESMExports();

let server: TestServer;
let statements: string[] = [];
let stopListening: () => void;
beforeAll(async () => {
  server = await openTestServer();
  stopListening = listen();
});
afterAll(async () => {
  stopListening();
  argon2.mockRestore();
  syncBuiltinESMExports();
  await server.close();
});

type Prepared = { queryString: string; execute: (...values: unknown[]) => unknown };
type Session = { prepareQuery: (query: { sql: string; params: unknown[] }) => Prepared };

/**
 * Records the text of each statement sent to the database, without its parameters.
 * @returns stops it
 */
function listen(): () => void {
  const { session } = server.context.db._ as unknown as { session: Session };
  // Statements may have been prepared before.
  const prepared = Object.getPrototypeOf(session.prepareQuery({ sql: 'select 1', params: [] })) as Prepared;
  const { execute } = prepared;
  prepared.execute = function (...values) {
    statements.push(this.queryString);
    return execute.apply(this, values);
  };
  return () => {
    prepared.execute = execute;
  };
}

/** A response without the values that differ in every response. */
function shapeOf({ status, body, headers }: TestReply) {
  const own = [...headers].filter(([name]) => name !== 'x-request-id');
  const text = JSON.stringify(body).replace(/"temp":"[\w-]{43}"/g, '"temp":"…"');
  return { status, text, headers: own };
}

async function observe(ask: () => Promise<TestReply>) {
  statements = [];
  argon2.mockClear();
  const shape = shapeOf(await ask());
  return { shape, statements: [...statements], hashes: argon2.mock.calls.length };
}

function signIn(body: unknown, from = newAddress()) {
  return server.request('POST', api.signIn.path, { body, from });
}

function reset(email: string) {
  return server.request('POST', api.sendResetInstructions.path, { body: { email }, from: newAddress() });
}

function magicLink(body: unknown) {
  return server.request('POST', api.signInWithEmailCode.path, { body, from: newAddress() });
}

test('A wrong password costs one hash and the same statements for known and unknown addresses', async () => {
  const known = await createCustomer(server.context, { password: PASSWORD });
  const without = await createCustomer(server.context);
  const switchedOff = await createCustomer(server.context, { password: PASSWORD, passwordFailures: 100 });
  const expected = await observe(() => signIn({ email: 'nobody@example.com', password: 'wrong' }));
  expect(expected.hashes).toBe(1);
  expect(expected.statements.length).toBeGreaterThan(3);
  for (const { email } of [known, without, switchedOff]) {
    expect(await observe(() => signIn({ email, password: 'wrong' }))).toEqual(expected);
  }
  expect(await observe(() => signIn({ email: switchedOff.email, password: PASSWORD }))).toEqual(expected);
});

test('Requesting a code costs the same statements and one mail for known and unknown addresses', async () => {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const known = await observe(() => signIn({ email }));
  const unknown = await observe(() => signIn({ email: 'stranger@example.com' }));
  expect(unknown).toEqual(known);
  expect(known.statements.filter((each) => each.startsWith('insert into "mails"'))).toHaveLength(1);
  const [mail, ...more] = await mailsTo(server.context, 'stranger@example.com');
  expect(more).toEqual([]);
  expect(mail).toEqual({ kind: 'no-account', data: { device: 'Unknown device' } });
});

test('Requesting a password reset costs the same statements and one mail for known and unknown addresses', async () => {
  const { email } = await createCustomer(server.context);
  const [known, unknown] = [await observe(() => reset(email)), await observe(() => reset('no@example.com'))];
  expect(known.statements.filter((each) => each.startsWith('insert into "mails"'))).toHaveLength(1);
  expect(unknown).toEqual(known);
});

test('Registering costs the same hashes, statements and one mail for known and unknown addresses', async () => {
  const { email } = await createCustomer(server.context);
  // The settings are read once, and the second registration of an address finds the rows of the first.
  await register(server, { email: 'first@example.com' });
  for (let time = 0; time < 2; time += 1) {
    const unknown = await observe(() => register(server, { email: 'none@example.com' }));
    expect(unknown.statements.filter((each) => each.startsWith('insert into "mails"'))).toHaveLength(1);
    expect(await observe(() => register(server, { email }))).toEqual(unknown);
  }
});

test('Changing the address costs the same statements for a taken and a free address', async () => {
  const { email } = await createCustomer(server.context);
  const change = async (newEmail: string) => {
    const { id } = await createCustomer(server.context, { email: `from-${newEmail}` });
    const token = await startSession(server.context, id);
    const body = { new_email: newEmail };
    const { shape, ...costs } = await observe(() =>
      server.request('POST', api.changeEmail.path, { token, body }),
    );
    return { status: shape.status, ...costs };
  };
  expect(await change(email)).toEqual(await change('free@example.com'));
});

test('Six guesses and a request for another mail get the same responses for an unknown address', async () => {
  const { email } = await createCustomer(server.context);
  const walk = async (address: string) => {
    const temp = await askForCode(server, address);
    const seen = [];
    for (let index = 0; index < 4; index += 1) {
      seen.push(await observe(() => magicLink({ temp, code: `00000${index}` })));
    }
    seen.push(await observe(() => magicLink({ temp })));
    server.clock.advance(60_000);
    seen.push(await observe(() => magicLink({ temp })));
    for (const code of ['000004', '000005']) seen.push(await observe(() => magicLink({ temp, code })));
    return seen;
  };
  const known = await walk(email);
  const unknown = await walk('another@example.com');
  expect(unknown).toEqual(known);
  expect(known.map(({ shape }) => shape.status)).toEqual([422, 422, 422, 422, 429, 200, 422, 422]);
});

test('No digits are accepted for an unknown address', async () => {
  const temp = await askForCode(server, 'ghost@example.com');
  const ghosts = eq(signInChallenges.email, 'ghost@example.com');
  const [attempt] = await server.context.db.select().from(signInChallenges).where(ghosts);
  const codeMac = server.context.vault.sign('sign-in-code', `${attempt?.id}123456`);
  await server.context.db.update(signInChallenges).set({ codeMac }).where(ghosts);
  const reply = await magicLink({ temp, code: '123456' });
  expect(reply.body.errors[0].code).toBe('invalid_code');
});

test('The limits of a mailbox also apply to unknown addresses', async () => {
  const { email } = await createCustomer(server.context);
  const ask = async (address: string) => {
    const seen = [];
    for (let index = 0; index < 6; index += 1) seen.push(await observe(() => signIn({ email: address })));
    return seen;
  };
  expect(await ask('capped@example.com')).toEqual(await ask(email));
});

test('The mail to an unknown address contains no text from the request', async () => {
  await server.request('POST', api.signIn.path, {
    body: { email: 'bombed@example.com' },
    headers: { 'user-agent': 'Visit http://evil.test now' },
    from: newAddress(),
  });
  const mails = await mailsTo(server.context, 'bombed@example.com');
  expect(mails).toEqual([{ kind: 'no-account', data: { device: 'Unknown device' } }]);
});
