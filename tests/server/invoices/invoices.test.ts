import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { WorkItem } from '#contract/desk/schemas.ts';
import type { Invoice } from '#contract/invoices/schemas.ts';
import { queryRows } from '#server/database/database.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { mails } from '#server/database/schema/system.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { registerReceiptJobs } from '#server/orders/receipts/issue-receipts.ts';
import { eraseOldOrders } from '#server/privacy/erase-orders.ts';
import { computeReport } from '#server/reports/reports.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { buildCashier } from '#tests/factories/staff.ts';
import { type Clerk, signInClerk } from '#tests/factories/staff-desk.ts';
import { expectNone, prepareQueries } from '../histories/invariants.ts';

const seller = {
  ...{ name: 'Sound Ferries, Inc.', address: '1 Ferry Dock, Madrona', tax_number: '602 555 014' },
  bank_account: 'Sound Ferries, IBAN DE02 1203 0000 0000 2020 51',
};
const recipient = { name: 'Kelp School', address: '5 Shore Road, Madrona', tax_number: '' };
const cashier = buildCashier();
let office: Office;
let clerk: Clerk;
let order: { id: string; total: number; reference: string };
let findContradictions: ReturnType<typeof prepareQueries>;
beforeAll(async () => {
  office = await openOffice();
  findContradictions = prepareQueries(office);
});
afterAll(() => office.close());
afterEach(async () => expectNone(await findContradictions()));
beforeEach(async () => {
  await office.reopen();
  await storeWebSettings(office.context, { seller });
  clerk = await signInClerk(office, 'office');
  order = await office.takeOrder({ adults: 2 });
});

const sell = (days: number | null = null, orderId = order.id) =>
  payOrderByStaff(office.context, {
    orderId,
    payment: { method: 'invoice', recipient, email: 'school@example.com', days },
    cashier,
  });
const read = ({ headers }: Pick<Clerk, 'headers'>, query: Record<string, string>) =>
  office.request('GET', `${api.listInvoices.path}?${new URLSearchParams(query)}`, { headers });
const list = async (state = 'open', q = ''): Promise<Invoice[]> =>
  (must(await read(clerk, { state, q })) as { invoices: Invoice[] }).invoices;
const readWork = async ({ headers }: Pick<Clerk, 'headers'> = clerk): Promise<WorkItem[]> =>
  must(await office.request('GET', api.listWork.path, { headers })).items;
async function theInvoice(state = 'open'): Promise<Invoice> {
  const [invoice] = await list(state);
  if (!invoice) throw new Error(`No invoice is ${state}.`);
  return invoice;
}
const transfer = async (amount: number, more: object = {}) => {
  const { id, owed } = await theInvoice();
  const body = { day: '2026-06-01', amount, reference: 'Kelp School', owed, ...more };
  return clerk.call(api.noteTransfer, { id }, body);
};
const giveBack = (amount: string, toTripCard: string | null = null) =>
  refundOrder(office.context, {
    ...{ reference: order.reference, toTripCard, actor: cashier, note: 'a test' },
    scope: amount === 'all' ? { kind: 'all' } : { kind: 'amount', amount },
  });
async function report(name: 'invoices' | 'money' | 'ledger') {
  const period = { from: '2026-06-01', until: '2026-06-30', zone: 'UTC', now: office.clock.now() };
  const { columns, rows } = await computeReport(office.context.db, name, period);
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}

describe('an order that is sold on an invoice', () => {
  test('is confirmed and paid at once, with an invoice of the series of receipts that is mailed', async () => {
    await sell(30);
    expect(await office.readOrder(order.id)).toMatchObject({
      ...{ status: 'confirmed', payment_status: 'paid', paid: order.total },
      payments: [{ method: 'invoice', amount: order.total, status: 'succeeded' }],
    });
    const [receipt] = await office.context.db.select().from(receipts);
    expect(receipt).toMatchObject({
      ...{ number: 'R-2026-000001', total: order.total },
      content: { recipient: { name: 'Kelp School' }, due: { bankAccount: seller.bank_account } },
    });
    expect(await theInvoice()).toMatchObject({
      ...{ number: 'R-2026-000001', recipient: 'Kelp School', email: 'school@example.com' },
      ...{ amount: order.total, owed: order.total, credited: 0, paid: 0, state: 'open' },
      ...{ order_reference: order.reference, transfers: [] },
    });
    const [mail] = await office.context.db.select().from(mails).where(eq(mails.kind, 'invoice'));
    expect(mail).toMatchObject({
      ...{ toAddress: 'school@example.com', receiptId: receipt?.id, orderId: order.id },
      subject: 'Invoice R-2026-000001',
    });
    expect(mail?.text).toContain(seller.bank_account);
    const actions = (await office.context.db.select().from(auditLog)).map(({ action }) => action);
    expect(actions).toContain('invoice_issued');
  });

  test('is refused, and not sold, while the settings have no bank account', async () => {
    await storeWebSettings(office.context, { seller: { ...seller, bank_account: null } });
    await expect(sell()).rejects.toMatchObject({ code: 'no_invoices' });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'held' });
    expect(await office.count('invoices')).toBe(0);
    expect(await office.count('receipts')).toBe(0);
  });

  test('is due after the days of the settings, or after those of the sale', async () => {
    await storeWebSettings(office.context, { seller, invoice_days: 10 });
    await sell();
    const { issued_on: issued, due_on: due } = await theInvoice();
    expect(Temporal.PlainDate.from(issued).until(due).days).toBe(10);
    const other = await office.takeOrder({ adults: 1 });
    await sell(1, other.id);
    expect(Temporal.PlainDate.from(issued).until((await theInvoice()).due_on).days).toBe(1);
  });
});

