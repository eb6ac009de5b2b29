import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { newId } from '#server/core/ids.ts';
import { passkeys } from '#server/database/schema/people.ts';
import {
  addPasskey,
  createSoftwarePasskey,
  type Quirks,
  type SoftwarePasskey,
} from '#tests/factories/passkey.ts';
import { addAuthenticator, askForSecondStep } from '#tests/factories/second-step.ts';
import { newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { type Owner, openOwner } from './owner.ts';

const NOW = '2026-06-01T15:00:00.000Z';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.clock.set(NOW));

function ask(owner: Owner, from = newAddress()) {
  return server.request('POST', api.createPasskeyChallenge.path, { token: owner.token, from });
}

async function begin(owner: Owner) {
  const reply = await ask(owner);
  expect(reply.status).toBe(200);
  return reply.body.data;
}

function newDevice(): SoftwarePasskey {
  return createSoftwarePasskey({ origin: server.context.config.origins.portal });
}

async function add(owner: Owner, { device = newDevice(), quirks = {}, name }: AddOptions = {}) {
  const { temp, options } = await begin(owner);
  return owner.call('POST', api.listPasskeys.path, {
    temp,
    ...(name === undefined ? {} : { name }),
    response: device.register(options, quirks),
  });
}
type AddOptions = { device?: SoftwarePasskey; quirks?: Quirks; name?: string };

async function list(owner: Owner) {
  return (await owner.call('GET', api.listPasskeys.path)).body.data;
}

test('A browser is asked for a discoverable passkey of the parent domain with a user handle that reveals nothing', async () => {
  const owner = await openOwner(server);
  const { options } = await begin(owner);
  expect(options).toMatchObject({
    rp: { id: server.context.config.parentDomain },
    user: { name: owner.customer.email, displayName: owner.customer.name },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    excludeCredentials: [],
  });
  expect(options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7, -257]);
  expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
  expect((await begin(owner)).options.user.id).toBe(options.user.id);
});

test('An added passkey signs in, is listed, and is not created twice on one device', async () => {
  const owner = await openOwner(server);
  const device = newDevice();
  const reply = await add(owner, { device, name: 'My phone' });
  expect(reply.status).toBe(201);
  expect(reply.body.data).toEqual({
    id: expect.stringMatching(/^pky_/),
    name: 'My phone',
    inserted_at: NOW,
    last_used_at: null,
    backed_up: false,
    credential_id: device.credentialId,
  });
  expect(await owner.told()).toEqual(['passkey_added']);
  expect((await begin(owner)).options.excludeCredentials).toEqual([
    { id: device.credentialId, type: 'public-key', transports: ['internal'] },
  ]);
  const asked = (await server.request('GET', api.getPasskeyChallenge.path, { from: newAddress() })).body.data;
  const signedIn = await server.request('POST', api.signInWithPasskey.path, {
    body: { temp: asked.temp, response: device.assert(asked.options) },
    from: newAddress(),
  });
  expect(signedIn.status).toBe(200);
  expect((await list(owner))[0]).toMatchObject({ name: 'My phone', last_used_at: NOW });
});

test('A passkey without a name is named after the device', async () => {
  const owner = await openOwner(server);
  const { temp, options } = await begin(owner);
  const reply = await server.request('POST', api.listPasskeys.path, {
    token: owner.token,
    body: { temp, response: newDevice().register(options) },
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Version/19.0 Mobile/1 Safari/604.1' },
  });
  expect(reply.body.data.name).toBe('Safari on iPhone');
});

test.each<[string, Quirks]>([
  ['for another site', { origin: 'https://evil.example' }],
  ['for a host of ours that has no sign-in', { origin: 'http://pay.ferry.localhost:8080' }],
  ['for another domain', { rpId: 'evil.example' }],
  ['for one host instead of all', { rpId: 'my.ferry.localhost' }],
  ['to another challenge', { challenge: 'A'.repeat(43) }],
  ['while nobody was there', { userPresent: false }],
  ['as if it signed in', { type: 'webauthn.get' }],
])('A passkey created %s is refused', async (_, quirks) => {
  const owner = await openOwner(server);
  expect(refusalOf(await add(owner, { quirks }))).toEqual([422, 'passkey_refused']);
  expect(await list(owner)).toEqual([]);
  expect(await owner.told()).toEqual([]);
});

