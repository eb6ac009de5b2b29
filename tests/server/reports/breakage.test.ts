import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReportName } from '#contract/reports/columns.ts';
import type { PassCard } from '#contract/trip-cards/schemas.ts';
import { bookBreakage } from '#server/accounting/book-breakage.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { computeReport } from '#server/reports/reports.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { replaceLostCard } from '#server/trip-cards/block-card.ts';
import { must } from '#tests/factories/buyer.ts';
import { buildPassTerms, sellPass } from '#tests/factories/passes.ts';
import { addEntry, createTripCard } from '#tests/factories/trip-cards.ts';
import { type CardOffice, openCardOffice, type Wallet } from '#tests/server/payment-cards/wallet.ts';

const DAY = 24 * 3_600_000;
let office: CardOffice;
let wallet: Wallet;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  wallet = await office.openWallet();
  await sellPass(office.context.db);
});

/** Ten trips, valid for a year. */
async function buyPass(price = 7400): Promise<PassCard> {
  const { id: cardId } = await wallet.add();
  must(
    await wallet.request('POST', '/api/customers/passes', {
      body: { code: 'ten_trips', price, payment_card_id: cardId },
      idempotencyKey: randomUUID(),
    }),
  );
  const [card] = must(await wallet.request('GET', '/api/customers/trip_cards?include=passes'));
  return card;
}

/** Pays an order for one adult with a trip. */
async function useTrip(cardId: string): Promise<{ reference: string; total: number }> {
  const order = await office.takeOrder({ adults: 1 });
  await office.context.db.execute(
    sql`update orders set customer_id = ${wallet.customer.id} where id = ${order.id}`,
  );
  must(
    await wallet.request('POST', `/api/orders/${order.id}/payments`, {
      body: { method: 'trip_card', trip_card_id: cardId, trips: 1 },
      idempotencyKey: randomUUID(),
    }),
  );
  return order;
}

const setRule = (breakage: 'never' | 'at_expiry' | 'proportional') =>
  storeWebSettings(office.context, { stored_value: { breakage, breakage_percent: 20 } });

type Row = Record<string, string | number>;
async function read(report: ReportName, from = '2026-06-01', until = '2027-12-31'): Promise<Row[]> {
  const { columns, rows } = await computeReport(office.context.db, report, {
    from,
    until,
    zone: 'UTC',
    now: office.clock.now(),
  });
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])));
}
const listBooked = async () =>
  (await read('ledger')).filter(({ debit, credit }) => [debit, credit].includes('breakage'));

