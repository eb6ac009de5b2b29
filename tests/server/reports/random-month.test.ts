import { afterAll, beforeAll, expect, test } from 'vitest';
import { REPORTS, type ReportName } from '#contract/reports/columns.ts';
import type { BreakageRule } from '#contract/settings/schemas.ts';
import { sailings, voyageCapacity, voyages } from '#server/database/schema/timetable.ts';
import { closeMonth } from '#server/reports/close-month.ts';
import { computeReport, readReport } from '#server/reports/reports.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { buildDirectSailing, buildDirectVoyage } from '#tests/factories/ferry.ts';
import { sellPass } from '#tests/factories/passes.ts';
import { buildCashier } from '#tests/factories/staff.ts';
import { ABROAD, ABROAD_LATER, setTaxShares } from '#tests/factories/tax-rules.ts';
import { type CardOffice, openCardOffice } from '#tests/server/payment-cards/wallet.ts';
import { createDice, openMonth } from './month-player.ts';
import { addTo, computeLoads, type Figures, findDifferences, openRawBooks } from './raw-books.ts';

/*
 * A month of random sales, changes, refunds, disputes and payouts. At the end of each day, what the reports have to say is
 * computed from the tables of orders, payments and cards; at the end of the month the reports of the days until then have to
 * say the same. So the entries of the books, which the reports add up, are checked without being read. Loads are compared at
 * the end of the month only, because the tickets' state is not kept for each day.
 */

const HOUR = 3_600_000;
const ZONE = 'America/Los_Angeles';
const FIRST = '2026-06-01';
const LAST = '2026-06-30';
const JUNE = { from: FIRST, until: LAST, zone: ZONE, now: new Date('2026-07-02T08:00:00.000Z') };
const STEPS_A_DAY = 5;
const CHEAP_STEPS = ['charge at the gate', 'correct a card'] as const;

let office: CardOffice;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());

test.each([
  { currency: 'USD', seed: 20_260_601, unit: 1, breakage: 'at_expiry', laterSteps: 330 },
  { currency: 'JPY', seed: 20_260_602, unit: 1, breakage: 'proportional', laterSteps: 50 },
  { currency: 'KWD', seed: 20_260_603, unit: 10, breakage: 'never', laterSteps: 50 },
] as const)(
  'the reports of a random month in $currency (seed $seed) agree with the tables, and stay as they were closed',
  async (options) => {
    const month = await openOffice(options);
    const books = openRawBooks(office.context.db, options.breakage);
    const expected = new Map<string, Figures>();
    const playDay = async (day: string) => {
      office.clock.set(`${day}T08:00:00.000Z`);
      for (let step = 0; step < STEPS_A_DAY; step += 1) {
        await month.play();
        await books.noteGoodwill();
        office.clock.advance(HOUR);
      }
      await month.endDay();
      expected.set(day, await books.computeFigures(day));
    };
    for (const day of listDays()) await playDay(day);
    const name = `seed ${options.seed}`;
    for (const [day, figures] of expected) {
      expect(findDifferences(figures, await readFigures(day)), `the days until ${day}, ${name}`).toEqual({});
    }
    const loads = await computeLoads(office.context.db, {
      from: FIRST,
      until: LAST,
      now: office.clock.now(),
    });
    expect(findDifferences(loads, await readLoads()), `the loads, ${name}`).toEqual({});
    expect(
      month.steps.filter((step) => !month.done[step]),
      `what was never done, ${name}`,
    ).toEqual([]);

    office.clock.set('2026-07-02T08:00:00.000Z');
    const closed = await computeAll();
    await closeMonth(office.context, { month: '2026-06', zone: ZONE, actor: buildCashier() });
    for (const day of ['2026-07-02', '2026-07-03', '2026-07-04']) {
      await playDay(day);
      for (let step = 0; step < options.laterSteps; step += 1) await month.play(CHEAP_STEPS);
    }
    for (const report of REPORTS) {
      const { rows } = await readReport(office.context.db, { report, period: JUNE });
      expect(rows, `the closed ${report}, ${name}`).toEqual(closed[report]);
    }
    const again = await computeAll();
    for (const report of ENTRIES_ONLY)
      expect(again[report], `${report} computed again, ${name}`).toEqual(closed[report]);
    for (const [report, keys] of BALANCES) {
      const [june, july] = [await read(report, LAST), await read(report, '2026-07-31', '2026-07-01')];
      const [closing, opening] = [toBalances(june, keys, 'closing'), toBalances(july, keys, 'opening')];
      expect(findDifferences(closing, opening), `${report} at the start of July, ${name}`).toEqual({});
    }
  },
  240_000,
);