test('A malformed answer is refused', async () => {
  const owner = await openOwner(server);
  for (const damage of [
    { clientDataJSON: '' },
    { clientDataJSON: 'bm90IGpzb24' },
    { attestationObject: 'AAAA' },
    { attestationObject: 7 },
    { attestationObject: '' },
    { attestationObject: null, clientDataJSON: [] },
    { attestationObject: Buffer.alloc(30_000, 0x81).toString('base64url') },
    { attestationObject: Buffer.from('9bffffffffffffffff', 'hex').toString('base64url') },
    { attestationObject: Buffer.from('5b7fffffffffffffff', 'hex').toString('base64url') },
  ]) {
    const { temp, options } = await begin(owner);
    const response = newDevice().register(options);
    const reply = await owner.call('POST', api.listPasskeys.path, {
      temp,
      response: { ...response, response: { ...response.response, ...damage } },
    });
    expect(refusalOf(reply), JSON.stringify(damage)).toEqual([422, 'passkey_refused']);
  }
});

test('An attestation with certificates, which was not requested, is refused', async () => {
  const owner = await openOwner(server);
  const { temp, options } = await begin(owner);
  const response = newDevice().register(options);
  const object = Buffer.from(response.response.attestationObject, 'base64url');
  // {"fmt": "none", "attStmt": {} …}: the same map with another format and a statement {"x5c": []}.
  const hex = object.toString('hex');
  const none = Buffer.from('dnone').toString('hex');
  const statement = `${Buffer.from('gattStmt').toString('hex')}a0`;
  expect(hex).toContain(none);
  expect(hex).toContain(statement);
  const altered = hex
    .replace(none, Buffer.from('fpacked').toString('hex'))
    .replace(
      statement,
      `${Buffer.from('gattStmt').toString('hex')}a1${Buffer.from('cx5c').toString('hex')}80`,
    );
  const reply = await owner.call('POST', api.listPasskeys.path, {
    temp,
    response: {
      ...response,
      response: {
        ...response.response,
        attestationObject: Buffer.from(altered, 'hex').toString('base64url'),
      },
    },
  });
  expect(refusalOf(reply)).toEqual([422, 'passkey_refused']);
});

test('A registration challenge is valid once, for five minutes and for its owner', async () => {
  const owner = await openOwner(server);
  const stranger = await openOwner(server);
  const { temp, options } = await begin(owner);
  const body = { temp, response: newDevice().register(options) };
  expect(refusalOf(await stranger.call('POST', api.listPasskeys.path, body))).toEqual([
    422,
    'attempt_expired',
  ]);
  expect((await owner.call('POST', api.listPasskeys.path, body)).status).toBe(201);
  expect(refusalOf(await owner.call('POST', api.listPasskeys.path, body))).toEqual([422, 'attempt_expired']);
  const late = await begin(owner);
  server.clock.advance(5 * 60_000);
  const tooLate = { temp: late.temp, response: newDevice().register(late.options) };
  expect(refusalOf(await owner.call('POST', api.listPasskeys.path, tooLate))).toEqual([
    422,
    'attempt_expired',
  ]);
});

test('A challenge to sign in registers no passkey, and one to register a passkey does not sign in', async () => {
  const owner = await openOwner(server);
  const device = await addPasskey(server.context, owner.customer.id);
  const signIn = (await server.request('GET', api.getPasskeyChallenge.path, { from: newAddress() })).body
    .data;
  const adding = await begin(owner);
  const made = newDevice().register({ ...adding.options, challenge: signIn.options.challenge });
  expect(
    refusalOf(await owner.call('POST', api.listPasskeys.path, { temp: signIn.temp, response: made })),
  ).toEqual([422, 'attempt_expired']);
  const reply = await server.request('POST', api.signInWithPasskey.path, {
    body: { temp: adding.temp, response: device.assert(adding.options) },
    from: newAddress(),
  });
  expect(refusalOf(reply)).toEqual([422, 'attempt_expired']);
});

