import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { ACCOUNTS } from '#contract/reports/accounts.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { queryRows } from '#server/database/database.ts';
import { formatBatch } from '#server/reports/datev.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';

/** 4000, 4001, … in the order of the accounts. */
const accounts = Object.fromEntries(ACCOUNTS.map((account, index) => [account, String(4000 + index)]));
const datev = {
  ...{ consultant_number: 29098, client_number: 55003 },
  ...{ fiscal_year_start: '07-01', account_length: 4 },
};

let office: Office;
beforeAll(async () => {
  office = await openOffice();
  const bought = await office.takePayment({ adults: 2 });
  await office.confirmWith(bought.intent);
  await office.readPayment(bought.order.id, bought.payment.id);
});
beforeEach(() => storeWebSettings(office.context, { accounts, datev, language: 'de-DE' }));
afterAll(() => office.close());

const signIn = async (role: StaffRole) => {
  const { id } = await createStaffMember(office.context, role);
  return (await startStaffSession(office.context, id)).headers;
};

async function load(month = '2026-06', headers?: Record<string, string>, query = '') {
  const path = fillPath(api.exportDatev.path, { month }) + query;
  return office.request('GET', path, { headers: headers ?? (await signIn('office')) });
}

async function readLedger(): Promise<Record<string, string | number>[]> {
  const path = `${fillPath(api.getReport.path, { report: 'ledger' })}?from=2026-06-01&until=2026-06-30`;
  const { columns, rows } = must(await office.request('GET', path, { headers: await signIn('manager') })) as {
    columns: string[];
    rows: (string | number)[][];
  };
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])));
}

/** The texts of a batch have no semicolons. */
const split = (line: string) => line.split(';');

