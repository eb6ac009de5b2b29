import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { REPORTS, type ReportName } from '#contract/reports/columns.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { bookMissingSales } from '#server/accounting/book-order.ts';
import { queryRows } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { takeCharge } from '#server/trip-cards/operator-commands.ts';
import { undoCharge } from '#server/trip-cards/undo-charge.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { buildCashier, createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';

let office: Office;
let headers: Record<string, string>;
let cashierId: string;
let kept: { reference: string };
let refunded: { reference: string };
let canceled: { reference: string };

/** A day of June with three orders by card, one in cash, a goodwill refund and a cancellation. */
beforeAll(async () => {
  office = await openOffice();
  headers = await signIn('manager');
  kept = await buyByCard({ adults: 2, vehicle: { type: 'car', length_cm: 450 } });
  refunded = await buyByCard({ adults: 3 });
  canceled = await buyByCard({ adults: 1 });
  const cashier = await createStaffMember(office.context, 'desk');
  cashierId = cashier.id;
  const inCash = await office.takeOrder({ adults: 4 });
  await payOrderByStaff(office.context, {
    orderId: inCash.id,
    payment: { method: 'cash' },
    cashier: buildCashier(cashierId),
  });
  await giveBack(refunded.reference, { kind: 'amount', amount: '5.00' });
  await giveBack(canceled.reference, { kind: 'all' });
  await office.jobs.runJobs();
});
afterAll(() => office.close());

async function signIn(role: StaffRole): Promise<Record<string, string>> {
  const member = await createStaffMember(office.context, role);
  return (await startStaffSession(office.context, member.id)).headers;
}

async function buyByCard(party: Parameters<Office['takePayment']>[0]): Promise<{ reference: string }> {
  const bought = await office.takePayment(party);
  await office.confirmWith(bought.intent);
  await office.readPayment(bought.order.id, bought.payment.id);
  return must(await office.request('GET', `/api/orders/${bought.order.id}`));
}

function giveBack(reference: string, scope: NonNullable<Parameters<typeof refundOrder>[1]['scope']>) {
  const actor = { kind: 'command', systemUser: 'test' } as const;
  return refundOrder(office.context, { reference, toTripCard: null, scope, note: 'a test', actor });
}

type Row = Record<string, string | number>;

async function read(report: ReportName, days = { from: '2026-06-01', until: '2026-06-30' }): Promise<Row[]> {
  const reply = await office.request('GET', pathOf(report, days), { headers });
  const { columns, rows } = must(reply) as { columns: string[]; rows: (string | number)[][] };
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])));
}

function pathOf(
  report: string,
  days: Record<string, string> = { from: '2026-06-01', until: '2026-06-30' },
): string {
  return `${fillPath(api.getReport.path, { report })}?${new URLSearchParams(days)}`;
}

const sum = (rows: readonly Row[], column: string) =>
  rows.reduce((total, row) => total + Number(row[column]), 0);

async function sumOf(query: string): Promise<number> {
  const [row] = await queryRows<{ sum: number }>(office.context.db, sql.raw(query));
  return Number(row?.sum);
}

