import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { giveAuthenticator, tokenMailedTo } from './mailed-links.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

type Overrides = Parameters<typeof createCustomer>[1];

async function signedIn(overrides?: Overrides) {
  const customer = await createCustomer(server.context, overrides);
  const token = await startSession(server.context, customer.id);
  return {
    customer,
    token,
    /** The kinds of mail that the owner got, in alphabetical order. */
    events: async () =>
      (await mailsTo(server.context, customer.email)).map(({ data }) => data.event).toSorted(),
    details: () => server.request('GET', api.getDetails.path, { token }),
    change: (body: unknown) => server.request('PATCH', api.changeDetails.path, { token, body }),
  };
}

test('The response contains the details in the envelope and at the top level', async () => {
  const { customer, details } = await signedIn({ phone: '+12065550100' });
  const expected = {
    id: customer.id,
    email: customer.email,
    name: 'Ada Byron',
    phone: '+12065550100',
    pending_email: '',
    mfa_required: false,
    beta_tester: false,
    language: null,
  };
  const reply = await details();
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ ...expected, success: true, data: expected, errors: [], status_code: 200 });
});

test('Name and phone change together, and the response contains the stored values', async () => {
  const { change, details } = await signedIn();
  const reply = await change({ name: '  Grace Hopper ', phone: '+1 (206) 555-0100' });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ name: 'Grace Hopper', phone: '+12065550100' });
  expect((await details()).body.data).toEqual(reply.body.data);
});

test('The phone can be removed, and an empty change has no effect', async () => {
  const { change } = await signedIn({ phone: '+12065550100' });
  expect((await change({ phone: '' })).body.phone).toBe('');
  const reply = await change({});
  expect(reply.status).toBe(200);
  expect(reply.body.name).toBe('Ada Byron');
});

test('The current address is accepted, another one requires a separate call', async () => {
  const { customer, change } = await signedIn();
  expect((await change({ email: customer.email.toUpperCase() })).body.email).toBe(customer.email);
  const reply = await change({ email: 'new@example.com', name: 'Grace' });
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0]).toMatchObject({ code: 'use_change_email', field: 'email' });
});

test('A pending change of address can be withdrawn, but not set', async () => {
  const { change } = await signedIn({ pendingEmail: 'new@example.com' });
  const reply = await change({ pending_email: 'other@example.com' });
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].code).toBe('use_change_email');
  expect((await change({ pending_email: '' })).body.pending_email).toBe('');
});

test('Withdrawing a change of address invalidates its mailed link', async () => {
  const { change, token } = await signedIn();
  const body = { new_email: 'withdrawn@example.com' };
  await server.request('POST', api.changeEmail.path, { token, body });
  const mailed = await tokenMailedTo(server, 'withdrawn@example.com', 'confirm-email-change');
  expect((await change({ pending_email: '' })).body.pending_email).toBe('');
  const reply = await server.request('POST', api.verifyEmailChange.path, { body: { token: mailed } });
  expect(refusalOf(reply)).toEqual([422, 'link_expired']);
});

test('A second factor cannot be required without having one, and another field of the request is not changed', async () => {
  const { change, details } = await signedIn();
  const refused = await change({ mfa_required: true, name: 'Grace', phone: '+12065550100' });
  expect(refusalOf(refused)).toEqual([422, 'second_factor_missing']);
  expect((await details()).body).toMatchObject({ name: 'Ada Byron', phone: '', mfa_required: false });
  expect((await change({ mfa_required: false })).status).toBe(200);
});

test('Two-step sign-in is turned on with a factor, off only after a step-up, and the owner is notified of both', async () => {
  const { customer, change, details, events } = await signedIn();
  await giveAuthenticator(server.context, customer.id);
  expect((await change({ mfa_required: true })).body.mfa_required).toBe(true);
  const stale = await startSession(server.context, customer.id, { isFresh: false });
  const refused = await server.request('PATCH', api.changeDetails.path, {
    token: stale,
    body: { mfa_required: false },
  });
  expect(refusalOf(refused)).toEqual([403, 'step_up_required']);
  expect(refused.body.errors[0].details).toEqual({ methods: ['authenticator'] });
  expect((await details()).body.mfa_required).toBe(true);
  expect((await change({ mfa_required: false })).body.mfa_required).toBe(false);
  expect(await events()).toEqual(['mfa_off', 'mfa_on']);
});

test('Sending unchanged values back requires no step-up', async () => {
  const { customer } = await signedIn({ mfaRequired: true });
  const token = await startSession(server.context, customer.id, { isFresh: false });
  const body = { name: 'Grace', mfa_required: true, email: customer.email, pending_email: '' };
  expect((await server.request('PATCH', api.changeDetails.path, { token, body })).status).toBe(200);
});

test('The owner is notified when the phone changes, and not when it stays the same', async () => {
  const { change, events } = await signedIn({ phone: '+12065550100' });
  await change({ phone: '+1 206 555 0100', name: 'Grace' });
  expect(await events()).toEqual([]);
  await change({ phone: '' });
  expect(await events()).toEqual(['phone_changed']);
});

test.each([
  'beta_tester',
  'id',
  'email_verified',
  'email_verified_at',
  'password_hash',
  'passwordHash',
  'role',
  'stripe_customer_id',
  'balance',
  'customerId',
  '__proto__',
  'constructor',
])('A request that sets the field %s is refused and changes nothing', async (field) => {
  const { change, details } = await signedIn();
  const before = (await details()).body;
  const reply = await change(`{"name":"Mallory","${field}":true}`);
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0]).toMatchObject({ code: 'unknown_field', field });
  expect((await details()).body).toEqual(before);
});

test.each([
  ['an empty name', { name: '' }],
  ['a name of spaces', { name: '   ' }],
  ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
  ['a name with a NUL', { name: 'a\0b' }],
  ['a name with a line break', { name: 'a\r\nBcc: b@example.com' }],
  ['a name that turns its direction', { name: 'a\u202eb' }],
  ['a name with a zero-width space', { name: 'a\u200bb' }],
  ['a name with half a character', { name: 'a\ud800b' }],
  ['an object as name', { name: {} }],
  ['a list as name', { name: ['a'] }],
  ['null as name', { name: null }],
  ['a script as phone', { phone: 'javascript:alert(1)' }],
  ['a phone of letters', { phone: 'call me' }],
  ['a number as phone', { phone: 12065550100 }],
  ['full-width digits as phone', { phone: '１２３４５６７' }],
  ['a word for yes', { mfa_required: 'true' }],
  ['a number for yes', { mfa_required: 1 }],
])('A change with %s is refused and nothing is stored', async (_, body) => {
  const { change, details } = await signedIn();
  const before = (await details()).body;
  const reply = await change(body);
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].code).toBe('invalid_input');
  expect((await details()).body).toEqual(before);
});

test('A name in any script, with markup in it, is kept as the text it is', async () => {
  const { change } = await signedIn();
  for (const name of [
    'Søren Ærø',
    '山田 花子',
    'José-María d’Été',
    '<img src=x onerror=alert(1)>',
    '{{7*7}}',
  ]) {
    expect((await change({ name })).body.name).toBe(name);
  }
});

test('Two accounts cannot have one address in two spellings', async () => {
  await createCustomer(server.context, { email: 'twin@example.com' });
  await expect(createCustomer(server.context, { email: 'Twin@Example.com' })).rejects.toThrow();
});
