import { eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { ports, routes, sailings } from '#server/database/schema/timetable.ts';
import { createGtfsHandler } from '#server/gtfs/handler.ts';
import { type FeedFiles, unzipFeed } from '#server/sailings/feed/feed-files.ts';
import { sayOfSailings } from '#tests/factories/exceptions.ts';
import { buildFeed, feedText, importDemo, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
});
afterEach(() => server.close());

function buildRequest(path = 'timetable.zip', init: RequestInit = {}): Request {
  return new Request(`${server.context.config.origins.tickets}/gtfs/${path}`, init);
}

/** The answer of a process that has just started. */
function get(path?: string, init?: RequestInit): Promise<Response> {
  return createGtfsHandler(server.context)(buildRequest(path, init));
}

const download = async () => new Uint8Array(await (await get()).arrayBuffer());
const readText = async (name: string) => strFromU8(unzipSync(await download())[name] ?? new Uint8Array());

const origin = alias(ports, 'origin');
const destination = alias(ports, 'destination');

/** Ports, times and service day of every sailing that is sold. */
async function listSold(db: Database): Promise<string[]> {
  const rows = await db
    .select({
      sailing: sailings,
      line: routes.gtfsRouteId,
      from: origin.gtfsStopId,
      to: destination.gtfsStopId,
    })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .where(eq(sailings.withdrawn, false));
  return rows
    .map(({ sailing, line, from, to }) =>
      [
        sailing.serviceDate,
        line,
        from,
        to,
        sailing.departsAt.toISOString(),
        sailing.arrivesAt.toISOString(),
      ].join(' '),
    )
    .toSorted();
}

/** What an empty installation sells after it has imported the published timetable. */
async function sellPublished({ now, days }: { now: string; days: number }): Promise<string[]> {
  const other = await openTestServer({ now });
  try {
    await importFeed(other.context.db, unzipFeed(await download()), { now, days });
    return await listSold(other.context.db);
  } finally {
    await other.close();
  }
}

/** Three ports, boats through the night, and one every 40 minutes from the evening to the morning. */
const NIGHTS = buildFeed({
  'stops.txt': `${feedText('stops.txt')}isle,"Quiet Isle, ""Old"" Pier",48.3,-122.3,0\n`,
  'trips.txt': `${feedText('trips.txt')}sound,daily,night\nsound,daily,late\nsound,daily,shuttle\n`,
  'stop_times.txt': [
    feedText('stop_times.txt').trim(),
    'night,25:30:00,25:30:00,north,1',
    'night,26:10:00,26:20:00,south,2',
    'night,27:40:30,27:40:30,isle,3',
    'late,23:50:00,23:50:00,south,1',
    'late,26:05:00,26:05:00,north,2',
    'shuttle,22:00:00,22:00:00,south,1',
    'shuttle,22:25:00,22:30:00,isle,2',
    'shuttle,23:00:00,23:00:00,south,3',
    '',
  ].join('\n'),
  'frequencies.txt': 'trip_id,start_time,end_time,headway_secs\nshuttle,22:00:00,28:00:00,2400\n',
});

