import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandResult, executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { lineCapacity, orderLines, orders } from '#server/database/schema/sales.ts';
import { sailings, voyageCapacity } from '#server/database/schema/timetable.ts';
import { topUps } from '#server/database/schema/trip-cards.ts';
import { registerNoRoomJobs } from '#server/sailings/exceptions/review-room.ts';
import { mailKindsAbout } from '#tests/factories/order-mails.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';
import {
  buildFeed,
  buildOrderOn,
  feedText,
  importFeed,
  MONDAY,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TUESDAY = '2026-06-02';
const LARGE_BOAT = `${feedText('vessels.csv')}gull,MV Gull,200,9000,2000,213,400,20\nskiff,Skiff,1,0,0,,,0\n`;

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db, buildFeed({ 'vessels.csv': LARGE_BOAT }));
});
afterEach(() => server.close());

async function run(...args: string[]): Promise<CommandResult> {
  return settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, server.context, await sailingsCommand.read(args)),
  );
}

const readSailing = () => sailingOf(server.context.db, 'out-10', TUESDAY);
const reimport = () => importFeed(server.context.db, buildFeed({ 'vessels.csv': LARGE_BOAT }));

const mailsAbout = (orderId: string) => mailKindsAbout(server.context.db, orderId);

async function attentionOf(orderId: string): Promise<string | null | undefined> {
  const [order] = await server.context.db.select().from(orders).where(eq(orders.id, orderId));
  return order?.needsAttention;
}

/** Puts a boat for one on a sailing with two orders. */
async function overbookSailing(
  more: Parameters<typeof buildOrderOn>[2] = {},
): Promise<{ kept: string; left: string; stdout: string }> {
  const { id } = await readSailing();
  const kept = await buildOrderOn(server.context.db, id, { confirmedAt: new Date('2026-05-01'), ...more });
  const left = await buildOrderOn(server.context.db, id, { confirmedAt: new Date('2026-05-02') });
  const lines = await server.context.db.select().from(orderLines);
  const places = lines.map((line) => ({
    ...{ lineId: line.id, sailingId: id, resource: 'passenger' as const, amount: 1 },
  }));
  await server.context.db.insert(lineCapacity).values(places);
  const { stdout } = await run('vessel', TUESDAY, 'NOR', '10:00', 'skiff');
  return { kept, left, stdout };
}

describe('npm run sailings -- cancel', () => {
  it('cancels a departure, marks its orders and writes to each buyer once', async () => {
    const orderId = await buildOrderOn(server.context.db, (await readSailing()).id);
    const { stdout } = await run('cancel', TUESDAY, 'NOR', '10:00', '--reason', 'weather');
    expect(stdout).toBe('1 sailing changed. Orders written to: 1.\n');
    expect(await readSailing()).toMatchObject({
      status: 'canceled',
      statements: [{ kind: 'canceled', reason: 'weather', text: '' }],
    });
    expect(await attentionOf(orderId)).toBe('sailing_canceled');
    await run('cancel', TUESDAY, 'NOR', '10:00', '--reason', 'weather');
    expect(await mailsAbout(orderId)).toEqual(['sailing-canceled']);
  });

  it('survives an import, and ends with undo', async () => {
    const orderId = await buildOrderOn(server.context.db, (await readSailing()).id);
    await run('cancel', `${TUESDAY} NOR 10:00`, '--text', 'The boat is in the yard.');
    const before = await readSailing();
    await reimport();
    expect(await readSailing()).toEqual(before);
    const { stdout } = await run('exceptions', '--csv');
    const [, line = ''] = stdout.split('\n');
    expect(line).toContain(',canceled,sound,out-10,NOR,10:00,');
    await run('undo', line.split(',')[0] ?? '');
    expect(await readSailing()).toMatchObject({ status: 'scheduled', statements: [] });
    expect(await attentionOf(orderId)).toBe('sailing_changed');
    expect(await mailsAbout(orderId)).toEqual(['sailing-canceled', 'sailing-changed']);
  });

  it.each([
    [['cancel', TUESDAY, 'NOR', '10:05'], 'No sailing departs from North Pier at 10:05 on 2026-06-02.'],
    [['cancel', TUESDAY, 'XXX', '10:00'], 'There is no port XXX. The ports are NOR, SOU.'],
    [['cancel', 'slg_none'], 'There is no sailing slg_none.'],
    [['cancel', TUESDAY, 'NOR'], 'Name one sailing: its id, or its day, port and time.'],
    [['cancel', 'slg_x', '--reason', 'fog'], '--reason is one of weather,'],
    [
      ['delay', TUESDAY, 'NOR', '10:00', '1441'],
      'A delay is 1 to 1440 minutes, or 0 if the sailing is on time.',
    ],
    [['vessel', TUESDAY, 'NOR', '10:00', 'kayak'], 'There is no boat kayak.'],
    [['notice', TUESDAY, 'NOR', '10:00'], 'A notice needs --text.'],
    [['notice', 'slg_x', '--text@de', 'Einstieg an Pier 2.'], 'needs --text too'],
    [['notice', 'slg_x', '--text@xx', 'Board.'], "Unknown option '--text@xx'"],
    [['undo', 'exc_none'], 'There is no exception exc_none.'],
    [['close-port', 'NOR', '--from', TUESDAY, '--to', '2026-06-01'], '--to is before --from.'],
    [['fly'], 'There is no command fly.'],
    [[], 'Name what to do.'],
  ])('explains itself when called with %j', async (args, text) => {
    const { exitCode, stderr } = await run(...args);
    expect(stderr).toContain(text);
    expect(exitCode).toBe(1);
    expect(await readSailing()).toMatchObject({ status: 'scheduled', version: 1 });
  });
});