describe('the list of what needs a person', () => {
  test('has an invoice while it is overdue, for those who manage invoices', async () => {
    await sell(1);
    expect(await readWork()).toEqual([]);
    office.clock.advance(3 * 86_400_000);
    clerk = await signInClerk(office, 'office');
    // After its last day, 2026-06-02, on the operator's clock.
    const since = '2026-06-03T07:00:00.000Z';
    expect(await readWork()).toMatchObject([
      { kind: 'invoice_overdue', reference: order.reference, amount: order.total, since, due: null },
    ]);
    expect(await readWork(await signInClerk(office, 'desk'))).toEqual([]);
    const { id, owed } = await theInvoice('overdue');
    must(
      await clerk.call(api.noteTransfer, { id }, { day: '2026-06-02', amount: owed, reference: '', owed }),
    );
    expect(await readWork()).toEqual([]);
  });
});

describe('erasing its order', () => {
  const erase = () => eraseOldOrders(office.context.db, new Date('2027-01-01T00:00:00Z'));

  test('waits until it is paid, and then removes the address that it was mailed to', async () => {
    await sell();
    expect(await erase()).toBe(0);
    expect(await theInvoice()).toMatchObject({ email: 'school@example.com' });
    must(await transfer(order.total));
    expect(await erase()).toBe(1);
    const paid = await theInvoice('paid');
    expect(paid).toMatchObject({ email: '', recipient: 'Kelp School', paid: order.total });
    expect(codeOf(await clerk.call(api.mailInvoice, { id: paid.id }, { kind: 'invoice' }))).toBe(
      'invoice_not_mailed',
    );
  });
});

describe('a refund of it', () => {
  test('reduces what is owed, and nothing is paid out while nothing was transferred', async () => {
    await sell();
    await giveBack('5.00');
    expect(await theInvoice()).toMatchObject({ credited: 500, owed: order.total - 500 });
    expect(await office.readOrder(order.id)).toMatchObject({
      refunds: [{ destination: 'invoice', status: 'succeeded', amount: 500 }],
    });
  });

  test('pays out only what was transferred already, and every cent once', async () => {
    await sell();
    must(await transfer(1000));
    await giveBack('all');
    const rest = order.total - 1000;
    expect(await theInvoice('paid')).toMatchObject({ credited: rest, paid: 1000, owed: 0 });
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'canceled',
      refunds: [
        { destination: 'invoice', status: 'succeeded', amount: rest },
        { destination: 'bank', status: 'awaiting_payout', amount: 1000 },
      ],
    });
    const [owed] = await report('invoices');
    expect(owed).toMatchObject({ invoiced: order.total, credited: rest, received: 1000, closing: 0 });
  });

  test('of what was transferred is paid out by bank transfer', async () => {
    await sell();
    must(await transfer(order.total));
    await giveBack('5.00');
    const [refund] = (await readWork()).filter(({ kind }) => kind === 'refund_due');
    const payOut = (body: object) => clerk.call(api.payOutRefund, { id: refund?.refund_id ?? '' }, body);
    const both = { terminal_reference: 'Receipt 1', bank_reference: 'Transfer 1' };
    expect(codeOf(await payOut(both))).toBe('invalid_input');
    expect(codeOf(await payOut({ terminal_reference: null, bank_reference: '' }))).toBe('invalid_input');
    must(await payOut({ terminal_reference: null, bank_reference: 'Transfer 1' }));
    expect(await office.readOrder(order.id)).toMatchObject({
      refunds: [{ destination: 'bank', status: 'succeeded', amount: 500 }],
    });
    expect(await report('money')).toContainEqual(expect.objectContaining({ method: 'bank', refunds: 500 }));
  });

  test('puts nothing on a trip card that was not transferred', async () => {
    await sell();
    const { createTripCard } = await import('#tests/factories/trip-cards.ts');
    const card = await createTripCard(office.context, null, { balance: 0 });
    await giveBack('5.00', card.number);
    expect(await office.readOrder(order.id)).toMatchObject({ refunds: [{ destination: 'invoice' }] });
  });

  test('is followed by a credit note that is mailed to the recipient', async () => {
    await sell();
    await giveBack('5.00');
    await registerReceiptJobs(office.context);
    await office.jobs.send('issue-receipts', {});
    await office.jobs.runJobs();
    const [mail] = await office.context.db.select().from(mails).where(eq(mails.kind, 'invoice-credited'));
    expect(mail).toMatchObject({ toAddress: 'school@example.com', subject: 'Credit note C-2026-000001' });
  });
});