describe('the published timetable', () => {
  it.each([
    ['in June', '2026-06-01T15:00:00.000Z'],
    ['over the night on which clocks go forward', '2026-03-06T18:00:00.000Z'],
    ['over the night on which clocks go back', '2026-10-30T18:00:00.000Z'],
  ])('sells the same sailings when it is imported: nights and frequencies %s', async (_, now) => {
    server.clock.set(now);
    await importFeed(server.context.db, NIGHTS, { now, days: 5 });
    const sold = await listSold(server.context.db);
    expect(sold.length).toBeGreaterThan(100);
    expect(await sellPublished({ now, days: 5 })).toEqual(sold);
  });

  it('sells the same sailings when it is imported: the demo operator', async () => {
    await importDemo(server.context.db);
    const sold = await listSold(server.context.db);
    expect(sold.length).toBeGreaterThan(100);
    expect(await sellPublished({ now: MONDAY, days: 7 })).toEqual(sold);
  });

  it('has the trip ids of the imported feed, and keeps them when it is imported again', async () => {
    await importFeed(server.context.db, NIGHTS);
    const before = await readText('trips.txt');
    expect(before).toContain('\nsound,');
    for (const id of ['out-10', 'back-11', 'night', 'late', 'shuttle@22:00:00', 'shuttle@27:20:00'])
      expect(before, id).toMatch(new RegExp(`^sound,\\w+,${id},`, 'm'));
    await importFeed(server.context.db, changed('out-12,12:00:00,12:00:00', 'out-12,12:05:00,12:05:00'));
    const now = '2026-06-02T15:00:00.000Z';
    server.clock.set(now);
    await importFeed(server.context.db, changed('out-12,12:00:00,12:00:00', 'out-12,12:20:00,12:20:00'), {
      now,
    });
    const ids = (await readText('trips.txt')).split('\n').map((line) => line.split(',')[2] ?? '');
    expect(ids.filter((id) => id.startsWith('out-12'))).toEqual([
      'out-12',
      expect.stringMatching(/^out-12~[0-9a-f]{6}$/),
    ]);
    expect(ids.filter((id) => id.includes('~'))).toHaveLength(1);
  });

  it('names the operator, its ports and lines, and the version', async () => {
    await importFeed(server.context.db, NIGHTS);
    const { tickets } = server.context.config.origins;
    expect(await readText('agency.txt')).toBe(
      `agency_id,agency_name,agency_url,agency_timezone,agency_lang,agency_phone\noperator,Test Ferries,${tickets},America/Los_Angeles,en-US,\n`,
    );
    expect(await readText('stops.txt')).toContain(
      `isle,QUI,"Quiet Isle, ""Old"" Pier",48.3,-122.3,America/Los_Angeles,${tickets}/departures/QUI,0`,
    );
    expect(await readText('routes.txt')).toContain('sound,operator,,Across the Sound,4,');
    expect(await readText('feed_info.txt')).toMatch(
      /\nTest Ferries,\S+,en-US,20260531,20260608,[0-9a-f]{16}\n$/,
    );
  });

  it('has the names of ports and lines in other languages, as they were imported', async () => {
    const translations = [
      'table_name,field_name,language,translation,record_id',
      'stops,stop_name,de,Nordhafen,north',
      'routes,route_long_name,fr,La traversée,sound',
      '',
    ].join('\n');
    await importFeed(server.context.db, buildFeed({ 'translations.txt': translations }));
    const rows = (await readText('translations.txt')).split('\n');
    expect(rows.slice(0, 2)).toEqual([
      'table_name,field_name,language,translation,record_id,field_value',
      'stops,stop_name,de,Nordhafen,north,',
    ]);
    expect(rows[2]).toMatch(/^trips,trip_headsign,de,Nordhafen,,./);
    expect(rows[3]).toBe('routes,route_long_name,fr,La traversée,sound,');
  });

  it('has an entity tag, the same for every process, which a cancellation does not change', async () => {
    await importFeed(server.context.db, NIGHTS);
    const first = await get();
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-type')).toBe('application/zip');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    await sayOfSailings(server.context.db, server.clock.now(), {
      kind: 'canceled',
      fromDay: '2026-06-02',
      tripKey: 'out-10',
    });
    await importFeed(server.context.db, NIGHTS);
    expect((await get('timetable.zip', { headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  it('is made again after an import, while the one before is served', async () => {
    await importFeed(server.context.db, NIGHTS);
    const handle = createGtfsHandler(server.context);
    const readTag = async () => (await handle(buildRequest())).headers.get('etag');
    const tag = await readTag();
    await importFeed(server.context.db, changed('out-12,12:00:00,12:00:00', 'out-12,12:05:00,12:05:00'));
    expect(await readTag()).toBe(tag);
    await vi.waitFor(async () => expect(await readTag()).not.toBe(tag));
    expect(await readTag()).toBe((await get()).headers.get('etag'));
  });

  it('leaves out extra sailings and what the timetable no longer contains', async () => {
    await importFeed(server.context.db, NIGHTS);
    const [south] = await server.context.db.select().from(ports).where(eq(ports.gtfsStopId, 'south'));
    await sayOfSailings(server.context.db, server.clock.now(), {
      kind: 'extra',
      fromDay: '2026-06-02',
      line: 'sound',
      portId: south?.id ?? '',
      departsLocal: '15:00',
      likeLocal: '13:00',
    });
    expect(await readText('stop_times.txt')).not.toContain('15:00:00');
  });

  it('before the first import is a feed without trips', async () => {
    expect(await readText('trips.txt')).toBe('route_id,service_id,trip_id\n');
  });

  it.each([
    ['GET', 'nothing.zip', 404],
    ['POST', 'timetable.zip', 405],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await get(path, { method })).status).toBe(status);
  });
});

function changed(from: string, to: string): FeedFiles {
  const files = new Map(NIGHTS);
  const text = new TextDecoder().decode(NIGHTS.get('stop_times.txt'));
  files.set('stop_times.txt', new TextEncoder().encode(text.replace(from, to)));
  return files;
}
