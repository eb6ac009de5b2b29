import { zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { KEPT_CHANGES, UPLOAD_LIMIT_BYTES } from '#contract/desk/timetable/limits.ts';
import type { TimetableChanges, TimetableDifference } from '#contract/desk/timetable/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { newId } from '#server/core/ids.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { mails } from '#server/database/schema/system.ts';
import { fares, feed, taxRules } from '#server/database/schema/timetable.ts';
import { type FeedFiles, zipFeed } from '#server/sailings/feed/feed-files.ts';
import { must } from '#tests/factories/buyer.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import {
  buildFeed,
  buildOrderOn,
  feedText,
  importFeed,
  MONDAY,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { emptyTables } from '#tests/setup/database.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TUESDAY = '2026-06-02';

/** The fares with a higher one for adults from August on. */
const RISE = feedText('fares.csv')
  .trimEnd()
  .split('\n')
  .map((line, index) => `${line},${index === 0 ? 'valid_from,valid_until' : ','}`)
  .join('\n')
  .replace('saver,passenger,adult,,8.25,,,,,', 'saver,passenger,adult,,8.25,,,,,2026-07-31')
  .concat('\nsaver,passenger,adult,,9.50,,,,2026-08-01,\n');

/** The boats at noon are gone, and those at ten leave five minutes later. */
const SUMMER = {
  'trips.txt': 'route_id,service_id,trip_id\nsound,daily,out-10\nsound,daily,back-11\nsound,daily,back-13\n',
  'stop_times.txt': feedText('stop_times.txt')
    .split('\n')
    .filter((line) => !line.startsWith('out-12'))
    .join('\n')
    .replace('out-10,10:00:00,10:00:00', 'out-10,10:05:00,10:05:00'),
};

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ now: MONDAY });
});
afterAll(() => server.close());
beforeEach(async () => {
  await emptyTables(server.database.store);
  await importFeed(server.database.db);
});

async function signIn(role: StaffRole = 'office', options: { isFresh?: boolean } = {}) {
  const { id } = await createStaffMember(server.context, role);
  const { headers } = await startStaffSession(server.context, id, options);
  const post = (path: string, body: object) => server.request('POST', path, { headers, body });
  return {
    id,
    check: (upload: string) => post(api.checkTimetable.path, { upload }),
    /** Checks an upload that has no problems. */
    compare: async (upload: string): Promise<TimetableDifference> =>
      must(await post(api.checkTimetable.path, { upload })).difference,
    apply: (upload: string, { checked }: Pick<TimetableDifference, 'checked'>) =>
      post(api.applyTimetable.path, { upload, checked }),
    changes: async (): Promise<TimetableChanges> =>
      must(await server.request('GET', api.listTimetableChanges.path, { headers })),
    /** Makes and applies an upload. */
    async change(files: Record<string, string> | FeedFiles) {
      const upload = pack(files);
      const { difference } = must(await post(api.checkTimetable.path, { upload }));
      server.clock.advance(1_000);
      return must(await post(api.applyTimetable.path, { upload, checked: difference.checked }));
    },
    checkTakeBack: (id: string) => post(fillPath(api.checkTakeBack.path, { id }), {}),
    takeBack: (id: string, { checked }: Pick<TimetableDifference, 'checked'>) =>
      post(fillPath(api.takeBackTimetable.path, { id }), { checked }),
    get: (path: string) => server.request('GET', path, { headers }),
    download: (name: string) =>
      server.request('GET', fillPath(api.downloadTimetableFile.path, { name }), { headers }),
  };
}

/** Some files, or with `buildFeed` all of them, as they are sent. */
function pack(files: Record<string, string> | FeedFiles): string {
  const entries = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
  return Buffer.from(zipFeed(files instanceof Map ? files : new Map(entries))).toString('base64');
}

async function readRevision(): Promise<string | undefined> {
  const [row] = await server.database.db.select().from(feed);
  return row?.revision;
}

