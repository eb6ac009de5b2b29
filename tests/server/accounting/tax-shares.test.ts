import { spawnSync } from 'node:child_process';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { bookOrder } from '#server/accounting/book-order.ts';
import { queryRows } from '#server/database/database.ts';
import { orderLines, orders } from '#server/database/schema/sales.ts';
import { fareClasses, taxRules } from '#server/database/schema/timetable.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { buildReceiptPdf } from '#server/documents/receipt-pdf.ts';
import { chargeMeasurement } from '#server/gate/vehicles/charge-measurement.ts';
import { priceMeasurement } from '#server/gate/vehicles/price-measurement.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { issueReceipts } from '#server/orders/receipts/issue-receipts.ts';
import { reportLedger } from '#server/reports/ledger.ts';
import { reportSales } from '#server/reports/sales.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { buildCashier, createStaffMember } from '#tests/factories/staff.ts';
import { ABROAD, setTaxShares } from '#tests/factories/tax-rules.ts';

const OUTSIDE = 'Outside the scope';
const seller = {
  name: 'Sound Ferries, Inc.',
  address: '1 Ferry Dock, Madrona',
  tax_number: '602 555 014',
  bank_account: null,
};
const CAR = { type: 'car', length_cm: 450 };
const hasPdftotext = !spawnSync('pdftotext', ['-v']).error;

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  await setTaxShares(office.context.db, { passenger: ABROAD, vehicle: ABROAD });
});

const buy = (options: Parameters<Office['takePayment']>[0] = {}) => changesOf(office).buy(options);

type Entry = { kind: string; rate: number; name: string; quantity: number; gross: number; tax: number };

/** What an order is worth in the books, by kind of line and rate. */
function readBooks(orderId: string): Promise<Entry[]> {
  return queryRows<Entry>(
    office.context.db,
    sql`select kind, tax_bp as rate, tax_name as name, sum(quantity)::int as quantity, sum(gross)::int as gross,
      sum(tax)::int as tax from sale_entries where order_id = ${orderId}
      group by 1, 2, 3 having sum(quantity) <> 0 or sum(gross) <> 0 or sum(tax) <> 0 order by 1, 2 desc, 3`,
  );
}

/** Booking again finds nothing to do, and what an order's lines contain is what the order says. */
async function expectBooked(orderId: string): Promise<void> {
  const count = () => office.context.db.$count(sql`sale_entries`);
  const before = await count();
  await inTransaction(office.context.db, (tx) =>
    bookOrder(tx, office.context, { orderId, cause: 'correction' }),
  );
  expect(await count()).toBe(before);
  const [sums] = await queryRows<Record<'tax' | 'lines', number>>(
    office.context.db,
    sql`select o.tax::int as tax, sum(l.tax)::int as lines from orders o join order_lines l on l.order_id = o.id
      where o.id = ${orderId} group by 1`,
  );
  expect(sums?.tax).toBe(sums?.lines);
}

function giveBack(reference: string, scope: NonNullable<Parameters<typeof refundOrder>[1]['scope']>) {
  const actor = { kind: 'command', systemUser: 'test' } as const;
  return refundOrder(office.context, { reference, toTripCard: null, scope, note: 'a test', actor });
}

async function setPolicy(changes: Partial<FarePolicy>): Promise<void> {
  const [flex] = await office.context.db.select().from(fareClasses);
  if (!flex) throw new Error('There is no fare class.');
  await office.context.db.update(fareClasses).set({ policy: { ...flex.policy, ...changes } });
  await office.context.db.execute(sql`update feed set revision = revision || '+'`);
}

const june = {
  from: '2026-06-01',
  until: '2026-06-30',
  zone: 'America/Los_Angeles',
  now: new Date('2026-06-30T12:00:00.000Z'),
};

