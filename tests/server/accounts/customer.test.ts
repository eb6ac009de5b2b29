import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiPaths } from '#contract/paths.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

type Overrides = Parameters<typeof createCustomer>[1];

async function signedIn(overrides?: Overrides) {
  const customer = await createCustomer(server.deps, overrides);
  const token = await startSession(server.deps, customer.id);
  return {
    customer,
    details: () => server.request('GET', apiPaths.customerDetails, { token }),
    change: (body: unknown) => server.request('PATCH', apiPaths.customer, { token, body }),
  };
}

test('The details stand in the envelope and at the top level', async () => {
  const { customer, details } = await signedIn({ phone: '+12065550100' });
  const expected = {
    id: customer.id,
    email: customer.email,
    name: 'Ada Byron',
    phone: '+12065550100',
    pending_email: '',
    mfa_required: false,
    beta_tester: false,
  };
  const reply = await details();
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ ...expected, success: true, data: expected, errors: [], status_code: 200 });
});

test('Name and phone change together, and the answer says what is stored', async () => {
  const { change, details } = await signedIn();
  const reply = await change({ name: '  Grace Hopper ', phone: '+1 (206) 555-0100' });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ name: 'Grace Hopper', phone: '+12065550100' });
  expect((await details()).body.data).toEqual(reply.body.data);
});

test('The phone may be removed and an empty change is none', async () => {
  const { change } = await signedIn({ phone: '+12065550100' });
  expect((await change({ phone: '' })).body.phone).toBe('');
  const reply = await change({});
  expect(reply.status).toBe(200);
  expect(reply.body.name).toBe('Ada Byron');
});

test('The same address may be sent along, another has a call of its own', async () => {
  const { customer, change } = await signedIn();
  expect((await change({ email: customer.email.toUpperCase() })).body.email).toBe(customer.email);
  const reply = await change({ email: 'new@example.com', name: 'Grace' });
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0]).toMatchObject({ code: 'use_change_email', field: 'email' });
});

test('A waiting change of address can be withdrawn and not set', async () => {
  const { change } = await signedIn({ pendingEmail: 'new@example.com' });
  const reply = await change({ pending_email: 'other@example.com' });
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].code).toBe('use_change_email');
  expect((await change({ pending_email: '' })).body.pending_email).toBe('');
});

test('A second factor cannot be required without having one, nor dropped without proof', async () => {
  const plain = await signedIn();
  const refused = await plain.change({ mfa_required: true });
  expect(refused.status).toBe(422);
  expect(refused.body.errors[0].code).toBe('second_factor_missing');
  expect((await plain.change({ mfa_required: false })).status).toBe(200);
  const secured = await signedIn({ mfaRequired: true });
  const stepUp = await secured.change({ mfa_required: false });
  expect(stepUp.status).toBe(403);
  expect(stepUp.body.errors[0].code).toBe('step_up_required');
  expect((await secured.details()).body.mfa_required).toBe(true);
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
])('The field %s cannot be set, and nothing else of the request is', async (field) => {
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
  await createCustomer(server.deps, { email: 'twin@example.com' });
  await expect(createCustomer(server.deps, { email: 'Twin@Example.com' })).rejects.toThrow();
});
