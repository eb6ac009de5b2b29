import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { createCustomer, PASSWORD } from '#tests/factories/customers.ts';
import { addPasskey, createSoftwarePasskey, type Quirks } from '#tests/factories/passkey.ts';
import { addAuthenticator, askForSecondStep } from '#tests/factories/second-step.ts';
import { countSessions, isAlive, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

type Challenge = { temp: string; options: { challenge: string; rpId: string } };

async function challenge(): Promise<Challenge> {
  const reply = await server.request('GET', api.getPasskeyChallenge.path, { from: newAddress() });
  return reply.body.data;
}

function verify(body: unknown) {
  return server.request('POST', api.signInWithPasskey.path, { body, from: newAddress() });
}

async function withPasskey() {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  return { ...customer, passkey: await addPasskey(server.context, customer.id) };
}

async function signIn({ passkey }: Awaited<ReturnType<typeof withPasskey>>, quirks: Quirks = {}) {
  const { temp, options } = await challenge();
  return verify({ temp, response: passkey.assert(options, quirks) });
}

async function firstStep(email: string): Promise<string> {
  const body = { email, password: PASSWORD };
  return (await server.request('POST', api.signIn.path, { body, from: newAddress() })).body.data.temp;
}

test('The challenge is for the parent domain, so that one passkey works on both hosts, and is not cached', async () => {
  const reply = await server.request('GET', api.getPasskeyChallenge.path);
  expect(reply.status).toBe(200);
  expect(reply.body.data.options).toMatchObject({ rpId: 'ferry.localhost', userVerification: 'preferred' });
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect((await challenge()).temp).not.toBe(reply.body.data.temp);
});

test('A passkey signs in its owner without an address', async () => {
  const customer = await withPasskey();
  const reply = await signIn(customer);
  expect(reply.status).toBe(200);
  const details = await server.request('GET', api.getDetails.path, { token: reply.body.data.token });
  expect(details.body.id).toBe(customer.id);
});

test('A passkey with user verification completes both steps', async () => {
  const customer = await withPasskey();
  await addAuthenticator(server.context, customer.id);
  await askForSecondStep(server.context, customer.id);
  const reply = await signIn(customer);
  expect(await isAlive(server, reply.body.data.token)).toBe(true);
});

test('A passkey without user verification completes only the first of two steps', async () => {
  const customer = await withPasskey();
  const codeAt = await addAuthenticator(server.context, customer.id);
  await askForSecondStep(server.context, customer.id);
  const reply = await signIn(customer, { userVerified: false });
  expect(reply.body.data).toMatchObject({ next: 'authenticator' });
  expect(await countSessions(server, customer.id)).toBe(0);
  const body = { temp: reply.body.data.temp, code: codeAt() };
  expect((await server.request('POST', api.verifySecondStep.path, { body })).status).toBe(200);
});

test('A passkey without user verification is sufficient without two-step sign-in', async () => {
  const reply = await signIn(await withPasskey(), { userVerified: false });
  expect(reply.body.data.token).toMatch(/^gw_/);
});

test('Any passkey of the account completes the second step after a password', async () => {
  const customer = await withPasskey();
  await askForSecondStep(server.context, customer.id);
  const alone = await signIn(customer, { userVerified: false });
  expect(refusalOf(alone)).toEqual([422, 'passkey_refused']);
  const firstTemp = await firstStep(customer.email);
  const { temp, options } = await challenge();
  const response = customer.passkey.assert(options, { userVerified: false });
  const reply = await verify({ temp, response, first_temp: firstTemp });
  expect(reply.status).toBe(200);
  const again = await challenge();
  const replayed = await verify({
    temp: again.temp,
    response: customer.passkey.assert(again.options),
    first_temp: firstTemp,
  });
  expect(refusalOf(replayed)).toEqual([422, 'attempt_expired']);
});

test('The passkey of another customer is refused as a second step', async () => {
  const ada = await withPasskey();
  const bob = await withPasskey();
  await askForSecondStep(server.context, ada.id);
  const firstTemp = await firstStep(ada.email);
  const { temp, options } = await challenge();
  const reply = await verify({ temp, response: bob.passkey.assert(options), first_temp: firstTemp });
  expect(refusalOf(reply)).toEqual([422, 'passkey_refused']);
  expect(await countSessions(server, ada.id)).toBe(0);
  expect(await countSessions(server, bob.id)).toBe(0);
});

test('The same passkey used twice completes only one step', async () => {
  const customer = await withPasskey();
  await addAuthenticator(server.context, customer.id);
  await askForSecondStep(server.context, customer.id);
  const first = await signIn(customer, { userVerified: false });
  const { temp, options } = await challenge();
  const response = customer.passkey.assert(options, { userVerified: false });
  const reply = await verify({ temp, response, first_temp: first.body.data.temp });
  expect(refusalOf(reply)).toEqual([422, 'passkey_refused']);
});

test('The same answer sent twice, or ten times concurrently, signs in once', async () => {
  const customer = await withPasskey();
  const { temp, options } = await challenge();
  const body = { temp, response: customer.passkey.assert(options) };
  const replies = await Promise.all(Array.from({ length: 10 }, () => verify(body)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(refusalOf(await verify(body))).toEqual([422, 'attempt_expired']);
  expect(await countSessions(server, customer.id)).toBe(1);
});

test('A challenge expires after five minutes', async () => {
  const { passkey } = await withPasskey();
  const { temp, options } = await challenge();
  server.clock.advance(5 * 60_000);
  const reply = await verify({ temp, response: passkey.assert(options) });
  expect(refusalOf(reply)).toEqual([422, 'attempt_expired']);
});

test('A foreign or altered challenge is refused', async () => {
  const { passkey } = await withPasskey();
  const { temp, options } = await challenge();
  const altered = temp.replace(/\.\d{13}\./, `.${Date.now() * 2}.`);
  for (const forged of [altered, 'A'.repeat(43), `${'A'.repeat(43)}.9999999999999.${'A'.repeat(43)}`]) {
    const reply = await verify({ temp: forged, response: passkey.assert(options) });
    expect(refusalOf(reply)).toEqual([422, 'attempt_expired']);
  }
});

test.each<[string, Quirks]>([
  ['another challenge', { challenge: 'A'.repeat(43) }],
  ['another origin', { origin: 'http://my.ferry.localhost.evil.test' }],
  ['another scheme', { origin: 'https://my.ferry.localhost:8080' }],
  ['another relying party', { rpId: 'my.ferry.localhost' }],
  ['nobody present', { userPresent: false, userVerified: false }],
  ['a registration', { type: 'webauthn.create' }],
  ['another user', { userHandle: Buffer.alloc(32).toString('base64url') }],
])('A passkey’s answer for %s is refused', async (_, quirks) => {
  const customer = await withPasskey();
  expect(refusalOf(await signIn(customer, quirks))).toEqual([422, 'passkey_refused']);
  expect(await countSessions(server, customer.id)).toBe(0);
  expect((await signIn(customer)).status).toBe(200);
});

test('A passkey whose counter decreases is refused as a copy', async () => {
  const customer = await withPasskey();
  expect((await signIn(customer, { counter: 7 })).status).toBe(200);
  for (const counter of [7, 6, 0]) {
    expect(refusalOf(await signIn(customer, { counter }))).toEqual([422, 'passkey_refused']);
  }
  expect((await signIn(customer, { counter: 8 })).status).toBe(200);
});

test('An unknown passkey is reported as such, so that its browser can forget it', async () => {
  const stranger = createSoftwarePasskey({ origin: server.context.config.origins.portal });
  const { temp, options } = await challenge();
  const reply = await verify({ temp, response: stranger.assert(options) });
  expect(refusalOf(reply)).toEqual([422, 'unknown_credential']);
});

test('The id of one passkey with the signature of another is refused', async () => {
  const ada = await withPasskey();
  const bob = await withPasskey();
  const { temp, options } = await challenge();
  const { credentialId: id } = ada.passkey;
  const response = { ...bob.passkey.assert(options), id, rawId: id };
  expect(refusalOf(await verify({ temp, response }))).toEqual([422, 'passkey_refused']);
});

test.each([
  ['nothing', {}],
  ['null', { temp: null, response: null }],
  ['no answer', { temp: 'A'.repeat(43) }],
  ['an empty answer', { temp: 'A'.repeat(43), response: {} }],
])('A body with %s is refused', async (_, body) => {
  expect(refusalOf(await verify(body))).toEqual([422, 'invalid_input']);
});

test.each([
  ['nothing in it', {}],
  ['numbers', { clientDataJSON: 1, authenticatorData: 2, signature: 3 }],
  ['rubbish', { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' }],
  ['lists', { clientDataJSON: [], authenticatorData: [], signature: [] }],
])('An answer with %s is refused and causes no server error', async (_, parts) => {
  const { passkey } = await withPasskey();
  const { temp, options } = await challenge();
  const response = { ...passkey.assert(options), response: parts };
  expect((await verify({ temp, response })).status).toBe(422);
});

test('One network gets sixty challenges a minute', async () => {
  const from = newAddress();
  for (let index = 0; index < 60; index += 1) {
    expect((await server.request('GET', api.getPasskeyChallenge.path, { from })).status).toBe(200);
  }
  const refused = await server.request('GET', api.getPasskeyChallenge.path, { from });
  expect(refusalOf(refused)).toEqual([429, 'rate_limited']);
});