describe('a sale that is taxed in shares', () => {
  test('books each line at each of its rates, and counts its tickets once', async () => {
    const { id } = await buy({ adults: 2, children: 1, vehicle: CAR, bicycles: 1 });
    expect(await readBooks(id)).toEqual([
      { kind: 'bicycle', rate: 1000, name: '', quantity: 1, gross: 300, tax: 27 },
      { kind: 'passenger', rate: 1000, name: '', quantity: 3, gross: 533, tax: 49 },
      { kind: 'passenger', rate: 0, name: OUTSIDE, quantity: 0, gross: 1242, tax: 0 },
      { kind: 'vehicle', rate: 1000, name: '', quantity: 1, gross: 900, tax: 82 },
      { kind: 'vehicle', rate: 0, name: OUTSIDE, quantity: 0, gross: 2100, tax: 0 },
    ]);
    await expectBooked(id);
  });

  test('takes the discount off each share', async () => {
    const { id } = await buy({ adults: 2, promo: 'TEN' });
    expect(await readBooks(id)).toEqual([
      { kind: 'discount', rate: 1000, name: '', quantity: 0, gross: -77, tax: -7 },
      { kind: 'discount', rate: 0, name: OUTSIDE, quantity: 0, gross: -178, tax: 0 },
      { kind: 'passenger', rate: 1000, name: '', quantity: 2, gross: 765, tax: 70 },
      { kind: 'passenger', rate: 0, name: OUTSIDE, quantity: 0, gross: 1785, tax: 0 },
    ]);
    await expectBooked(id);
  });

  test('says in its quote how much tax the price contains', async () => {
    expect(must(await office.quote({ adults: 2 }))).toMatchObject({ total: 2550, tax: 70 });
  });

  test('keeps its shares when the rules change, and takes them all back when it is canceled', async () => {
    const { id, reference } = await buy({ adults: 3, promo: 'TEN' });
    await setTaxShares(office.context.db, { passenger: [{ shareBp: 10_000, taxBp: 2000, name: 'New' }] });
    await expectBooked(id);
    await giveBack(reference, { kind: 'all' });
    expect(await readBooks(id)).toEqual([]);
  });

  test('has the rates of its fares on routes without rules', async () => {
    await setTaxShares(office.context.db, { bicycle: ABROAD });
    const { id } = await buy({ adults: 2 });
    expect(await readBooks(id)).toEqual([
      { kind: 'passenger', rate: 1000, name: '', quantity: 2, gross: 2550, tax: 232 },
    ]);
    const [line] = await office.context.db.select().from(orderLines).where(eq(orderLines.orderId, id));
    expect(line).toMatchObject({ taxBp: 1000, tax: 232, taxParts: null });
  });
});

describe('a refund of tickets that are taxed in shares', () => {
  test('leaves what was kept at the same rates', async () => {
    await setPolicy({ cancel: [{ until_minutes_before: 0, refund_bp: 5000, fee: 0 }] });
    const changes = changesOf(office);
    const order = await changes.buy({ adults: 3 });
    const [first] = order.tickets;
    await cancelAsBuyer(order, [first.id]);
    expect(await readBooks(order.id)).toEqual([
      { kind: 'passenger', rate: 1000, name: '', quantity: 2, gross: 956, tax: 87 },
      { kind: 'passenger', rate: 0, name: OUTSIDE, quantity: 0, gross: 2231, tax: 0 },
    ]);
    await expectBooked(order.id);
  });

  test('taxes a cancellation fee as the rules for fees say', async () => {
    await setPolicy({ cancel: [{ until_minutes_before: 0, refund_bp: 10_000, fee: 500 }] });
    await setTaxShares(office.context.db, {
      ...{ passenger: ABROAD, fee: [{ shareBp: 10_000, taxBp: 2500, name: 'Fees' }] },
    });
    const order = await buy({ adults: 2 });
    await cancelAsBuyer(
      order,
      order.tickets.map((ticket: { id: string }) => ticket.id),
    );
    expect(await readBooks(order.id)).toEqual([
      { kind: 'passenger', rate: 2500, name: 'Fees', quantity: 0, gross: 500, tax: 100 },
    ]);
    await expectBooked(order.id);
  });

  test('as goodwill is booked in the shares of the dearest line', async () => {
    const { id, reference } = await buy({ adults: 2 });
    await giveBack(reference, { kind: 'amount', amount: '10.00' });
    expect((await readBooks(id)).filter(({ kind }) => kind === 'goodwill')).toEqual([
      { kind: 'goodwill', rate: 1000, name: '', quantity: 0, gross: -300, tax: -27 },
      { kind: 'goodwill', rate: 0, name: OUTSIDE, quantity: 0, gross: -700, tax: 0 },
    ]);
    await expectBooked(id);
  });
});

