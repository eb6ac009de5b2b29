import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { CardSale, CardSaleItems, CardSalePreview } from '#contract/desk/card-sales/schemas.ts';
import type { Drawers } from '#contract/desk/drawer/schemas.ts';
import type { Invoice } from '#contract/invoices/schemas.ts';
import { bookBreakage } from '#server/accounting/book-breakage.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { mails } from '#server/database/schema/system.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { buildReceiptUbl } from '#server/documents/receipt-ubl.ts';
import { eraseSaleAddresses } from '#server/invoices/retention.ts';
import { listMonths } from '#server/reports/months.ts';
import { computeReport } from '#server/reports/reports.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { sellPass } from '#tests/factories/passes.ts';
import { type Clerk, signInClerk } from '#tests/factories/staff-desk.ts';
import { addEntry, createTripCard } from '#tests/factories/trip-cards.ts';
import { expectNone, prepareQueries } from '../histories/invariants.ts';

const seller = {
  ...{ name: 'Sound Ferries, Inc.', address: '1 Ferry Dock, Madrona', tax_number: '602 555 014' },
  ...{ bank_account: 'Sound Ferries, IBAN DE02 1203 0000 0000 2020 51', country: 'US' },
};
const recipient = { name: 'Kelp School', address: '5 Shore Road, Madrona', tax_number: '', country: 'US' };
const INVOICE = { method: 'invoice', recipient, email: 'school@example.com', days: null };
const PASS = { kind: 'pass', code: 'ten_trips' } as const;
const PRICE = 7400;

let office: Office;
let clerk: Clerk;
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
  await sellPass(office.context.db);
  clerk = await signInClerk(office, 'manager');
});

const numbersOf = (cards: readonly { number: string }[]): CardSaleItems['cards'] => ({
  kind: 'numbers',
  numbers: cards.map(({ number }) => number),
});
const plastic = (count: number, over: Parameters<typeof createTripCard>[2] = {}) =>
  Promise.all(Array.from({ length: count }, () => createTripCard(office.context, null, over)));
const preview = async (cards: object, product: object = PASS): Promise<CardSalePreview> =>
  must(await clerk.call(api.previewCardSale, {}, { product, cards }));
const trySell = (cards: object, total: number, more: object = {}, by = clerk) =>
  by.call(api.sellCards, {}, { product: PASS, cards, payment: INVOICE, total, ...more });
const sell = async (cards: object, total: number, more: object = {}): Promise<CardSale> =>
  must(await trySell(cards, total, more));
const takeBack = ({ id }: { id: string }, by = clerk) => by.call(api.takeBackCardSale, { id });
const listInvoices = async (state = 'open'): Promise<Invoice[]> =>
  must(await office.request('GET', `${api.listInvoices.path}?state=${state}`, { headers: clerk.headers }))
    .invoices;
async function report(name: 'invoices' | 'money' | 'ledger' | 'stored_value') {
  const period = { from: '2026-06-01', until: '2026-06-30', zone: 'UTC', now: office.clock.now() };
  const { columns, rows } = await computeReport(office.context.db, name, period);
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}

describe('POST /api/staff/card_sales/preview', () => {
  test('tells how many cards get it, what each and all cost, and until when an invoice is to be paid', async () => {
    const cards = await plastic(3);
    const numbers = numbersOf([...cards, ...cards.slice(0, 1)]);
    expect(await preview(numbers)).toEqual({
      ...{ cards: 3, amount: PRICE, total: 3 * PRICE, currency: 'USD', pass_name: '10-trip pass' },
      ...{ repeated: 1, problems: [], due_on: '2026-06-15' },
    });
    expect(await office.count('card_sales')).toBe(0);
  });

  test('names the cards that cannot get it', async () => {
    const customer = await createCustomer(office.context);
    const owned = await createTripCard(office.context, customer.id);
    const [fresh] = await plastic(1);
    const [used] = await plastic(1, { balance: 500 });
    const [frozen] = await plastic(1, { status: 'frozen' });
    const cards = numbersOf([
      ...[{ number: '1234' }, { number: '9000 0000 0000 0019' }, ...(fresh ? [fresh] : [])],
      ...[owned, used, frozen].flatMap((card) => card ?? []),
    ]);
    const { problems, cards: count } = await preview(cards);
    expect(problems.map(({ line, problem }) => [line, problem])).toEqual([
      [1, 'not_a_number'],
      [2, 'unknown'],
      [4, 'other_use'],
      [5, 'other_use'],
      [6, 'blocked'],
    ]);
    expect(count).toBe(4);
    const money = await preview(cards, { kind: 'money', amount: 2000 });
    expect(money.problems.map(({ line }) => line)).toEqual([1, 2, 6]);
  });
});