describe('npm run sailings, other changes', () => {
  it('shows a delay with its reason', async () => {
    await run('delay', TUESDAY, 'NOR', '10:00', '25', '--reason', 'technical');
    expect(await readSailing()).toMatchObject({
      ...{ status: 'scheduled', delayMinutes: 25, statements: [{ kind: 'delayed', reason: 'technical' }] },
    });
  });

  it('says a notice in several languages', async () => {
    const german = ['--text@de', 'Einstieg an Pier 2.'];
    await run('notice', TUESDAY, 'NOR', '10:00', '--text', 'Board at pier 2.', ...german);
    expect(await readSailing()).toMatchObject({
      statements: [
        { kind: 'notice', text: 'Board at pier 2.', translations: { 'text@de': 'Einstieg an Pier 2.' } },
      ],
    });
  });

  it('closes sales at once and opens them until departure', async () => {
    await run('close-sales', TUESDAY, 'NOR', '10:00');
    expect((await readSailing()).salesCloseAt).toEqual(server.clock.now());
    server.clock.advance(60_000);
    await run('open-sales', TUESDAY, 'NOR', '10:00');
    const { salesCloseAt, departsAt } = await readSailing();
    expect(salesCloseAt).toEqual(departsAt);
  });

  it('changes nothing at later imports when sales are closed', async () => {
    await run('close-sales', TUESDAY, 'NOR', '10:00');
    const before = await readSailing();
    const { sailings: counts } = await reimport();
    expect(counts).toMatchObject({ added: 0, changed: 0, unchanged: 32 });
    expect(await readSailing()).toEqual(before);
  });

  it('gives a sailing on a day with closed sales the end of sales that a later feed has', async () => {
    await run('close-sales', TUESDAY, 'NOR', '12:00');
    const rules = 'route_id,carries_vehicles,carries_bicycles,sales_close_minutes\nsound,yes,yes,45\n';
    await importFeed(server.context.db, buildFeed({ 'vessels.csv': LARGE_BOAT, 'route_rules.csv': rules }));
    const { salesCloseAt, departsAt } = await readSailing();
    expect(departsAt.getTime() - salesCloseAt.getTime()).toBe(45 * 60_000);
  });

  it('cancels all sailings from and to a closed port', async () => {
    await run('close-port', 'SOU', '--from', TUESDAY, '--reason', 'weather');
    const all = await server.context.db.select().from(sailings).where(eq(sailings.serviceDate, TUESDAY));
    expect(all.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled', 'canceled']);
  });

  it('follows another boat with the capacity, also over an import', async () => {
    await run('vessel', TUESDAY, 'NOR', '10:00', 'gull');
    const { voyageId } = await readSailing();
    const readPlaces = async () => {
      const rows = await server.context.db
        .select()
        .from(voyageCapacity)
        .where(eq(voyageCapacity.voyageId, voyageId));
      return rows.find(({ resource }) => resource === 'passenger')?.total;
    };
    expect(await readPlaces()).toBe(200);
    await reimport();
    expect(await readPlaces()).toBe(200);
  });

  it('keeps the places of orders with assistance before those of others', async () => {
    const assistance = { askedAt: 0, noticeHours: 48, travelers: [] };
    const { kept, stdout } = await overbookSailing({ confirmedAt: new Date('2026-05-03'), assistance });
    expect(stdout).not.toContain(kept.slice(-8));
    expect(await attentionOf(kept)).toBeNull();
  });

  it('lists, marks and tells the orders that no longer fit on a smaller boat, the last confirmed first', async () => {
    const { kept, left, stdout } = await overbookSailing();
    expect(stdout).toMatch(new RegExp(`no longer fit.*\n  ${left.slice(-8)}  Ada Byron\n$`));
    expect(await attentionOf(kept)).toBeNull();
    expect(await attentionOf(left)).toBe('no_room');
    expect(await mailsAbout(left)).toEqual(['sailing-overbooked']);
  });

  it('ends the mark of an order that fits again, and tells its buyer once', async () => {
    const { left } = await overbookSailing();
    const { stdout } = await run('exceptions', '--csv');
    await run('undo', stdout.split('\n')[1]?.split(',')[0] ?? '');
    expect(await attentionOf(left)).toBeNull();
    await reimport();
    expect(await mailsAbout(left)).toEqual(['sailing-changed', 'sailing-overbooked']);
  });

  it('ends the mark when a larger boat comes with an import', async () => {
    const { kept, left } = await overbookSailing();
    await importFeed(
      server.context.db,
      buildFeed({ 'vessels.csv': LARGE_BOAT.replace('Skiff,1,', 'Skiff,2,') }),
    );
    expect([await attentionOf(kept), await attentionOf(left)]).toEqual([null, null]);
  });

  it('keeps the mark of an order whose boat has departed', async () => {
    const { kept, left } = await overbookSailing();
    await registerNoRoomJobs(server.context);
    const canceled = server.context.db.update(orderLines).set({ status: 'canceled' });
    await canceled.where(eq(orderLines.orderId, kept));
    server.clock.set('2026-06-02T17:30:00.000Z');
    await server.jobs.send('clear-no-room', {});
    await server.jobs.runJobs();
    expect(await attentionOf(left)).toBe('no_room');
  });

  it('ends the mark when another order is canceled, and puts the sailing on sale again', async () => {
    const { kept, left } = await overbookSailing();
    await registerNoRoomJobs(server.context);
    const runJob = async () => {
      await server.jobs.send('clear-no-room', {});
      await server.jobs.runJobs();
    };
    await runJob();
    expect(await attentionOf(left)).toBe('no_room');
    await server.context.db
      .update(orderLines)
      .set({ status: 'canceled' })
      .where(eq(orderLines.orderId, kept));
    await runJob();
    expect(await attentionOf(left)).toBeNull();
    expect(await mailsAbout(left)).toEqual(['sailing-changed', 'sailing-overbooked']);
  });
});

describe('npm run sailings -- apply', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gangway-exceptions-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function writeFile(...rows: string[]): string {
    const path = join(folder, 'exceptions.csv');
    writeFileSync(path, ['date,kind,stop_id,time,minutes,reason', ...rows, ''].join('\n'));
    return path;
  }

  it('replaces what the file before said', async () => {
    await run('apply', writeFile(`${TUESDAY},delayed,north,10:00,15,`));
    expect(await readSailing()).toMatchObject({ delayMinutes: 15 });
    await run('apply', writeFile(`${TUESDAY},suspended,NOR,10:00,,crew`));
    expect(await readSailing()).toMatchObject({ status: 'suspended', delayMinutes: 0 });
    await run('apply', writeFile());
    expect(await readSailing()).toMatchObject({ status: 'scheduled', statements: [] });
  });

  it('names every problem and changes nothing', async () => {
    const path = writeFile(`${TUESDAY},late,north,10:00,,`, `${TUESDAY},delayed,west,99:00,,`);
    const { stderr, exitCode } = await run('apply', path);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('exceptions.csv:2 kind: "late" is not one of');
    expect(stderr).toContain('exceptions.csv:3 stop_id: There is no stop west.');
    expect(stderr).toContain('exceptions.csv:3 time: "99:00" is not a time of day, H:MM, HH:MM or HH:MM:00.');
    expect(stderr).toContain('exceptions.csv:3 minutes: A value is needed here.');
    expect(await readSailing()).toMatchObject({ version: 1 });
  });

  it('reads the file of a feed at an import, and keeps it when a feed has none', async () => {
    const files = buildFeed({
      'vessels.csv': LARGE_BOAT,
      ...{ 'exceptions.csv': `date,kind,route_id,text\n${TUESDAY},notice,sound,Board at pier 2.\n` },
    });
    await importFeed(server.context.db, files);
    expect(await readSailing()).toMatchObject({ statements: [{ kind: 'notice', text: 'Board at pier 2.' }] });
    await reimport();
    expect(await readSailing()).toMatchObject({ statements: [{ kind: 'notice', text: 'Board at pier 2.' }] });
  });

  it('ends what the file of a feed said when an import has none of its rows', async () => {
    const importRows = (...rows: string[]) => {
      const file = ['date,kind,stop_id,time', ...rows, ''].join('\n');
      const files = buildFeed({ 'vessels.csv': LARGE_BOAT, 'exceptions.csv': file });
      return importFeed(server.context.db, files);
    };
    const { status, salesCloseAt } = await readSailing();
    await importRows(`${TUESDAY},canceled,north,10:00`, `${TUESDAY},sales_closed,north,10:00`);
    expect(await readSailing()).toMatchObject({ status: 'canceled', salesCloseAt: new Date(MONDAY) });
    await importRows();
    expect(await readSailing()).toMatchObject({ status, salesCloseAt });
  });
});

