import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, between, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeStatus } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import { ports, routes, sailings, voyages } from '#server/database/schema/timetable.ts';
import { createGtfsHandler } from '#server/gtfs/handler.ts';
import { applyExceptions } from '#server/sailings/exceptions/apply-exceptions.ts';
import { pollRealtime } from '#server/sailings/exceptions/poll-realtime.ts';
import { readRealtimeFeed } from '#server/sailings/exceptions/realtime-feed.ts';
import { removeExceptions } from '#server/sailings/exceptions/store-exceptions.ts';
import { unzipFeed } from '#server/sailings/feed/feed-files.ts';
import { type Exception, sayOfSailings } from '#tests/factories/exceptions.ts';
import { buildFeed, feedText, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TODAY = '2026-06-01';
const TOMORROW = '2026-06-02';

const NIGHTS = buildFeed({
  'stops.txt': `${feedText('stops.txt')}isle,Quiet Isle,48.3,-122.3,0\n`,
  'trips.txt': `${feedText('trips.txt')}sound,daily,night\nsound,daily,shuttle\n`,
  'stop_times.txt': [
    feedText('stop_times.txt').trim(),
    'night,25:30:00,25:30:00,north,1',
    'night,26:10:00,26:20:00,south,2',
    'night,27:40:00,27:40:00,isle,3',
    'shuttle,20:00:00,20:00:00,south,1',
    'shuttle,20:25:00,20:25:00,north,2',
    '',
  ].join('\n'),
  'frequencies.txt': 'trip_id,start_time,end_time,headway_secs\nshuttle,20:00:00,22:00:00,3600\n',
});

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db, NIGHTS);
});
afterEach(() => server.close());

const say = (...said: Exception[]) => sayOfSailings(server.context.db, server.clock.now(), ...said);

async function get(path: string): Promise<Response> {
  return createGtfsHandler(server.context)(
    new Request(`${server.context.config.origins.tickets}/gtfs/${path}`),
  );
}

const readBytes = async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer());
const readEntities = async (path: string) => (await (await get(`${path}?format=json`)).json()).entity;

async function portId(stopId: string): Promise<string> {
  const [port] = await server.context.db.select().from(ports).where(eq(ports.gtfsStopId, stopId));
  return port?.id ?? '';
}

describe('/gtfs/trip-updates.pb', () => {
  it('tells delays, cancellations and extra sailings with the trips of the timetable', async () => {
    await say(
      { kind: 'delayed', fromDay: TODAY, tripKey: 'out-12', minutes: 15 },
      { kind: 'canceled', fromDay: TOMORROW, tripKey: 'shuttle@21:00:00' },
    );
    const [extra] = await say({
      kind: 'extra',
      fromDay: TOMORROW,
      line: 'sound',
      portId: await portId('south'),
      departsLocal: '15:00',
      likeLocal: '13:00',
    });
    const stop = (stopSequence: number, stopId: string) => ({
      stopSequence,
      stopId,
      scheduleRelationship: 'SCHEDULED',
    });
    const trip = (tripId: string, startDate: string, scheduleRelationship: string) => ({
      ...{ tripId, startDate, routeId: 'sound', scheduleRelationship },
    });
    const time = (local: string) => Date.parse(`${TOMORROW}T${local}-07:00`) / 1000;
    expect(await readEntities('trip-updates.pb')).toEqual([
      {
        id: '20260601 out-12',
        tripUpdate: {
          trip: trip('out-12', '20260601', 'SCHEDULED'),
          stopTimeUpdate: [
            { ...stop(1, 'north'), departure: { delay: 900 } },
            { ...stop(2, 'south'), arrival: { delay: 900 } },
          ],
          delay: 900,
        },
      },
      {
        id: `20260602 ${extra}`,
        tripUpdate: {
          trip: trip(extra ?? '', '20260602', 'ADDED'),
          stopTimeUpdate: [
            { ...stop(1, 'south'), departure: { time: time('15:00:00') } },
            { ...stop(2, 'north'), arrival: { time: time('15:30:00') } },
          ],
        },
      },
      {
        id: '20260602 shuttle@21:00:00',
        tripUpdate: { trip: trip('shuttle@21:00:00', '20260602', 'CANCELED') },
      },
    ]);
  });

  it('skips the stop of a boat at a closed port', async () => {
    await say({ kind: 'port_closed', fromDay: TODAY, portId: await portId('isle') });
    const [{ tripUpdate }] = await readEntities('trip-updates.pb');
    expect(tripUpdate.trip).toMatchObject({ tripId: 'night', scheduleRelationship: 'SCHEDULED' });
    expect(
      tripUpdate.stopTimeUpdate.map((stop: { scheduleRelationship: string }) => stop.scheduleRelationship),
    ).toEqual(['SCHEDULED', 'SCHEDULED', 'SKIPPED']);
  });

  it('is empty while everything runs as planned, and says when it was made', async () => {
    const context = { now: server.clock.now(), zone: 'America/Los_Angeles', locale: 'en-US' };
    expect(readRealtimeFeed(await readBytes('trip-updates.pb'), context)).toEqual({
      madeAt: server.clock.now().getTime(),
      statements: [],
      skipped: {},
    });
    const { headers } = await get('trip-updates.pb');
    expect(headers.get('content-type')).toBe('application/x-protobuf');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('public, max-age=10');
  });
});