test('A passkey registered without user verification always counts as one step', async () => {
  const owner = await openOwner(server);
  const device = newDevice();
  await add(owner, { device, quirks: { userVerified: false } });
  await askForSecondStep(server.context, owner.customer.id);
  // A key without a PIN accepts the first one that is set, even by its finder.
  const given = await server.request('GET', api.getPasskeyChallenge.path, { from: newAddress() });
  const { temp, options } = given.body.data;
  const body = { temp, response: device.assert(options, { userVerified: true }) };
  const reply = await server.request('POST', api.signInWithPasskey.path, { body, from: newAddress() });
  expect(refusalOf(reply)).toEqual([422, 'passkey_refused']);
});

test('The same passkey is not added twice, to this account or another', async () => {
  const owner = await openOwner(server);
  const stranger = await openOwner(server);
  const device = newDevice();
  expect((await add(owner, { device })).status).toBe(201);
  expect(refusalOf(await add(owner, { device }))).toEqual([422, 'passkey_exists']);
  expect(refusalOf(await add(stranger, { device }))).toEqual([422, 'passkey_exists']);
  expect(await list(owner)).toHaveLength(1);
});

test('An account can have at most twenty passkeys', async () => {
  const owner = await openOwner(server);
  const { temp, options } = await begin(owner);
  await server.context.db.insert(passkeys).values(
    Array.from({ length: 20 }, (_, index) => ({
      id: newId('pky'),
      customerId: owner.customer.id,
      credentialId: `${owner.customer.id}-${index}`,
      publicKey: '',
      counter: 0,
      transports: [],
      backedUp: false,
      aaguid: '',
      name: `Passkey ${index}`,
      insertedAt: server.clock.now(),
    })),
  );
  expect(refusalOf(await ask(owner))).toEqual([422, 'too_many_passkeys']);
  const reply = await owner.call('POST', api.listPasskeys.path, {
    temp,
    response: newDevice().register(options),
  });
  expect(refusalOf(reply)).toEqual([422, 'too_many_passkeys']);
});