describe('reports of npm run sailings', () => {
  it('lists the departures of a port with the places taken', async () => {
    const { stdout } = await run('list', '--date', TUESDAY, '--port', 'NOR');
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^day +departs +from +to +line +boat/);
    expect(lines[1]).toMatch(
      /^2026-06-02 +10:00 +NOR +SOU +sound +MV Tern +scheduled +0 +0 +10 +0 +0 +0 +3000 +slg_/,
    );
    expect(lines).toHaveLength(3);
  });

  it('lists the departures of several days with the vehicles on them', async () => {
    const { db } = server.context;
    const { id, voyageId } = await readSailing();
    const orderId = await buildOrderOn(db, id);
    await db.update(orderLines).set({ kind: 'vehicle' }).where(eq(orderLines.orderId, orderId));
    const isLane = and(eq(voyageCapacity.voyageId, voyageId), eq(voyageCapacity.resource, 'lane_cm'));
    await db.update(voyageCapacity).set({ sold: 480 }).where(isLane);
    const { stdout } = await run('list', '--from', '2026-06-01', '--to', TUESDAY, '--port', 'NOR', '--csv');
    const rows = stdout.trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.split(',')[0])).toEqual(['2026-06-01', '2026-06-01', TUESDAY, TUESDAY]);
    expect(rows[2]).toContain(',10,0,1,480,3000,slg_');
    expect((await run('list', '--date', TUESDAY, '--to', TUESDAY)).stderr).toContain(
      'Name one day with --date',
    );
    expect((await run('list', '--from', TUESDAY, '--to', '2026-06-01')).stderr).toContain('--to is before');
    expect((await run('list', '--to', TUESDAY)).stderr).toContain('Name a day with --from.');
  });

  it('prints a manifest with counts by stretch, and CSV for a spreadsheet', async () => {
    await buildOrderOn(server.context.db, (await readSailing()).id);
    const { stdout } = await run('manifest', TUESDAY, 'NOR', '10:00');
    expect(stdout).toMatch(/^from +to +passengers +places/m);
    expect((await run('manifest', TUESDAY, 'NOR', '10:00', '--csv')).stdout).toMatch(/^from,to,order,kind/);
  });

  it('sums sales by day', async () => {
    const { stdout } = await run('sales', '--from', '2026-05-01', '--to', '2026-06-30');
    expect(stdout).toBe('None.\n');
    await buildOrderOn(server.context.db, (await readSailing()).id, { confirmedAt: new Date(MONDAY) });
    const sold = await run('sales', '--from', '2026-06-01', '--csv');
    expect(sold.stdout).toBe(
      'day,orders,passengers,vehicles,card,trip_card,cash,terminal,invoice,refunded,net,passes,passes_paid,top_ups,top_ups_paid,currency\n2026-06-01,1,0,0,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0,0.00,0,0.00,USD\n',
    );
  });

  it('lists the passes and top-ups sold on a day apart from the orders', async () => {
    const { db } = server.context;
    const card = await createTripCard(server.context, null);
    const at = new Date('2026-06-03T18:00:00.000Z');
    const [paid, disputed] = ['tup_paid', 'tup_disputed'].map((id, index) => ({
      ...{
        id,
        tripCardId: card.id,
        seq: index + 1,
        byCustomerId: 'cus_buyer',
        amount: 7400,
        currency: 'USD',
      },
      ...{ pass: buildPassTerms(), trigger: 'manual' as const, startedFrom: '', receiptNumber: id },
      ...{ idempotencyKey: id, insertedAt: at, completedAt: at, updatedAt: at },
    }));
    if (!paid || !disputed) throw new Error('There are two passes.');
    await db.insert(topUps).values([
      {
        ...paid,
        ...{ id: 'tup_money', seq: 3, receiptNumber: 'money', idempotencyKey: 'money' },
        pass: null,
        amount: 2000,
        status: 'succeeded',
      },
      { ...paid, status: 'succeeded' },
      { ...disputed, status: 'disputed' },
    ]);
    const sold = await run('sales', '--from', '2026-06-03', '--to', '2026-06-03', '--csv');
    expect(sold.stdout.split('\n')[1]).toBe(
      '2026-06-03,0,0,0,0.00,0.00,0.00,0.00,0.00,0.00,0.00,1,74.00,1,20.00,USD',
    );
  });
});
