import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { changeKnobs } from '#sandbox/card-provider/knobs.ts';
import { queryRows } from '#server/database/database.ts';
import { payouts } from '#server/database/schema/accounting.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { inspectProviderPayouts } from '#server/operations/doctor/inspect-payouts.ts';
import { reconcilePayments } from '#server/orders/pay/payment-jobs.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { fetchPayouts } from '#server/payments/payouts.ts';
import { closeMonth } from '#server/reports/close-month.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { buildCashier, createStaffMember, startStaffSession } from '#tests/factories/staff.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  await changeKnobs(office.database.store, { duplicate: 0, reorder: false, drop: false });
});

async function buy(adults = 2, card = 'pm_card_visa'): Promise<{ reference: string; total: number }> {
  const { order, intent } = await office.takePayment({ adults });
  await office.confirmWith(intent, card);
  await office.provider.deliverNow();
  return office.readOrder(order.id);
}

/** Charges 20 dollars at the provider, past the ticket office. */
async function charge(): Promise<void> {
  await office.stripe.paymentIntents.create({
    ...{ amount: 2000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
    return_url: 'http://tickets.ferry.localhost/',
    allowed_payment_method_types: ['card'],
  });
}

async function signIn(role: StaffRole): Promise<Record<string, string>> {
  const member = await createStaffMember(office.context, role);
  return (await startStaffSession(office.context, member.id)).headers;
}

async function giveBack(reference: string, amount: string): Promise<void> {
  const actor = { kind: 'server' } as const;
  const scope = { kind: 'amount', amount } as const;
  await refundOrder(office.context, { reference, toTripCard: null, scope, note: 'a test', actor });
  office.clock.advance(2 * MINUTE);
  await reconcilePayments(office.context);
  await office.provider.deliverNow();
}

/** Something that the sandbox does not do by itself. Not of the transactions of payouts. */
async function changeAtProvider(object: 'balance_transaction' | 'payout', change: object): Promise<void> {
  await office.database.store.query(
    `update sandbox.objects set doc = doc || $2::text::jsonb where object = $1 and coalesce(doc->>'type', '') <> 'payout'`,
    [object, JSON.stringify(change)],
  );
}

/** Sends the whole balance to the bank, whose webhooks arrive. */
async function payOut(options: { isReturned?: boolean } = {}): Promise<void> {
  await office.provider.payOut({ isAtOnce: true, ...options });
  await office.provider.deliverNow();
}

type Row = Record<string, string | number>;

async function read(report: string, days = { from: '2026-06-01', until: '2026-06-30' }): Promise<Row[]> {
  const headers = await signIn('manager');
  const path = `/api/staff/reports/${report}?${new URLSearchParams(days)}`;
  const { columns, rows } = must(await office.request('GET', path, { headers })) as {
    columns: string[];
    rows: (string | number)[][];
  };
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])));
}

/** The balance of an account of the general ledger. */
async function readAccount(account: string): Promise<number> {
  const ledger = await read('ledger');
  return ledger.reduce(
    (sum, { debit, credit, amount }) =>
      sum + (debit === account ? Number(amount) : 0) - (credit === account ? Number(amount) : 0),
    0,
  );
}

/** What the provider says that it owes. */
async function readBalance(): Promise<number> {
  const { available, pending } = await office.stripe.balance.retrieve();
  return [...available, ...pending].reduce((sum, { amount }) => sum + amount, 0);
}

const feeOf = (amount: number) => Math.round(amount * 0.015) + 25;
const states = () =>
  queryRows<Row>(
    office.context.db,
    sql`select status, amount::int, booked_on::text, failed_on::text from payouts order by created_at, id`,
  );