/** The reports that say the same of a month whatever happens later, also when they are computed and not read as closed. */
const ENTRIES_ONLY = [
  'sales',
  'money',
  'card_money',
  'open_items',
  'invoices',
  'cash_up',
  'drawers',
  'ledger',
] as const;
/** Reports that go on from one month to the next, and what names a row. */
const BALANCES = [
  ['deferred', ['currency']],
  ['stored_value', ['product', 'unit', 'currency']],
  ['card_money', ['currency']],
  ['open_items', ['reference']],
  ['invoices', ['currency']],
] as const;

function toBalances(rows: readonly Row[], keys: readonly string[], column: string): Figures {
  const figures: Figures = new Map();
  for (const row of rows) addTo(figures, keys.map((key) => row[key]).join(' '), Number(row[column]));
  return figures;
}

async function computeAll(): Promise<Record<ReportName, unknown>> {
  const computed: [ReportName, unknown][] = [];
  for (const report of REPORTS)
    computed.push([report, (await computeReport(office.context.db, report, JUNE)).rows]);
  return Object.fromEntries(computed) as Record<ReportName, unknown>;
}

function listDays(): string[] {
  return Array.from({ length: 30 }, (_, index) => `2026-06-${String(index + 1).padStart(2, '0')}`);
}

type Options = { currency: string; seed: number; unit: number; breakage: BreakageRule };

async function openOffice({ currency, seed, unit, breakage }: Options) {
  await office.reopen({}, '2026-06-01T08:00:00.000Z');
  const { context, database } = office;
  await database.store.query('update feed set currency = $1', [currency]);
  await database.store.query('update fares set amount = amount * $1, step_amount = step_amount * $1', [unit]);
  await database.store.query(
    'update vessels set passenger_capacity = 300, lane_cm = 20000, tall_lane_cm = 5000',
  );
  await addSailings();
  await storeWebSettings(context, {
    seller: {
      ...{ name: 'Sound Ferries, Inc.', address: '1 Ferry Dock, Madrona', tax_number: '602 555 014' },
      bank_account: 'IBAN DE02 1203 0000 0000 2020 51',
    },
    stored_value: { breakage, breakage_percent: 20 },
  });
  const fee = [{ shareBp: 10_000, taxBp: 2500, name: '' }];
  await setTaxShares(context.db, { passenger: ABROAD, fee });
  await setTaxShares(context.db, { passenger: ABROAD_LATER, vehicle: ABROAD, fee }, { from: '2026-06-16' });
  await sellPass(context.db, { currency, price: 7400 * unit, valid_days: 4 });
  office.context.config.refundLimit = 20;
  return openMonth(office, { dice: createDice(seed), currency, unit });
}

/** Two boats a day each way until the middle of the next month. */
async function addSailings(): Promise<void> {
  const { db } = office.context;
  const routes = await office.database.store.query<{ id: string; origin: string; destination: string }>(
    'select id, origin_port_id as origin, destination_port_id as destination from routes order by code',
  );
  for (const { id: routeId, origin, destination } of routes) {
    const rows = Array.from({ length: 90 }, (_, index) => {
      const departsAt = new Date(
        Date.parse('2026-06-02T18:00:00.000Z') + (index >> 1) * 24 * HOUR + (index & 1) * 4 * HOUR,
      );
      return buildDirectVoyage({
        ...{ vesselId: office.ferry.vesselId, portIds: [origin, destination], departsAt },
        ...{
          arrivesAt: new Date(departsAt.getTime() + HOUR),
          tripKey: `day-${routeId}-${index}`,
          now: office.clock.now(),
        },
      });
    });
    await db.insert(voyages).values(rows);
    const amounts = { passenger: 300, lane_cm: 20_000, tall_lane_cm: 5000, bicycle: 20 } as const;
    await db.insert(voyageCapacity).values(
      rows.flatMap(({ id: voyageId }) =>
        (Object.keys(amounts) as (keyof typeof amounts)[]).map((resource) => ({
          ...{ voyageId, stretch: 0, resource, total: amounts[resource], sellableOnline: amounts[resource] },
        })),
      ),
    );
    await db.insert(sailings).values(rows.map((voyage) => buildDirectSailing(voyage, routeId)));
  }
}

