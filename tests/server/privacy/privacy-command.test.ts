import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { privacyCommand } from '#server/commands/privacy.ts';
import { newId } from '#server/core/ids.ts';
import { orders, payments, refunds } from '#server/database/schema/sales.ts';
import { idempotencyKeys, mails, privacyLog } from '#server/database/schema/system.ts';
import { findCustomer } from '#server/identity/customers.ts';
import { reportSales } from '#server/operations/sales-report.ts';
import { ensureProviderCustomer } from '#server/payment-cards/provider-customer.ts';
import { retentionRules } from '#server/register-jobs.ts';
import { applyRetention } from '#server/retention.ts';
import { contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { addEntry, cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { runCommandLine } from '#tests/setup/command-line.ts';

const DAY = 86_400_000;
const COMPANION = 'bo@example.com';
/** What identifies the buyer, the companion and the car of the order. */
const PERSONS = [contact.name, contact.email, contact.phone, 'Bo Larsen', COMPANION, '5KJH 220'];
/** The payment card's last digits as a value or a word, because random ids contain them too. */
const CARD_DIGITS = '[ ,"(]4242[ ,.")]';

let office: Office;
let orderId: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  orderId = await buy();
});

/** A paid order of a guest with travelers, a car, and a ticket sent to a companion. */
async function buy(): Promise<string> {
  const { hold, quote } = await office.takeHold({ adults: 2, vehicle: { type: 'car', length_cm: 450 } });
  const names = { traveler_names: [contact.name, 'Bo Larsen', ''] };
  const { id } = must(await office.order(hold.id, quote.id, names));
  const { client_secret } = must(await office.pay(id));
  await office.confirmWith(client_secret.split('_secret')[0]);
  await office.provider.deliverNow();
  const [ticket] = (await office.readOrder(id)).tickets;
  const body = { ticket_ids: [ticket.id], name: 'Bo Larsen', email: COMPANION };
  must(await office.request('POST', fillPath(api.shareTickets.path, { id }), { body }));
  return id;
}

const run = (...args: string[]) => runCommandLine(office, privacyCommand, ...args);

async function readLog() {
  const acts = await office.context.db.select().from(privacyLog).orderBy(privacyLog.insertedAt);
  return acts.map(({ kind, orders: count }) => [kind, count]);
}

/** The rows of each table that contain one of the texts. */
async function findRowsOfPersons(): Promise<string[]> {
  const { store } = office.database;
  const tables = await store.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const matches: string[] = [];
  for (const { name } of tables) {
    const rows = await store.query<{ text: string }>(
      `select text from (select t::text as text from "${name}" t) as each
       where exists (select from unnest($1::text[]) part where position(part in text) > 0) or text ~ $2`,
      [PERSONS, CARD_DIGITS],
    );
    matches.push(...rows.map(({ text }) => `${name} ${text}`));
  }
  return matches;
}

/** Everything that reports and the ledger are made of. */
async function readFigures() {
  const { store } = office.database;
  const sums = (table: string) => store.query(`select count(*)::int as rows, sum(amount)::int from ${table}`);
  return {
    sales: await reportSales(office.context.db, { from: '2026-01-01', until: '2030-01-01', zone: 'UTC' }),
    payments: await sums('payments'),
    refunds: await sums('refunds'),
    lines: await sums('order_lines'),
    ledger: await store.query('select * from trip_card_entries order by id'),
    tickets: await store.query('select status, count(*)::int from tickets group by status'),
    broken: await findBrokenBooks(office.context),
  };
}

test('the export contains everything about the guest, and its log nothing', async () => {
  const { stdout } = await run('export', 'ADA@example.com');
  const data = JSON.parse(stdout);
  expect(data).toMatchObject({
    email: contact.email,
    orders: [{ id: orderId, contact, plate: '5KJH 220', shares: [{ email: COMPANION }] }],
    mails: [{ kind: 'order-confirmed', to: contact.email }],
  });
  expect(data.orders[0].traveler_names).toContain('Bo Larsen');
  expect(stdout).not.toMatch(/barcode|payload/);
  const companion = JSON.parse((await run('export', COMPANION)).stdout);
  expect(companion).toMatchObject({ orders: [], received_tickets: [{ name: 'Bo Larsen' }] });
  expect(await readLog()).toEqual([
    ['guest_exported', 1],
    ['guest_exported', 0],
  ]);
  expect(await findRowsOfPersons()).not.toContainEqual(expect.stringMatching(/^privacy_log/));
});