describe('GET /api/staff/reports/{report}', () => {
  test('sales add up to what the lines of all orders are worth, less goodwill', async () => {
    const rows = await read('sales');
    const worth = await sumOf(
      `select sum(l.amount - l.refund) as sum from order_lines l join orders o on o.id = l.order_id
       where o.confirmed_at is not null`,
    );
    expect(sum(rows, 'gross')).toBe(worth - 500);
    expect(sum(rows, 'net') + sum(rows, 'tax')).toBe(sum(rows, 'gross'));
    expect(rows.find(({ kind }) => kind === 'goodwill')).toMatchObject({ gross: -500, tickets: 0 });
    expect(
      sum(
        rows.filter(({ kind }) => kind === 'passenger'),
        'tickets',
      ),
    ).toBe(9);
    expect(rows.find(({ kind }) => kind === 'vehicle')).toMatchObject({ tickets: 1, belongs_to: '' });
  });

  test('fares that gates charge to trip cards are sales, and those undone are not', async () => {
    const card = await createTripCard(office.context, null, { balance: 2000 });
    const charge = {
      ...{ deviceId: 'gate-1', deviceSeq: 1, number: card.number, unit: 'money' as const, amount: 900 },
      ...{ place: 'Madrona', occurredAt: office.clock.now() },
    } as const;
    await takeCharge(office.context, { charge, actor: { kind: 'server' } });
    const rows = await read('sales');
    expect(rows.filter(({ kind }) => kind === 'gate_fare')).toMatchObject([
      { product: 'Madrona', route: '', gross: 900, tickets: 0 },
    ]);
    const undo = { device: charge.place, occurredAt: charge.occurredAt };
    await inTransaction(office.context.db, (tx) =>
      undoCharge(tx, office.context, { deviceId: 'gate-1', deviceSeq: 1, undo, actor: { kind: 'server' } }),
    );
    expect((await read('sales')).some(({ kind }) => kind === 'gate_fare')).toBe(false);
  });

  test('payments and refunds add up to those that succeeded, by method', async () => {
    const rows = await read('money');
    expect(sum(rows, 'payments')).toBe(
      await sumOf(`select sum(amount) as sum from payments where status = 'succeeded'`),
    );
    expect(sum(rows, 'refunds')).toBe(
      await sumOf(`select coalesce(sum(amount), 0) as sum from refunds where status = 'succeeded'`),
    );
    expect(rows.map(({ method }) => method).toSorted()).toEqual(['card', 'cash']);
  });

  test('an order is an open item exactly while its money and its worth differ', async () => {
    const open = await read('open_items');
    const promised = await sumOf(
      `select coalesce(sum(amount), 0) as sum from refunds where status not in ('succeeded', 'failed')`,
    );
    expect(sum(open, 'closing')).toBe(promised === 0 ? 0 : -promised);
    expect(open.some(({ reference }) => reference === kept.reference)).toBe(false);
  });

  test('what is sold for later days is deferred until then', async () => {
    const [june] = await read('deferred');
    const [july] = await read('deferred', { from: '2026-07-01', until: '2026-07-31' });
    const balance = ({ opening, sold, refunded: back, traveled, lapsed }: Row) =>
      Number(opening) + Number(sold) - Number(back) - Number(traveled) - Number(lapsed);
    expect(june && balance(june)).toBe(june?.closing);
    expect(july?.opening ?? 0).toBe(june?.closing);
    expect(Number(june?.sold)).toBeGreaterThan(0);
  });

  test('a cash-up names who took the money, and what of it was in no drawer', async () => {
    const taken = await sumOf(`select sum(amount) as sum from payments where method = 'cash'`);
    const cash = { method: 'cash', taken, paid_out: 0, net: taken };
    expect(await read('cash_up')).toMatchObject([{ ...cash, no_drawer: taken }]);
    await office.context.db.execute(sql`
      insert into cash_drawers (id, staff_id, currency, opening, opened_at)
      select 'drw_1', staff_id, 'USD', 0, min(booked_at) from money_entries where method = 'cash' group by staff_id`);
    expect(await read('cash_up')).toMatchObject([{ ...cash, no_drawer: 0 }]);
    await office.context.db.execute(sql`delete from cash_drawers`);
  });

  test('the loads count the people of each sailing', async () => {
    expect(sum(await read('loads'), 'people')).toBe(9);
  });

  test('a cash-up has a row for each person, also for two of one name', async () => {
    const before = await read('cash_up');
    const { db } = office.context;
    const namesake = await createStaffMember(office.context, 'desk');
    await db.execute(sql`
      update staff_members set name = (select name from staff_members where id = ${cashierId})
      where id = ${namesake.id}`);
    const order = await office.takeOrder({ adults: 1 });
    await payOrderByStaff(office.context, {
      ...{ orderId: order.id, payment: { method: 'cash' }, cashier: buildCashier(namesake.id) },
    });
    const taken = (rows: Row[]) => rows.map((row) => Number(row.taken)).toSorted((a, b) => a - b);
    expect(taken(await read('cash_up'))).toEqual([order.total, ...taken(before)]);
  });

  test('a discount is a lower price of what is sold, and no refund', async () => {
    const [before] = await read('deferred');
    const { reference } = await buyByCard({ adults: 2, promo: 'TEN' });
    const paid = await sumOf(`select paid as sum from orders where reference = '${reference}'`);
    const [after] = await read('deferred');
    expect(after?.refunded).toBe(before?.refunded);
    expect(Number(after?.sold) - Number(before?.sold)).toBe(paid);
  });

  test('the general ledger agrees with the other reports, and calls accounts as the settings do', async () => {
    await storeWebSettings(office.context, { accounts: { cash: '1000' } });
    const ledger = await read('ledger');
    const balance = (account: string) =>
      sum(
        ledger.filter(({ debit }) => debit === account),
        'amount',
      ) -
      sum(
        ledger.filter(({ credit }) => credit === account),
        'amount',
      );
    const [sales, money, open] = [await read('sales'), await read('money'), await read('open_items')];
    const ofMethod = (name: string) => money.filter(({ method }) => method === name);
    expect(ledger.every(({ amount }) => Number(amount) > 0)).toBe(true);
    expect(balance('receivables')).toBe(sum(open, 'closing'));
    expect(balance('1000')).toBe(sum(ofMethod('cash'), 'net'));
    expect(balance('1000')).toBeGreaterThan(0);
    expect(balance('card')).toBe(sum(ofMethod('card'), 'net'));
    expect(-balance('tax')).toBe(sum(sales, 'tax'));
    expect(-balance('revenue') - balance('advance_payments')).toBe(sum(sales, 'net'));
    const days = { from: '2026-06-01', until: '2026-12-31' };
    const later = (await read('ledger', days)).filter(({ debit }) => debit === 'advance_payments');
    expect(later.length).toBeGreaterThan(0);
    const ahead = await sumOf(
      `select sum(gross - tax) as sum from sale_entries where travel_day > (booked_at at time zone 'UTC')::date`,
    );
    const traveled = later.filter(({ credit }) => credit === 'revenue');
    expect(sum(traveled, 'amount')).toBe(ahead);
  });

  test('days before the first sale have no rows', async () => {
    for (const report of REPORTS) {
      expect(await read(report, { from: '2026-05-01', until: '2026-05-31' })).toEqual([]);
    }
  });

  test.each([
    ['an unknown report', pathOf('profit'), 404, 'not_found'],
    [
      'days in the wrong order',
      pathOf('sales', { from: '2026-06-02', until: '2026-06-01' }),
      422,
      'invalid_input',
    ],
    [
      'a day that does not exist',
      pathOf('sales', { from: '2026-02-30', until: '2026-03-01' }),
      422,
      'invalid_input',
    ],
    ['no days', fillPath(api.getReport.path, { report: 'sales' }), 422, 'invalid_input'],
  ])('refuses %s', async (_, path, status, code) => {
    const reply = await office.request('GET', path, { headers });
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
  });

  test('is refused without a session, and for the gate and the desk', async () => {
    expect((await office.request('GET', pathOf('sales'))).status).toBe(401);
    for (const role of ['gate', 'desk'] as const) {
      const reply = await office.request('GET', pathOf('sales'), { headers: await signIn(role) });
      expect([reply.status, codeOf(reply)]).toEqual([403, 'not_permitted']);
    }
  });
});