describe('an upload of one file', () => {
  it('shows the price rise with its day, and that nothing else changes', async () => {
    const before = await readRevision();
    const difference = await (await signIn()).compare(pack({ 'fares.csv': RISE }));
    expect(difference).toMatchObject({
      files: [{ name: 'fares.csv', state: 'changed' }],
      kept_files: buildFeed().size - 1,
      sailings: { added: 0, gone: 0, moved: 0, otherwise_changed: 0, unchanged: 32 },
      ...{
        days: [],
        notified: 0,
        unpaid_notified: 0,
        unreachable: 0,
        sold_sailings: [],
        needs_confirmation: false,
        currency: 'USD',
      },
      promo_codes: { added: [], removed: [], changed: [] },
    });
    expect(difference.fares).toMatchObject({ added: 0, removed: 0, changed: 2 });
    expect(difference.fares.list[0]).toEqual({
      ...{ route: 'North Pier to South Pier', fare_class: 'saver', what: 'adult' },
      before: [{ amount: 825, valid_from: null, valid_until: null, weekdays: 127 }],
      after: [
        { amount: 825, valid_from: null, valid_until: '2026-07-31', weekdays: 127 },
        { amount: 950, valid_from: '2026-08-01', valid_until: null, weekdays: 127 },
      ],
    });
    expect(await readRevision()).toBe(before);
  });

  it('leaves out a price that is split into days and stays the same', async () => {
    const same = RISE.replace('9.50', '8.25');
    const difference = await (await signIn()).compare(pack({ 'fares.csv': same }));
    expect(difference).toMatchObject({
      ...{ files: [{ name: 'fares.csv', state: 'changed' }] },
      fares: { added: 0, removed: 0, changed: 0, list: [] },
    });
  });

  it('is applied as a whole, and the log has who, what and how much', async () => {
    const clerk = await signIn();
    const upload = pack({ 'fares.csv': RISE });
    const [{ digest: old } = { digest: '' }] = await server.database.db.select().from(feed);
    const difference = await clerk.compare(upload);
    expect(must(await clerk.apply(upload, difference))).toEqual({
      sailings: { added: 0, changed: 0, canceled: 0, removed: 0, unchanged: 32 },
      ...{ notified: 0, unpaid_notified: 0, unreachable: 0 },
    });
    const stored = await server.database.db.select().from(fares);
    expect(
      stored.filter(({ validFrom, amount }) => validFrom === '2026-08-01' && amount === 950),
    ).toHaveLength(2);
    const [entry, ...more] = await server.database.db.select().from(auditLog);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      ...{ actorId: clerk.id, actorRole: 'office', action: 'timetable_imported', objectKind: 'timetable' },
      before: { digest: old },
      after: {
        ...{ digest: difference.checked.digest, files: 'fares.csv', orders_notified: 0 },
        ...{ sailings_added: 0, sailings_changed: 0, sailings_canceled: 0, sailings_removed: 0 },
      },
    });
    expect((await clerk.download('fares.csv')).body).toBe(RISE);
    expect((await clerk.download('vessels.csv')).status).toBe(404);
  });

  it('names the promo codes that it adds, changes and ends', async () => {
    const text = 'code,kind,value,max_redemptions\nHALF,percent,40,\nNEW,amount,1.00,\n';
    const difference = await (await signIn()).compare(pack({ 'promo_codes.csv': text }));
    expect(difference.promo_codes).toEqual({ added: ['NEW'], changed: ['HALF'], removed: ['GONE'] });
  });

  it('is refused with the file, the line and the value of each problem', async () => {
    const before = await readRevision();
    const broken = feedText('fares.csv').replace('8.25', '8.2S').replace('van,30.00', 'lorry,30.00');
    expect(must(await (await signIn()).check(pack({ 'fares.csv': broken })))).toEqual({
      problems: [
        'fares.csv:2 amount: "8.2S" is not an amount of money with 2 decimals at most.',
        'fares.csv:5 vehicle_type: There is no vehicle type lorry.',
      ],
      ...{ problem_count: 2, difference: null },
    });
    expect(await readRevision()).toBe(before);
  });

  it('without a name that is known says so', async () => {
    const { problems } = must(await (await signIn()).check(pack({ 'prices.csv': RISE })));
    expect(problems).toEqual(['prices.csv: This is not the name of a file of a feed.']);
  });
});

