import { and, desc, eq, ne, not, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Work, WorkItem } from '#contract/desk/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { newId } from '#server/core/ids.ts';
import { queryRows } from '#server/database/database.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { listWork } from '#server/desk/list-work.ts';
import { correctOrder } from '#server/desk/orders/correct-order.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { sayOfSailings } from '#tests/factories/exceptions.ts';
import { buildCashier, createStaffMember, startStaffSession } from '#tests/factories/staff.ts';

const cashier = buildCashier();
let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => office.reopen());

async function signIn(role: StaffRole, options: { isFresh?: boolean } = {}) {
  const { id } = await createStaffMember(office.context, role);
  const { headers } = await startStaffSession(office.context, id, options);
  return {
    list: async (): Promise<WorkItem[]> =>
      must(await office.request('GET', api.listWork.path, { headers })).items,
    read: async (query: Record<string, string>): Promise<Work> =>
      must(await office.request('GET', `${api.listWork.path}?${new URLSearchParams(query)}`, { headers })),
    payOut: (refundId: string, reference: string | null = null) =>
      office.request('POST', fillPath(api.payOutRefund.path, { id: refundId }), {
        headers,
        body: { terminal_reference: reference },
      }),
  };
}

/** An order that was paid in cash and is refunded. */
async function refundCash(): Promise<{ reference: string; total: number }> {
  const order = await office.takeOrder({ adults: 2 });
  await payOrderByStaff(office.context, { orderId: order.id, payment: { method: 'cash' }, cashier });
  await refundOrder(office.context, { reference: order.reference, toTripCard: null, actor: cashier });
  return order;
}

test('is empty while nothing needs a person', async () => {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  expect((await office.readOrder(order.id)).status).toBe('confirmed');
  expect(await (await signIn('desk')).list()).toEqual([]);
});

test('has a refund of cash until it is noted as paid out, once', async () => {
  const { reference, total } = await refundCash();
  const clerk = await signIn('office');
  const [item] = await clerk.list();
  expect(item).toMatchObject({
    ...{ kind: 'refund_due', reference, contact_name: 'Ada Lovelace', phone: '+12065550123' },
    ...{ amount: total, currency: 'USD', due: null },
  });
  must(await clerk.payOut(item?.refund_id ?? '', 'Receipt 12'));
  must(await clerk.payOut(item?.refund_id ?? '', 'Receipt 12'));
  expect(await clerk.list()).toEqual([]);
  expect(await office.count('refunds')).toBe(1);
});

test('has mails that were refused and passengers who have not answered', async () => {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  const { reference } = await office.readOrder(order.id);
  await sayOfSailings(office.context.db, office.clock.now(), { kind: 'canceled', fromDay: '2026-06-02' });
  await office.context.db.update(mails).set({ status: 'failed' });
  const items = await (await signIn('desk')).list();
  expect(items.map((item) => [item.kind, item.reference, item.due === null])).toEqual([
    ['choice_open', reference, false],
    ['mail_refused', reference, true],
  ]);
});

/** A paid order whose tickets could not be mailed. */
async function refuseTickets() {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  await office.context.db.update(mails).set({ status: 'failed' });
  return order;
}

test('has a refused mail until one about its order is sent to the address that it has now', async () => {
  const order = await refuseTickets();
  const { db } = office.context;
  const clerk = await signIn('desk');
  const listKinds = async () => (await clerk.list()).map(({ kind }) => kind);
  expect(await listKinds()).toEqual(['mail_refused']);
  office.clock.advance(60_000);
  const sendMail = async () => {
    await queueOrderMail(db, office.context, { kind: 'order-confirmed', orderId: order.id });
    await db.update(mails).set({ status: 'sent' }).where(eq(mails.status, 'queued'));
  };
  await sendMail();
  await db.update(orders).set({ contactEmail: 'ada@elsewhere.example' }).where(eq(orders.id, order.id));
  expect(await listKinds()).toEqual(['mail_refused']);
  await sendMail();
  expect(await listKinds()).toEqual([]);
});

