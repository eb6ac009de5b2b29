import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Departures, DeparturesSchema } from '#contract/departures/schemas.ts';
import { ports, voyageCapacity } from '#server/database/schema/timetable.ts';
import { type Exception, sayOfSailings } from '#tests/factories/exceptions.ts';
import { buildFeed, feedText, importFeed, MONDAY, sailingOf } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TODAY = '2026-06-01';

/** The plain feed with a third port, and a boat at 23:50 and at 25:10 that calls at the middle one. */
const ISLANDS = buildFeed({
  'stops.txt': `${feedText('stops.txt')}isle,Quiet Isle,48.3,-122.3,1\n`,
  'trips.txt': `${feedText('trips.txt')}sound,daily,late\nsound,daily,night\n`,
  'stop_times.txt': [
    feedText('stop_times.txt').trim(),
    'late,23:50:00,23:50:00,north,1',
    'late,24:20:00,24:25:00,south,2',
    'late,25:00:00,25:00:00,isle,3',
    'night,25:10:00,25:10:00,north,1',
    'night,25:40:00,25:40:00,south,2',
    '',
  ].join('\n'),
});

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db, ISLANDS);
});
afterEach(() => server.close());

async function departures(query = '', port = 'NOR'): Promise<Departures> {
  const { status, body } = await server.request('GET', `/api/ports/${port}/departures${query}`);
  expect(status).toBe(200);
  return DeparturesSchema.parse(body.data);
}

const clocks = (list: Departures) => list.departures.map(({ departs_local }) => departs_local.slice(0, 16));
const say = (...said: Exception[]) => sayOfSailings(server.context.db, server.clock.now(), ...said);

async function departureOf(time: string, query = '') {
  const { departures: all } = await departures(query);
  const departure = all.find(({ departs_local }) => departs_local.includes(`T${time}`));
  if (!departure) throw new Error(`Nothing departs at ${time}.`);
  return departure;
}

