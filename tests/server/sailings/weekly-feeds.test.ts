import { eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { ports, routes, sailings } from '#server/database/schema/timetable.ts';
import type { FeedFiles } from '#server/sailings/feed/feed-files.ts';
import { buildFeed, buildOrderOn, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

/** A daily trip: its line and, per stop, the port and the minute after midnight. */
type Trip = { line: string; calls: readonly (readonly [port: string, minute: number])[] };

const LINES = {
  east: ['pier11', 'dumbo', 'greenpoint', 'astoria'],
  south: ['pier11', 'redhook', 'sunset'],
  shuttle: ['dumbo', 'pier11'],
};
const PORTS = [...new Set(Object.values(LINES).flat())];
const MINUTES_PER_STRETCH = 20;

/** Numbers from 0 to below 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function createTrip(line: string, ports: readonly string[], start: number): Trip {
  return { line, calls: ports.map((port, index) => [port, start + index * MINUTES_PER_STRETCH] as const) };
}

/** Every pair of ports of a trip with its times, as passengers see it. */
function crossingsOf({ line, calls }: Trip): string[] {
  return calls.flatMap(([origin, departs], index) =>
    calls
      .slice(index + 1)
      .map(([destination, arrives]) => `${line} ${origin} ${departs} ${destination} ${arrives}`),
  );
}

/** The trips without those that offer a crossing of an earlier one: which boat is meant would be unclear. */
function withoutDuplicates(trips: readonly Trip[]): Trip[] {
  const taken = new Set<string>();
  return trips.filter((trip) => {
    const crossings = crossingsOf(trip);
    if (crossings.some((crossing) => taken.has(crossing))) return false;
    for (const crossing of crossings) taken.add(crossing);
    return true;
  });
}

function createFirstWeek(random: () => number): Trip[] {
  const trips = Object.entries(LINES).flatMap(([line, ports]) =>
    [ports, ports.toReversed()].flatMap((direction) =>
      Array.from({ length: 10 }, (_, index) =>
        createTrip(line, direction, 360 + index * 75 + Math.floor(random() * 30)),
      ),
    ),
  );
  return withoutDuplicates(trips);
}

/** The same timetable with some trips canceled, retimed, added, and with more or fewer stops. */
function createSecondWeek(first: readonly Trip[], random: () => number): Trip[] {
  const kept = first.flatMap((trip) => {
    const choice = random();
    if (choice < 0.08) return [];
    if (choice < 0.25) {
      const shift = 3 + Math.floor(random() * 60);
      return [{ ...trip, calls: trip.calls.map(([port, minute]) => [port, minute + shift] as const) }];
    }
    if (choice < 0.35 && trip.calls.length > 2) return [{ ...trip, calls: trip.calls.slice(0, -1) }];
    if (choice < 0.45 && trip.calls.length > 2) return [{ ...trip, calls: trip.calls.toSpliced(1, 1) }];
    return [trip];
  });
  const added = Object.entries(LINES).map(([line, direction]) => createTrip(line, direction, 1201));
  return withoutDuplicates([...kept, ...added]);
}

/** @param firstId the first trip's id, counted up from trip to trip */
function toFeed(trips: readonly Trip[], firstId: number): FeedFiles {
  const clock = (minute: number) =>
    `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}:00`.padStart(8, '0');
  const ids = trips.map((_, index) => `${firstId + index}`);
  const stopTimes = trips.flatMap(({ calls }, index) =>
    calls.map(([port, minute], position) =>
      [ids[index], clock(minute), clock(minute), port, position + 1].join(','),
    ),
  );
  return buildFeed({
    'stops.txt': ['stop_id,stop_name', ...PORTS.map((port) => `${port},Port ${port}`), ''].join('\n'),
    'routes.txt': [
      'route_id,route_long_name,route_type',
      ...Object.keys(LINES).map((line) => `${line},Line ${line},4`),
      '',
    ].join('\n'),
    'trips.txt': [
      'route_id,service_id,trip_id',
      ...trips.map(({ line }, index) => `${line},daily,${ids[index]}`),
      '',
    ].join('\n'),
    'stop_times.txt': ['trip_id,arrival_time,departure_time,stop_id,stop_sequence', ...stopTimes, ''].join(
      '\n',
    ),
    'route_rules.csv': null,
    'fares.csv': 'fare_class,kind,passenger_type,amount\nsaver,passenger,adult,4.00\n',
    'promo_codes.csv': null,
  });
}

describe.each([1, 2, 3])(
  'a feed of the next week that gives its trips new numbers (timetable %i)',
  (seed) => {
    const random = createRandom(seed);
    const first = createFirstWeek(random);
    const second = createSecondWeek(first, random);
    const crossings = new Set(second.flatMap(crossingsOf));

    let database: TestDatabase;
    let sold: { orderId: string; sailing: Sailing }[];
    beforeAll(async () => {
      database = await openTestDatabase();
      await importFeed(database.db, toFeed(first, 100), { days: 2 });
      const offered = (await readSailings()).filter(({ departsAt }) => departsAt > new Date(MONDAY));
      sold = [];
      for (let count = 0; count < 60; count += 1) {
        const sailing = offered[Math.floor(random() * offered.length)] as Sailing;
        sold.push({ sailing, orderId: await buildOrderOn(database.db, sailing.id) });
      }
      // Most ids of the first week are given to other trips.
      await importFeed(database.db, toFeed(second, 103), { days: 2 });
    });
    afterAll(() => database.close());

    type Sailing = { id: string; crossing: string; departsAt: Date; arrivesAt: Date; status: string };

    async function readSailings(): Promise<Sailing[]> {
      const origins = alias(ports, 'origins');
      const destinations = alias(ports, 'destinations');
      const rows = await database.db
        .select({
          sailing: sailings,
          line: routes.gtfsRouteId,
          origin: origins.gtfsStopId,
          destination: destinations.gtfsStopId,
        })
        .from(sailings)
        .innerJoin(routes, eq(routes.id, sailings.routeId))
        .innerJoin(origins, eq(origins.id, routes.originPortId))
        .innerJoin(destinations, eq(destinations.id, routes.destinationPortId))
        .orderBy(sailings.departsAt, sailings.routeId);
      return rows.map(({ sailing, line, origin, destination }) => {
        const { id, serviceDate, departsAt, arrivesAt, status } = sailing;
        const midnight = Date.parse(`${serviceDate}T00:00:00-07:00`);
        const minute = (instant: Date) => (instant.getTime() - midnight) / 60_000;
        const crossing = `${line} ${origin} ${minute(departsAt)} ${destination} ${minute(arrivesAt)}`;
        return { id, crossing, departsAt, arrivesAt, status };
      });
    }

    it('moves no ticket whose boat still runs at its time, and tells its passengers nothing', async () => {
      const after = new Map((await readSailings()).map((sailing) => [sailing.id, sailing]));
      const told = new Map((await database.db.select().from(orders)).map((order) => [order.id, order]));
      const written = new Set((await database.db.select().from(mails)).map(({ orderId }) => orderId));
      const unmoved = sold.filter(({ sailing }) => crossings.has(sailing.crossing));
      expect(unmoved.length).toBeGreaterThan(20);
      for (const { orderId, sailing } of unmoved) {
        expect(after.get(sailing.id)).toEqual(sailing);
        expect(told.get(orderId)?.needsAttention).toBeNull();
        expect(written).not.toContain(orderId);
      }
    });

    it('tells the passengers of every other boat once', async () => {
      const after = new Map((await readSailings()).map((sailing) => [sailing.id, sailing]));
      const written = (await database.db.select().from(mails)).map(({ orderId }) => orderId);
      const affected = sold.filter(({ sailing }) => !crossings.has(sailing.crossing));
      expect(affected.length).toBeGreaterThan(0);
      expect(written.toSorted()).toEqual(affected.map(({ orderId }) => orderId).toSorted());
      for (const { sailing } of affected) {
        const { crossing, status } = after.get(sailing.id) as Sailing;
        expect(status === 'canceled' || crossings.has(crossing)).toBe(true);
      }
    });

    it('offers nothing but the new timetable, each crossing once a day', async () => {
      const offered = (await readSailings()).filter(
        ({ status, departsAt }) => status !== 'canceled' && departsAt > new Date('2026-06-02T07:00:00Z'),
      );
      expect(offered.every(({ crossing }) => crossings.has(crossing))).toBe(true);
      const departures = new Set(
        offered.map(({ crossing, departsAt }) => `${crossing} ${departsAt.getTime()}`),
      );
      expect(departures.size).toBe(offered.length);
      expect(departures.size).toBeGreaterThan(second.length);
    });
  },
);