describe('bookBreakage', () => {
  test('books nothing by the rule never, which is the default', async () => {
    await buyPass();
    office.clock.advance(400 * DAY);
    expect(await bookBreakage(office.context)).toBe(0);
    expect(await read('stored_value')).toMatchObject([{ closing: 10, breakage: 0, expired: 10 }]);
  });

  test('books the rest of a pass once, on the day after its last one', async () => {
    await setRule('at_expiry');
    const card = await buyPass();
    await addEntry(office.context, card.id, -4, { kind: 'fare', actor: 'device' });
    expect(await bookBreakage(office.context)).toBe(0);
    office.clock.set('2027-06-02T12:00:00.000Z');
    expect(await bookBreakage(office.context)).toBe(1);
    expect(await bookBreakage(office.context)).toBe(0);
    expect(await listBooked()).toEqual([
      {
        ...{ day: '2027-06-02', debit: 'stored_value', credit: 'breakage' },
        ...{ tax_percent: 0, amount: 7400, currency: 'USD' },
      },
    ]);
    expect(await read('stored_value', '2027-06-01', '2027-06-30')).toMatchObject([
      { opening: 6, breakage: 6, closing: 0, expired: 0 },
    ]);
    expect(await read('stored_value', '2027-05-01', '2027-05-31')).toMatchObject([
      { opening: 6, breakage: 0, closing: 6 },
    ]);
  });

  test('takes it back when the pass is renewed afterwards', async () => {
    await setRule('at_expiry');
    await buyPass();
    office.clock.set('2027-06-02T12:00:00.000Z');
    await bookBreakage(office.context);
    await wallet.signInAgain();
    await buyPass();
    expect(await bookBreakage(office.context)).toBe(1);
    expect(await read('stored_value')).toMatchObject([{ top_ups: 20, breakage: 0, closing: 20 }]);
    expect((await listBooked()).map(({ debit, amount }) => [debit, amount])).toEqual([
      ['breakage', 7400],
      ['stored_value', 7400],
    ]);
  });

  test('books the expected rest in proportion to the use', async () => {
    await setRule('proportional');
    const card = await buyPass();
    await addEntry(office.context, card.id, -2, { kind: 'fare', actor: 'device' });
    await bookBreakage(office.context);
    // A fifth of 74.00, of which two of the eight expected trips are used.
    expect(await listBooked()).toMatchObject([{ debit: 'stored_value', amount: 370 }]);
    expect(await read('stored_value')).toMatchObject([{ breakage: 0, closing: 8 }]);
  });

  test('counts no trips in proportion that were used before they were paid for', async () => {
    await setRule('proportional');
    const use = (cardId: string, trips: number) =>
      addEntry(office.context, cardId, -trips, { kind: 'fare', actor: 'device' });
    const imported = await createTripCard(office.context, wallet.customer.id, {
      ...{ unit: 'trips', pass: buildPassTerms(), balance: 4 },
    });
    await use(imported.id, 3);
    await buyPass();
    await bookBreakage(office.context);
    expect(await listBooked(), 'three unpaid trips').toEqual([]);
    const cardId = await replaceLostCard(office.context, {
      ...{ customerId: wallet.customer.id, cardId: imported.id },
    });
    await use(cardId, 2);
    await bookBreakage(office.context);
    expect(await listBooked(), 'and two of the eight expected ones').toMatchObject([{ amount: 370 }]);
  });

  test('counts what trips of a pass have paid for an order', async () => {
    await setRule('at_expiry');
    const card = await buyPass();
    await useTrip(card.id);
    office.clock.set('2027-06-02T12:00:00.000Z');
    await bookBreakage(office.context);
    const [money] = (await read('money')).filter(({ method }) => method === 'pass');
    expect(await listBooked()).toMatchObject([{ amount: 7400 - Number(money?.payments) }]);
  });

  describe('trips that pay more than is left of what was paid for the pass', () => {
    const listCorrections = async () =>
      (await read('ledger'))
        .filter(({ debit, credit }) => [debit, credit].includes('corrections'))
        .map(({ debit, amount }) => [debit, amount]);
    const getStoredValue = async () =>
      (await read('ledger')).reduce(
        (sum, { debit, credit, amount }) =>
          sum + (credit === 'stored_value' ? Number(amount) : debit === 'stored_value' ? -Number(amount) : 0),
        0,
      );
    const giveBack = ({ reference }: { reference: string }) =>
      refundOrder(office.context, {
        ...{ reference, toTripCard: null, scope: { kind: 'all' }, note: '', actor: { kind: 'server' } },
      });

    test('are a correction if nothing was paid for it here, which their return takes back', async () => {
      const pass = await createTripCard(office.context, wallet.customer.id, {
        ...{ unit: 'trips', pass: buildPassTerms(), balance: 2 },
      });
      const order = await useTrip(pass.id);
      expect(await listCorrections()).toEqual([['corrections', order.total]]);
      expect(await getStoredValue()).toBe(0);
      await giveBack(order);
      expect(await listCorrections()).toEqual([
        ['corrections', order.total],
        ['stored_value', order.total],
      ]);
      expect(await getStoredValue()).toBe(0);
    });

    test('are a correction as far as their price is more, also after the pass was replaced', async () => {
      await sellPass(office.context.db, { price: 1500 });
      const card = await buyPass(1500);
      const { total } = await useTrip(card.id);
      const cardId = await replaceLostCard(office.context, {
        ...{ customerId: wallet.customer.id, cardId: card.id },
      });
      await useTrip(cardId);
      expect(await listCorrections()).toEqual([['corrections', 2 * total - 1500]]);
      expect(await getStoredValue()).toBe(0);
    });

    test('leave nothing to become revenue when the pass ends', async () => {
      await setRule('at_expiry');
      await sellPass(office.context.db, { price: 100 });
      await useTrip((await buyPass(100)).id);
      office.clock.set('2027-06-02T12:00:00.000Z');
      await bookBreakage(office.context);
      expect(await listBooked()).toEqual([]);
      expect(await getStoredValue()).toBe(0);
    });
  });

  test('its entries cannot be changed, deleted or emptied', async () => {
    await setRule('at_expiry');
    await buyPass();
    office.clock.set('2027-06-02T12:00:00.000Z');
    await bookBreakage(office.context);
    for (const statement of [
      'update breakage_entries set trips = 0',
      'delete from breakage_entries',
      'truncate breakage_entries',
    ]) {
      await expect(office.context.db.execute(sql.raw(statement))).rejects.toThrow();
    }
  });
});
