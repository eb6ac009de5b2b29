import { spawnSync } from 'node:child_process';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { queryRows } from '#server/database/database.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { orders } from '#server/database/schema/sales.ts';
import { buildReceiptPdf } from '#server/documents/receipt-pdf.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { registerReceiptJobs } from '#server/orders/receipts/issue-receipts.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { cardHolder } from '#tests/factories/trip-cards.ts';

const seller = {
  ...{ name: 'Sound Ferries, Inc.', address: '1 Ferry Dock, Madrona', tax_number: '602 555 014' },
  ...{ bank_account: null, country: 'US', zero_tax: 'zero_rated' as const, zero_tax_reason: null },
};
const company = { name: 'Kelp & Sons', address: '5 Shore Road, Madrona', tax_number: 'US-77' };
const hasPdftotext = !spawnSync('pdftotext', ['-v']).error;

let office: Office;
beforeAll(async () => {
  office = await openOffice();
  await registerReceiptJobs(office.context);
});
beforeEach(async () => {
  await office.reopen();
  await office.database.store.query(
    `insert into settings (name, value, updated_at) values ('web', $1, now())
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ seller })],
  );
});
afterAll(() => office.close());

/** Secrets of the buyers, by order. */
const secrets = new Map<string, string>();

async function buy(adults = 2): Promise<{ id: string; reference: string }> {
  const bought = await office.takePayment({ adults });
  await office.confirmWith(bought.intent);
  await office.readPayment(bought.order.id, bought.payment.id);
  secrets.set(bought.order.id, bought.order.buyer_secret);
  return must(await office.request('GET', `/api/orders/${bought.order.id}`));
}

function giveBack(reference: string, scope: NonNullable<Parameters<typeof refundOrder>[1]['scope']>) {
  const actor = { kind: 'command', systemUser: 'test' } as const;
  office.clock.advance(1000);
  return refundOrder(office.context, { reference, toTripCard: null, scope, note: 'a test', actor });
}

const pathOf = (id: string) => fillPath(api.issueReceipts.path, { id });
const issue = (id: string, recipient: object | null = null) =>
  office.request('POST', pathOf(id), { body: { recipient, buyer_secret: secrets.get(id) } });
const list = (id: string) =>
  office.context.db.select().from(receipts).where(eq(receipts.orderId, id)).orderBy(receipts.throughSeq);

describe('POST /api/orders/{id}/receipts', () => {
  test('issues one receipt for the whole sale, also when it is asked twice', async () => {
    const { id } = await buy();
    expect(await list(id)).toEqual([]);
    const first = must(await issue(id));
    expect(first).toMatchObject([
      { number: 'R-2026-000001', kind: 'receipt', total: 2550, refers_to: null, recipient: null },
    ]);
    expect(must(await issue(id))).toEqual(first);
    expect(await list(id)).toMatchObject([{ number: 'R-2026-000001' }]);
  });

  test('numbers the receipts of a year without gaps, also when many are issued at once', async () => {
    const bought = [await buy(1), await buy(1), await buy(1), await buy(1), await buy(1)];
    const issued = await Promise.all(bought.map(({ id }) => issue(id)));
    expect(issued.map((reply) => must(reply)[0].number).toSorted()).toEqual(
      [1, 2, 3, 4, 5].map((number) => `R-2026-00000${number}`),
    );
  });

  test('a refused request takes no number', async () => {
    const [first, second] = [await buy(1), await buy(1)];
    must(await issue(first.id));
    expect(codeOf(await issue(first.id, company))).toBe('recipient_fixed');
    expect(must(await issue(second.id))).toMatchObject([{ number: 'R-2026-000002' }]);
  });

  test('is made out to a company on request, and each later document too', async () => {
    const { id, reference } = await buy();
    expect(must(await issue(id, company))).toMatchObject([{ recipient: company.name }]);
    await giveBack(reference, { kind: 'amount', amount: '4.00' });
    expect(must(await issue(id, company))).toMatchObject([
      { kind: 'receipt' },
      {
        number: 'C-2026-000001',
        kind: 'credit_note',
        total: -400,
        refers_to: 'R-2026-000001',
        recipient: company.name,
      },
    ]);
  });

  test('says the tax of each line, which adds up to that of the sale', async () => {
    const { id } = await buy();
    must(await issue(id));
    const [stored] = await office.context.db.select().from(receipts);
    const [sold] = await queryRows<{ gross: number; tax: number }>(
      office.context.db,
      sql`select sum(gross)::float8 as gross, sum(tax)::float8 as tax from sale_entries`,
    );
    const sum = (field: 'gross' | 'tax') =>
      stored?.content.lines.reduce((total, line) => total + line[field], 0);
    expect([sum('gross'), sum('tax'), stored?.total]).toEqual([sold?.gross, sold?.tax, sold?.gross]);
  });

  test('is refused before the order is paid, and for an order that does not exist', async () => {
    const { id } = await office.takeOrder();
    expect(codeOf(await issue(id))).toBe('not_found');
    expect(codeOf(await issue('ord_00000000000000000000000000'))).toBe('not_found');
  });

  test.each([
    ['without a body', undefined],
    ['for a company without an address', { recipient: { ...company, address: ' ' } }],
    ['for a company with an unknown field', { recipient: { ...company, iban: 'x' } }],
  ])('is refused %s', async (_, body) => {
    const { id } = await buy(1);
    const reply = await office.request('POST', pathOf(id), body === undefined ? {} : { body });
    expect([415, 422]).toContain(reply.status);
    expect(await list(id)).toEqual([]);
  });

  test('is refused for everyone but the buyer, who may be a customer', async () => {
    const guests = await buy(1);
    secrets.delete(guests.id);
    expect(codeOf(await issue(guests.id))).toBe('change_not_allowed');
    const holder = await cardHolder(office);
    await office.context.db
      .update(orders)
      .set({ customerId: holder.customer.id })
      .where(eq(orders.id, guests.id));
    expect(codeOf(await issue(guests.id))).toBe('not_found');
    const own = await office.request('POST', pathOf(guests.id), {
      token: holder.token,
      body: { recipient: null },
    });
    expect(must(own)).toMatchObject([{ kind: 'receipt' }]);
  });

  test('is refused where the settings do not say who issues receipts', async () => {
    await office.database.store.query(`update settings set value = '{}' where name = 'web'`);
    const { id } = await buy(1);
    expect(codeOf(await issue(id))).toBe('no_receipts');
  });
});

describe('the job of receipts', () => {
  test('issues a credit note for each refund of an order that has a receipt, and none for others', async () => {
    const [with_, without] = [await buy(), await buy(1)];
    must(await issue(with_.id));
    await giveBack(with_.reference, { kind: 'amount', amount: '5.00' });
    await giveBack(with_.reference, { kind: 'all' });
    await giveBack(without.reference, { kind: 'all' });
    await office.jobs.send('issue-receipts', {});
    await office.jobs.runJobs();
    expect(await list(with_.id)).toMatchObject([
      { number: 'R-2026-000001', total: 2550 },
      { number: 'C-2026-000001', total: -500, refersTo: 'R-2026-000001' },
      { number: 'C-2026-000002', total: -2050, refersTo: 'R-2026-000001' },
    ]);
    expect(await list(without.id)).toEqual([]);
    await office.jobs.send('issue-receipts', {});
    await office.jobs.runJobs();
    expect(await list(with_.id)).toHaveLength(3);
  });
});

describe('a credit note', () => {
  /** Books an amount as a change of the order does, and issues what is missing. */
  async function book(id: string, gross: number) {
    office.clock.advance(1000);
    await office.context.db.execute(sql`
      insert into sale_entries (
        order_id, cause, route, kind, quantity, tax_bp, gross, tax, currency, booked_at
      ) values (${id}, 'change', '', 'fee', 0, 0, ${gross}, 0, 'USD', ${office.clock.now().toISOString()}::timestamptz)`);
    must(await issue(id));
  }
  const listReferences = async (id: string) =>
    (await list(id)).map(({ total, refersTo }) => [total, refersTo]);

  test('names the receipts that it takes its amount from, which are the newest', async () => {
    const { id } = await buy();
    must(await issue(id));
    await book(id, 300);
    await book(id, -200);
    await book(id, -500);
    await book(id, 50);
    await book(id, -2200);
    expect(await listReferences(id)).toEqual([
      [2550, null],
      [300, null],
      [-200, 'R-2026-000002'],
      [-500, 'R-2026-000001, R-2026-000002'],
      [50, null],
      [-2200, 'R-2026-000001, R-2026-000003'],
    ]);
  });
});

describe('GET /api/receipts/{id}', () => {
  test('answers a receipt as PDF by its id, which is not its number', async () => {
    const { id } = await buy(1);
    const [receipt] = must(await issue(id));
    const pdfOf = (name: string) => office.request('GET', fillPath(api.getReceiptPdf.path, { id: name }));
    const reply = await pdfOf(receipt.id);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(codeOf(await pdfOf(receipt.number))).toBe('not_found');
  });

  test.skipIf(!hasPdftotext)(
    'prints who sells and buys, each line, the tax by rate and the total',
    async () => {
      const { id, reference } = await buy();
      must(await issue(id, company));
      const [receipt] = await office.context.db.select().from(receipts);
      if (!receipt) throw new Error('There is no receipt.');
      const pdf = await buildReceiptPdf(receipt, { ...demoSettings, seller });
      const { stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
      for (const text of [
        ...['Receipt R-2026-000001', seller.name, seller.address, 'Tax number: 602 555 014'],
        ...[company.name, company.address, 'Tax number: US-77', `Order ${reference}`],
        ...['Adult', 'Tax', 'Total', '$25.50'],
      ]) {
        expect(stdout).toContain(text);
      }
    },
  );
});

describe('GET /api/receipts/{id}/ubl', () => {
  const load = (id: string) => office.request('GET', fillPath(api.getReceiptUbl.path, { id }));

  test('answers the receipt of a company with a country, and its credit note, as XML with the stored total', async () => {
    const { id, reference } = await buy();
    expect(must(await issue(id, { ...company, country: 'US' }))).toMatchObject([{ has_ubl: true }]);
    await giveBack(reference, { kind: 'amount', amount: '4.00' });
    const [receipt, creditNote] = must(await issue(id));
    expect(creditNote).toMatchObject({ has_ubl: true, total: -400 });
    const reply = await load(receipt.id);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(reply.headers.get('content-disposition')).toContain('R-2026-000001.xml');
    expect(String(reply.body)).toContain(
      '<cbc:TaxInclusiveAmount currencyID="USD">25.50</cbc:TaxInclusiveAmount>',
    );
    expect(String((await load(creditNote.id)).body)).toContain(
      '<cbc:TaxInclusiveAmount currencyID="USD">4.00</cbc:TaxInclusiveAmount>',
    );
  });

  test.each([
    ['for a simplified invoice', null, seller],
    ['without the country of the recipient', company, seller],
    ['without the country of the seller', { ...company, country: 'US' }, { ...seller, country: null }],
    ['without the reason of an exemption', { ...company, country: 'US' }, { ...seller, zero_tax: 'exempt' }],
  ])('is not there %s', async (_, recipient, by) => {
    await office.database.store.query(`update settings set value = $1 where name = 'web'`, [
      JSON.stringify({ seller: by }),
    ]);
    const { id } = await buy(1);
    const [receipt] = must(await issue(id, recipient));
    expect(receipt).toMatchObject({ has_ubl: false });
    expect(codeOf(await load(receipt.id))).toBe('not_found');
  });

  test('a country that is no code is refused', async () => {
    const { id } = await buy(1);
    expect(codeOf(await issue(id, { ...company, country: 'usa' }))).toBe('invalid_input');
    expect(await list(id)).toEqual([]);
  });

  test('is not found by its number', async () => {
    const { id } = await buy(1);
    const [receipt] = must(await issue(id, { ...company, country: 'US' }));
    expect(codeOf(await load(receipt.number))).toBe('not_found');
  });
});

describe('POST /api/staff/orders/{reference}/receipts', () => {
  const signIn = async (role: StaffRole) => {
    const { id } = await createStaffMember(office.context, role);
    return (await startStaffSession(office.context, id)).headers;
  };
  const ask = (reference: string, headers = {}, body: object = { recipient: company }) =>
    office.request('POST', fillPath(api.issueStaffReceipts.path, { reference }), { headers, body });

  test('issues the receipt for a buyer who calls, once, and the audit log has who did it', async () => {
    const { reference } = await buy();
    const desk = await signIn('desk');
    const issued = must(await ask(reference, desk));
    expect(issued).toMatchObject([{ number: 'R-2026-000001', recipient: company.name }]);
    expect(must(await ask(reference, desk))).toEqual(issued);
    const entries = await office.context.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'receipts_issued'));
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [{ receipts: 0 }, { receipts: 1 }],
      [{}, {}],
    ]);
  });

  test('is refused without a session, for the gate, for an unknown order and for a name without an address', async () => {
    const { reference, id } = await buy();
    const desk = await signIn('desk');
    expect((await ask(reference)).status).toBe(401);
    expect((await ask(reference, await signIn('gate'))).status).toBe(403);
    expect((await ask('AAAA-AAAA', desk)).status).toBe(404);
    expect((await ask(reference, desk, { recipient: { ...company, address: '' } })).status).toBe(422);
    expect(await list(id)).toEqual([]);
  });
});