describe('an upload of a whole timetable', () => {
  it('shows sailings by day and route, sold ones and who is written to, and writes to them', async () => {
    const { db } = server.database;
    const gone = await sailingOf(db, 'out-12', TUESDAY);
    const moved = await sailingOf(db, 'out-10', TUESDAY);
    await buildOrderOn(db, gone.id);
    await buildOrderOn(db, gone.id, { contactEmail: 'grace@example.com' });
    await buildOrderOn(db, moved.id, { contactEmail: 'lin@example.com' });
    await buildOrderOn(db, gone.id, { contactEmail: '' });
    const clerk = await signIn();
    const upload = pack(buildFeed(SUMMER));
    const difference = await clerk.compare(upload);
    expect(difference).toMatchObject({
      sailings: { added: 0, gone: 8, moved: 8, unchanged: 16 },
      ...{ notified: 3, unpaid_notified: 0, unreachable: 1, needs_confirmation: true, day_count: 8 },
      canceled: { sailings: 1, tickets: 3, orders: 3 },
      moved: { sailings: 1, tickets: 1, orders: 1 },
      checked: { affected: 2 },
    });
    expect(difference.days[0]).toEqual({
      ...{ day: '2026-06-01', route: 'North Pier to South Pier', added: 0, gone: 1, moved: 1 },
    });
    const route = 'North Pier to South Pier';
    expect(difference.sold_sailings).toEqual([
      { route, departs_local: '2026-06-02T12:00', new_departs_local: null, tickets: 3, orders: 3 },
      {
        route,
        departs_local: '2026-06-02T10:00',
        new_departs_local: '2026-06-02T10:05',
        tickets: 1,
        orders: 1,
      },
    ]);
    expect(must(await clerk.apply(upload, difference))).toMatchObject({
      ...{ notified: 3, unpaid_notified: 0, unreachable: 1 },
    });
    const written = (await db.select().from(mails)).map(({ toAddress }) => toAddress);
    expect(new Set(written)).toEqual(new Set(['ada@example.com', 'grace@example.com', 'lin@example.com']));
  });

  it('names files of the current one that it does not have', async () => {
    const { files } = await (await signIn()).compare(pack(buildFeed({ 'promo_codes.csv': null })));
    expect(files).toEqual([{ name: 'promo_codes.csv', state: 'removed' }]);
  });

  it('is the first one of an operator, too', async () => {
    await emptyTables(server.database.store);
    const clerk = await signIn();
    expect(must(await clerk.get(api.getImportedTimetable.path))).toEqual({ current: null });
    expect((await clerk.download('fares.csv')).status).toBe(404);
    const upload = pack(buildFeed());
    const difference = await clerk.compare(upload);
    expect(difference.checked).toMatchObject({ revision: null, affected: 0 });
    must(await clerk.apply(upload, difference));
    expect(must(await clerk.get(api.getImportedTimetable.path)).current).toMatchObject({
      until: '2026-08-30',
    });
  });
});

describe('an upload that was checked', () => {
  const upload = pack({ 'fares.csv': RISE });

  it('is refused after another import', async () => {
    const clerk = await signIn();
    const difference = await clerk.compare(upload);
    await importFeed(server.database.db);
    const reply = await clerk.apply(upload, difference);
    expect([reply.status, reply.body.errors[0].code]).toEqual([422, 'timetable_changed']);
    expect(reply.body.errors[0].message).toContain('Please check again');
  });

  it('is refused with other files', async () => {
    const clerk = await signIn();
    const difference = await clerk.compare(upload);
    const reply = await clerk.apply(pack({ 'fares.csv': feedText('fares.csv') }), difference);
    expect(reply.body.errors[0].code).toBe('timetable_changed');
  });

  it('is refused when more tickets were sold since', async () => {
    const clerk = await signIn();
    const summer = pack(buildFeed(SUMMER));
    const difference = await clerk.compare(summer);
    const { id } = await sailingOf(server.database.db, 'out-12', TUESDAY);
    await buildOrderOn(server.database.db, id);
    expect((await clerk.apply(summer, difference)).body.errors[0].code).toBe('timetable_changed');
    expect(await server.database.db.$count(auditLog)).toBe(0);
  });

  it('is applied only by who confirmed their identity', async () => {
    const clerk = await signIn('manager', { isFresh: false });
    const reply = await clerk.apply(upload, await clerk.compare(upload));
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 'step_up_required']);
  });

  it.each(['gate', 'desk'] as const)('is not seen by the %s', async (role) => {
    const reply = await (await signIn(role)).check(upload);
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 'not_permitted']);
  });

  it('is not seen without a session', async () => {
    expect((await server.request('POST', api.checkTimetable.path, { body: { upload } })).status).toBe(401);
  });
});

describe('an upload of taxes.csv', () => {
  it('shows how each product will be taxed on each route, and is in force once it is applied', async () => {
    const clerk = await signIn();
    const share = { valid_from: null, valid_until: null };
    const taxes = 'product,share_percent,tax_percent,name\npassenger,30,10,\npassenger,70,0,Abroad\n';
    const upload = pack({ 'taxes.csv': taxes });
    const difference = await clerk.compare(upload);
    expect(difference.taxes).toMatchObject({
      count: 2,
      list: ['North Pier to South Pier', 'South Pier to North Pier'].map((route) => ({
        ...{ route, product: 'passenger', before: [] },
        after: [
          { ...share, share_bp: 3000, tax_bp: 1000, name: '' },
          { ...share, share_bp: 7000, tax_bp: 0, name: 'Abroad' },
        ],
      })),
    });
    server.clock.advance(1_000);
    must(await clerk.apply(upload, difference));
    expect(await server.database.db.$count(taxRules)).toBe(4);
    expect((await clerk.compare(upload)).taxes).toEqual({ count: 0, list: [] });
    const ended = await clerk.compare(pack({ 'taxes.csv': 'share_percent,tax_percent\n' }));
    expect(ended.taxes).toMatchObject({ count: 2, list: [{ after: [] }, { after: [] }] });
  });
});

