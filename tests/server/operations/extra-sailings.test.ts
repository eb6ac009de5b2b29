import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandResult, executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { sailings, voyageCapacity, voyages } from '#server/database/schema/timetable.ts';
import {
  buildFeed,
  buildOrderOn,
  feedText,
  importFeed,
  MONDAY,
  routeIdOf,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TUESDAY = '2026-06-02';
const FLEET = {
  'vessels.csv': `${feedText('vessels.csv')}gull,MV Gull,200,9000,2000,213,400,20\n`,
};
const WITHOUT_10 = {
  'trips.txt': feedText('trips.txt').replace('sound,daily,out-10\n', ''),
  'stop_times.txt': feedText('stop_times.txt').replaceAll(/out-10,.*\n/g, ''),
};

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db, buildFeed(FLEET));
});
afterEach(() => server.close());

async function run(...args: string[]): Promise<CommandResult> {
  return settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, server.context, await sailingsCommand.read(args)),
  );
}

type Extra = Pick<typeof sailings.$inferSelect, 'id' | 'voyageId' | 'serviceDate' | 'departsAt' | 'status'>;

async function readExtras(): Promise<Extra[]> {
  const rows = await server.context.db
    .select({ sailing: sailings })
    .from(sailings)
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .where(isNotNull(voyages.exceptionId))
    .orderBy(asc(sailings.departsAt));
  return rows.map(({ sailing }) => sailing);
}

async function readExtra(): Promise<Extra> {
  const [extra, ...others] = await readExtras();
  if (!extra || others.length > 0) throw new Error('There is not exactly one extra sailing.');
  return extra;
}

async function undo(): Promise<CommandResult> {
  const [exception] = await server.context.db.select().from(sailingExceptions);
  return run('undo', exception?.id ?? '');
}

async function readPassengerPlaces(voyageId: string): Promise<number | undefined> {
  const isOwn = and(eq(voyageCapacity.voyageId, voyageId), eq(voyageCapacity.resource, 'passenger'));
  const [row] = await server.context.db.select().from(voyageCapacity).where(isOwn);
  return row?.total;
}

describe('npm run sailings -- add', () => {
  it('adds a sailing like another, with its own time, boat and text, to the search and the list', async () => {
    const { stdout } = await run(
      ...['add', TUESDAY, 'NOR', '10:00', '15:30', '--boat', 'gull', '--text', 'Extra boat.'],
    );
    expect(stdout).toBe('1 sailing changed. Orders written to: 0.\n');
    const route = await routeIdOf(server.context.db, 'NOR-SOU');
    const { body } = await server.request('GET', `/api/sailings?route_id=${route}&date=${TUESDAY}`);
    const listed = body.data as Record<string, unknown>[];
    expect(listed.map(({ departs_local }) => departs_local)).toEqual([
      '2026-06-02T10:00:00-07:00',
      '2026-06-02T12:00:00-07:00',
      '2026-06-02T15:30:00-07:00',
    ]);
    expect(listed[2]).toMatchObject({
      ...{ arrives_local: '2026-06-02T16:00:00-07:00', status_text: 'Extra boat.' },
    });
    expect((await run('list', '--date', TUESDAY, '--port', 'NOR')).stdout).toMatch(
      /15:30 +NOR +SOU +sound +MV Gull +scheduled +0 +0 +200 +0 +0 +0 +11000 /,
    );
  });

  it('says if the boat is already sold at that time', async () => {
    const { stdout } = await run('add', TUESDAY, 'NOR', '10:00', '10:15');
    expect(stdout).toBe(
      '1 sailing changed. Orders written to: 0.\nNote: MV Tern is sold twice at the same time on 2026-06-02: 10:00 North Pier (sound) and 10:15 North Pier (sound).\n',
    );
    const moved = await run('vessel', TUESDAY, 'NOR', '12:00', 'gull');
    expect(moved.stdout).not.toContain('12:00 North Pier');
  });

  it('adds it on another day, with the boat of its model', async () => {
    await run('add', TUESDAY, 'NOR', '10:00', '9:15', '--date', '2026-06-06');
    const extra = await readExtra();
    expect(extra).toMatchObject({ serviceDate: '2026-06-06', status: 'scheduled' });
    expect(extra.departsAt).toEqual(new Date('2026-06-06T16:15:00Z'));
    expect(await readPassengerPlaces(extra.voyageId)).toBe(10);
  });

  it('keeps it over imports, also when its model is gone and its boat has another size', async () => {
    await run('add', TUESDAY, 'NOR', '10:00', '15:30');
    const before = await readExtra();
    const vessels = feedText('vessels.csv').replace('MV Tern,10,', 'MV Tern,12,');
    const without10 = buildFeed({ 'vessels.csv': vessels, ...WITHOUT_10 });
    for (const _ of ['first', 'second']) {
      const report = await importFeed(server.context.db, without10);
      expect(report.skipped).toEqual([]);
    }
    expect(await readExtra()).toEqual(before);
    expect(await readPassengerPlaces(before.voyageId)).toBe(12);
  });

  it('needs a model that is still in the timetable', async () => {
    const { db } = server.context;
    const { id } = await sailingOf(db, 'out-10', TUESDAY);
    await buildOrderOn(db, id);
    await importFeed(db, buildFeed({ ...FLEET, ...WITHOUT_10 }));
    expect((await run('add', id, '15:30')).stderr).toContain('no longer in the timetable');
    expect(await db.$count(sailingExceptions)).toBe(0);
  });

  it('can be delayed and canceled as other sailings', async () => {
    await run('add', TUESDAY, 'NOR', '10:00', '15:30');
    await run('delay', TUESDAY, 'NOR', '15:30', '20');
    expect(await readExtra()).toMatchObject({ delayMinutes: 20 });
    await run('cancel', (await readExtra()).id);
    expect(await readExtra()).toMatchObject({ status: 'canceled' });
    expect(await sailingOf(server.context.db, 'out-10', TUESDAY)).toMatchObject({ status: 'scheduled' });
  });

  it('removes it with undo', async () => {
    await run('add', TUESDAY, 'NOR', '10:00', '15:30');
    expect((await undo()).stdout).toBe('1 sailing changed. Orders written to: 0.\n');
    expect(await readExtras()).toEqual([]);
  });

  it('cancels it with undo if tickets were sold, and tells each buyer once', async () => {
    const { db } = server.context;
    await run('add', TUESDAY, 'NOR', '10:00', '15:30');
    const orderId = await buildOrderOn(db, (await readExtra()).id);
    expect((await undo()).stdout).toBe('1 sailing changed. Orders written to: 1.\n');
    await importFeed(db, buildFeed(FLEET));
    expect(await readExtra()).toMatchObject({
      ...{ status: 'canceled', statements: [{ kind: 'extra_withdrawn' }] },
    });
    expect(await db.select().from(orders)).toMatchObject([{ needsAttention: 'sailing_canceled' }]);
    const written = await db.select().from(mails).where(eq(mails.orderId, orderId));
    expect(written.map(({ kind }) => kind)).toEqual(['sailing-canceled']);
  });

  it.each([
    [['add', TUESDAY, 'NOR', '10:00'], 'Name one sailing: its id, or its day, port and time.'],
    [['add', TUESDAY, 'NOR', '10:00', 'noon'], 'Name a sailing, and the time of the extra one.'],
    [['add', TUESDAY, 'NOR', '10:00', '15:30', '--boat', 'kayak'], 'There is no boat kayak.'],
    [['add', TUESDAY, 'NOR', '10:05', '15:30'], 'No sailing departs from North Pier at 10:05'],
    [
      ['add', TUESDAY, 'NOR', '10:00', '15:30', '--date', '2026-07-02'],
      'Sailings are on sale until 2026-06-08.',
    ],
    [
      ['add', TUESDAY, 'NOR', '10:00', '07:00', '--date', '2026-06-01'],
      'cannot depart at 07:00 on 2026-06-01',
    ],
  ])('explains itself when called with %j', async (args, text) => {
    const { exitCode, stderr } = await run(...args);
    expect(stderr).toContain(text);
    expect(exitCode).toBe(1);
    expect(await readExtras()).toEqual([]);
    expect(await server.context.db.$count(sailingExceptions)).toBe(0);
  });
});