type Row = Record<string, string | number>;

async function read(report: ReportName, until: string, from = FIRST): Promise<Row[]> {
  const { columns, rows } = await computeReport(office.context.db, report, {
    from,
    until,
    zone: ZONE,
    now: office.clock.now(),
  });
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])));
}

/** The reports of all days until one, as `computeFigures` names what they say. */
async function readFigures(until: string): Promise<Figures> {
  const figures: Figures = new Map();
  const add = (name: string, row: Row, ...columns: string[]) => {
    for (const column of columns) addTo(figures, `${name} ${column}`, Number(row[column]));
  };
  for (const row of await read('sales', until)) {
    if (row.kind === 'goodwill') {
      add('goodwill', row, 'gross');
      add(`goodwill ${row.tax_percent}`, row, 'tax');
    }
    if (row.kind === 'gate_fare') add(`sales gate_fare ${row.product}`, row, 'gross');
    else add('sales', row, 'gross');
    if (row.kind === 'goodwill' || row.kind === 'gate_fare') continue;
    const name = `sales ${row.route} ${row.kind} ${row.product}`;
    add(name, row, 'tickets');
    add(`${name} ${row.tax_percent} ${row.tax_name}`, row, 'gross', 'tax');
  }
  for (const row of await read('money', until)) {
    add(`money ${row.source} ${row.method}`, row, 'payments', 'refunds', 'net');
  }
  for (const row of await read('deferred', until)) {
    addTo(figures, 'deferred all', Number(row.sold) - Number(row.refunded));
    add('deferred', row, 'closing');
  }
  for (const row of await read('stored_value', until)) {
    add(
      `stored_value ${row.product} ${row.unit}`,
      row,
      'top_ups',
      'spent',
      'returned',
      'transferred',
      'corrected',
      'breakage',
      'closing',
    );
  }
  for (const row of await read('open_items', until)) {
    addTo(figures, `open_items ${row.reference}`, Number(row.closing));
  }
  for (const row of await read('invoices', until)) {
    add('invoices', row, 'invoiced', 'credited', 'received', 'closing', 'not_due', 'overdue_30');
  }
  for (const row of await read('payouts', until))
    add('payouts', row, 'net', 'charges', 'refunds', 'disputes');
  for (const row of await read('card_money', until)) add('card_money', row, 'paid_out', 'fees', 'closing');
  for (const row of await read('cash_up', until))
    add(`cash_up ${row.staff} ${row.method}`, row, 'taken', 'paid_out');
  for (const row of await read('drawers', until)) add('drawers', row, 'expected', 'counted', 'difference');
  for (const { debit, credit, amount } of await read('ledger', until)) {
    addTo(figures, `ledger ${debit}`, Number(amount));
    addTo(figures, `ledger ${credit}`, -Number(amount));
  }
  return figures;
}

async function readLoads(): Promise<Figures> {
  const figures: Figures = new Map();
  for (const row of await read('loads', LAST)) {
    addTo(figures, `loads ${row.day} ${row.route} ${row.vessel} rows`, 1);
    for (const column of ['people', 'boarded', 'no_shows', 'vehicles', 'vehicles_boarded']) {
      addTo(figures, `loads ${row.day} ${row.route} ${row.vessel} ${column}`, Number(row[column]));
    }
  }
  return figures;
}