describe('a payout of the card provider', () => {
  test('is booked with its charges, refunds and fees when it arrives, and the books agree with it', async () => {
    const first = await buy(2);
    const second = await buy(3);
    await giveBack(first.reference, '5.00');
    await payOut();
    const fees = feeOf(first.total) + feeOf(second.total);
    const net = first.total + second.total - 500 - fees;
    expect(await read('payouts')).toMatchObject([
      {
        ...{ day: '2026-06-01', status: 'paid', charges: first.total + second.total, refunds: 500 },
        ...{ disputes: 0, fees, failed_payouts: 0, other: 0, net, unmatched: 0, currency: 'USD' },
      },
    ]);
    expect(await read('card_money')).toMatchObject([
      {
        ...{ opening: 0, charges: first.total + second.total, refunds: 500, disputes: 0, fees },
        ...{ paid_out: net, exchanged: 0, closing: 0, waiting: 0, disputed: 0, not_in_books: 0 },
      },
    ]);
    expect(await readAccount('bank')).toBe(net);
    expect(await readAccount('provider_fees')).toBe(fees);
    expect(await readAccount('card')).toBe(0);
  });

  test('has only what is available, and the rest waits for the next one', async () => {
    const first = await buy(2);
    await changeAtProvider('balance_transaction', { available_on: 0 });
    const second = await buy(1);
    await office.provider.payOut();
    await office.provider.deliverNow();
    expect(await read('payouts')).toMatchObject([
      { day: '2026-06-02', charges: first.total, net: first.total - feeOf(first.total) },
    ]);
    expect(await read('card_money')).toMatchObject([{ closing: second.total, waiting: second.total }]);
    expect(await readBalance()).toBe(second.total - feeOf(second.total));
  });

  test('stays booked once when its webhooks are repeated and arrive newest first', async () => {
    await changeKnobs(office.database.store, { duplicate: 2, reorder: true });
    const { total } = await buy();
    await office.provider.payOut({ isAtOnce: true });
    office.clock.advance(10_000);
    await office.provider.deliverNow();
    expect(await states()).toMatchObject([{ status: 'paid', booked_on: '2026-06-01', failed_on: null }]);
    expect(await readAccount('bank')).toBe(total - feeOf(total));
  });

  test('is fetched by the daily job when its webhooks were lost', async () => {
    await fetchPayouts(office.context);
    expect(await states()).toEqual([]);
    const { total } = await buy();
    await changeKnobs(office.database.store, { drop: true });
    await office.provider.payOut({ isAtOnce: true });
    await fetchPayouts(office.context);
    expect(await states()).toMatchObject([{ status: 'in_transit', booked_on: null }]);
    expect(await read('payouts')).toMatchObject([
      { status: 'in_transit', net: 0, expected: total - feeOf(total) },
    ]);
    await office.provider.deliverNow();
    office.clock.advance(20 * DAY);
    await fetchPayouts(office.context);
    await fetchPayouts(office.context);
    expect(await states()).toMatchObject([{ status: 'paid', booked_on: '2026-06-01' }]);
  });

  test('that the bank returns is owed again, and a later payout contains it', async () => {
    const { total } = await buy();
    const net = total - feeOf(total);
    await payOut({ isReturned: true });
    await office.provider.deliverNow();
    expect(await states()).toMatchObject([
      { status: 'failed', booked_on: '2026-06-01', failed_on: '2026-06-01' },
    ]);
    expect(await readAccount('bank')).toBe(0);
    expect(await read('card_money')).toMatchObject([
      { paid_out: 0, closing: net, waiting: 0, failed_payouts: net },
    ]);
    expect(await readBalance()).toBe(net);
    office.clock.advance(DAY);
    await payOut();
    expect(await read('payouts')).toMatchObject([
      { status: 'failed', charges: total, failed_payouts: -net, net: 0 },
      { status: 'paid', charges: 0, fees: 0, failed_payouts: net, net },
    ]);
    expect(await readAccount('bank')).toBe(net);
    expect(await read('card_money')).toMatchObject([{ paid_out: net, closing: 0, failed_payouts: 0 }]);
  });

  test('deducts a dispute with its fee, which the bank holds until it is decided', async () => {
    const kept = await buy(4);
    const disputed = await buy(1, 'pm_card_createDispute');
    await payOut();
    const fees = feeOf(kept.total) + feeOf(disputed.total) + 1500;
    expect(await read('payouts')).toMatchObject([{ disputes: disputed.total, fees, unmatched: 0 }]);
    expect(await read('card_money')).toMatchObject([
      { disputes: 0, closing: disputed.total, waiting: 0, disputed: disputed.total },
    ]);
    const [dispute] = (await office.stripe.disputes.list()).data;
    await office.stripe.disputes.close(dispute?.id ?? '');
    await office.provider.deliverNow();
    expect(await read('card_money')).toMatchObject([{ disputes: disputed.total, closing: 0, disputed: 0 }]);
    expect((await readAccount('card')) + (await readAccount('dispute'))).toBe(0);
    expect(await readBalance()).toBe(0);
  });

  test('names what is not in the books', async () => {
    const { total } = await buy();
    await charge();
    await payOut();
    expect(await read('payouts')).toMatchObject([{ charges: total + 2000, unmatched: 1 }]);
    expect(await read('card_money')).toMatchObject([{ closing: -2000, waiting: 0, not_in_books: 2000 }]);
  });

  test('in another currency than the payment is shown in both, without a conversion', async () => {
    const { total } = await buy();
    await office.provider.payOut({ isAtOnce: true });
    // The provider settled the dollars of the card holder as euros.
    const settled = { currency: 'eur', amount: 1000, fee: 40, net: 960, exchange_rate: 0.9 };
    await changeAtProvider('balance_transaction', settled);
    await changeAtProvider('payout', { currency: 'eur', amount: 960 });
    await office.provider.deliverNow();
    expect(await read('payouts')).toMatchObject([{ charges: 1000, fees: 40, net: 960, currency: 'EUR' }]);
    expect(await read('card_money')).toMatchObject([
      { currency: 'EUR', charges: 0, fees: 40, paid_out: 960, exchanged: 1000, closing: 0, not_in_books: 0 },
      { currency: 'USD', charges: total, fees: 0, paid_out: 0, exchanged: -total, closing: 0, waiting: 0 },
    ]);
  });

  test('that becomes known after its month was closed counts on that day', async () => {
    await buy();
    await changeKnobs(office.database.store, { drop: true });
    await office.provider.payOut({ isAtOnce: true });
    await office.provider.deliverNow();
    await office.database.store.query(
      `insert into closed_months (month, closed_at, closed_by, reports) values ('2026-06', now(), 'stf_1', '{}')`,
    );
    office.clock.set('2026-07-03T15:00:00.000Z');
    await fetchPayouts(office.context);
    expect(await states()).toMatchObject([{ status: 'paid', booked_on: '2026-07-03' }]);
  });

  test.runIf(inject('engine') === 'postgres')(
    'that is recorded while its month is closed is in the reports of the month',
    async () => {
      await buy();
      office.clock.set('2026-07-03T15:00:00.000Z');
      const { db } = office.context;
      const actor = { ...buildCashier(), kind: 'staff' as const };
      const { closing } = await db.transaction(async (tx) => {
        await tx.execute(sql`
          insert into payouts (
            id, is_live, is_automatic, amount, currency, status, created_at, arrives_on, booked_on, updated_at
          ) values ('po_late', false, false, 900, 'USD', 'paid', now(), '2026-06-30', '2026-06-30', now())`);
        const closed = closeMonth(office.context, { month: '2026-06', zone: 'UTC', actor });
        const waiting = sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await expect.poll(() => queryRows(db, waiting)).toHaveLength(1);
        return { closing: closed };
      });
      await closing;
      expect(await read('payouts')).toMatchObject([{ payout: 'po_late', net: 900 }]);
    },
  );

  test('that was started by hand is booked without items', async () => {
    const { total } = await buy();
    await office.provider.payOut({ isAtOnce: true });
    const byHand = { automatic: false, reconciliation_status: 'not_applicable' };
    await changeAtProvider('payout', byHand);
    await fetchPayouts(office.context);
    await changeAtProvider('payout', { status: 'paid' });
    await fetchPayouts(office.context);
    const net = total - feeOf(total);
    expect(await read('payouts')).toMatchObject([{ status: 'paid', charges: 0, fees: 0, other: net, net }]);
    expect(await read('card_money')).toMatchObject([
      { closing: total - net, waiting: total, not_in_books: net },
    ]);
  });

  test('and its items cannot be changed, deleted or emptied', async () => {
    await buy();
    await payOut();
    await office.context.db.execute(sql`alter table payouts disable trigger user`);
    await office.database.store.query('update payouts set is_live = true');
    await office.context.db.execute(sql`alter table payouts enable trigger user`);
    for (const statement of [
      'update payouts set amount = 1',
      `update payouts set booked_on = '2026-07-01'`,
      'delete from payouts',
      'truncate payouts, payout_items',
      'update payout_items set amount = 1',
      'delete from payout_items',
      'truncate payout_items',
    ]) {
      await expect(office.context.db.execute(sql.raw(statement))).rejects.toThrow();
    }
  });
});