describe('GET /api/staff/reports/{report}/export', () => {
  const path = `${fillPath(api.exportReport.path, { report: 'sales' })}?from=2026-06-01&until=2026-06-30`;

  test('answers the same numbers as CSV, and the audit log records it', async () => {
    const reply = await office.request('GET', path, { headers: await signIn('office') });
    expect(reply.status).toBe(200);
    const [header = '', ...lines] = String(reply.body).split('\n');
    const at = header.split(',').indexOf('gross');
    const total = lines.reduce((cents, line) => cents + Math.round(Number(line.split(',')[at]) * 100), 0);
    expect(total).toBe(sum(await read('sales'), 'gross'));
    expect(
      await sumOf(
        `select count(*) as sum from audit_log where action = 'report_exported' and object_id = 'sales'`,
      ),
    ).toBe(1);
  });

  test('needs a recent proof of identity', async () => {
    const office2 = await signIn('office');
    office.clock.advance(11 * 60_000);
    const reply = await office.request('GET', path, { headers: office2 });
    expect([reply.status, codeOf(reply)]).toEqual([403, 'step_up_required']);
    headers = await signIn('manager');
  });
});

describe('bookMissingSales', () => {
  test('books an order once that a process without entries has sold', async () => {
    const { reference } = await buyByCard({ adults: 1 });
    const db = office.context.db;
    await db.execute(sql`alter table sale_entries disable trigger user`);
    await db.execute(
      sql`delete from sale_entries where order_id = (select id from orders where reference = ${reference})`,
    );
    await db.execute(sql`alter table sale_entries enable trigger user`);
    const before = sum(await read('sales'), 'gross');
    expect(await bookMissingSales(office.context)).toBe(1);
    expect(sum(await read('sales'), 'gross')).toBeGreaterThan(before);
    expect(await bookMissingSales(office.context)).toBe(0);
  });
});