describe('a school’s passes on one invoice', () => {
  test('are on all the plastic cards, and one invoice with their price is mailed', async () => {
    const cards = await plastic(3);
    const sale = await sell(numbersOf(cards), 3 * PRICE);
    expect(sale).toMatchObject({
      ...{ cards: 3, amount: PRICE, total: 3 * PRICE, method: 'invoice', recipient: 'Kelp School' },
      ...{
        invoice: { number: 'R-2026-000001', state: 'open' },
        can_be_taken_back: true,
        taken_back_at: null,
      },
    });
    expect(sale.items.map(({ number }) => number)).toEqual(cards.map(({ number }) => number).toSorted());
    for (const item of sale.items)
      expect(item).toMatchObject({ unit: 'trips', balance: 10, status: 'active' });
    const [card] = await office.context.db.select().from(tripCards);
    expect(card).toMatchObject({ name: '10-trip pass', unit: 'trips', entryCount: 1 });
    expect(card?.expiresAt).not.toBeNull();

    const [receipt] = await office.context.db.select().from(receipts);
    expect(receipt).toMatchObject({
      ...{ orderId: null, cardSaleId: sale.id, total: 3 * PRICE },
      content: {
        lines: [
          {
            ...{ text: '10-trip pass', quantity: 3, taxBp: 0, gross: 3 * PRICE, tax: 0 },
            parts: [{ name: 'Taxed when it pays for tickets', gross: 3 * PRICE }],
          },
        ],
      },
    });
    const ubl = receipt && buildReceiptUbl(receipt);
    expect(ubl).toContain('<cbc:PayableAmount currencyID="USD">222.00</cbc:PayableAmount>');
    expect(ubl).toContain('<cbc:TaxExemptionReason>Taxed when it pays for tickets</cbc:TaxExemptionReason>');
    const [mail] = await office.context.db.select().from(mails);
    expect(mail).toMatchObject({
      ...{ kind: 'invoice', toAddress: 'school@example.com', subject: 'Invoice R-2026-000001' },
      ...{ receiptId: receipt?.id, orderId: null },
    });
    expect(await listInvoices()).toMatchObject([
      {
        number: 'R-2026-000001',
        recipient: 'Kelp School',
        owed: 3 * PRICE,
        order_reference: null,
        card_sale_id: sale.id,
      },
    ]);
    const actions = (await office.context.db.select().from(auditLog)).map(({ action }) => action);
    expect(actions).toContain('cards_sold');
  });

  test('are owed until they are transferred, and stored value until they are used', async () => {
    await sell(numbersOf(await plastic(2)), 2 * PRICE);
    const [invoice] = await listInvoices();
    const { id = '', owed } = invoice ?? {};
    const transfer = { day: '2026-06-01', amount: 1000, reference: 'Kelp School', owed };
    must(await clerk.call(api.noteTransfer, { id }, transfer));
    expect(await report('invoices')).toMatchObject([
      { invoiced: 2 * PRICE, received: 1000, closing: 2 * PRICE - 1000 },
    ]);
    expect(await report('money')).toMatchObject([
      { source: 'top_up', method: 'invoice', payments: 2 * PRICE, refunds: 0, net: 2 * PRICE },
    ]);
    expect(await report('stored_value')).toMatchObject([
      { product: 'ten_trips', unit: 'trips', top_ups: 20, closing: 20 },
    ]);
    expect(await report('ledger')).toMatchObject([
      { debit: 'bank', credit: 'invoiced', amount: 1000 },
      { debit: 'invoiced', credit: 'stored_value', amount: 2 * PRICE },
    ]);
  });

  test('are in a month that can be closed, also if no ticket was sold in it', async () => {
    await sell({ kind: 'new', count: 1 }, PRICE);
    const now = new Date('2026-07-03T15:00:00.000Z');
    expect(await listMonths(office.context.db, { zone: 'UTC', now })).toMatchObject([
      { month: '2026-07', can_close: false },
      { month: '2026-06', can_close: true },
    ]);
  });

  test('are on no card if one of the cards cannot get them', async () => {
    const cards = await plastic(2);
    const [used] = await plastic(1, { balance: 500 });
    const reply = await trySell(numbersOf([...cards, ...(used ? [used] : [])]), 3 * PRICE);
    expect(codeOf(reply)).toBe('cards_refused');
    for (const table of ['card_sales', 'top_ups', 'invoices', 'receipts', 'mails'] as const) {
      expect([table, await office.count(table)]).toEqual([table, 0]);
    }
  });

  test('are sold once, also if the request is repeated at the same time', async () => {
    const body = { product: PASS, cards: numbersOf(await plastic(2)), payment: INVOICE, total: 2 * PRICE };
    const send = () =>
      office.request('POST', api.sellCards.path, {
        headers: clerk.headers,
        idempotencyKey: 'school-1',
        body,
      });
    await Promise.all([send(), send()]);
    const [first, second] = [must(await send()), must(await send())];
    expect(second.id).toBe(first.id);
    expect(await office.count('card_sales')).toBe(1);
    expect(await office.count('top_ups')).toBe(2);
    expect(await office.count('invoices')).toBe(1);
  });

  test('add trips to cards that have the same pass', async () => {
    const cards = await plastic(1);
    await sell(numbersOf(cards), PRICE);
    const again = await sell(numbersOf(cards), PRICE);
    expect(again.items).toMatchObject([{ balance: 20 }]);
    await sellPass(office.context.db, { code: 'other', lines: ['x'] });
    const { problems } = await preview(numbersOf(cards), { kind: 'pass', code: 'other' });
    expect(problems).toMatchObject([{ line: 1, problem: 'other_use' }]);
  });

  test('are on new numbers, if the school has no cards yet', async () => {
    const sale = await sell({ kind: 'new', count: 5 }, 5 * PRICE);
    expect(new Set(sale.items.map(({ number }) => number)).size).toBe(5);
    for (const { number } of sale.items) expect(number).toMatch(/^9\d{15}$/);
  });

  test('may be money', async () => {
    const product = { kind: 'money', amount: 2500 };
    const sale = await sell(numbersOf(await plastic(2)), 5000, { product });
    expect(sale).toMatchObject({
      pass_name: null,
      items: [{ balance: 2500 }, { unit: 'money', balance: 2500 }],
    });
    expect(await report('ledger')).toMatchObject([
      { debit: 'invoiced', credit: 'stored_value', amount: 5000 },
    ]);
  });

  test('may be paid in cash, which is in the drawer, with a receipt', async () => {
    must(await clerk.call(api.openDrawer, {}, { opening: 1000 }));
    office.clock.advance(60_000);
    const sale = await sell(numbersOf(await plastic(2)), 2 * PRICE, { payment: { method: 'cash' } });
    expect(sale).toMatchObject({ method: 'cash', invoice: null, can_be_taken_back: false });
    expect(sale.receipt_id).not.toBeNull();
    const { open } = must(await clerk.call(api.getDrawer, {})) as Drawers;
    expect(open).toMatchObject({ taken: 2 * PRICE, expected: 1000 + 2 * PRICE });
    expect(codeOf(await takeBack(sale))).toBe('card_sale_stays');
  });

  test('are in the list of what needs a person while the invoice is overdue', async () => {
    await sell({ kind: 'new', count: 1 }, PRICE);
    office.clock.advance(20 * 86_400_000);
    clerk = await signInClerk(office, 'office');
    const { items } = must(await office.request('GET', api.listWork.path, { headers: clerk.headers }));
    expect(items).toMatchObject([
      {
        ...{ kind: 'invoice_overdue', reference: '', contact_name: 'Kelp School', amount: PRICE },
        ...{ invoice_number: 'R-2026-000001', contact_email: 'school@example.com' },
      },
    ]);
  });
});

