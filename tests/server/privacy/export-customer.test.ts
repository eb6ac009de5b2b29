import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { newId } from '#server/core/ids.ts';
import { passkeys, recoveryCodes } from '#server/database/schema/people.ts';
import { assignGuestOrders } from '#server/identity/customers.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { must } from '#tests/factories/buyer.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { isAlive, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { askForReset, giveAuthenticator, newMailbox } from '../identity/accounts/mailed-links.ts';

const DAY = 86_400_000;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function signedIn(overrides: Parameters<typeof createCustomer>[1] = {}) {
  const customer = await createCustomer(server.context, { email: newMailbox(), ...overrides });
  const token = await startSession(server.context, customer.id);
  return { customer, token, take: () => server.request('POST', api.exportCustomer.path, { token }) };
}

test('A copy needs a session and a step-up', async () => {
  const { customer } = await signedIn();
  expect(refusalOf(await server.request('POST', api.exportCustomer.path))).toEqual([401, 'unauthenticated']);
  const token = await startSession(server.context, customer.id, { isFresh: false });
  const reply = await server.request('POST', api.exportCustomer.path, { token });
  expect(refusalOf(reply)).toEqual([403, 'step_up_required']);
});

test('The copy contains all data about its owner, by section, and no secret', async () => {
  const name = '<img src=x onerror=alert(1)> {{7*7}}';
  const { context } = server;
  const { customer, token, take } = await signedIn({ name, password: PASSWORD, phone: '+12065550100' });
  const order = await buildConfirmedOrder(context, {
    email: customer.email,
    reference: 'EEEE-0001',
    name,
    travelerNames: ['Ada'],
  });
  await assignGuestOrders(context.db, customer);
  await queueOrderMail(context.db, context, { kind: 'order-confirmed', orderId: order.id });
  await giveAuthenticator(context, customer.id);
  const publicKey = 'cose-key-of-the-phone';
  await context.db.insert(passkeys).values({
    id: newId('pky'),
    customerId: customer.id,
    credentialId: 'credential-of-the-phone',
    publicKey,
    counter: 3,
    transports: ['internal'],
    backedUp: true,
    aaguid: '',
    name: 'Phone',
    insertedAt: server.clock.now(),
  });
  await context.db
    .insert(recoveryCodes)
    .values({ id: newId('rcv'), customerId: customer.id, prefix: 'WXYZ', codeHash: '$argon2id$recovery' });
  await server.request('PATCH', api.changeDetails.path, { token, body: { phone: '+12065550199' } });
  await askForReset(server, customer.email);

  const vehicle = { type: 'car', length_cm: 480 };
  must(await server.request('POST', api.saveVehicle.path, { token, body: { vehicle, plate: '5KJH 220' } }));
  must(await server.request('POST', api.saveTraveler.path, { token, body: { name: 'Ben', type: 'child' } }));

  const reply = await take();
  expect(reply.status).toBe(200);
  const { data } = reply.body;
  expect(Object.keys(data)).toEqual([
    'exported_at',
    'customer',
    'two_step_sign_in',
    'passkeys',
    'sessions',
    'security_events',
    'payment_cards',
    'trip_cards',
    'saved_party',
    'orders',
    'received_tickets',
    'trip_card_invitations',
    'mails',
  ]);
  expect(data.customer).toMatchObject({
    id: customer.id,
    email: customer.email,
    name,
    phone: '+12065550199',
    has_password: true,
  });
  expect(data.two_step_sign_in).toMatchObject({ is_required: false, recovery_codes_left: 1 });
  expect(data.two_step_sign_in.authenticator.confirmed_at).toMatch(/Z$/);
  expect(data.passkeys).toMatchObject([{ name: 'Phone', backed_up: true, last_used_at: null }]);
  expect(data.sessions).toMatchObject([{ kind: 'password', device: 'Safari on iPhone', current: true }]);
  expect(data.security_events.map((event: { kind: string }) => event.kind).toSorted()).toEqual([
    'data_exported',
    'phone_changed',
  ]);
  expect(data.orders).toMatchObject([
    { id: order.id, contact: { name, email: customer.email }, traveler_names: ['Ada'] },
  ]);
  expect(data.orders[0].tickets[0].traveler_name).toBe('Ada');
  expect(data.orders[0].tickets.length).toBeGreaterThan(0);
  expect(data.mails.map((mail: { kind: string }) => mail.kind).toSorted()).toEqual([
    'order-confirmed',
    'reset-password',
    'security-event',
    'security-event',
  ]);
  expect(data.saved_party).toMatchObject({
    vehicles: [{ vehicle, plate: '5KJH 220' }],
    travelers: [{ name: 'Ben', type: 'child' }],
  });
  const text = JSON.stringify(data);
  for (const secret of [token, customer.passwordHash ?? '', publicKey, 'credential-of-the-phone', 'WXYZ']) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toMatch(/argon2|[0-9a-f]{64}|sealed|encrypted|payload|token/);
});

test('The copy contains no data about other people', async () => {
  const other = await signedIn({ password: PASSWORD });
  await buildConfirmedOrder(server.context, { email: other.customer.email, reference: 'EEEE-0002' });
  await assignGuestOrders(server.context.db, other.customer);
  const { take } = await signedIn();
  const text = JSON.stringify((await take()).body.data);
  for (const theirs of [other.customer.id, other.customer.email, 'EEEE-0002']) {
    expect(text).not.toContain(theirs);
  }
});

test('Five exports a day are allowed, and the owner is notified of each', async () => {
  const { customer, token, take } = await signedIn();
  for (let time = 0; time < 5; time += 1) expect((await take()).status).toBe(200);
  expect(refusalOf(await take())).toEqual([429, 'rate_limited']);
  expect(await isAlive(server, token)).toBe(true);
  server.clock.advance(DAY);
  const later = await startSession(server.context, customer.id);
  const reply = await server.request('POST', api.exportCustomer.path, { token: later });
  expect(reply.body.data.mails).toHaveLength(6);
});
