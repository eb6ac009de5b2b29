import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  CatalogueSchema,
  FareSchema,
  PassengerTypeSchema,
  PortSchema,
  RouteSchema,
  VehicleTypeSchema,
} from '#contract/catalogue/schemas.ts';
import { type Sailing, SailingSchema, TimetableEntrySchema } from '#contract/sailings/schemas.ts';
import { sailings, voyageCapacity } from '#server/database/schema/timetable.ts';
import { importDemo, MONDAY, routeIdOf, sailingOf } from '#tests/factories/timetable.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';

const TUESDAY = '2026-06-02';
const UNKNOWN_ROUTE = `rte_${'0'.repeat(26)}`;

let server: TestServer;
let madHer: string;
let madFai: string;
beforeAll(async () => {
  server = await openTestServer({ now: MONDAY });
  await importDemo(server.database.db);
  madHer = await routeIdOf(server.database.db, 'MAD-HER');
  madFai = await routeIdOf(server.database.db, 'MAD-FAI');
});
afterAll(() => server.close());
beforeEach(() => server.clock.set(MONDAY));

function get(path: string, headers: Record<string, string> = {}): Promise<TestReply> {
  return server.request('GET', path, { headers });
}

async function search(query: string, routeId = madHer): Promise<Sailing[]> {
  const { status, body } = await get(`/api/sailings?route_id=${routeId}&date=${TUESDAY}&${query}`);
  expect(status).toBe(200);
  return z.array(SailingSchema).parse(body.data);
}

async function searchFirst(query = '', routeId = madHer): Promise<Sailing> {
  const [first] = await search(query, routeId);
  if (!first) throw new Error('No sailing was found.');
  return first;
}