describe('taking a sale back', () => {
  test('takes everything off the cards and the invoice, with a credit note that is mailed', async () => {
    const cards = await plastic(2);
    const sale = await sell(numbersOf(cards), 2 * PRICE);
    for (const _ of [1, 2]) {
      expect(must(await takeBack(sale))).toMatchObject({
        ...{ can_be_taken_back: false, items: [{ balance: 0 }, { balance: 0 }], invoice: { state: 'paid' } },
        taken_back_at: expect.any(String),
      });
    }
    expect(await listInvoices('paid')).toMatchObject([{ credited: 2 * PRICE, owed: 0 }]);
    expect(await report('money')).toMatchObject([{ method: 'invoice', net: 0 }]);
    expect(await report('stored_value')).toMatchObject([{ closing: 0 }]);
    const [mail] = await office.context.db.select().from(mails).where(eq(mails.kind, 'invoice-credited'));
    expect(mail).toMatchObject({ toAddress: 'school@example.com', subject: 'Credit note C-2026-000001' });
    const written = await office.context.db.select().from(receipts).where(eq(receipts.kind, 'credit_note'));
    expect(written).toMatchObject([{ total: -2 * PRICE, refersTo: 'R-2026-000001' }]);
    const [note] = written;
    expect(note?.content.due).toBeUndefined();
    const ubl = note && buildReceiptUbl(note);
    expect(ubl).toContain('<cbc:PayableAmount currencyID="USD">0.00</cbc:PayableAmount>');
    expect(ubl).not.toContain('DueDate');
    await sell(numbersOf(cards), 2 * PRICE);
  });

  test('leaves no trips of it to expect the use of, when the cards are sold again', async () => {
    await storeWebSettings(office.context, {
      ...{ seller, stored_value: { breakage: 'proportional', breakage_percent: 20 } },
    });
    const cards = await plastic(1);
    must(await takeBack(await sell(numbersOf(cards), PRICE)));
    await sell(numbersOf(cards), PRICE);
    await addEntry(office.context, cards[0]?.id ?? '', -2, { kind: 'fare', actor: 'device' });
    await bookBreakage(office.context);
    // A fifth of 74.00, of which two of the eight expected trips are used.
    expect(await report('ledger')).toContainEqual(
      expect.objectContaining({ credit: 'breakage', amount: 370 }),
    );
  });

  test('is refused once something was transferred or used', async () => {
    const paid = await sell({ kind: 'new', count: 1 }, PRICE);
    const [invoice] = await listInvoices();
    const body = { day: '2026-06-01', amount: 100, reference: '', owed: PRICE };
    must(await clerk.call(api.noteTransfer, { id: invoice?.id ?? '' }, body));
    expect(codeOf(await takeBack(paid))).toBe('card_sale_stays');
    const used = await sell({ kind: 'new', count: 1 }, PRICE);
    const { adjustBalance } = await import('#server/trip-cards/operator-commands.ts');
    const number = used.items[0]?.number ?? '';
    const actor = { kind: 'server' } as const;
    await adjustBalance(office.context, { number, amount: -1, reason: 'a trip', key: '1', actor });
    expect(codeOf(await takeBack(used))).toBe('card_sale_stays');
    expect(await office.count('card_sales')).toBe(2);
  });
});