test('erasing a guest and a companion removes them from every table, and changes no figure', async () => {
  const holder = await cardHolder(office);
  const card = await createTripCard(office.context, holder.customer.id, { balance: 20_000 });
  const other = await office.takeOrder({ adults: 1 });
  const body = { method: 'trip_card', trip_card_id: card.id };
  const options = { body, token: holder.token, idempotencyKey: crypto.randomUUID() };
  must(await office.request('POST', fillPath(api.startPayment.path, { id: other.id }), options));
  office.clock.advance(30 * DAY);
  const before = await readFigures();
  expect(before.sales.rows.length).toBeGreaterThan(0);
  expect(before.ledger.length).toBeGreaterThan(1);
  expect((await run('erase', contact.email)).stdout).toContain('in 2 orders');
  expect((await run('erase', COMPANION)).stdout).toContain('in 0 orders');
  await office.context.db.delete(idempotencyKeys);
  expect(await findRowsOfPersons()).toEqual([]);
  expect(await readFigures()).toEqual(before);
  expect((await office.readOrder(orderId)).tickets[2].title).toBe('Car');
  expect(await readLog()).toEqual([
    ['guest_erased', 2],
    ['guest_erased', 0],
  ]);
});

test('erasing a guest deletes the stored responses of the orders, and none of other guests', async () => {
  const others = { contact: { ...contact, name: 'Cy Young', email: 'cy@example.com' } };
  const { hold, quote } = await office.takeHold({ promo: 'FREE' });
  must(await office.order(hold.id, quote.id, others));
  office.clock.advance(30 * DAY);
  const read = async () => {
    const { db, vault } = office.context;
    const rows = await db.select().from(idempotencyKeys);
    return rows.map(({ scope, encryptedBody }) => `${scope} ${vault.decrypt(encryptedBody ?? '')}`);
  };
  expect((await read()).join()).toContain('Bo Larsen');
  await run('erase', contact.email);
  const left = (await read()).join();
  expect(left).not.toMatch(/Bo Larsen|Ada Lovelace/);
  expect(left).not.toContain(orderId);
  expect(left).toContain('Cy Young');
});

test('erasing is refused with the reason while an order is travelled or paid, and changes nothing', async () => {
  const { reference } = await office.readOrder(orderId);
  const upcoming = await run('erase', contact.email);
  expect(upcoming).toMatchObject({ exitCode: 1 });
  expect(upcoming.stderr).toBe(
    `Order ${reference} has a sailing that is not over. Cancel it first, or wait until it has arrived.\n`,
  );
  office.clock.advance(30 * DAY);
  const [payment] = await office.context.db.select().from(payments).where(eq(payments.orderId, orderId));
  const now = office.clock.now();
  await office.context.db.insert(refunds).values({
    ...{ id: newId('rfd'), orderId, paymentId: payment?.id ?? '', amount: 100, reason: 'goodwill' },
    ...{ status: 'failed', insertedAt: now, updatedAt: now },
  });
  expect((await run('erase', contact.email)).stderr).toContain(
    `Order ${reference} has a payment, refund, change, choice or invoice that is not finished.`,
  );
  expect((await office.readOrder(orderId)).contact.name).toBe(contact.name);
  expect(await readLog()).toEqual([]);
});

/** A customer who owns an order, has bought another as a guest, and is known to the card provider. */
async function registerBuyer() {
  const customer = await createCustomer(office.context, { email: contact.email, name: contact.name });
  const owned = await buy();
  await office.context.db.update(orders).set({ customerId: customer.id }).where(eq(orders.id, owned));
  return { customer, owned, holder: await ensureProviderCustomer(office.context, customer.id) };
}