describe('a change that is taken back', () => {
  it('brings back the files from before it, as an upload of them would', async () => {
    const clerk = await signIn();
    expect(await clerk.changes()).toEqual([]);
    await clerk.change({ 'fares.csv': RISE });
    const [change] = await clerk.changes();
    expect(change).toMatchObject({
      ...{ by: 'Grace Hopper', takes_back: null },
      files: [{ name: 'fares.csv', state: 'changed' }],
    });
    const { difference } = must(await clerk.checkTakeBack(change?.id ?? ''));
    expect(difference).toMatchObject({
      files: [{ name: 'fares.csv', state: 'changed' }],
      fares: { added: 0, removed: 0, changed: 2 },
      sailings: { added: 0, gone: 0, moved: 0, unchanged: 32 },
    });
    server.clock.advance(1_000);
    expect(must(await clerk.takeBack(change?.id ?? '', difference))).toMatchObject({ notified: 0 });
    expect((await clerk.download('fares.csv')).body).toBe(feedText('fares.csv'));
    const [latest] = await clerk.changes();
    expect(latest).toMatchObject({ takes_back: change?.at, files: [{ name: 'fares.csv' }] });
    const [, entry] = await server.database.db.select().from(auditLog).orderBy(auditLog.seq);
    expect(entry).toMatchObject({
      ...{ actorId: clerk.id, action: 'timetable_imported' },
      after: { files: 'fares.csv', takes_back_at: change?.at },
    });
  });

  it('takes back what came after it, too, and can be taken back itself', async () => {
    const clerk = await signIn();
    await clerk.change({ 'fares.csv': RISE });
    await clerk.change({ 'promo_codes.csv': 'code,kind,value\nHALF,percent,40\n' });
    const [, first] = await clerk.changes();
    const { difference } = must(await clerk.checkTakeBack(first?.id ?? ''));
    expect(difference.files.map(({ name }: { name: string }) => name)).toEqual([
      'fares.csv',
      'promo_codes.csv',
    ]);
    server.clock.advance(1_000);
    must(await clerk.takeBack(first?.id ?? '', difference));
    const [latest] = await clerk.changes();
    const { difference: again } = must(await clerk.checkTakeBack(latest?.id ?? ''));
    must(await clerk.takeBack(latest?.id ?? '', again));
    expect((await clerk.download('fares.csv')).body).toBe(RISE);
  });

  it('is refused as a whole when more tickets were sold since it was checked', async () => {
    const clerk = await signIn();
    await importFeed(server.database.db, buildFeed(SUMMER));
    await clerk.change(buildFeed());
    const [change] = await clerk.changes();
    const { difference } = must(await clerk.checkTakeBack(change?.id ?? ''));
    const { id } = await sailingOf(server.database.db, 'out-12', TUESDAY);
    await buildOrderOn(server.database.db, id);
    const revision = await readRevision();
    const reply = await clerk.takeBack(change?.id ?? '', difference);
    expect([reply.status, reply.body.errors[0].code]).toEqual([422, 'timetable_changed']);
    expect(await readRevision()).toBe(revision);
  });

  it('is one of the last ten', async () => {
    const clerk = await signIn();
    const day = (index: number) => `2026-08-${String(index + 1).padStart(2, '0')}`;
    for (let index = 0; index <= KEPT_CHANGES; index += 1) {
      await clerk.change({ 'fares.csv': RISE.replaceAll('2026-08-01', day(index)) });
    }
    const changes = await clerk.changes();
    expect(changes).toHaveLength(KEPT_CHANGES);
    const { difference } = must(await clerk.checkTakeBack(changes.at(-1)?.id ?? ''));
    server.clock.advance(1_000);
    must(await clerk.takeBack(changes.at(-1)?.id ?? '', difference));
    expect((await clerk.download('fares.csv')).body).toBe(RISE);
  });

  it('is not listed if it changed no file', async () => {
    const clerk = await signIn();
    await clerk.change({ 'fares.csv': feedText('fares.csv') });
    expect(await clerk.changes()).toEqual([]);
  });

  it('is unknown under other ids', async () => {
    const clerk = await signIn();
    const id = newId('tch');
    expect((await clerk.checkTakeBack(id)).status).toBe(404);
    await clerk.change({ 'fares.csv': RISE });
    const [change] = await clerk.changes();
    const { difference } = must(await clerk.checkTakeBack(change?.id ?? ''));
    expect((await clerk.takeBack(id, difference)).status).toBe(404);
  });

  it('is taken back only by who confirmed their identity, and who may change the timetable', async () => {
    await (await signIn()).change({ 'fares.csv': RISE });
    const manager = await signIn('manager', { isFresh: false });
    const [change] = await manager.changes();
    const { difference } = must(await manager.checkTakeBack(change?.id ?? ''));
    const reply = await manager.takeBack(change?.id ?? '', difference);
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 'step_up_required']);
    const desk = await signIn('desk');
    expect((await desk.checkTakeBack(change?.id ?? '')).status).toBe(403);
    expect((await desk.takeBack(change?.id ?? '', difference)).status).toBe(403);
    expect((await desk.get(api.listTimetableChanges.path)).status).toBe(403);
    for (const [method, { path }] of [
      ['GET', api.listTimetableChanges],
      ['POST', api.checkTakeBack],
      ['POST', api.takeBackTimetable],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      const anonymous = await server.request(method, fillPath(path, { id: change?.id ?? '' }), { body });
      expect(anonymous.status).toBe(401);
    }
  });
});

