import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileError } from '#server/csv/problems.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { fares, feed, ports, sailings, voyageCapacity } from '#server/database/schema/timetable.ts';
import { loadDemoTimetable } from '#server/demo/demo-timetable.ts';
import { extendTimetable } from '#server/sailings/import-timetable.ts';
import { findPromoCode, loadCatalogue } from '#server/sailings/queries.ts';
import {
  buildFeed,
  buildHoldOn,
  buildOrderOn,
  feedText,
  importFeed,
  MONDAY,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

const nothing = { added: 0, changed: 0, canceled: 0, removed: 0, unchanged: 0 };
const TUESDAY = '2026-06-02';

/** The feed with the 10:00 sailing moved to another time. */
function at(time: string): Record<string, string> {
  const [hour = '', minute = ''] = time.split(':');
  const text = feedText('stop_times.txt')
    .replace('out-10,10:00:00,10:00:00', `out-10,${hour}:${minute}:00,${hour}:${minute}:00`)
    .replace('out-10,10:30:00,10:30:00', `out-10,${hour}:59:00,${hour}:59:00`);
  return { 'stop_times.txt': text };
}

/** The feed without the 10:00 sailing. */
const without10 = {
  'trips.txt': feedText('trips.txt').replace('sound,daily,out-10\n', ''),
  'stop_times.txt': feedText('stop_times.txt').replaceAll(/out-10,.*\n/g, ''),
};

function isOfVoyage(sailingId: string): SQL | undefined {
  const { db } = database;
  const ids = db.select({ id: sailings.voyageId }).from(sailings).where(eq(sailings.id, sailingId));
  return inArray(voyageCapacity.voyageId, ids);
}

async function roomOf(sailingId: string): Promise<Record<string, { total: number; sellable: number }>> {
  const rows = await database.db.select().from(voyageCapacity).where(isOfVoyage(sailingId));
  return Object.fromEntries(
    rows.map((row) => [row.resource, { total: row.total, sellable: row.sellableOnline }]),
  );
}

async function take(sailingId: string, taken: { held?: number; sold?: number }): Promise<void> {
  await database.db
    .update(voyageCapacity)
    .set(taken)
    .where(and(isOfVoyage(sailingId), eq(voyageCapacity.resource, 'passenger')));
}

async function attentionOf(orderId: string): Promise<string | null | undefined> {
  const [order] = await database.db.select().from(orders).where(eq(orders.id, orderId));
  return order?.needsAttention;
}

describe('importing a feed', () => {
  it('writes ports, routes and a sailing for every day, with the capacity of each resource', async () => {
    const report = await importFeed(database.db);
    expect(report).toEqual({
      ports: 2,
      routes: 2,
      sailings: { ...nothing, added: 32 },
      notices: { notified: 0, unpaidNotified: 0, unreachable: [] },
      endsOn: '2027-12-31',
      skipped: [],
    });
    const sailing = await sailingOf(database.db, 'out-10', TUESDAY);
    expect(sailing.departsAt.toISOString()).toBe('2026-06-02T17:00:00.000Z');
    expect(sailing.salesCloseAt.toISOString()).toBe('2026-06-02T16:50:00.000Z');
    expect(await roomOf(sailing.id)).toEqual({
      passenger: { total: 10, sellable: 10 },
      lane_cm: { total: 2000, sellable: 2000 },
      tall_lane_cm: { total: 1000, sellable: 1000 },
      bicycle: { total: 2, sellable: 2 },
    });
  });

  it('changes nothing the second time, and keeps every id', async () => {
    await importFeed(database.db);
    const before = await database.db.select().from(sailings).orderBy(sailings.id);
    const faresBefore = await database.db.select().from(fares).orderBy(fares.id);
    const again = await importFeed(database.db);
    expect(again.sailings).toEqual({ ...nothing, unchanged: 32 });
    expect(await database.db.select().from(sailings).orderBy(sailings.id)).toEqual(before);
    expect(await database.db.select().from(fares).orderBy(fares.id)).toEqual(faresBefore);
  });

  it('writes nothing when the feed has a problem', async () => {
    await importFeed(database.db);
    const before = await database.db.select().from(ports);
    const broken = buildFeed({
      'stops.txt': feedText('stops.txt').replace('North Pier', 'New Pier'),
      'fares.csv': 'fare_class,kind,passenger_type,amount\nsaver,passenger,adult,free\n',
    });
    await expect(importFeed(database.db, broken)).rejects.toThrow(FileError);
    expect(await database.db.select().from(ports)).toEqual(before);
  });

  it('writes nothing when the database fails halfway', async () => {
    await importFeed(database.db);
    const { revision } = (await loadCatalogue(database.db)).feed;
    await database.db.execute(sql`alter table feed add constraint refused check (window_days < 9)`);
    await expect(importFeed(database.db, buildFeed(at('10:05')), { days: 9 })).rejects.toThrow();
    await database.db.execute(sql`alter table feed drop constraint refused`);
    expect((await loadCatalogue(database.db)).feed.revision).toBe(revision);
    const sailing = await sailingOf(database.db, 'out-10', TUESDAY);
    expect(sailing.departsAt.toISOString()).toBe('2026-06-02T17:00:00.000Z');
  });

  it('gives a sailing at another time a new version and marks the orders on it', async () => {
    await importFeed(database.db);
    const { id } = await sailingOf(database.db, 'out-10', TUESDAY);
    const orderId = await buildOrderOn(database.db, id);
    const other = await buildOrderOn(database.db, (await sailingOf(database.db, 'out-12', TUESDAY)).id);
    const report = await importFeed(database.db, buildFeed(at('10:20')));
    expect(report.sailings).toEqual({ ...nothing, changed: 8, unchanged: 24 });
    const sailing = await sailingOf(database.db, 'out-10', TUESDAY);
    expect(sailing).toMatchObject({ id, version: 2 });
    expect(sailing.departsAt.toISOString()).toBe('2026-06-02T17:20:00.000Z');
    expect(await attentionOf(orderId)).toBe('sailing_changed');
    expect(await attentionOf(other)).toBeNull();
    expect(await mailsAbout()).toEqual(['sailing-changed']);
    await importFeed(database.db, buildFeed(at('10:25')));
    expect(await mailsAbout(), 'passengers are notified of each new time').toEqual([
      'sailing-changed',
      'sailing-changed',
    ]);
  });

  it('deletes a vanished sailing without orders, and cancels one with tickets', async () => {
    await importFeed(database.db);
    const { id } = await sailingOf(database.db, 'out-10', TUESDAY);
    const orderId = await buildOrderOn(database.db, id);
    const expired = await buildOrderOn(database.db, id, {
      status: 'expired',
      paymentStatus: 'none',
      paid: 0,
    });
    const report = await importFeed(database.db, buildFeed(without10));
    expect(report.sailings).toEqual({ ...nothing, canceled: 1, removed: 7, unchanged: 24 });
    expect(await sailingOf(database.db, 'out-10', TUESDAY)).toMatchObject({
      id,
      status: 'canceled',
      version: 2,
    });
    expect(await attentionOf(orderId)).toBe('sailing_canceled');
    expect(await attentionOf(expired)).toBeNull();
    expect(report.notices.notified).toBe(1);
    expect(await mailsAbout()).toEqual(['sailing-canceled']);
    expect((await importFeed(database.db, buildFeed(without10))).sailings).toEqual({
      ...nothing,
      unchanged: 24,
    });
    expect(await mailsAbout(), 'passengers are notified of a cancellation once').toEqual([
      'sailing-canceled',
    ]);
  });

  it('reinstates a sailing that reappears, but not one that staff canceled', async () => {
    await importFeed(database.db);
    const { id } = await sailingOf(database.db, 'out-10', TUESDAY);
    const stormy = await sailingOf(database.db, 'out-12', TUESDAY);
    await database.db
      .update(sailings)
      .set({ status: 'canceled', writtenStatusText: 'High winds.' })
      .where(eq(sailings.id, stormy.id));
    const orderId = await buildOrderOn(database.db, id);
    await importFeed(database.db, buildFeed(without10));
    await importFeed(database.db);
    expect(await sailingOf(database.db, 'out-10', TUESDAY)).toMatchObject({
      id,
      status: 'scheduled',
      writtenStatusText: '',
      withdrawn: false,
      version: 3,
    });
    expect(await attentionOf(orderId)).toBe('sailing_changed');
    expect(await sailingOf(database.db, 'out-12', TUESDAY)).toMatchObject({
      status: 'canceled',
      writtenStatusText: 'High winds.',
    });
  });

  it('never hides a payment in doubt behind a changed sailing', async () => {
    await importFeed(database.db);
    const { id } = await sailingOf(database.db, 'out-10', TUESDAY);
    const orderId = await buildOrderOn(database.db, id, { needsAttention: 'payment_in_doubt' });
    await importFeed(database.db, buildFeed(without10));
    expect(await attentionOf(orderId)).toBe('payment_in_doubt');
  });

  it('leaves past sailings unchanged', async () => {
    await importFeed(database.db);
    const afterNoon = '2026-06-01T20:30:00.000Z';
    const report = await importFeed(database.db, buildFeed(without10), { now: afterNoon });
    expect(report.sailings).toEqual({ ...nothing, removed: 7, unchanged: 24 });
    const sailed = await sailingOf(database.db, 'out-10', '2026-06-01');
    expect(sailed).toMatchObject({ status: 'scheduled', version: 1 });
  });

  it('leaves no sailing of an older feed beyond the days asked for', async () => {
    await importFeed(database.db, buildFeed(), { days: 14 });
    const report = await importFeed(database.db, buildFeed(without10), { days: 7 });
    expect(report.sailings).toEqual({ ...nothing, removed: 15, unchanged: 45 });
  });

  it('swaps vessels without losing sold places, and marks a vessel that is too small', async () => {
    await importFeed(database.db);
    const full = await sailingOf(database.db, 'out-10', TUESDAY);
    await take(full.id, { sold: 7, held: 1 });
    const smaller = { 'vessels.csv': 'code,name,passengers,lane_cm,online_percent\nskiff,Skiff,6,1000,50\n' };
    const report = await importFeed(database.db, buildFeed(smaller));
    expect(report.sailings.changed).toBe(32);
    expect(await roomOf(full.id)).toMatchObject({
      passenger: { total: 6, sellable: 8 },
      lane_cm: { total: 1000, sellable: 500 },
      tall_lane_cm: { total: 0, sellable: 0 },
    });
    expect((await sailingOf(database.db, 'out-10', TUESDAY)).oversubscribed).toBe(true);
    const other = await sailingOf(database.db, 'out-12', TUESDAY);
    expect(other.oversubscribed).toBe(false);
    expect((await roomOf(other.id)).passenger).toEqual({ total: 6, sellable: 3 });
    await importFeed(database.db);
    expect((await sailingOf(database.db, 'out-10', TUESDAY)).oversubscribed).toBe(false);
  });

  it('keeps a fare’s id when its amount changes, and forgets fares that are gone', async () => {
    await importFeed(database.db);
    const before = await database.db.select().from(fares);
    const text = feedText('fares.csv')
      .replace('8.25', '8.75')
      .replace('flex,passenger,adult,,10.00,,,\n', '');
    await importFeed(database.db, buildFeed({ 'fares.csv': text }));
    const after = await database.db.select().from(fares);
    expect(after).toHaveLength(before.length - 2);
    const dearer = after.find((fare) => fare.amount === 875);
    expect(before.find((fare) => fare.id === dearer?.id)?.amount).toBe(825);
  });

  it('keeps how often a promo code was used', async () => {
    await importFeed(database.db);
    await database.db.execute(sql`update promo_codes set redeemed = 1 where code = 'GONE'`);
    await importFeed(database.db);
    expect((await findPromoCode(database.db, 'gone'))?.redeemed).toBe(1);
    await importFeed(database.db, buildFeed({ 'promo_codes.csv': null }));
    expect(await findPromoCode(database.db, 'GONE')).toBeNull();
  });

  it('lets two ports swap their codes', async () => {
    await importFeed(database.db, buildFeed({ 'ports.csv': 'stop_id,code\nnorth,AA\nsouth,BB\n' }));
    await importFeed(database.db, buildFeed({ 'ports.csv': 'stop_id,code\nnorth,BB\nsouth,AA\n' }));
    const codes = await database.db.select({ stop: ports.gtfsStopId, code: ports.code }).from(ports);
    expect(Object.fromEntries(codes.map(({ stop, code }) => [stop, code]))).toEqual({
      north: 'BB',
      south: 'AA',
    });
  });

  it('serves the imported data at once, regardless of earlier reads', async () => {
    expect((await loadCatalogue(database.db)).ports).toEqual([]);
    await importFeed(database.db);
    expect((await loadCatalogue(database.db)).ports).toHaveLength(2);
    const renamed = feedText('stops.txt').replace('North Pier', 'New Pier');
    await importFeed(database.db, buildFeed({ 'stops.txt': renamed }));
    expect((await loadCatalogue(database.db)).ports.map((port) => port.name)).toContain('New Pier');
  });

  it('cancels, and never deletes, a sailing on which a place is taken concurrently', async () => {
    const { db } = database;
    await importFeed(db);
    const { id } = await sailingOf(db, 'out-10', TUESDAY);
    const taken = Promise.withResolvers<void>();
    const importStarted = Promise.withResolvers<void>();
    const buying = db.transaction(async (tx) => {
      await tx.update(voyageCapacity).set({ held: 1 }).where(isOfVoyage(id));
      taken.resolve();
      await importStarted.promise;
      await buildHoldOn(tx, id);
    });
    await taken.promise;
    const importing = importFeed(db, buildFeed(without10));
    importStarted.resolve();
    await buying;
    expect((await importing).sailings).toMatchObject({ canceled: 1, removed: 7 });
    expect(await sailingOf(db, 'out-10', TUESDAY)).toMatchObject({ id, status: 'canceled' });
  });

  it('lets two concurrent imports have the effect of one', async () => {
    await Promise.all([importFeed(database.db), importFeed(database.db)]);
    expect(await database.db.$count(sailings)).toBe(32);
  });
});

describe('extending the timetable', () => {
  const nextDay = new Date('2026-06-02T15:00:00.000Z');
  const clock = { now: () => new Date(MONDAY) };
  const config = { sms: null };

  it('adds the next day from the feed last imported', async () => {
    await importFeed(database.db);
    const report = await extendTimetable({ db: database.db, config, clock: { now: () => nextDay } });
    expect(report).toMatchObject({ sailings: { ...nothing, added: 4, unchanged: 28 } });
    const [row] = await database.db.select().from(feed);
    expect(row).toMatchObject({ windowUntil: '2026-06-09', windowDays: 7 });
  });

  it('does nothing on the same day, or before any import', async () => {
    expect(await extendTimetable({ db: database.db, config, clock })).toBeNull();
    await importFeed(database.db);
    expect(await extendTimetable({ db: database.db, config, clock })).toBeNull();
  });
});

describe('the demo operator', () => {
  it('is imported once, with sailings ninety days ahead', async () => {
    const context = { db: database.db, config: { sms: null }, clock: { now: () => new Date(MONDAY) } };
    await loadDemoTimetable(context);
    const count = await database.db.$count(sailings);
    await loadDemoTimetable(context);
    expect(await database.db.$count(sailings)).toBe(count);
    const catalogue = await loadCatalogue(database.db);
    expect(catalogue.feed.windowUntil).toBe('2026-08-30');
    expect(catalogue.routes.map((route) => route.code)).toEqual([
      'MAD-HER',
      'HER-MAD',
      'HER-KES',
      'KES-HER',
      'MAD-FAI',
      'FAI-MAD',
    ]);
  });

  it('never replaces an operator’s own feed', async () => {
    await importFeed(database.db);
    await loadDemoTimetable({
      db: database.db,
      config: { sms: null },
      clock: { now: () => new Date(MONDAY) },
    });
    expect((await loadCatalogue(database.db)).ports.map((port) => port.code)).toEqual(['NOR', 'SOU']);
  });
});

async function mailsAbout(): Promise<string[]> {
  const rows = await database.db.select({ kind: mails.kind }).from(mails).orderBy(mails.insertedAt);
  return rows.map(({ kind }) => kind);
}