describe('GET /api/staff/payouts/{payout}', () => {
  const pathOf = async (suffix = '') => {
    const [payout] = await queryRows<{ id: string }>(office.context.db, sql`select id from payouts`);
    return `/api/staff/payouts/${payout?.id ?? 'po_none'}${suffix}`;
  };

  test('lists each item with its order, and those that match nothing first', async () => {
    const order = await buy();
    await charge();
    await payOut();
    const { columns, rows, ...payout } = must(
      await office.request('GET', await pathOf(), { headers: await signIn('office') }),
    );
    expect(payout).toMatchObject({
      status: 'paid',
      arrives_on: '2026-06-01',
      currency: 'USD',
      failure_code: null,
    });
    const items = rows.map((row: (string | number)[]) =>
      Object.fromEntries(columns.map((column: string, index: number) => [column, row[index]])),
    );
    expect(items).toMatchObject([
      { kind: 'charge', reference: '', match: 'not_in_books', amount: 2000, fees: feeOf(2000) },
      { kind: 'charge', source: 'order', reference: order.reference, match: '', amount: order.total },
    ]);
  });

  test('is downloaded as CSV by who has just proved their identity, and the audit log records it', async () => {
    const order = await buy();
    await payOut();
    const headers = await signIn('office');
    const reply = await office.request('GET', await pathOf('/export'), { headers });
    expect(reply.status).toBe(200);
    expect(String(reply.body)).toContain(`,${order.reference},${(order.total / 100).toFixed(2)},`);
    const [{ count } = { count: 0 }] = await queryRows<{ count: number }>(
      office.context.db,
      sql`select count(*)::int as count from audit_log where action = 'report_exported' and object_id like 'payouts/po_%'`,
    );
    expect(count).toBe(1);
    office.clock.advance(11 * MINUTE);
    const late = await office.request('GET', await pathOf('/export'), { headers });
    expect([late.status, codeOf(late)]).toEqual([403, 'step_up_required']);
  });

  test.each(['', '/export'])(
    '%s is refused without a session, for the desk, and of an unknown payout',
    async (suffix) => {
      const path = await pathOf(suffix);
      expect((await office.request('GET', path)).status).toBe(401);
      const desk = await office.request('GET', path, { headers: await signIn('desk') });
      expect([desk.status, codeOf(desk)]).toEqual([403, 'not_permitted']);
      const unknown = await office.request('GET', path, { headers: await signIn('office') });
      expect([unknown.status, codeOf(unknown)]).toEqual([404, 'not_found']);
    },
  );
});