describe('extra sailings of exceptions.csv', () => {
  const HEADER = 'date,kind,until,route_id,stop_id,time,like_time,like_date,vessel';
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gangway-extras-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function writeFile(...rows: string[]): string {
    const path = join(folder, 'exceptions.csv');
    writeFileSync(path, [HEADER, ...rows, ''].join('\n'));
    return path;
  }

  it('are added on each day on sale, and removed when the file no longer has them', async () => {
    await run('apply', writeFile('2026-06-05,extra,2026-12-31,sound,north,15:30,10:00,,gull'));
    expect((await readExtras()).map(({ serviceDate }) => serviceDate)).toEqual([
      ...['2026-06-05', '2026-06-06', '2026-06-07', '2026-06-08'],
    ]);
    await run('apply', writeFile());
    expect(await readExtras()).toEqual([]);
  });

  it('are added to further days when the timetable is extended', async () => {
    const row = '2026-06-05,extra,2026-12-31,sound,north,15:30,10:00,,\n';
    const files = buildFeed({ ...FLEET, 'exceptions.csv': `${HEADER}\n${row}` });
    await importFeed(server.context.db, files);
    const before = await readExtras();
    await importFeed(server.context.db, files, { now: '2026-06-02T15:00:00.000Z' });
    const after = await readExtras();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.map(({ serviceDate }) => serviceDate).at(-1)).toBe('2026-06-09');
  });

  it('are removed by an import whose file no longer has them', async () => {
    const row = '2026-06-05,extra,,sound,north,15:30,10:00,,\n';
    await importFeed(server.context.db, buildFeed({ ...FLEET, 'exceptions.csv': `${HEADER}\n${row}` }));
    expect(await readExtras()).toHaveLength(1);
    await importFeed(server.context.db, buildFeed({ ...FLEET, 'exceptions.csv': `${HEADER}\n` }));
    expect(await readExtras()).toEqual([]);
  });

  it('are named if no sailing runs that they are like', async () => {
    const { stdout } = await run('apply', writeFile(`${TUESDAY},extra,,sound,north,15:30,10:05,,`));
    expect(stdout).toContain(
      'Note: left out: an extra sailing like that of line sound at 10:05 on 2026-06-02, which is not in the timetable',
    );
  });

  it('need a line, a port and two times, and only they have a model', async () => {
    const { stderr } = await run(
      ...['apply', writeFile(`${TUESDAY},extra,,,,,,,`, `${TUESDAY},suspended,,sound,,,10:00,,`)],
    );
    for (const column of ['route_id', 'stop_id', 'time', 'like_time']) {
      expect(stderr).toContain(`exceptions.csv:2 ${column}: A value is needed here.`);
    }
    expect(stderr).toContain('exceptions.csv:3 like_time: An exception of the kind suspended has none.');
  });
});
