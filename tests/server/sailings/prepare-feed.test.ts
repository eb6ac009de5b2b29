import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { gt } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileError } from '#server/csv/problems.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { digestFiles, zipFeed } from '#server/sailings/feed/feed-files.ts';
import { unpackVoyages } from '#server/sailings/feed/packed-voyages.ts';
import { prepareFeed } from '#server/sailings/feed/prepare-feed.ts';
import { writeCatalogue } from '#server/sailings/write-catalogue.ts';
import { writeSailings } from '#server/sailings/write-sailings.ts';
import { planFeed } from '#tests/factories/planned-feed.ts';
import { buildFeed, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const now = new Date(MONDAY);
/** 1440 sailings per day and direction: a day of them is more than a part of an import has. */
const everyMinute = buildFeed({
  'frequencies.txt':
    'trip_id,start_time,end_time,headway_secs\nout-10,00:00:00,24:00:00,60\nback-11,00:00:00,24:00:00,60\n',
  'vessels.csv': 'code,name,passengers\ntern,MV Tern,10\n',
  'vehicle_types.csv': null,
  'fares.csv': null,
  'route_rules.csv': null,
});

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.close();
});

/** Runs work and counts the turns of the event loop during it. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns += 1) await nextEventLoopTurn();
  })();
  await work();
  isOver = true;
  await counting;
  return turns;
}

describe('prepareFeed', () => {
  it('plans and packs on a worker thread', async () => {
    const files = buildFeed();
    // The first call loads modules, whose text this thread decodes.
    await prepareFeed({ files }, { now, days: 1 });
    const onThisThread = vi.spyOn(TextDecoder.prototype, 'decode');
    const prepared = await prepareFeed({ files }, { now, days: 7 });
    expect(onThisThread).not.toHaveBeenCalled();
    expect(prepared.digest).toBe(digestFiles(files));
    expect(prepared.zip).toBe(Buffer.from(zipFeed(files)).toString('base64'));
    planFeed(files, { now, days: 7 });
    expect(onThisThread, 'planning decodes text').toHaveBeenCalled();
  });

  it('splits the plan’s voyages into parts of whole service days without a gap', async () => {
    const { voyages: planned, ...rest } = planFeed(everyMinute, { now, days: 4 });
    const { plan, parts } = await prepareFeed({ files: everyMinute }, { now, days: 4 });
    expect(plan).toEqual(rest);
    expect(parts.map(({ after, until }) => [after, until])).toEqual([
      [null, '2026-06-01'],
      ['2026-06-01', '2026-06-02'],
      ['2026-06-02', '2026-06-03'],
      ['2026-06-03', '2026-06-04'],
      ['2026-06-04', '2026-06-05'],
      ['2026-06-05', '2026-06-05'],
    ]);
    expect(parts.flatMap((part) => unpackVoyages(part.voyages))).toEqual(planned);
  });

  it('refuses a feed with the same problems as planning on the caller’s thread', async () => {
    const files = buildFeed({ 'operator.csv': 'currency\nx\n', 'stops.txt': null });
    const refusal = await prepareFeed({ files }, { now, days: 7 }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FileError);
    expect(() => planFeed(files, { now, days: 7 })).toThrow(refusal as FileError);
    const { problems, count } = refusal as FileError;
    expect([problems.length, count]).toEqual([count, count]);
    expect(problems).toContainEqual({
      file: 'stops.txt',
      line: null,
      column: null,
      message: 'The file is missing.',
    });
  });
});

describe('importing a feed in parts', () => {
  it('gives the event loop a turn after each part, for new and unchanged sailings', async () => {
    const { db } = database;
    const { plan, parts } = await prepareFeed({ files: everyMinute }, { now, days: 1 });
    expect(parts).toHaveLength(3);
    const ids = await writeCatalogue(db, plan);
    const write = () => writeSailings(db, { today: plan.today, parts, ids, now });
    expect(await countTurns(write)).toBeGreaterThan(parts.length);
    let counts = {};
    const turns = await countTurns(async () => {
      ({ counts } = await write());
    });
    expect(turns).toBeGreaterThan(parts.length);
    const total = parts.flatMap((part) => unpackVoyages(part.voyages)).length;
    expect(counts).toEqual({ added: 0, changed: 0, canceled: 0, removed: 0, unchanged: total });
  });

  it('removes the sailings of each part that a smaller feed no longer has', async () => {
    await importFeed(database.db, everyMinute, { days: 1 });
    const report = await importFeed(database.db, buildFeed(), { days: 1 });
    expect(report.sailings).toMatchObject({ added: 0, changed: 0, canceled: 0 });
    expect(await database.db.$count(sailings, gt(sailings.departsAt, now))).toBe(4 * 2);
  });

  it('covers the later days that another import adds while this one is planned', async () => {
    const reports = await Promise.all([
      importFeed(database.db, buildFeed(), { days: 30 }),
      importFeed(database.db, buildFeed(), { days: 7 }),
    ]);
    expect(reports.map((report) => report.sailings.removed)).toEqual([0, 0]);
    expect(await database.db.$count(sailings)).toBe(4 * 31);
  });
});