describe('GET /api/staff/work', () => {
  const listOf = async (role: StaffRole) =>
    must(await office.request('GET', api.listWork.path, { headers: await signIn(role) })).payouts;

  test('has a payout that the bank returned until another one arrives', async () => {
    await buy();
    await payOut({ isReturned: true });
    await office.provider.deliverNow();
    expect(await listOf('office')).toMatchObject([{ kind: 'payout_failed', arrives_on: '2026-06-01' }]);
    expect(await listOf('desk')).toEqual([]);
    office.clock.advance(MINUTE);
    await payOut();
    expect(await listOf('office')).toEqual([]);
  });

  test('has a payout whose items match nothing, after a day and for a month', async () => {
    await buy();
    await charge();
    await payOut();
    expect(await listOf('office')).toEqual([]);
    office.clock.advance(DAY + MINUTE);
    expect(await listOf('office')).toMatchObject([{ kind: 'payout_unmatched', unmatched: 1 }]);
    office.clock.advance(30 * DAY);
    expect(await listOf('office')).toEqual([]);
  });

  test('has it no more once the office has settled it with a note, which changes no report', async () => {
    await buy();
    await charge();
    await payOut();
    office.clock.advance(DAY + MINUTE);
    const [{ payout_id: payout }] = await listOf('office');
    const reports = [await read('payouts'), await read('card_money'), await read('ledger')];
    const note = 'Sold at the dashboard, booked by hand.';
    const settle = (headers = {}, body: object = { note }, id = payout) =>
      office.request('POST', fillPath(api.settlePayout.path, { payout: id }), { headers, body });
    expect((await settle()).status).toBe(401);
    expect((await settle(await signIn('desk'))).status).toBe(403);
    const headers = await signIn('office');
    expect((await settle(headers, { note: ' ' })).status).toBe(422);
    expect((await settle(headers, { note }, 'po_unknown')).status).toBe(404);
    expect((await settle(headers, { note }, 'po-1')).status).toBe(404);
    must(await settle(headers));
    expect(await listOf('office')).toEqual([]);
    const path = fillPath(api.getPayout.path, { payout });
    expect(must(await office.request('GET', path, { headers }))).toMatchObject({
      settled_at: office.clock.now().toISOString(),
    });
    expect((await settle(headers)).status).toBe(404);
    expect([await read('payouts'), await read('card_money'), await read('ledger')]).toEqual(reports);
    const log = await office.context.db.select().from(auditLog).where(eq(auditLog.action, 'payout_settled'));
    expect(log).toMatchObject([{ objectId: `payouts/${payout}`, reason: note, after: { unmatched: 1 } }]);
  });

  test('a payout whose items are all in the books cannot be settled', async () => {
    await buy();
    await payOut();
    const [payout] = await office.context.db.select().from(payouts);
    const path = fillPath(api.settlePayout.path, { payout: payout?.id ?? '' });
    const reply = await office.request('POST', path, {
      headers: await signIn('manager'),
      body: { note: 'Done' },
    });
    expect(reply.status).toBe(404);
  });
});

test('the doctor warns when cards paid ten days ago and the provider pays nothing out', async () => {
  const inspect = () =>
    inspectProviderPayouts({
      ...office.context,
      config: {
        ...office.context.config,
        stripe: { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' },
      },
    });
  await buy();
  expect(await inspect()).toEqual([]);
  office.clock.advance(11 * DAY);
  expect(await inspect()).toMatchObject([
    { severity: 'warning', problem: expect.stringContaining('nothing') },
  ]);
  await payOut();
  expect(await inspect()).toEqual([]);
});