async function cancelAsBuyer(order: Awaited<ReturnType<typeof buy>>, ticketIds: string[]): Promise<void> {
  const post = (path: string, body: object) =>
    office.request('POST', `/api/orders/${order.id}${path}`, { body, idempotencyKey: crypto.randomUUID() });
  const { version, refund } = must(await post('/cancellations/quote', { ticket_ids: ticketIds }));
  const proof = await changesOf(office).mailCode(order);
  must(await post('/cancellations', { ticket_ids: ticketIds, version, refund, proof }));
}

describe('a change of tickets that are taxed in shares', () => {
  test('books its new tickets by the rules of their day, and its fee by those for fees', async () => {
    await setPolicy({ change: { allowed: true, fee: 500, until_minutes: 60 } });
    await setTaxShares(office.context.db, {
      ...{ passenger: ABROAD, fee: [{ shareBp: 10_000, taxBp: 2500, name: '' }] },
    });
    const changes = changesOf(office);
    const order = await changes.buy({ adults: 2 });
    const { id } = order;
    const [, , , later = ''] = office.ferry.outward;
    must(await changes.change(order, [{ direction: 'out', to: [later], adults: 1 }]));
    const books = await readBooks(id);
    expect(books.find(({ kind }) => kind === 'fee')).toEqual({
      ...{ kind: 'fee', rate: 2500, name: '', quantity: 0, gross: 500, tax: 100 },
    });
    expect(books.filter(({ kind }) => kind === 'passenger')).toEqual([
      { kind: 'passenger', rate: 1000, name: '', quantity: 1, gross: 383, tax: 35 },
      { kind: 'passenger', rate: 0, name: OUTSIDE, quantity: 0, gross: 892, tax: 0 },
    ]);
    await expectBooked(id);
  });

  test('a measured vehicle costs more in the shares of its ticket', async () => {
    const order = await buy({ vehicle: CAR });
    const ticket = order.tickets.find(({ kind }: { kind: string }) => kind === 'vehicle');
    const { id: cashierId } = await createStaffMember(office.context, 'desk');
    await inTransaction(office.context.db, async (tx) => {
      const priced = await priceMeasurement(tx, {
        ticketId: ticket.id,
        measured: { length_cm: 700, height_cm: null },
      });
      await chargeMeasurement(tx, office.context, {
        ...{ priced, payment: { method: 'cash' }, cashier: buildCashier(cashierId), isAboard: false },
      });
    });
    expect((await readBooks(order.id)).filter(({ kind }) => kind === 'vehicle')).toEqual([
      { kind: 'vehicle', rate: 1000, name: '', quantity: 1, gross: 1050, tax: 95 },
      { kind: 'vehicle', rate: 0, name: OUTSIDE, quantity: 0, gross: 2450, tax: 0 },
    ]);
    await expectBooked(order.id);
  });
});