describe('a lost card of a sale', () => {
  test('is replaced by a new number that has its trips, also without an account', async () => {
    const sale = await sell(numbersOf(await plastic(2)), 2 * PRICE);
    const [lost, other] = sale.items;
    const replace = (by = clerk) => by.call(api.replaceSoldCard, { id: sale.id, card_id: lost?.id ?? '' });
    const { items } = must(await replace()) as CardSale;
    expect(items).toContainEqual(other);
    expect(items.map(({ number }) => number)).not.toContain(lost?.number);
    for (const item of items) expect(item).toMatchObject({ balance: 10, status: 'active' });
    expect(codeOf(await replace())).toBe('not_found');
    expect(codeOf(await replace(await signInClerk(office, 'gate')))).toBe('not_permitted');
    expect(codeOf(await replace(await signInClerk(office, 'desk', { isFresh: false })))).toBe(
      'step_up_required',
    );
    expect(must(await takeBack(sale))).toMatchObject({ items: [{ balance: 0 }, { balance: 0 }] });
  });
});

describe('a request to sell', () => {
  test.each([
    ['another price than was seen', { total: PRICE - 1 }, 'price_changed'],
    ['a pass that is not on sale', { product: { kind: 'pass', code: 'gone' } }, 'not_found'],
    ['no card', { cards: { kind: 'new', count: 0 } }, 'invalid_input'],
    ['too many cards', { cards: { kind: 'new', count: 201 } }, 'invalid_input'],
    ['an amount that cannot be put on a card', { product: { kind: 'money', amount: 1 } }, 'top_up_amount'],
    ['an invoice without an address', { payment: { ...INVOICE, email: 'x' } }, 'invalid_input'],
    ['a trip card that pays', { payment: { method: 'trip_card', card: '1' } }, 'invalid_input'],
  ])('is refused with %s', async (_, more, code) => {
    expect(codeOf(await trySell({ kind: 'new', count: 1 }, PRICE, more))).toBe(code);
    expect(await office.count('card_sales')).toBe(0);
  });

  test('on an invoice is refused while the settings do not say where it is paid', async () => {
    await storeWebSettings(office.context, { seller: { ...seller, bank_account: null } });
    expect(await preview({ kind: 'new', count: 1 })).toMatchObject({ due_on: null });
    expect(codeOf(await trySell({ kind: 'new', count: 1 }, PRICE))).toBe('no_invoices');
    expect(await office.count('card_sales')).toBe(0);
  });

  test('needs a session, the permission and a fresh confirmation', async () => {
    const body = { product: PASS, cards: { kind: 'new', count: 1 }, payment: INVOICE, total: PRICE };
    expect((await office.request('POST', api.sellCards.path, { body })).status).toBe(401);
    const others = await signInClerk(office, 'office');
    expect(codeOf(await others.call(api.sellCards, {}, body))).toBe('not_permitted');
    const tired = await signInClerk(office, 'desk', { isFresh: false });
    expect(codeOf(await tired.call(api.sellCards, {}, body))).toBe('step_up_required');
    const desk = await signInClerk(office, 'desk');
    const sale = must(await desk.call(api.sellCards, {}, body)) as CardSale;
    expect(codeOf(await takeBack(sale, desk))).toBe('not_permitted');
    expect(must(await others.call(api.listCardSales, {})).sales).toMatchObject([{ id: sale.id, cards: 1 }]);
    expect(must(await takeBack(sale, others))).toMatchObject({ can_be_taken_back: false });
  });
});