describe('the catalogue', () => {
  it('returns everything a purchase starts from, as the contract describes', async () => {
    const { status, body } = await get('/api/catalogue');
    expect(status).toBe(200);
    const catalogue = CatalogueSchema.parse(body.data);
    expect(catalogue).toMatchObject({
      currency: 'USD',
      on_sale_from: '2026-06-01',
      on_sale_until: '2026-06-08',
      max_party: 9,
    });
    expect(catalogue.fare_classes.map((each) => each.code)).toEqual(['saver', 'flex']);
    expect(catalogue.passenger_types.filter((type) => type.is_default).map((type) => type.code)).toEqual([
      'adult',
    ]);
    const route = catalogue.routes.find((each) => each.id === madHer);
    expect(route).toMatchObject({
      code: 'MAD-HER',
      crossing_minutes: 35,
      carries_vehicles: true,
      from_amount: 925,
    });
    const back = catalogue.routes.find((each) => each.id === route?.return_route_id);
    expect(back).toMatchObject({ code: 'HER-MAD', return_route_id: madHer });
  });

  it.each([
    ['/api/ports', PortSchema, 4],
    ['/api/routes', RouteSchema, 6],
    ['/api/passenger_types', PassengerTypeSchema, 5],
    ['/api/vehicle_types', VehicleTypeSchema, 3],
  ])('answers %s separately too', async (path, schema, count) => {
    const { body } = await get(path);
    expect(z.array(schema as typeof PortSchema).parse(body.data)).toHaveLength(count);
  });

  it('answers 304 to a client with the current content, although the read time differs', async () => {
    const first = await get('/api/catalogue');
    server.clock.advance(60_000);
    const tag = first.headers.get('etag') ?? '';
    const second = await get('/api/catalogue', { 'if-none-match': `"other", ${tag}` });
    expect(second.status).toBe(304);
    expect(second.headers.get('etag')).toBe(tag);
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    expect((await get('/api/catalogue', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('returns the fares with the highest priority of a day', async () => {
    const fareFor = async (day: string) => {
      const { body } = await get(`/api/fares?route_id=${madHer}&date=${day}`);
      const { body: types } = await get('/api/vehicle_types');
      const car = types.data.find((type: { code: string }) => type.code === 'car').id;
      const fares = z.array(FareSchema).parse(body.data);
      expect(new Set(fares.map((fare) => fare.route_id))).toEqual(new Set([madHer]));
      return fares.filter((fare) => fare.vehicle_type_id === car).map((fare) => fare.amount);
    };
    expect((await fareFor('2026-06-02')).toSorted()).toEqual([2175, 2725]);
    expect((await fareFor('2026-06-05')).toSorted()).toEqual([2650, 3275]);
  });
});

describe('the timetable of a route', () => {
  it('returns a week in a response small enough to cache', async () => {
    const { body, headers } = await get(`/api/routes/${madHer}/timetable`);
    const entries = z.array(TimetableEntrySchema).parse(body.data);
    expect(new Set(entries.map((entry) => entry.service_date)).size).toBe(7);
    // The night boat of the day before the import has left.
    expect(entries).toHaveLength(5 * 15 + 2 * 14 - 1);
    expect(headers.get('etag')).toMatch(/^W\/"/);
  });

  it('lists a sailing after midnight on the day on which it departs, with its service day', async () => {
    const { body } = await get(`/api/routes/${madHer}/timetable?from=2026-06-03&to=2026-06-03`);
    expect(body.data[0]).toMatchObject({
      service_date: TUESDAY,
      departs_local: '2026-06-03T00:20:00-07:00',
      arrives_local: '2026-06-03T00:55:00-07:00',
    });
  });

  it.each([
    ['from=2026-06-01&to=2026-06-08', 'to'],
    ['from=2026-06-02&to=2026-06-01', 'to'],
    ['from=2026-02-30', 'from'],
    ['from=0000-01-01', 'from'],
    ['from=2026-06-01&from=2026-06-02', 'from'],
    ['day=2026-06-01', 'day'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await get(`/api/routes/${madHer}/timetable?${query}`);
    expect(status).toBe(422);
    expect(body.errors[0].field).toBe(field);
  });
});

describe('searching for a sailing', () => {
  it('returns the day’s sailings with the local times of both ports and the price of one adult', async () => {
    const [first] = await search('', madFai);
    expect(first).toMatchObject({
      route_id: madFai,
      service_date: TUESDAY,
      status: 'scheduled',
      departs_at: '2026-06-02T15:00:00.000Z',
      departs_local: '2026-06-02T08:00:00-07:00',
      arrives_local: '2026-06-02T09:50:00-07:00',
      arrives_zone: 'America/Vancouver',
      departs_zone_label: 'PDT',
      duration_minutes: 110,
      vessel: { name: 'Sandpiper' },
      check_in_closes_local: '2026-06-02T07:40:00-07:00',
      sales_close_at: '2026-06-02T14:30:00.000Z',
      availability: { state: 'on_sale', fits: true, left: 9, fullness_percent: 0 },
      from_amount: 3900,
      currency: 'USD',
    });
  });

  it('prices the requested party, including the driver and length steps', async () => {
    const sailing = await searchFirst(
      'passengers[adult]=2&passengers[child]=1&vehicle_type=car&length_cm=650&bicycles=1',
    );
    // Driver in the car's fare; 40 cm above 610 are two started steps.
    expect(sailing.from_amount).toBe(925 + 460 + (2175 + 2 * 110) + 100);
    expect(sailing.check_in_closes_at).toBe('2026-06-02T07:00:00.000Z');
  });

  it('applies a promo code only on its routes', async () => {
    expect((await searchFirst('promo_code=harbor10')).from_amount).toBe(833);
    expect((await searchFirst('promo_code=FIRSTBOAT')).from_amount).toBe(425);
    expect((await searchFirst('promo_code=FIRSTBOAT', madFai)).from_amount).toBe(3900);
    const wrong = await get(`/api/sailings?route_id=${madHer}&date=${TUESDAY}&promo_code=NOPE`);
    expect(wrong.body.errors[0]).toMatchObject({ code: 'promo_invalid', field: 'promo_code' });
  });

  it.each([
    ['passengers[child]=2', 'Children travel with an adult. Please add an adult.'],
    ['passengers[adult]=10', 'That is more than can be bought at once. Please call us.'],
    [
      'passengers[adult]=1&vehicle_type=van&length_cm=600&height_cm=480',
      'That vehicle is too high for this sailing. Choose another sailing.',
    ],
  ])('says why %s cannot be sold', async (query, text) => {
    const sailing = await searchFirst(query);
    expect(sailing).toMatchObject({ from_amount: null, availability: { fits: false, text } });
  });

  it('reports that a passenger vessel carries no vehicles, not that it is full', async () => {
    const sailing = await searchFirst('vehicle_type=car&length_cm=450', madFai);
    expect(sailing.availability).toMatchObject({
      state: 'on_sale',
      fits: false,
      text: 'This route carries no vehicles. Choose another route, or go on foot.',
    });
  });

  it('derives a sailing’s status from the time', async () => {
    const { id } = await sailingOf(server.database.db, 'madrona-heron-weekday-0900', TUESDAY);
    const seen: string[] = [];
    for (const time of ['14:59', '15:00', '15:45', '15:50', '16:00', '16:35']) {
      server.clock.set(`2026-06-02T${time}:00.000Z`);
      const { body } = await get(`/api/sailings/${id}`);
      seen.push(`${body.data.status} ${body.data.availability.state}`);
    }
    expect(seen).toEqual([
      'scheduled on_sale',
      'check_in_open on_sale',
      'check_in_open closed_online',
      'check_in_closed closed_online',
      'departed closed_online',
      'arrived closed_online',
    ]);
  });

  it('reports a sailing as full only when every place is taken, and otherwise refers to the booth', async () => {
    const { db } = server.database;
    const { id, voyageId } = await sailingOf(db, 'madrona-heron-weekday-1040', TUESDAY);
    const passengers = and(eq(voyageCapacity.voyageId, voyageId), eq(voyageCapacity.resource, 'passenger'));
    const stateAt = async (sold: number, sellableOnline: number) => {
      await db.update(voyageCapacity).set({ sold, sellableOnline }).where(passengers);
      return (await get(`/api/sailings/${id}`)).body.data.availability;
    };
    expect(await stateAt(405, 405)).toMatchObject({ state: 'closed_online', left: 0, fullness_percent: 90 });
    expect(await stateAt(450, 450)).toMatchObject({
      state: 'full',
      fits: false,
      left: 0,
      fullness_percent: 100,
    });
    expect(await stateAt(401, 405)).toMatchObject({
      state: 'low',
      fits: true,
      left: 4,
      text: 'Only 4 places left.',
    });
  });

  it('shows a canceled sailing with the reason, and no price', async () => {
    const { db } = server.database;
    const { id } = await sailingOf(db, 'madrona-heron-weekday-1220', TUESDAY);
    await db
      .update(sailings)
      .set({ status: 'canceled', writtenStatusText: 'High winds.' })
      .where(eq(sailings.id, id));
    const { body } = await get(`/api/sailings/${id}`);
    expect(body.data).toMatchObject({
      status: 'canceled',
      from_amount: null,
      availability: { state: 'canceled', text: 'High winds.' },
    });
  });

  it('returns an empty list for a day without sailings', async () => {
    const { body } = await get(`/api/sailings?route_id=${madHer}&date=2031-01-01`);
    expect(body.data).toEqual([]);
  });
});

describe('odd requests', () => {
  it.each([
    [`/api/sailings?date=${TUESDAY}`, 'route_id'],
    ['/api/sailings?route_id=MAD-HER&date=2026-06-02', 'route_id'],
    ['/api/sailings?route_id={route}', 'date'],
    ['/api/sailings?route_id={route}&date=2026-02-29', 'date'],
    ['/api/sailings?route_id={route}&date=0000-12-31', 'date'],
    ['/api/sailings?route_id={route}&date=9999-12-31', 'date'],
    ['/api/sailings?route_id={route}&date=2026-06-02&date=2026-06-03', 'date'],
    ['/api/sailings?route_id={route}&date=2026-06-02&passengers[dog]=1', 'passengers.dog'],
    ['/api/sailings?route_id={route}&date=2026-06-02&passengers[adult]=-1', 'passengers.adult'],
    ['/api/sailings?route_id={route}&date=2026-06-02&passengers[adult]=1.5', 'passengers.adult'],
    ['/api/sailings?route_id={route}&date=2026-06-02&passengers[adult]=1e9', 'passengers.adult'],
    ['/api/sailings?route_id={route}&date=2026-06-02&passengers=2', 'passengers'],
    ['/api/sailings?route_id={route}&date=2026-06-02&vehicle_type=tank', 'vehicle_type'],
    ['/api/sailings?route_id={route}&date=2026-06-02&vehicle_type=car', 'length_cm'],
    ['/api/sailings?route_id={route}&date=2026-06-02&vehicle_type=van&length_cm=600', 'height_cm'],
    ['/api/sailings?route_id={route}&date=2026-06-02&color=red', 'color'],
    ['/api/fares', 'route_id'],
    ['/api/fares?route_id={route}&date=yesterday', 'date'],
  ])('refuses %s and names the field', async (path, field) => {
    const { status, body } = await get(path.replace('{route}', madHer));
    expect(status).toBe(422);
    expect(body.errors[0].field).toBe(field);
  });

  it.each([
    '/api/sailings/nothing',
    `/api/sailings/slg_${'0'.repeat(26)}`,
    `/api/sailings/${'%00'.repeat(5)}`,
    '/api/sailings/%E0%A4%A',
    `/api/sailings?route_id=${UNKNOWN_ROUTE}&date=${TUESDAY}`,
    `/api/fares?route_id=${UNKNOWN_ROUTE}`,
    `/api/routes/${UNKNOWN_ROUTE}/timetable`,
    '/api/routes/../timetable',
  ])('does not find %s', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.errors?.[0]?.code]).toEqual([404, 'not_found']);
  });

  it('answers any query with data or a refusal', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'route_id',
        'date',
        'passengers[adult]',
        'passengers[__proto__]',
        'vehicle_type',
        'promo_code',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    const value = fc.oneof(
      fc.constantFrom(TUESDAY, 'adult', 'car', '1', '\0', '%'),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(piece, value), { maxLength: 6 }), async (pairs) => {
        const params = new URLSearchParams([
          ['route_id', madHer],
          ['date', TUESDAY],
        ]);
        for (const [name, text] of pairs) params.set(name, text);
        const { status } = await get(`/api/sailings?${params}`);
        expect([200, 404, 422]).toContain(status);
      }),
      { numRuns: 60 },
    );
  });
});