describe('an archive', () => {
  it.each([
    ['is no archive', Buffer.from('not a zip'), 'upload: This is not a zip archive that can be read.'],
    ['is empty', Buffer.from(zipSync({})), 'upload: The archive is empty.'],
    [
      'unpacks to more than 64 MB',
      Buffer.from(zipSync({ 'fares.csv': new Uint8Array(64 * 1024 * 1024 + 1) }, { level: 1 })),
      'fares.csv: The file is larger than 64 MB, or all together than 128 MB.',
    ],
  ])('that %s is refused', async (_, archive, problem) => {
    const { problems, difference } = must(await (await signIn()).check(archive.toString('base64')));
    expect([problems, difference]).toEqual([[problem], null]);
  });

  it('that is too large is refused before it is read', async () => {
    const reply = await (await signIn()).check('A'.repeat(Math.ceil(UPLOAD_LIMIT_BYTES / 3) * 4 + 8192));
    expect([reply.status, reply.body.errors[0].code]).toEqual([413, 'payload_too_large']);
  });
});

describe('what can be downloaded', () => {
  it('is the whole feed as it was imported', async () => {
    const { body, headers } = await (await signIn()).download('timetable.zip');
    expect(headers.get('content-disposition')).toBe('attachment; filename="timetable.zip"');
    for (const name of buildFeed().keys()) expect(body).toContain(name);
  });

  it('has the columns of a file that the operator does not have yet', async () => {
    await importFeed(server.database.db, buildFeed({ 'promo_codes.csv': null }));
    const { body } = await (await signIn()).download('promo_codes.csv');
    expect(body).toBe('code,kind,value,route_ids,starts_on,ends_on,max_redemptions\n');
  });
});

describe('promo codes', () => {
  it('are listed with the paid orders that used them, without refunds', async () => {
    const { db } = server.database;
    const { id } = await sailingOf(db, 'out-10', TUESDAY);
    const used = { promoCode: 'HALF', confirmedAt: new Date(MONDAY), discount: 400, subtotal: 1225 };
    await buildOrderOn(db, id, used);
    await buildOrderOn(db, id, { ...used, refunded: 300 });
    await buildOrderOn(db, id, {
      ...used,
      confirmedAt: null,
      status: 'expired',
      paymentStatus: 'none',
      paid: 0,
    });
    await importFeed(
      db,
      buildFeed({ 'promo_codes.csv': 'code,kind,value,ends_on\nHALF,percent,50,2026-06-30\n' }),
    );
    const terms = { starts_on: null, ends_on: null, max_redemptions: null };
    expect(must(await (await signIn()).get(api.listPromoCodes.path))).toEqual({
      currency: 'USD',
      promo_codes: [
        {
          ...{ code: 'HALF', kind: 'percent', value: 5000, ...terms, ends_on: '2026-06-30', is_active: true },
          ...{ orders: 2, discount: 800, revenue: 1350 },
        },
        {
          ...{ code: 'GONE', kind: 'amount', value: 500, ...terms, max_redemptions: 1, is_active: false },
          ...{ orders: 0, discount: 0, revenue: 0 },
        },
      ],
    });
  });
});