test('a sale is found by its recipient, its invoice and the number of a card, also of one that replaced it', async () => {
  const sale = await sell({ kind: 'new', count: 2 }, 2 * PRICE);
  await sell({ kind: 'new', count: 1 }, PRICE, { payment: { method: 'cash' } });
  const [lost] = sale.items;
  const replaced: CardSale = must(
    await clerk.call(api.replaceSoldCard, { id: sale.id, card_id: lost?.id ?? '' }),
  );
  const find = async (q: string): Promise<string[]> => {
    const path = `${api.listCardSales.path}?${new URLSearchParams({ q })}`;
    const { sales } = must(await office.request('GET', path, { headers: clerk.headers }));
    return sales.map(({ id }: CardSale) => id);
  };
  for (const q of [
    'kelp',
    'r-2026-000001',
    ...[sale, replaced].flatMap(({ items }) => items.map(({ number }) => number)),
  ])
    expect([q, await find(q)]).toEqual([q, [sale.id]]);
  expect(await find('')).toHaveLength(2);
  expect(await find('%')).toEqual([]);
});

test('the sale of trip cards that does not exist is not found', async () => {
  const id = 'csl_00000000000000000000000000';
  expect(codeOf(await clerk.call(api.getCardSale, { id }))).toBe('not_found');
  expect(codeOf(await takeBack({ id }))).toBe('not_found');
});

test('the mail address of a paid invoice is removed as those of old orders are', async () => {
  const sale = await sell({ kind: 'new', count: 1 }, PRICE);
  const { db, config } = office.context;
  const later = new Date('2036-01-01T00:00:00Z');
  await eraseSaleAddresses(db, later, config.keepDays);
  expect(await listInvoices()).toMatchObject([{ email: 'school@example.com' }]);
  must(await takeBack(sale));
  await eraseSaleAddresses(db, later, config.keepDays);
  expect(await listInvoices('paid')).toMatchObject([{ email: '' }]);
});
