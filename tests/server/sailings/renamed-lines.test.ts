import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { mails } from '#server/database/schema/system.ts';
import { fares, routes, sailings } from '#server/database/schema/timetable.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import type { FeedFiles } from '#server/sailings/feed/feed-files.ts';
import { previewTimetable } from '#server/sailings/import-timetable.ts';
import { createCustomer } from '#tests/factories/customers.ts';
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
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const TUESDAY = '2026-06-02';
const NAME = 'Across the Sound';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
  await importFeed(database.db);
});
afterEach(() => database.close());

/** The plain feed with another `route_id`, and names for its lines by their ids. */
function renameFeed(names: Record<string, string> = { crossing: NAME }): FeedFiles {
  const [id = ''] = Object.keys(names);
  const rows = Object.entries(names).map(([routeId, name]) => `${routeId},${name},4\n`);
  return buildFeed({
    'routes.txt': `route_id,route_long_name,route_type\n${rows.join('')}`,
    'trips.txt': feedText('trips.txt').replaceAll('sound,', `${id},`),
    'route_rules.csv': feedText('route_rules.csv').replace('sound,', `${id},`),
  });
}

const clock = { now: () => new Date(MONDAY) };
const config = { sms: null };
const readSailings = () => database.db.select().from(sailings).orderBy(sailings.id);

describe('a line with another route_id', () => {
  it('is still a line of the passes that were sold for it', async () => {
    const { db } = database;
    const { id: customerId } = await createCustomer({ db, clock });
    const terms = buildPassTerms({ lines: ['other', 'sound'] });
    const pass = await createTripCard({ db, clock }, customerId, { unit: 'trips', pass: terms, balance: 10 });
    const endless = await createTripCard({ db, clock }, customerId, {
      unit: 'trips',
      pass: buildPassTerms(),
      balance: 10,
    });
    await importFeed(db, renameFeed());
    const linesOf = async (id: string) =>
      (await db.select().from(tripCards).where(eq(tripCards.id, id)))[0]?.pass?.lines;
    expect(await linesOf(pass.id)).toEqual(['other', 'crossing']);
    expect(await linesOf(endless.id)).toBeNull();
  });

  it('keeps its sailings, fares and exceptions, and tells no passenger', async () => {
    const { db } = database;
    const orderId = await buildOrderOn(db, (await sailingOf(db, 'out-10', TUESDAY)).id);
    const day = { fromDay: TUESDAY, untilDay: TUESDAY };
    await db.insert(sailingExceptions).values({
      ...{
        id: 'exc_1',
        source: 'staff',
        kind: 'notice',
        line: 'sound',
        text: 'Pier 2.',
        insertedAt: clock.now(),
      },
      ...day,
    });
    await importFeed(db);
    const before = await readSailings();
    const fareIds = (await db.select().from(fares)).map(({ id }) => id).toSorted();
    const report = await importFeed(db, renameFeed(), { accepted: 'within-limit' });
    expect(report.sailings).toMatchObject({ added: 0, changed: 0, canceled: 0, removed: 0, unchanged: 32 });
    expect(await readSailings()).toEqual(before);
    expect((await db.select().from(fares)).map(({ id }) => id).toSorted()).toEqual(fareIds);
    const lines = (await db.select().from(routes)).map(({ gtfsRouteId, active }) => [gtfsRouteId, active]);
    expect(lines).toEqual([
      ['crossing', true],
      ['crossing', true],
    ]);
    expect(await db.select().from(mails).where(eq(mails.orderId, orderId))).toEqual([]);
  });

  it('is recognized by a preview too', async () => {
    const preview = await previewTimetable(
      { db: database.db, config, clock },
      { files: renameFeed(), days: 7 },
    );
    expect(preview.sailings).toMatchObject({ added: 0, gone: 0, retimed: 0, unchanged: 32 });
    expect(preview.fares).toMatchObject({ added: 0, removed: 0, changed: 0 });
  });

  it('is a new line if its name changes too', async () => {
    const report = await importFeed(database.db, renameFeed({ crossing: 'Northern Crossing' }));
    expect(report.sailings).toMatchObject({ added: 32, unchanged: 0 });
  });

  it('is a new line if two lines could be the one before', async () => {
    const trips = feedText('trips.txt');
    const both = renameFeed({ east: NAME, west: NAME });
    const text =
      trips.replaceAll('sound,daily,', 'east,daily,') +
      trips.replaceAll('sound,daily,', 'west,daily,w-').split('\n').slice(1).join('\n');
    const times = feedText('stop_times.txt');
    const westTimes = times
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => `w-${line}\n`)
      .join('');
    const files = new Map([
      ...both,
      ['trips.txt', new TextEncoder().encode(text)],
      ['stop_times.txt', new TextEncoder().encode(times + westTimes)],
    ]);
    const report = await importFeed(database.db, files);
    expect(report.sailings).toMatchObject({ added: 64, unchanged: 0 });
  });
});