describe('POST /api/staff/invoices/{id}/transfers', () => {
  test('notes parts until the invoice is paid, and the log has them', async () => {
    await sell();
    expect(must(await transfer(1000))).toMatchObject({ state: 'open', paid: 1000, owed: order.total - 1000 });
    const paid = must(await transfer(order.total - 1000)) as Invoice;
    expect(paid).toMatchObject({ state: 'paid', owed: 0, paid: order.total });
    expect(paid.transfers.map(({ amount }) => amount)).toEqual([order.total - 1000, 1000]);
    expect(
      (await office.context.db.select().from(auditLog)).filter(({ action }) => action === 'invoice_paid'),
    ).toHaveLength(2);
  });

  test('notes a transfer once that two people have read', async () => {
    await sell();
    const { owed } = await theInvoice();
    must(await transfer(500));
    const second = await transfer(500, { owed });
    expect(codeOf(second)).toBe('invoice_changed');
    expect(await theInvoice()).toMatchObject({ paid: 500 });
  });

  test.each([
    ['more than is owed', { amount: 999_999 }],
    ['nothing', { amount: 0 }],
    ['a day to come', { day: '2027-01-01' }],
    ['a day that does not exist', { day: '2026-02-30' }],
    ['a part of a cent', { amount: 0.5 }],
  ])('refuses %s', async (_, more) => {
    await sell();
    const reply = await transfer(100, more);
    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_input']);
  });

  test('is refused without a session, and for the desk', async () => {
    await sell();
    const { id, owed } = await theInvoice();
    const body = { day: '2026-06-01', amount: 100, reference: '', owed };
    const path = `/api/staff/invoices/${id}/transfers`;
    expect((await office.request('POST', path, { body })).status).toBe(401);
    const desk = await signInClerk(office, 'desk');
    expect(codeOf(await desk.call(api.noteTransfer, { id }, body))).toBe('not_permitted');
  });

  test('does not find an invoice that does not exist', async () => {
    const body = { day: '2026-06-01', amount: 100, reference: '', owed: 100 };
    const id = 'inv_00000000000000000000000000';
    expect(codeOf(await clerk.call(api.noteTransfer, { id }, body))).toBe('not_found');
  });
});

describe('POST /api/staff/invoices/{id}/transfers/{seq}/take_back', () => {
  test('makes a transfer owed again, once', async () => {
    await sell();
    const paid = must(await transfer(order.total)) as Invoice;
    const params = { id: paid.id, seq: String(paid.transfers[0]?.seq) };
    for (const _ of [1, 2]) {
      expect(must(await clerk.call(api.takeBackTransfer, params))).toMatchObject({
        ...{ state: 'open', paid: 0, owed: order.total },
        transfers: [{ amount: order.total, is_taken_back: true }],
      });
    }
    expect(await office.count('invoice_entries')).toBe(3);
    const [owed] = await report('invoices');
    expect(owed).toMatchObject({ received: 0, closing: order.total });
  });

  test('credits what was to be paid back of it, because it never came', async () => {
    await sell();
    must(await transfer(1000));
    const paid = must(await transfer(order.total - 1000)) as Invoice;
    await giveBack('all');
    const [second, first] = paid.transfers.map(({ seq }) => String(seq));
    const takeBack = async (seq = '') => must(await clerk.call(api.takeBackTransfer, { id: paid.id, seq }));
    const readDue = async () => (await readWork()).map(({ kind, amount }) => [kind, amount]);
    expect(await takeBack(second)).toMatchObject({ state: 'paid', credited: order.total - 1000, paid: 1000 });
    expect(await readDue()).toEqual([['refund_due', 1000]]);
    expect(await takeBack(first)).toMatchObject({ state: 'paid', credited: order.total, paid: 0, owed: 0 });
    expect(await readDue()).toEqual([]);
    expect(await office.readOrder(order.id)).toMatchObject({ payment_status: 'refunded' });
    expect(await report('money')).toMatchObject([{ method: 'invoice', net: 0 }]);
  });

  test('leaves it owed if it was paid back already', async () => {
    await sell();
    const paid = must(await transfer(order.total)) as Invoice;
    await giveBack('5.00');
    const [refund] = await readWork();
    const paidOut = { terminal_reference: null, bank_reference: 'Transfer 1' };
    must(await clerk.call(api.payOutRefund, { id: refund?.refund_id ?? '' }, paidOut));
    const params = { id: paid.id, seq: String(paid.transfers[0]?.seq) };
    expect(must(await clerk.call(api.takeBackTransfer, params))).toMatchObject({ owed: order.total });
  });

  test.each(['0', 'x', '99999999999999999999'])('does not find transfer %s', async (seq) => {
    await sell();
    const { id } = await theInvoice();
    expect(codeOf(await clerk.call(api.takeBackTransfer, { id, seq }))).toBe('not_found');
  });
});

