import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { newId } from '#server/core/ids.ts';
import { customers, passkeys, sessions } from '#server/database/schema/people.ts';
import { orders, refunds, tickets } from '#server/database/schema/sales.ts';
import { idempotencyKeys, mails } from '#server/database/schema/system.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { deleteCustomer } from '#server/privacy/delete-customer.ts';
import { openBrowser } from '#tests/factories/browser.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { isAlive, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import {
  askForReset,
  giveAuthenticator,
  kindsMailedTo,
  newMailbox,
  register,
  signIn,
  tokenMailedTo,
} from '../identity/accounts/mailed-links.ts';

/** Sailings of the orders here are on the 5th and the 8th of June; the clock begins on the 1st. */
const AFTER_THE_TRIP = '2026-06-20T12:00:00.000Z';

let server: TestServer;
let references = 0;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function signedIn() {
  const customer = await createCustomer(server.context, { email: newMailbox(), password: PASSWORD });
  const token = await startSession(server.context, customer.id);
  return { customer, token, remove: () => server.request('DELETE', api.changeDetails.path, { token }) };
}

async function ownerOf({ id }: { id: string }) {
  const [session] = await server.context.db.select().from(sessions).where(eq(sessions.customerId, id));
  return { customerId: id, sessionId: session?.id ?? '' };
}

/** An order of the customer after the account was deleted. */
async function buy(customer: { id: string; email: string }, changes: object = {}) {
  references += 1;
  const reference = `DDDD-${String(references).padStart(4, '0')}`;
  const travelerNames = ['Ada Lovelace', 'Bo'];
  const { id } = await buildConfirmedOrder(server.context, {
    email: customer.email,
    reference,
    travelerNames,
  });
  await server.context.db
    .update(orders)
    .set({ customerId: customer.id, contactPhone: '+12065550100', ...changes })
    .where(eq(orders.id, id));
  return id;
}

async function findOrder(id: string) {
  const [order] = await server.context.db.select().from(orders).where(eq(orders.id, id));
  return order;
}

test('Deleting an account needs a session and a step-up', async () => {
  const { customer } = await signedIn();
  expect(refusalOf(await server.request('DELETE', api.changeDetails.path))).toEqual([401, 'unauthenticated']);
  const token = await startSession(server.context, customer.id, { isFresh: false });
  const reply = await server.request('DELETE', api.changeDetails.path, { token });
  expect(refusalOf(reply)).toEqual([403, 'step_up_required']);
  expect(await isAlive(server, token)).toBe(true);
});

test('The account is deleted with all its data, and its owner is notified', async () => {
  const { customer, token, remove } = await signedIn();
  const elsewhere = await startSession(server.context, customer.id);
  await giveAuthenticator(server.context, customer.id);
  await server.context.db.insert(passkeys).values({
    id: newId('pky'),
    customerId: customer.id,
    credentialId: customer.id,
    publicKey: 'key',
    counter: 0,
    transports: [],
    backedUp: false,
    aaguid: '',
    name: 'Phone',
    insertedAt: server.clock.now(),
  });
  await askForReset(server, customer.email);
  await server.request('POST', api.signIn.path, { body: { email: customer.email }, from: newAddress() });
  await server.request('POST', api.changeEmail.path, { token, body: { new_email: newMailbox() } });
  await server.request('PATCH', api.changeDetails.path, { token, body: { phone: '+12065550199' } });
  const reset = await tokenMailedTo(server, customer.email, 'reset-password');
  await server.context.db.insert(idempotencyKeys).values({
    scope: `POST /api/orders ${customer.id}`,
    key: 'a key of the customer',
    requestHash: '',
    encryptedBody: 'an answer with a name in it',
    insertedAt: server.clock.now(),
  });
  expect(Object.keys(await rowsAbout(customer))).toContain('idempotency_keys');

  const reply = await remove();
  expect(reply.status).toBe(200);
  expect(reply.body.data).toBeNull();
  expect(await rowsAbout(customer)).toEqual({});
  expect(await isAlive(server, token)).toBe(false);
  expect(await isAlive(server, elsewhere)).toBe(false);
  expect(refusalOf(await signIn(server, customer.email, PASSWORD))).toEqual([422, 'invalid_credentials']);
  const body = { token: reset, password: 'kelp lantern drifts northward' };
  expect(refusalOf(await server.request('POST', api.resetPassword.path, { body }))).toEqual([
    422,
    'link_expired',
  ]);
  // Queued codes and links are not sent any more.
  expect(await kindsMailedTo(server, customer.email)).toEqual(['account-deleted']);
});

test('The browser forgets its proof of the session', async () => {
  const { customer } = await signedIn();
  const browser = openBrowser(server, { from: newAddress() });
  const body = { email: customer.email, password: PASSWORD };
  const { token } = (await browser.send('POST', api.signIn.path, { body })).body.data;
  expect(browser.cookies.has('my-session-proof')).toBe(true);
  expect((await browser.send('DELETE', api.changeDetails.path, { token })).status).toBe(200);
  expect(browser.cookies.has('my-session-proof')).toBe(false);
});