test.each([
  { email: 'ada@elsewhere.example', isMailed: true },
  { email: '', isMailed: false },
])('has no refused mail once the address is corrected to "$email"', async ({ email, isMailed }) => {
  const order = await refuseTickets();
  const { db } = office.context;
  // Sold at the desk, where an order needs no address.
  await db
    .update(orders)
    .set({ soldBy: newId('stf') })
    .where(eq(orders.id, order.id));
  office.clock.advance(60_000);
  const contact = { name: 'Ada Lovelace', email, phone: '+12065550123' };
  const correction = { contact, mail_tickets: isMailed };
  await correctOrder(office.context, { orderId: order.id, actor: cashier, correction });
  const told = eq(mails.kind, 'order-address-changed');
  await db
    .update(mails)
    .set({ status: 'sent' })
    .where(and(eq(mails.status, 'queued'), not(told)));
  await db.update(mails).set({ status: 'failed' }).where(told);
  expect(await (await signIn('desk')).list()).toEqual([]);
});

test('is narrowed to one kind or to one boat, which are those of orders with work', async () => {
  const { reference } = await refundCash();
  const clerk = await signIn('office');
  const { boats, items } = await clerk.read({});
  const [boat, ...others] = boats;
  expect(others).toEqual([]);
  expect(boat).toMatchObject({ origin: 'North Quay', departs_local: '2026-06-02T08:00:00-07:00' });
  expect(items.map((item) => item.reference)).toEqual([reference]);
  expect((await clerk.read({ kind: 'refund_due', boat: boat?.sailing_id ?? '' })).items).toEqual(items);
  expect((await clerk.read({ kind: 'choice_open' })).items).toEqual([]);
  const [other] = await office.context.db
    .select({ id: sailings.id })
    .from(sailings)
    .where(ne(sailings.id, boat?.sailing_id ?? ''))
    .orderBy(desc(sailings.departsAt), sailings.id)
    .limit(1);
  const elsewhere = await clerk.read({ boat: other?.id ?? '' });
  expect(elsewhere.items).toEqual([]);
  expect(elsewhere.boats.map((each) => each.sailing_id)).toEqual([boat?.sailing_id, other?.id]);
});

test('needs a step-up and the right to refund for a payout, and knows its refunds only', async () => {
  await refundCash();
  const clerk = await signIn('office');
  const refundId = (await clerk.list())[0]?.refund_id ?? '';
  const codeOf = async (reply: ReturnType<typeof clerk.payOut>) => (await reply).body.errors[0].code;
  expect(await codeOf((await signIn('desk')).payOut(refundId))).toBe('not_permitted');
  expect(await codeOf((await signIn('office', { isFresh: false })).payOut(refundId))).toBe(
    'step_up_required',
  );
  expect(await codeOf(clerk.payOut(refundId, ''))).toBe('invalid_input');
  expect(await codeOf(clerk.payOut('rfd_00000000000000000000000000'))).toBe('not_found');
  expect(await clerk.list()).toHaveLength(1);
});

/** Copies of a table's only row that differ in some columns. */
const copies = (table: string, columns: string) => `insert into ${table} select copy.*
  from (select to_jsonb(t) as row from ${table} t limit 1) first, generate_series(1, 3000) n,
    jsonb_populate_record(null::${table}, first.row || jsonb_build_object(${columns})) copy`;

test('is found without reading all orders, refunds and payments, because it is looked up each second', async () => {
  await refundCash();
  const { db, clock } = office.context;
  const { store } = office.database;
  const about = `'order_id', 'o' || n`;
  await store.query(`update refunds set status = 'succeeded'`);
  await store.query(copies('holds', `'id', 'h' || n`));
  await store.query(copies('orders', `'id', 'o' || n, 'hold_id', 'h' || n, 'reference', n`));
  await store.query(copies('payments', `'id', 'p' || n, ${about}`));
  await store.query(copies('refunds', `'id', 'r' || n, ${about}, 'payment_id', 'p' || n`));
  await store.query(`update refunds set status = 'failed' where id in ('r1', 'r2')`);
  await store.query('analyze orders, payments, refunds');
  const [before, after] = await db.transaction(async (tx) => {
    const countRead = () =>
      queryRows<{ name: string; rows: string }>(
        tx,
        sql`select relname as name, seq_tup_read as rows from pg_stat_xact_user_tables
          where relname in ('orders', 'payments', 'refunds') order by relname`,
      );
    const earlier = await countRead();
    expect((await listWork({ db: tx, clock }, { role: 'desk' })).items).toHaveLength(2);
    return [earlier, await countRead()];
  });
  expect(after).toEqual(before);
});