describe('GET /api/staff/invoices', () => {
  test('finds by number, recipient, order and the reference of a transfer', async () => {
    await sell();
    must(await transfer(100, { reference: 'Payment 4711' }));
    for (const q of ['r-2026-000001', 'kelp', order.reference, '4711']) {
      expect(await list('open', q)).toHaveLength(1);
    }
    expect(await list('open', '%')).toEqual([]);
    expect(await list('paid')).toEqual([]);
  });

  test('is overdue from the day after it was due, and only then reminded of', async () => {
    await sell(1);
    const { id } = await theInvoice();
    const remind = () => clerk.call(api.mailInvoice, { id }, { kind: 'reminder' });
    expect(codeOf(await remind())).toBe('invoice_not_mailed');
    must(await clerk.call(api.mailInvoice, { id }, { kind: 'invoice' }));
    office.clock.advance(2 * 24 * 3_600_000);
    clerk = await signInClerk(office, 'office');
    expect(await theInvoice('overdue')).toMatchObject({ state: 'overdue', reminded_at: null });
    expect(must(await remind()).reminded_at).not.toBeNull();
    expect(await office.count('mails:invoice')).toBe(2);
    expect(await office.count('mails:invoice-reminder')).toBe(1);
  });

  test('is refused without a session, for the desk, and with an unknown state', async () => {
    const path = '/api/staff/invoices?state=open';
    expect((await office.request('GET', path)).status).toBe(401);
    const desk = await signInClerk(office, 'desk');
    expect(codeOf(await read(desk, { state: 'open' }))).toBe('not_permitted');
    expect(codeOf(await read(clerk, { state: 'lost' }))).toBe('invalid_input');
  });
});

describe('the books', () => {
  test('have the sale as invoiced, and the transfer at the bank', async () => {
    await sell();
    must(await transfer(1000));
    await giveBack('5.00');
    const ledger = await report('ledger');
    const balance = (account: string) =>
      ledger.reduce(
        (sum, { debit, credit, amount }) =>
          sum + (debit === account ? Number(amount) : 0) - (credit === account ? Number(amount) : 0),
        0,
      );
    const [owed] = await report('invoices');
    expect(balance('invoiced')).toBe(owed?.closing);
    expect(owed?.closing).toBe(order.total - 1500);
    expect(balance('bank')).toBe(1000);
    expect(balance('receivables')).toBe(0);
    expect(await report('money')).toMatchObject([{ method: 'invoice', payments: order.total, refunds: 500 }]);
  });

  test('are guarded by the database', async () => {
    await sell();
    const { db } = office.context;
    const add = (kind: string, amount: number) => sql`
      insert into invoice_entries (invoice_id, kind, amount, day, booked_at)
      select id, ${kind}, ${amount}, ${kind === 'transferred' ? '2026-06-01' : null}::date, now() from invoices`;
    await expect(db.execute(add('transferred', order.total + 1))).rejects.toThrow();
    await expect(db.execute(add('credited', order.total + 1))).rejects.toThrow();
    await expect(db.execute(add('transferred', -1))).rejects.toThrow();
    await expect(db.execute(sql`update invoice_entries set amount = 1`)).rejects.toThrow();
    await expect(db.execute(sql`delete from invoice_entries`)).rejects.toThrow();
    const [sums] = await queryRows(db, sql`select paid, credited from invoices`);
    expect(sums).toEqual({ paid: '0', credited: '0' });
  });
});