describe('/gtfs/alerts.pb', () => {
  it('tells notices and closed ports with their lines, ports, trips and days', async () => {
    await say(
      { kind: 'notice', fromDay: TODAY, untilDay: TOMORROW, line: 'sound', text: 'The café is closed.' },
      { kind: 'port_closed', fromDay: TOMORROW, portId: await portId('isle'), reason: 'weather' },
      { kind: 'suspended', fromDay: TOMORROW, tripKey: 'night', reason: 'crew' },
    );
    const { tickets } = server.context.config.origins;
    const entities = await readEntities('alerts.pb');
    expect(entities.map(({ alert }: { alert: object }) => alert)).toEqual([
      {
        activePeriod: [
          { start: Date.parse('2026-06-01T07:00Z') / 1000, end: Date.parse('2026-06-03T07:00Z') / 1000 - 1 },
        ],
        informedEntity: [{ routeId: 'sound' }],
        cause: 'UNKNOWN_CAUSE',
        effect: 'OTHER_EFFECT',
        url: { translation: [{ text: `${tickets}/departures`, language: 'en-US' }] },
        headerText: { translation: [{ text: 'The café is closed.', language: 'en-US' }] },
      },
      expect.objectContaining({
        informedEntity: [{ stopId: 'isle' }],
        cause: 'WEATHER',
        effect: 'NO_SERVICE',
        url: { translation: [{ text: `${tickets}/departures/QUI`, language: 'en-US' }] },
      }),
      expect.objectContaining({
        informedEntity: [
          {
            trip: {
              ...{ tripId: 'night', startDate: '20260602', routeId: 'sound' },
              scheduleRelationship: 'SCHEDULED',
            },
          },
        ],
        effect: 'UNKNOWN_EFFECT',
      }),
    ]);
  });
});

/** State of each sailing on two days, by trip and ports. */
async function listStates(db: Database): Promise<string[]> {
  const rows = await db
    .select({ sailing: sailings, trip: voyages.gtfsTripKey, code: routes.code })
    .from(sailings)
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .where(and(between(sailings.serviceDate, TODAY, '2026-06-03'), eq(sailings.withdrawn, false)));
  return rows
    .map(({ sailing, trip, code }) => {
      const { serviceDate, status, delayMinutes } = sailing;
      const text = describeStatus(textsIn('en'), sailing);
      return [serviceDate, trip, code, status, delayMinutes, text].join(' | ');
    })
    .toSorted();
}

describe('another installation that reads the published feeds', () => {
  let publisher: Server;
  let other: TestServer;
  beforeEach(async () => {
    publisher = createServer(async (request, response) => {
      response.end(await readBytes((request.url ?? '').replace('/gtfs/', '')));
    });
    await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
    other = await openTestServer({ now: MONDAY });
    await importFeed(other.context.db, unzipFeed(await readBytes('timetable.zip')));
  });
  afterEach(async () => {
    await new Promise((resolve) => publisher.close(resolve));
    await other.close();
  });

  async function poll(): Promise<void> {
    const address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/gtfs/`;
    await pollRealtime(other.context, [`${address}trip-updates.pb`, `${address}alerts.pb`]);
  }

  it('shows the same delays, cancellations and notices, and none once they are over', async () => {
    const planned = await listStates(other.context.db);
    expect(planned).toEqual(await listStates(server.context.db));
    const ids = await say(
      { kind: 'delayed', fromDay: TODAY, tripKey: 'night', minutes: 25 },
      { kind: 'canceled', fromDay: TOMORROW, tripKey: 'shuttle@21:00:00' },
      { kind: 'notice', fromDay: TOMORROW, line: 'sound', text: 'The café is closed.' },
      {
        kind: 'notice',
        fromDay: TODAY,
        portId: await portId('south'),
        departsLocal: '13:00',
        text: 'Wheelchairs board first.',
      },
    );
    await poll();
    const states = await listStates(other.context.db);
    expect(states).not.toEqual(planned);
    expect(states).toEqual(await listStates(server.context.db));
    await undo(ids);
    await poll();
    expect(await listStates(other.context.db)).toEqual(planned);
  });

  async function undo(ids: readonly string[]): Promise<void> {
    await removeExceptions(server.context.db, ids);
    await applyExceptions(server.context.db, server.context, { from: TODAY, until: TOMORROW });
  }
});