test('the export of an account has its orders and those bought as a guest, and its owner gets a mail', async () => {
  const { customer, owned } = await registerBuyer();
  const data = JSON.parse((await run('export', 'ADA@example.com')).stdout);
  expect(data).toMatchObject({ customer: { id: customer.id, email: contact.email } });
  // Both were bought at the same time of the test's clock.
  expect(data.orders.map(({ id }: { id: string }) => id).toSorted()).toEqual([orderId, owned].toSorted());
  expect(data.security_events).toMatchObject([{ kind: 'data_exported', device: 'Ticket office' }]);
  expect(data.mails).toContainEqual(expect.objectContaining({ kind: 'security-event' }));
  expect(await readLog()).toEqual([['account_exported', 2]]);
});

test('erasing an account removes the person from every table and the card provider, and changes no figure', async () => {
  const { customer, holder } = await registerBuyer();
  const card = await createTripCard(office.context, customer.id, { balance: 500 });
  expect((await run('erase', contact.email)).stderr).toContain('has a sailing that is not over.');
  office.clock.advance(30 * DAY);
  expect((await run('erase', contact.email)).stderr).toContain('A trip card of the account holds value');
  expect(await readLog()).toEqual([]);
  await addEntry(office.context, card.id, -500);
  const before = await readFigures();

  expect(await run('erase', contact.email)).toMatchObject({
    stdout: "Erased: the account, the person's data in 2 orders, and the mails to the address.\n",
  });
  const isToBuyer = eq(mails.toAddress, contact.email);
  expect(await office.context.db.select({ kind: mails.kind }).from(mails).where(isToBuyer)).toEqual([
    { kind: 'account-deleted' },
  ]);
  await office.context.db.delete(mails).where(isToBuyer);
  await run('erase', COMPANION);
  await office.context.db.delete(idempotencyKeys);
  expect(await findRowsOfPersons()).toEqual([]);
  expect(await readFigures()).toEqual(before);
  const atProvider = await office.database.store.query('select doc from sandbox.objects where id = $1', [
    holder,
  ]);
  expect(atProvider).toEqual([{ doc: { id: holder, object: 'customer', deleted: true } }]);
  expect(await readLog()).toEqual([
    ['account_deleted', 2],
    ['guest_erased', 0],
  ]);
});

test('an account is erased while the card provider is away, and the operator sees what remains', async () => {
  const { customer, holder } = await registerBuyer();
  office.clock.advance(30 * DAY);
  const context = { ...office.context, provider: null };
  const actor = { kind: 'command', systemUser: 'ada' } as const;
  const input = { kind: 'erase', email: contact.email, actor, reason: null } as const;
  expect(await privacyCommand.run(context, input)).toContain(
    `Delete the customer ${holder} in its dashboard.`,
  );
  expect(await findCustomer(office.context.db, customer.id)).toBeNull();
});

test('an unknown address is refused', async () => {
  expect((await run('export', 'unknown@example.com')).stderr).toBe('Nothing is stored about this address.\n');
  expect((await run('erase', 'unknown@example.com')).stderr).toBe('Nothing is stored about this address.\n');
  expect((await run('erase')).stderr).toContain('Name what to do and one e-mail address.');
  expect((await run('log')).stdout.trim()).toBe('at  kind  actor  orders');
});

test('orders are reduced to figures when their time is over, and open ones are kept', async () => {
  const keepDays = { ...office.context.config.keepDays, orders: 100 };
  const context = { ...office.context, config: { ...office.context.config, keepDays } };
  const before = await readFigures();
  office.clock.advance(90 * DAY);
  await applyRetention(context, retentionRules);
  expect((await office.readOrder(orderId)).contact.name).toBe(contact.name);

  office.clock.advance(30 * DAY);
  const late = { needsAttention: 'sailing_canceled' } as const;
  await office.context.db.update(orders).set(late).where(eq(orders.id, orderId));
  await applyRetention(context, retentionRules);
  expect((await office.readOrder(orderId)).contact.name).toBe(contact.name);

  await office.context.db.update(orders).set({ needsAttention: null }).where(eq(orders.id, orderId));
  await office.context.db.update(mails).set({ status: 'sent' });
  await applyRetention(context, retentionRules);
  expect(await findRowsOfPersons()).toEqual([]);
  expect(await readFigures()).toEqual(before);
  expect(await readLog()).toEqual([['old_orders_erased', 1]]);
  await applyRetention(context, retentionRules);
  expect(await readLog()).toHaveLength(1);
});