test('One network gets sixty challenges a minute', async () => {
  const owner = await openOwner(server);
  const from = newAddress();
  const replies = await Promise.all(Array.from({ length: 61 }, () => ask(owner, from)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(1);
});

test('The owner can rename a passkey', async () => {
  const owner = await openOwner(server);
  const { id } = (await add(owner)).body.data;
  const path = fillPath(api.renamePasskey.path, { id });
  expect((await owner.call('PATCH', path, { name: '  Blue key ' })).body.data.name).toBe('Blue key');
  expect((await list(owner))[0].name).toBe('Blue key');
  for (const name of ['', '   ', 'x'.repeat(61), 'a\u202eb']) {
    expect(refusalOf(await owner.call('PATCH', path, { name }))).toEqual([422, 'invalid_input']);
  }
});

test('A removed passkey no longer signs in', async () => {
  const owner = await openOwner(server);
  const device = newDevice();
  const { id } = (await add(owner, { device })).body.data;
  expect((await owner.call('DELETE', fillPath(api.renamePasskey.path, { id }))).status).toBe(200);
  expect(await list(owner)).toEqual([]);
  expect(await owner.told()).toEqual(['passkey_added', 'passkey_removed']);
  const asked = (await server.request('GET', api.getPasskeyChallenge.path, { from: newAddress() })).body.data;
  const reply = await server.request('POST', api.signInWithPasskey.path, {
    body: { temp: asked.temp, response: device.assert(asked.options) },
    from: newAddress(),
  });
  expect(refusalOf(reply)).toEqual([422, 'unknown_credential']);
});

test('The passkey of another customer answers 404', async () => {
  const owner = await openOwner(server);
  const stranger = await openOwner(server);
  const { id } = (await add(stranger)).body.data;
  for (const other of [id, 'pky_1', "' or 1=1 --", '%00']) {
    const path = fillPath(api.renamePasskey.path, { id: other });
    expect(refusalOf(await owner.call('DELETE', path))).toEqual([404, 'not_found']);
    expect(refusalOf(await owner.call('PATCH', path, { name: 'Mine' }))).toEqual([404, 'not_found']);
  }
  expect(await list(owner)).toEqual([]);
  expect((await list(stranger))[0].name).not.toBe('Mine');
});

test('The last passkey can be removed only when there is another second factor', async () => {
  const owner = await openOwner(server);
  const first = (await add(owner)).body.data.id;
  const second = (await add(owner)).body.data.id;
  await askForSecondStep(server.context, owner.customer.id);
  const remove = (id: string) => owner.call('DELETE', fillPath(api.renamePasskey.path, { id }));
  expect((await remove(first)).status).toBe(200);
  expect(refusalOf(await remove(second))).toEqual([422, 'last_second_factor']);
  expect(await list(owner)).toHaveLength(1);
  await addAuthenticator(server.context, owner.customer.id);
  expect((await remove(second)).status).toBe(200);
});

test('Removing the last two factors concurrently leaves one', async () => {
  const owner = await openOwner(server);
  const first = (await add(owner)).body.data.id;
  const second = (await add(owner)).body.data.id;
  await askForSecondStep(server.context, owner.customer.id);
  const replies = await Promise.all(
    [first, second].map((id) => owner.call('DELETE', fillPath(api.renamePasskey.path, { id }))),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await list(owner)).toHaveLength(1);
});

test('A passkey whose counter decreases is logged without its owner', async () => {
  const owner = await openOwner(server);
  const device = await addPasskey(server.context, owner.customer.id);
  const signIn = async (counter: number) => {
    const asked = (await server.request('GET', api.getPasskeyChallenge.path, { from: newAddress() })).body
      .data;
    return server.request('POST', api.signInWithPasskey.path, {
      body: { temp: asked.temp, response: device.assert(asked.options, { counter }) },
      from: newAddress(),
    });
  };
  expect((await signIn(7)).status).toBe(200);
  server.logged.length = 0;
  expect(refusalOf(await signIn(6))).toEqual([422, 'passkey_refused']);
  const noted = server.logged.filter(({ event }) => event === 'a passkey counted backwards');
  expect(noted).toEqual([expect.objectContaining({ level: 'warn', passkey_id: (await list(owner))[0].id })]);
  expect(JSON.stringify(server.logged)).not.toContain(owner.customer.id);
});

test('An invalid passkey response of any form does not sign in', async () => {
  const owner = await openOwner(server);
  const device = await addPasskey(server.context, owner.customer.id);
  const withExtensions = Buffer.concat([
    createHash('sha256').update(server.context.config.parentDomain).digest(),
    Buffer.from([0x85, 0, 0, 0, 9]),
    Buffer.alloc(20_000, 0x81),
  ]);
  for (const damage of [
    { authenticatorData: '' },
    { authenticatorData: 'AAAA' },
    { authenticatorData: 7 },
    { authenticatorData: withExtensions.toString('base64url') },
    { clientDataJSON: 'e30' },
    { clientDataJSON: Buffer.from('null').toString('base64url') },
    { clientDataJSON: Buffer.from('['.repeat(20_000)).toString('base64url') },
    { signature: '' },
    { signature: 'AAAA' },
    { signature: {} },
    { userHandle: {} },
    { userHandle: 'AAAA' },
  ]) {
    const asked = (await server.request('GET', api.getPasskeyChallenge.path, { from: newAddress() })).body
      .data;
    const answer = device.assert(asked.options);
    const reply = await server.request('POST', api.signInWithPasskey.path, {
      body: { temp: asked.temp, response: { ...answer, response: { ...answer.response, ...damage } } },
      from: newAddress(),
    });
    expect(refusalOf(reply), JSON.stringify(damage).slice(0, 80)).toEqual([422, 'passkey_refused']);
  }
});