describe('the reports', () => {
  test('have the sales and the ledger of each rate, which add up to the sale', async () => {
    await buy({ adults: 2 });
    const sales = await reportSales(office.context.db, june);
    const rows = sales.rows.map((row) =>
      Object.fromEntries(sales.columns.map((column, index) => [column, row[index]])),
    );
    expect(rows).toMatchObject([
      { tax_percent: 0, tax_name: OUTSIDE, tickets: 0, net: 1785, tax: 0, gross: 1785 },
      { tax_percent: 1000, tax_name: '', tickets: 2, net: 695, tax: 70, gross: 765 },
    ]);
    const ledger = await reportLedger(office.context.db, june);
    const sold = ledger.rows.filter(([, , credit]) => credit === 'advance_payments' || credit === 'tax');
    expect(sold.map(([, , credit, rate, amount]) => [credit, rate, amount])).toEqual([
      ['advance_payments', 0, 1785],
      ['advance_payments', 1000, 695],
      ['tax', 1000, 70],
    ]);
  });
});

describe('a receipt', () => {
  beforeEach(async () => {
    await office.database.store.query(
      `insert into settings (name, value, updated_at) values ('web', $1, now())
       on conflict (name) do update set value = excluded.value`,
      [JSON.stringify({ seller })],
    );
  });

  const issue = (orderId: string) =>
    issueReceipts(office.context, { orderId, recipient: null, by: { kind: 'server' } });

  test('has a line for each product with its amounts by rate, and its credit note takes them back', async () => {
    const { id, reference } = await buy({ adults: 2 });
    const [receipt] = await issue(id);
    const parts = [
      { taxBp: 1000, name: '', gross: 765, tax: 70 },
      { taxBp: 0, name: OUTSIDE, gross: 1785, tax: 0 },
    ];
    expect(receipt?.content.lines).toMatchObject([{ quantity: 2, gross: 2550, tax: 70, parts }]);
    office.clock.advance(1000);
    await giveBack(reference, { kind: 'all' });
    const [, note] = await issue(id);
    expect(note?.content.lines).toMatchObject([
      {
        ...{ gross: -2550, tax: -70 },
        parts: parts.map((part) => ({ ...part, gross: -part.gross, tax: 0 - part.tax })),
      },
    ]);
  });

  test('names shares in the language of its order', async () => {
    const { id, reference } = await buy({ adults: 1 });
    const { db } = office.context;
    await db.update(orders).set({ locale: 'de' }).where(eq(orders.id, id));
    await db
      .update(taxRules)
      .set({ translations: { 'name@de': 'Nicht steuerbar', 'name@fr': 'Hors champ' } })
      .where(eq(taxRules.name, OUTSIDE));
    await issue(id);
    office.clock.advance(1000);
    await giveBack(reference, { kind: 'all' });
    const names = (await issue(id)).map(({ content }) => content.lines[0]?.parts?.map(({ name }) => name));
    expect(names).toEqual([
      ['', 'Nicht steuerbar'],
      ['', 'Nicht steuerbar'],
    ]);
  });

  test.skipIf(!hasPdftotext)(
    'prints net, tax and amount by rate, and names what is outside the scope',
    async () => {
      const { id } = await buy({ adults: 2, bicycles: 1 });
      const [receipt] = await issue(id);
      if (!receipt) throw new Error('There is no receipt.');
      const pdf = await buildReceiptPdf(receipt, {
        ...demoSettings,
        seller: { ...demoSettings.seller, ...seller },
      });
      const { stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
      for (const text of [
        ...['10%: $7.65', `${OUTSIDE}: $17.85`, `Net amount $17.85, ${OUTSIDE}`],
        ...['Net amount $9.68', '$0.97', '$10.65', '$28.50'],
      ]) {
        expect(stdout).toContain(text);
      }
    },
  );
});

test('lines store their parts in the order of the rules', async () => {
  const { id } = await buy({ adults: 1 });
  const lines = await office.context.db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, id))
    .orderBy(asc(orderLines.position));
  expect(lines).toMatchObject([
    {
      ...{ amount: 1275, taxBp: 280, tax: 35 },
      taxParts: [
        { ...ABROAD[0], gross: 383, tax: 35 },
        { ...ABROAD[1], gross: 892, tax: 0 },
      ],
    },
  ]);
});
