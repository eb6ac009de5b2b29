import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandResult, executeCommand, settleCommand } from '#server/commands/command.ts';
import { importCommand } from '#server/commands/import.ts';
import { mails } from '#server/database/schema/system.ts';
import { fares, feed, sailings } from '#server/database/schema/timetable.ts';
import { zipFeed } from '#server/sailings/feed/feed-files.ts';
import { previewTimetable } from '#server/sailings/import-timetable.ts';
import { describePreview } from '#server/sailings/preview/describe-preview.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import {
  buildFeed,
  buildOrderOn,
  feedText,
  importFeed,
  MONDAY,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TUESDAY = '2026-06-02';
const folder = mkdtempSync(join(tmpdir(), 'gangway-import-checks-'));

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
});
afterEach(() => server.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The feed with the 10:00 sailing at 10:20, without the one back at 11:00, and with a dearer fare. */
const changed = {
  'trips.txt': feedText('trips.txt').replace('sound,daily,back-11\n', ''),
  'stop_times.txt': feedText('stop_times.txt')
    .replaceAll(/back-11,.*\n/g, '')
    .replace('out-10,10:00:00,10:00:00', 'out-10,10:20:00,10:20:00')
    .replace('out-10,10:30:00,10:30:00', 'out-10,10:50:00,10:50:00'),
  'fares.csv': feedText('fares.csv').replace('8.25', '8.75'),
};

/** The feed whose calendar ended in May. */
const expired = { 'calendar.txt': feedText('calendar.txt').replace('20271231', '20260531') };

async function sell(tripKey: string, day = TUESDAY): Promise<string> {
  const { db } = server.database;
  return buildOrderOn(db, (await sailingOf(db, tripKey, day)).id);
}

/** Runs the command with a feed that differs from the usual one. */
function runImport(changes: Record<string, string | null>, ...options: string[]): Promise<CommandResult> {
  const file = join(folder, 'feed.zip');
  writeFileSync(file, zipFeed(buildFeed(changes)));
  const args = [file, '--days', '7', '--today', '2026-06-01', ...options];
  return settleCommand(importCommand, async () =>
    executeCommand(importCommand, server.context, await importCommand.read(args)),
  );
}

async function readTimetable(): Promise<unknown[]> {
  const { db } = server.database;
  return [
    await db.select().from(sailings).orderBy(sailings.id),
    await db.select().from(fares).orderBy(fares.id),
    await db.select().from(feed),
    await db.select().from(mails),
  ];
}

describe('the preview of an import', () => {
  it('counts sailings with the tickets and orders on them, and writes nothing', async () => {
    const { db } = server.database;
    await importFeed(db);
    for (const trip of ['out-10', 'out-10', 'back-11', 'out-12']) await sell(trip);
    const before = await readTimetable();
    const preview = await previewTimetable(server.context, { files: buildFeed(changed), days: 7 });
    expect(await readTimetable()).toEqual(before);
    expect(preview).toMatchObject({
      ports: 2,
      routes: 2,
      until: '2026-06-08',
      sailings: { added: 0, gone: 8, retimed: 8, otherwiseChanged: 0, unchanged: 16 },
      risk: { affected: 2, sold: 3, limitPercent: 1, noService: null },
      unsoldPairs: [],
      unreachedPorts: [],
    });
    expect(preview.sailings.canceled).toMatchObject([
      { route: 'South Pier to North Pier', serviceDate: TUESDAY, tickets: 1, orderIds: [expect.any(String)] },
    ]);
    expect(preview.sailings.moved).toMatchObject([
      {
        route: 'North Pier to South Pier',
        departsAt: new Date('2026-06-02T17:00:00Z'),
        newDepartsAt: new Date('2026-06-02T17:20:00Z'),
        tickets: 2,
      },
    ]);
  });

  it('does not count orders that are not paid', async () => {
    const { db } = server.database;
    await importFeed(db);
    const { id } = await sailingOf(db, 'out-10', TUESDAY);
    await buildOrderOn(db, id, { status: 'expired', paymentStatus: 'none', paid: 0 });
    const { risk } = await previewTimetable(server.context, { files: buildFeed(changed), days: 7 });
    expect(risk).toMatchObject({ affected: 0, sold: 0 });
  });

  it('lists changed, new and removed fares, and prints the first five', async () => {
    await importFeed(server.database.db);
    const text = feedText('fares.csv').replace('8.25', '8.75').replace('saver,bicycle,,,1.00,,,\n', '');
    const files = buildFeed({ 'fares.csv': `${text}flex,passenger,child,,5.00,,,\n` });
    const preview = await previewTimetable(server.context, { files, days: 7 });
    expect(preview.fares).toMatchObject({ added: 2, removed: 2, changed: 2 });
    expect(preview.fares.list).toHaveLength(6);
    expect(describePreview(preview).match(/^ {2}(North|South) Pier to /gm)).toHaveLength(5);
    expect(preview.fares.list[0]).toEqual({
      route: 'North Pier to South Pier',
      fareClass: 'saver',
      what: 'adult',
      before: [{ amount: 825, validFrom: null, validUntil: null, weekdays: 127 }],
      after: [{ amount: 875, validFrom: null, validUntil: null, weekdays: 127 }],
      isNew: false,
      isGone: false,
    });
  });

  it('shows a price rise with the days from which each price applies', async () => {
    await importFeed(server.database.db);
    const dated = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line, index) => `${line},${index === 0 ? 'valid_from,valid_until,weekdays,priority' : ',,,'}`)
        .join('\n');
    const rise = dated(feedText('fares.csv'))
      .replace('saver,passenger,adult,,8.25,,,,,,,', 'saver,passenger,adult,,8.25,,,,,2026-12-31,,')
      .concat('\nsaver,passenger,adult,,9.50,,,,2027-01-01,,,')
      .concat('\nflex,passenger,adult,,12.00,,,,,,sat-sun,1\n');
    const { stdout } = await runImport({ 'fares.csv': rise }, '--preview');
    expect(stdout).toContain('Fares: 0 added, 0 removed, 4 changed.');
    expect(stdout).toMatch(/ saver +adult +\$8.25 +to \$8.25 until 2026-12-31, \$9.50 from 2027-01-01\n/);
    expect(stdout).toMatch(/ flex +adult +also +\$12.00 on sat sun\n/);
    expect(stdout).not.toContain('none');
  });

  it('shows how products will be taxed, with the days from which each share applies', async () => {
    await importFeed(server.database.db);
    const header = 'origin_stop_id,product,share_percent,tax_percent,name,valid_from,priority\n';
    const abroad = `${header}north,passenger,30,10,,,\nnorth,passenger,70,0,Outside the scope,,\n`;
    const { stdout } = await runImport({ 'taxes.csv': abroad }, '--preview');
    expect(stdout).toMatch(
      /Changes of taxes \(1\):\n {2}North Pier to South Pier +passenger +rates of the fares +to 30 % at 10 %, 70 % at 0 % \(Outside the scope\)\n/,
    );
    expect((await runImport({ 'taxes.csv': abroad })).exitCode).toBe(0);
    const later = `${abroad}north,passenger,100,7.5,,2027-01-01,1\n`;
    expect((await runImport({ 'taxes.csv': later }, '--preview')).stdout).toContain(
      ', 100 % at 7.5 % from 2027-01-01\n',
    );
    expect((await runImport({ 'taxes.csv': abroad }, '--preview')).stdout).not.toContain('taxes');
  });

  it('names port pairs without a fare or a sailing, and ports that cannot be reached', async () => {
    const oneWay = `${feedText('fares.csv').split('\n')[0]},origin_stop_id\nsaver,passenger,adult,,8.25,,,,north\n`;
    const preview = await previewTimetable(server.context, {
      files: buildFeed({ 'fares.csv': oneWay }),
      days: 7,
    });
    expect(preview.unreachedPorts).toEqual(['North Pier']);
    expect(preview.unsoldPairs).toEqual([{ route: 'South Pier to North Pier', reason: 'no passenger fare' }]);
    const idle = await previewTimetable(server.context, { files: buildFeed(expired), days: 7 });
    expect(idle.unsoldPairs.map(({ reason }) => reason)).toEqual([
      'no sailing until 2026-06-08',
      'no sailing until 2026-06-08',
    ]);
  });

  it('previews the first import of an installation', async () => {
    const preview = await previewTimetable(server.context, { files: buildFeed(), days: 7 });
    expect(preview.sailings).toMatchObject({ added: 32, gone: 0, retimed: 0, unchanged: 0 });
    expect(await server.database.db.$count(sailings)).toBe(0);
  });

  it('is printed as plain tables by the command', async () => {
    await importFeed(server.database.db);
    await sell('out-10');
    await sell('back-11');
    const { stdout, exitCode } = await runImport(changed, '--preview');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Preview: nothing was written. 2 ports, 2 routes, sailings until 2026-06-08.

  Sailings           sold  tickets  orders
  added           0
  gone            8     1        1       1
  new times       8     1        1       1
  other changes   0
  unchanged      16

Sold sailings that would be canceled (1):
  2026-06-02 11:00  South Pier to North Pier  1 ticket  1 order

Sold sailings that would get new times (1):
  2026-06-02 10:00  to 2026-06-02 10:20  North Pier to South Pier  1 ticket  1 order

Orders that would be written to: 2.

Fares: 0 added, 0 removed, 2 changed.
  North Pier to South Pier  saver  adult  $8.25  to $8.75
  South Pier to North Pier  saver  adult  $8.25  to $8.75

The import will be refused. This import would cancel or move 2 of 2 sold sailings (100 %), more than 1 %.
--preview lists them; --accept-changes 2 imports the feed all the same.
`);
  });
});

describe('an import that harms passengers', () => {
  it('is refused until the number of its sold sailings is confirmed', async () => {
    await importFeed(server.database.db);
    for (const trip of ['out-10', 'out-10', 'back-11', 'out-12']) await sell(trip);
    const before = await readTimetable();
    const refusal =
      'This import would cancel or move 2 of 3 sold sailings (67 %), more than 1 %. Nothing was done. ' +
      '--preview lists them; --accept-changes 2 imports the feed all the same.\n';
    expect(await runImport(changed)).toEqual({ stdout: '', stderr: refusal, exitCode: 1 });
    expect((await runImport(changed, '--accept-changes', '1')).stderr).toBe(refusal);
    expect(await readTimetable()).toEqual(before);
    const { stdout, exitCode } = await runImport(changed, '--accept-changes', '2');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('1 canceled');
    expect(stdout).toContain('3 orders were written to.');
  });

  it('is not refused within the limit of the settings', async () => {
    await importFeed(server.database.db);
    for (const trip of ['out-10', 'back-11', 'out-12']) await sell(trip);
    await storeWebSettings(server.context, { import_change_limit_percent: 70 });
    expect((await runImport(changed)).exitCode).toBe(0);
  });

  it('is refused when the calendar has expired, even if nothing was sold', async () => {
    await importFeed(server.database.db);
    const { stderr, exitCode } = await runImport(expired);
    expect(stderr).toBe(
      'The calendar of this feed has expired: it has no service day from 2026-06-01 on. ' +
        'This import would cancel or move 0 of 0 sold sailings. Nothing was done. ' +
        '--preview lists them; --accept-changes 0 imports the feed all the same.\n',
    );
    expect(exitCode).toBe(1);
    expect(await server.database.db.$count(sailings)).toBe(32);
    expect((await runImport(expired, '--accept-changes', '0')).exitCode).toBe(0);
    expect(await server.database.db.$count(sailings)).toBeLessThan(32);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'trips with one stop',
      { 'stop_times.txt': feedText('stop_times.txt').replaceAll(/.*,2\n/g, '') },
      'No trip of this feed that runs from 2026-06-01 on can be sold. ' +
        'Left out: trips with fewer than two ports (4): out-10, back-11, out-12, back-13.',
    ],
    [
      'trips by arrangement',
      {
        'stop_times.txt': feedText('stop_times.txt')
          .replaceAll(/,([12])\n/g, ',$1,2\n')
          .replace('stop_sequence', 'stop_sequence,pickup_type'),
      },
      'trips on which boarding or leaving must be arranged (pickup_type or drop_off_type 2 or 3). ' +
        'If a ticket arranges it, say sells_arranged in route_rules.csv (4): out-10, back-11, out-12, back-13.',
    ],
    [
      'no ferry',
      { 'routes.txt': feedText('routes.txt').replace(',4\n', ',3\n') },
      'This feed has no ferry: see route_type in routes.txt.',
    ],
    [
      'no trip',
      {
        'trips.txt': 'route_id,service_id,trip_id\n',
        'stop_times.txt': 'trip_id,arrival_time,departure_time,stop_id,stop_sequence\n',
      },
      'This feed has no trip of a ferry.',
    ],
  ])('names the true reason when a feed with %s has nothing to sell', async (_, changes, reason) => {
    const rest = {
      'route_rules.csv': null,
      'fares.csv': 'fare_class,kind,passenger_type,amount\nsaver,passenger,adult,8.25\n',
    };
    const { stderr } = await runImport({ ...changes, ...rest });
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('expired');
    const accepted = await runImport({ ...changes, ...rest }, '--accept-changes', '0');
    expect(accepted.stdout).not.toContain('no fares.csv');
    expect(accepted.stdout).not.toContain('calendars cover other days');
  });

  it('refuses a number that is none', async () => {
    const { stderr } = await runImport({}, '--accept-changes', 'all');
    expect(stderr).toContain('--accept-changes is a number of sailings.');
  });
});