describe('GET /api/ports/{port}/departures', () => {
  it('lists the boats of the service day, each once, with the ports they call at', async () => {
    const list = await departures();
    expect(list).toMatchObject({
      port: { code: 'NOR', name: 'North Pier', time_zone: 'America/Los_Angeles' },
      day: TODAY,
      notices: [],
      next: { day: '2026-06-02', departs_local: '2026-06-02T10:00:00-07:00', zone_label: 'PDT' },
    });
    expect(clocks(list)).toEqual([
      '2026-06-01T10:00',
      '2026-06-01T12:00',
      '2026-06-01T23:50',
      '2026-06-02T01:10',
    ]);
    expect(await departureOf('23:50')).toMatchObject({
      status: 'scheduled',
      vessel_name: 'MV Tern',
      line_name: 'Across the Sound',
      destinations: [
        {
          port: { code: 'SOU', name: 'South Pier' },
          via: [],
          arrives_local: '2026-06-02T00:20:00-07:00',
          accessibility: [
            'Step-free way to the boat at North Pier.',
            'There are steps on the way to the boat at South Pier.',
          ],
        },
        { port: { name: 'Quiet Isle' }, via: ['South Pier'], can_buy: true, availability: 'on_sale' },
      ],
    });
  });

  it('finds the port by its id too, and by its code in small letters', async () => {
    const [port] = await server.context.db.select().from(ports).where(eq(ports.code, 'SOU'));
    const byId = await departures('', port?.id);
    expect(clocks(byId)).toEqual(['2026-06-01T11:00', '2026-06-01T13:00', '2026-06-02T00:25']);
    expect((await departures('', 'sou')).departures).toEqual(byId.departures);
  });

  it('keeps the night boats of the day before until they have left', async () => {
    server.clock.set('2026-06-02T07:30:00.000Z');
    expect(clocks(await departures())[0]).toBe('2026-06-02T01:10');
    server.clock.set('2026-06-02T08:11:00.000Z');
    expect(clocks(await departures())[0]).toBe('2026-06-02T10:00');
  });

  it('keeps a boat of yesterday evening that is late until it has left', async () => {
    await say({ kind: 'delayed', fromDay: TODAY, tripKey: 'late', minutes: 40, reason: 'traffic' });
    server.clock.set('2026-06-02T07:20:00.000Z');
    expect((await departures()).departures[0]).toMatchObject({
      departs_local: '2026-06-01T23:50:00-07:00',
      expected_local: '2026-06-02T00:30:00-07:00',
      delay_minutes: 40,
      status: 'check_in_closed',
      status_text: 'Late because of heavy traffic.',
    });
  });

  it('lists another day, with the night boats that leave on it', async () => {
    expect(clocks(await departures('?date=2026-06-03'))).toEqual([
      '2026-06-03T01:10',
      '2026-06-03T10:00',
      '2026-06-03T12:00',
      '2026-06-03T23:50',
      '2026-06-04T01:10',
    ]);
  });

  it('tells the state of check-in, and that a boat has departed', async () => {
    server.clock.set('2026-06-01T16:00:00.000Z');
    expect(await departureOf('10:00')).toMatchObject({
      status: 'check_in_open',
      check_in_opens_local: '2026-06-01T09:00:00-07:00',
      check_in_closes_local: '2026-06-01T09:50:00-07:00',
    });
    server.clock.set('2026-06-01T17:01:00.000Z');
    expect(await departureOf('10:00')).toMatchObject({
      status: 'departed',
      destinations: [{ can_buy: false, availability: 'closed_online' }],
    });
  });

  it('shows a canceled and a suspended boat with the reason', async () => {
    await say(
      { kind: 'canceled', fromDay: TODAY, tripKey: 'out-10', reason: 'weather' },
      { kind: 'suspended', fromDay: TODAY, tripKey: 'out-12', reason: 'crew' },
    );
    expect(await departureOf('10:00')).toMatchObject({
      status: 'canceled',
      status_text: 'Canceled because of the weather.',
      destinations: [{ is_canceled: true, can_buy: false }],
    });
    expect(await departureOf('12:00')).toMatchObject({
      status: 'suspended',
      destinations: [{ can_buy: false }],
    });
  });

  it('shows a boat to the ports that are open when one of its ports is closed', async () => {
    const [isle] = await server.context.db.select().from(ports).where(eq(ports.gtfsStopId, 'isle'));
    await say({ kind: 'port_closed', fromDay: TODAY, portId: isle?.id ?? '', reason: 'weather' });
    expect(await departureOf('23:50')).toMatchObject({
      status: 'scheduled',
      destinations: [
        { port: { name: 'South Pier' }, is_canceled: false, can_buy: true },
        { port: { name: 'Quiet Isle' }, is_canceled: true },
      ],
    });
    expect((await departures()).notices).toEqual([]);
    const own = await departures('', isle?.code);
    expect(own.notices).toEqual(['This port is closed because of the weather.']);
  });

  it('puts the notices of the port and of whole lines above the list, and not into each row', async () => {
    await say({ kind: 'notice', fromDay: TODAY, line: 'sound', text: 'The café is closed.' });
    server.clock.advance(1000);
    await say(
      { kind: 'notice', fromDay: TODAY, tripKey: 'out-12', text: 'Wheelchairs board first.' },
      { kind: 'delayed', fromDay: TODAY, tripKey: 'out-10', minutes: 5, reason: 'traffic' },
    );
    expect((await departures()).notices).toEqual(['The café is closed.']);
    expect(await departureOf('10:00')).toMatchObject({ status_text: 'Late because of heavy traffic.' });
    expect(await departureOf('12:00')).toMatchObject({ status_text: 'Wheelchairs board first.' });
  });

  it('says how little is left', async () => {
    const { voyageId } = await sailingOf(server.context.db, 'out-10', TODAY);
    await server.context.db
      .update(voyageCapacity)
      .set({ sold: 8 })
      .where(and(eq(voyageCapacity.voyageId, voyageId), eq(voyageCapacity.resource, 'passenger')));
    expect(await departureOf('10:00')).toMatchObject({
      destinations: [{ availability: 'low', availability_text: 'Only 2 places left.' }],
    });
  });

  it('has an entity tag, and may be cached for a short time', async () => {
    const first = await server.request('GET', '/api/ports/NOR/departures');
    expect(first.headers.get('cache-control')).toBe('public, max-age=10');
    server.clock.advance(5_000);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await server.request('GET', '/api/ports/NOR/departures', { headers })).status).toBe(304);
    await say({ kind: 'delayed', fromDay: TODAY, tripKey: 'out-10', minutes: 5 });
    expect((await server.request('GET', '/api/ports/NOR/departures', { headers })).status).toBe(200);
  });

  it.each([
    ['NOWHERE', '', 404, 'not_found'],
    ["NOR'--", '', 404, 'not_found'],
    ['NOR', '?date=2026-02-30', 422, 'invalid_input'],
    ['NOR', '?date=tomorrow', 422, 'invalid_input'],
    ['NOR', '?days=2', 422, 'unknown_field'],
  ])('refuses %s%s with %i', async (port, query, status, code) => {
    const reply = await server.request('GET', `/api/ports/${encodeURIComponent(port)}/departures${query}`);
    expect(reply.status).toBe(status);
    expect(reply.body.errors[0].code).toBe(code);
  });
});
