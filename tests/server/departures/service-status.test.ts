import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Boat, type ServiceStatus, ServiceStatusSchema } from '#contract/departures/schemas.ts';
import { loadHomeData } from '#server/sailings/home-data.ts';
import { type Exception, sayOfSailings } from '#tests/factories/exceptions.ts';
import { buildFeed, feedText, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TODAY = '2026-06-01';

/** The plain feed with a boat at 14:00 that calls at the middle one of three ports. */
const ISLANDS = buildFeed({
  'stops.txt': `${feedText('stops.txt')}isle,Quiet Isle,48.3,-122.3,1\n`,
  'trips.txt': `${feedText('trips.txt')}sound,daily,long\n`,
  'stop_times.txt': [
    feedText('stop_times.txt').trim(),
    'long,14:00:00,14:00:00,north,1',
    'long,14:30:00,14:35:00,south,2',
    'long,15:10:00,15:10:00,isle,3',
    '',
  ].join('\n'),
});

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
});
afterEach(() => server.close());

async function status(language = 'en'): Promise<ServiceStatus> {
  const { status, body } = await server.request('GET', '/api/service_status', {
    headers: { 'accept-language': language },
  });
  expect(status).toBe(200);
  return ServiceStatusSchema.parse(body.data);
}

const isLate = ({ delay_minutes }: Boat) => delay_minutes > 0;

const say = (...said: Exception[]) => sayOfSailings(server.context.db, server.clock.now(), ...said);

describe('GET /api/service_status', () => {
  it('lists the boats under way and those that depart soon, as late as they are, without canceled ones', async () => {
    await importFeed(server.context.db);
    server.clock.set('2026-06-01T16:45:00.000Z');
    expect((await status()).boats).toEqual([]);
    server.clock.set('2026-06-01T16:55:00.000Z');
    expect((await status()).boats).toMatchObject([
      { vessel_name: expect.any(String), departs_at: '2026-06-01T17:00:00.000Z', delay_minutes: 0 },
    ]);
    await say({ kind: 'delayed', fromDay: TODAY, tripKey: 'out-10', minutes: 40 });
    expect((await status()).boats).toEqual([]);
    server.clock.set('2026-06-01T18:05:00.000Z');
    expect((await status()).boats.filter(isLate)).toHaveLength(1);
    await say({ kind: 'canceled', fromDay: TODAY, tripKey: 'out-10' });
    expect((await status()).boats.filter(isLate)).toEqual([]);
  });

  it('lists a boat with several ports once, between the two where it is', async () => {
    await importFeed(server.context.db, ISLANDS);
    const { catalogue } = (await loadHomeData(server.context)).inLanguage('en');
    const nameOf = (id: string | undefined) => catalogue.ports.find((port) => port.id === id)?.name;
    for (const [time, from, to] of [
      ['21:15', 'North Pier', 'South Pier'],
      ['21:40', 'South Pier', 'Quiet Isle'],
    ] as const) {
      server.clock.set(`2026-06-01T${time}:00.000Z`);
      const { boats } = await status();
      expect(boats.map((boat) => [nameOf(boat.origin_port_id), nameOf(boat.destination_port_id)])).toEqual([
        [from, to],
      ]);
    }
  });

  it('lists the notices of the day in the reader’s language with what they are about, and nothing about single sailings', async () => {
    await importFeed(server.context.db);
    await say(
      { kind: 'notice', fromDay: TODAY, text: 'Expect fog.', translations: { 'text@de': 'Es wird neblig.' } },
      { kind: 'notice', fromDay: TODAY, line: 'sound', text: 'No bicycles.' },
      { kind: 'notice', fromDay: TODAY, tripKey: 'out-10', text: 'Board at pier 2.' },
      { kind: 'notice', fromDay: '2026-06-02', text: 'Tomorrow.' },
    );
    const { notices } = await status('de');
    expect(notices.map(({ text }) => text).toSorted()).toEqual(['Es wird neblig.', 'No bicycles.']);
    expect(notices.find(({ text }) => text === 'No bicycles.')?.about).not.toBeNull();
    const home = (await loadHomeData(server.context)).inLanguage('en');
    expect(home.notices).toContainEqual({ about: null, text: 'Expect fog.' });
  });

  it('has the coastline of the feed, or none', async () => {
    await importFeed(server.context.db);
    expect((await status()).coastline).toBeNull();
    const line = {
      type: 'LineString',
      coordinates: [
        [-122.2, 48],
        [-122, 48.1],
      ],
    };
    await importFeed(server.context.db, buildFeed({ 'coastline.geojson': JSON.stringify(line) }));
    expect((await status()).coastline).toEqual({ land: '', shores: expect.stringMatching(/^M/) });
  });
});