test('Upcoming orders keep their tickets, contact and queued mail after the account is deleted', async () => {
  const { customer, remove } = await signedIn();
  const id = await buy(customer);
  const mailId = await queueOrderMail(server.context.db, server.context, {
    kind: 'order-confirmed',
    orderId: id,
  });
  await remove();
  expect(await findOrder(id)).toMatchObject({
    customerId: null,
    status: 'confirmed',
    contactName: 'Ada Lovelace',
    contactEmail: customer.email,
    contactPhone: '+12065550100',
    travelerNames: ['Ada Lovelace', 'Bo'],
    plate: '5KJH 220',
  });
  const [ticket] = await server.context.db.select().from(tickets).where(eq(tickets.orderId, id));
  expect(ticket?.status).toBe('issued');
  const [mail] = await server.context.db.select().from(mails).where(eq(mails.id, mailId));
  expect(mail?.status).toBe('queued');
  const reply = await server.request('GET', fillPath(api.getOrder.path, { id }));
  expect(reply.body.data.tickets.length).toBeGreaterThan(0);
});

test('Past orders keep accounting data, and nothing that identifies the passengers', async () => {
  const before = server.clock.now();
  const { customer } = await signedIn();
  const travelled = await buy(customer);
  const canceled = await buy(customer, { status: 'canceled' });
  await queueOrderMail(server.context.db, server.context, { kind: 'order-confirmed', orderId: travelled });
  server.clock.set(AFTER_THE_TRIP);
  const token = await startSession(server.context, customer.id);
  expect((await server.request('DELETE', api.changeDetails.path, { token })).status).toBe(200);
  for (const id of [travelled, canceled]) {
    expect(await findOrder(id)).toMatchObject({
      customerId: null,
      contactName: '',
      contactEmail: '',
      contactPhone: '',
      travelerNames: [],
      plate: null,
      total: 12_050,
      paid: 12_050,
    });
    expect((await server.request('GET', fillPath(api.getOrder.path, { id }))).status).toBe(200);
    expect(await server.context.db.select().from(mails).where(eq(mails.orderId, id))).toEqual([]);
  }
  server.clock.set(before.toISOString());
});

test.each([
  ['waits for its payment', { status: 'awaiting_payment' }, null],
  ['asks its buyer to decide', { status: 'canceled', needsAttention: 'sailing_canceled' }, null],
  ['is being paid back', { status: 'canceled' }, 'requested'],
] as const)('An order that %s keeps its contact until that is done', async (_, changes, refund) => {
  const { customer, remove } = await signedIn();
  const id = await buy(customer, changes);
  if (refund) await giveBack(id, refund);
  await remove();
  expect(await findOrder(id)).toMatchObject({ customerId: null, contactEmail: customer.email });
});

test('A later account with the same address gets the upcoming orders', async () => {
  const { customer, remove } = await signedIn();
  const id = await buy(customer);
  await remove();
  await register(server, { email: customer.email });
  const token = await tokenMailedTo(server, customer.email, 'confirm-account');
  await server.request('POST', fillPath(api.verifyAccount.path, { token }));
  const session = (await signIn(server, customer.email, PASSWORD)).body.data.token;
  const list = await server.request('GET', api.listOrders.path, { token: session });
  expect(list.body.data.map((each: { id: string }) => each.id)).toEqual([id]);
});

test('Deleting an account does not affect other customers', async () => {
  const { customer, remove } = await signedIn();
  const other = await signedIn();
  const id = await buy(other.customer);
  await askForReset(server, other.customer.email);
  const before = await rowsAbout(other.customer);
  await buy(customer);
  await remove();
  expect(await rowsAbout(other.customer)).toEqual(before);
  expect(await isAlive(server, other.token)).toBe(true);
  expect((await findOrder(id))?.customerId).toBe(other.customer.id);
});

test('Deleting an account is atomic', async () => {
  const { customer, token } = await signedIn();
  const id = await buy(customer);
  const before = await rowsAbout(customer);
  const vault = {
    ...server.context.vault,
    encrypt(): string {
      throw new Error('no mail today');
    },
  };
  await expect(deleteCustomer({ ...server.context, vault }, await ownerOf(customer))).rejects.toThrow(
    'no mail today',
  );
  expect(await rowsAbout(customer)).toEqual(before);
  expect((await findOrder(id))?.customerId).toBe(customer.id);
  expect(await isAlive(server, token)).toBe(true);
});

test('Of two concurrent requests one deletes the account and the other has no session any more', async () => {
  const { customer, remove } = await signedIn();
  const replies = await Promise.all([remove(), remove()]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const rows = await server.context.db.select().from(customers).where(eq(customers.id, customer.id));
  expect(rows).toEqual([]);
  expect(await kindsMailedTo(server, customer.email)).toEqual(['account-deleted']);
});

async function giveBack(orderId: string, status: 'requested'): Promise<void> {
  const now = server.clock.now();
  const payment = newId('pay');
  await server.context.db.execute(sql`
    insert into payments
      (id, order_id, attempt, method, amount, currency, status, started_from, inserted_at, updated_at)
    values (${payment}, ${orderId}, 1, 'card', 12050, 'USD', 'succeeded', '', ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz)
  `);
  await server.context.db.insert(refunds).values({
    id: newId('rfd'),
    orderId,
    paymentId: payment,
    amount: 12_050,
    reason: 'customer',
    status,
    insertedAt: now,
    updatedAt: now,
  });
}

/** Counts rows by table that contain a customer's id or address, except orders and the farewell mail. */
async function rowsAbout({ id, email }: { id: string; email: string }): Promise<Record<string, number>> {
  const { store } = server.database;
  const tables = await store.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'orders'",
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const goodbye = name === 'mails' ? "and kind <> 'account-deleted'" : '';
    const [row] = await store.query<{ count: number }>(
      `select count(*)::int as count from "${name}" t
       where (position($1 in t::text) > 0 or position($2 in t::text) > 0) ${goodbye}`,
      [id, email],
    );
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}