describe('GET /api/staff/months/{month}/datev', () => {
  test('answers the general ledger of the month, row by row, and the audit log records it', async () => {
    const reply = await load();
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=windows-1252');
    expect(reply.headers.get('content-disposition')).toContain('EXTF_Buchungsstapel_2026-06.csv');
    const [header = '', columns = '', ...bookings] = String(reply.body).trimEnd().split('\r\n');
    expect(split(header)).toHaveLength(31);
    expect(split(columns)).toHaveLength(125);
    expect(split(header).slice(0, 5)).toEqual(['"EXTF"', '700', '21', '"Buchungsstapel"', '13']);
    expect(split(header)[5]).toMatch(/^20260601\d{9}$/);
    expect(split(header).slice(10, 16)).toEqual([
      ...['29098', '55003', '20250701', '4', '20260601', '20260630'],
    ]);
    expect(split(header)[21]).toBe('"USD"');
    const ledger = await readLedger();
    expect(ledger.length).toBeGreaterThan(2);
    const rows = bookings.map(split);
    expect(rows.every((row) => row.length === 125)).toBe(true);
    for (const [amount, side, currency, , , , account, contra, , day] of rows) {
      expect(amount).toMatch(/^\d{1,10},\d{2}$/);
      expect([side, currency]).toEqual(['"S"', '"USD"']);
      expect(account).toMatch(/^\d{4}$/);
      expect(contra).toMatch(/^\d{4}$/);
      expect(day).toMatch(/^\d{2}06$/);
    }
    const booked = rows.map(([amount = '', , , , , , debit, credit, , day = '']) => ({
      amount: Number(amount.replace(',', '')),
      ...{ debit, credit, day: `2026-06-${day.slice(0, 2)}` },
    }));
    expect(booked).toEqual(ledger.map(({ amount, debit, credit, day }) => ({ amount, debit, credit, day })));
    const [log] = await queryRows<{ count: number }>(
      office.context.db,
      sql`select count(*)::int as count from audit_log where action = 'report_exported' and object_id = 'datev'`,
    );
    expect(log?.count).toBe(1);
  });

  test('is refused with the names of the settings that are missing', async () => {
    await storeWebSettings(office.context, { accounts, datev: { client_number: 1 }, language: 'en-US' });
    const reply = await load();
    expect([reply.status, codeOf(reply)]).toEqual([422, 'datev_incomplete']);
    expect(JSON.stringify(reply.body)).toContain('Beraternummer');
    expect(JSON.stringify(reply.body)).not.toContain('Mandantennummer');
  });

  test.each([
    ['has no number', { ...accounts, receivables: undefined }, 'receivables'],
    ['is too short', { ...accounts, receivables: '140' }, '140'],
    ['is a name', { ...accounts, receivables: 'Debtors' }, 'Debtors'],
  ])('is refused if an account %s', async (_, wrong, named) => {
    await storeWebSettings(office.context, { accounts: wrong, datev });
    const reply = await load();
    expect([reply.status, codeOf(reply)]).toEqual([422, 'datev_incomplete']);
    expect(JSON.stringify(reply.body)).toContain(`"account":"${named}"`);
  });

  describe('of a month with several currencies', () => {
    beforeAll(() =>
      office.context.db.execute(sql`
        insert into payouts (
          id, is_live, is_automatic, amount, currency, status, created_at, arrives_on, booked_on, updated_at
        ) values
          ('po_nok', false, false, 5000, 'NOK', 'paid', now(), '2026-06-10', '2026-06-10', now()),
          ('po_jpy', false, false, 300, 'JPY', 'paid', now(), '2026-06-11', '2026-06-11', now())`),
    );
    afterAll(() => office.context.db.execute(sql`delete from payouts`));

    test('names them, and answers a batch of the chosen one', async () => {
      const refused = await load();
      expect([refused.status, codeOf(refused)]).toEqual([422, 'datev_incomplete']);
      expect(JSON.stringify(refused.body)).toContain('JPY, NOK, USD');
      const reply = await load('2026-06', undefined, '?currency=NOK');
      expect(reply.headers.get('content-disposition')).toContain('EXTF_Buchungsstapel_2026-06_NOK.csv');
      const [header = '', , ...bookings] = String(reply.body).trimEnd().split('\r\n');
      expect(split(header)[21]).toBe('"NOK"');
      expect(bookings.map((row) => split(row).slice(0, 3))).toEqual([['50,00', '"S"', '"NOK"']]);
      const inDollars = await load('2026-06', undefined, '?currency=USD');
      expect(String(inDollars.body)).not.toContain('NOK');
    });

    test('is refused for a currency without two decimals, without bookings, or that is none', async () => {
      const refused = await load('2026-06', undefined, '?currency=JPY');
      expect(codeOf(refused)).toBe('datev_incomplete');
      expect(JSON.stringify(refused.body)).toContain('JPY');
      expect(codeOf(await load('2026-06', undefined, '?currency=CHF'))).toBe('not_found');
      expect((await load('2026-06', undefined, '?currency=dollars')).status).toBe(422);
    });
  });

  test('is refused for a month that does not exist', async () => {
    expect(codeOf(await load('2026-13'))).toBe('not_found');
  });

  test('is refused without a session, for the desk, and without a recent proof of identity', async () => {
    expect((await load('2026-06', {})).status).toBe(401);
    expect(codeOf(await load('2026-06', await signIn('desk')))).toBe('not_permitted');
    const headers = await signIn('office');
    office.clock.advance(11 * 60_000);
    expect(codeOf(await load('2026-06', headers))).toBe('step_up_required');
  });
});

describe('formatBatch', () => {
  const createdAt = Temporal.PlainDateTime.from('2026-07-02T09:05:03.007');

  test('puts texts in quotation marks, cuts them and doubles their own quotation marks', () => {
    const booking = {
      ...{ day: '2026-08-09', debit: '1200', credit: '8400', amount: 5, currency: 'EUR' },
      text: `"A"\n${'b'.repeat(80)}`,
    };
    const batch = formatBatch({
      month: '2026-08',
      currency: 'EUR',
      settings: datev,
      createdAt,
      bookings: [booking],
    });
    const [header = '', , row = ''] = batch.split('\r\n');
    expect(split(header)[5]).toBe('20260702090503007');
    expect(split(header)[12]).toBe('20260701');
    expect(split(row)[0]).toBe('0,05');
    expect(split(row)[9]).toBe('0908');
    expect(split(row)[13]).toBe(`"""A"" ${'b'.repeat(56)}"`);
  });
});