describe('accounting entries', () => {
  test.each(['sale_entries', 'money_entries'])('%s cannot be changed, deleted or emptied', async (table) => {
    for (const statement of [
      `update ${table} set currency = 'EUR'`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]) {
      await expect(office.context.db.execute(sql.raw(statement))).rejects.toThrow();
    }
  });
});

describe('POST /api/staff/months/{month}/close', () => {
  const close = (month: string) =>
    office.request('POST', fillPath(api.closeMonth.path, { month }), { headers });

  test('refuses a month that is not over, or without sales', async () => {
    expect(codeOf(await close('2026-06'))).toBe('month_open');
    expect(codeOf(await close('2026-05'))).toBe('not_found');
    expect(codeOf(await close('2026-13'))).toBe('not_found');
  });

  test('closes a month, whose reports stay when a later refund counts in the next month', async () => {
    office.clock.set('2026-07-03T15:00:00.000Z');
    headers = await signIn('manager');
    const before = await Promise.all(REPORTS.map((report) => read(report)));
    const months = must(await close('2026-06'));
    expect(months).toMatchObject([
      { month: '2026-07', closed_at: null, can_close: false },
      { month: '2026-06', closed_at: '2026-07-03T15:00:00.000Z', can_close: false },
    ]);
    expect(must(await close('2026-06'))).toEqual(months);
    await giveBack(kept.reference, { kind: 'amount', amount: '2.00' });
    expect(await Promise.all(REPORTS.map((report) => read(report)))).toEqual(before);
    const july = await read('sales', { from: '2026-07-01', until: '2026-07-31' });
    expect(july).toMatchObject([{ kind: 'goodwill', gross: -200, belongs_to: '2026-06' }]);
    expect(
      await sumOf(
        `select count(*) as sum from audit_log where action = 'month_closed' and object_id = '2026-06'`,
      ),
    ).toBe(1);
  });

  test('is refused for the office', async () => {
    const reply = await office.request('POST', fillPath(api.closeMonth.path, { month: '2026-07' }), {
      headers: { ...(await signIn('office')), 'idempotency-key': randomUUID() },
    });
    expect([reply.status, codeOf(reply)]).toEqual([403, 'not_permitted']);
  });
});
