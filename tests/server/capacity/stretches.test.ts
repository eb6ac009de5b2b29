import { and, eq, ne, sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Places,
  releasePlaces,
  releaseSoldPlaces,
  sellHeldPlaces,
  swapPlaces,
  takePlaces,
} from '#server/capacity/places.ts';
import { newId } from '#server/core/ids.ts';
import { queryRows } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { lineCapacity, orderLines, orders } from '#server/database/schema/sales.ts';
import { ports, routes, sailings, voyageCapacity, voyages } from '#server/database/schema/timetable.ts';
import { holdBackPlaces } from '#server/operations/hold-back.ts';
import { findSailings } from '#server/sailings/queries.ts';
import { buildIslandFeed, EASTBOUND, type TestCall } from '#tests/factories/island-line.ts';
import { buildOrderOn, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const TUESDAY = '2026-06-02';
const PORTS = EASTBOUND.map(([port]) => port);
/** Of the boat of the island feed. */
const CAPACITY = 10;
const now = new Date(MONDAY);
const clock = { now: () => now };

let database: TestDatabase;
/** Ids of Tuesday's sailings, such as `lopez-orcas`. */
let ids: Map<string, string>;
beforeEach(async () => {
  database = await openTestDatabase();
  await importFeed(database.db, buildIslandFeed());
  ids = await readSailings();
});
afterEach(() => database.close());

async function readSailings(): Promise<Map<string, string>> {
  const rows = await queryRows<{ id: string; origin: string; destination: string }>(
    database.db,
    sql`
      select s.id, o.gtfs_stop_id as origin, d.gtfs_stop_id as destination
      from sailings s join routes r on r.id = s.route_id
      join ports o on o.id = r.origin_port_id join ports d on d.id = r.destination_port_id
      where s.service_date = ${TUESDAY}`,
  );
  return new Map(rows.map(({ id, origin, destination }) => [`${origin}-${destination}`, id]));
}

function idOf(pair: string): string {
  const id = ids.get(pair);
  if (!id) throw new Error(`There is no sailing ${pair}.`);
  return id;
}

function passengers(pair: string, amount: number): Places {
  return { sailingId: idOf(pair), resource: 'passenger', amount };
}

/** @returns the hold's id, or null if there was no room */
async function hold(...places: Places[]): Promise<string | null> {
  const id = newId('hld');
  const expiresAt = new Date(now.getTime() + 600_000);
  const request = {
    ...{ legs: [], passengers: [], vehicle: null, bicycles: 0 },
    ...{ fare_class: '', promo_code: null },
  };
  const columns = { total: 0, priceFingerprint: '', expiresAt, expiresAtMax: expiresAt, insertedAt: now };
  return (await takePlaces(database.db, { hold: { id, request, ...columns }, places })) ? id : null;
}

async function endHold(id: string, status: 'released' | 'consumed'): Promise<void> {
  await database.db.update(holds).set({ status }).where(eq(holds.id, id));
}

/** Sells what a hold has, with one order line for each sailing. @returns the order's id */
async function sell(holdId: string, places: readonly Places[]): Promise<string> {
  const { db } = database;
  const [first] = places;
  const orderId = await buildOrderOn(db, first?.sailingId ?? '');
  const [line] = await db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  if (!line) throw new Error('An order has a line.');
  for (const [index, { sailingId, resource, amount }] of places.entries()) {
    const id = index === 0 ? line.id : newId('oln');
    if (index > 0) await db.insert(orderLines).values({ ...line, id, sailingId, position: 1 + index });
    await db.insert(lineCapacity).values({ lineId: id, sailingId, resource, amount });
  }
  await endHold(holdId, 'consumed');
  await db.execute(sellHeldPlaces(sql`(select ${holdId} as id)`));
  return orderId;
}

async function refund(orderId: string): Promise<void> {
  await releaseSoldPlaces(database.db, orderId);
  await database.db.update(orderLines).set({ status: 'canceled' }).where(eq(orderLines.orderId, orderId));
}

/** Passengers held and sold on each stretch of Tuesday's voyage. */
async function readStretches(): Promise<[held: number, sold: number][]> {
  const rows = await queryRows<{ held: number; sold: number }>(
    database.db,
    sql`
      select c.held, c.sold from voyage_capacity c join voyages v on v.id = c.voyage_id
      where v.service_date = ${TUESDAY} and c.resource = 'passenger'
        and v.id = (select voyage_id from sailings where id = ${idOf('mainland-friday')})
      order by c.stretch`,
  );
  return rows.map(({ held, sold }) => [held, sold]);
}

/** Each row of capacity has what active holds and active lines take on its stretch. */
async function expectTrueCounts(): Promise<void> {
  const wrong = await queryRows(
    database.db,
    sql`
      select c.* from voyage_capacity c
      where c.held + c.sold > c.sellable_online
        or c.held <> coalesce((
          select sum(i.amount) from hold_items i join holds h on h.id = i.hold_id
          join sailings s on s.id = i.sailing_id
          where h.status = 'active' and s.voyage_id = c.voyage_id and i.resource = c.resource
            and c.stretch >= s.first_stop and c.stretch < s.last_stop), 0)
        or c.sold <> coalesce((
          select sum(p.amount) from line_capacity p join order_lines l on l.id = p.line_id
          join sailings s on s.id = p.sailing_id
          where l.status = 'active' and s.voyage_id = c.voyage_id and p.resource = c.resource
            and c.stretch >= s.first_stop and c.stretch < s.last_stop), 0)`,
  );
  expect(wrong).toEqual([]);
}

describe('the places of a voyage with stops in between', () => {
  it('are taken on the stretches of a sailing and stay free before and after them', async () => {
    expect(await hold(passengers('lopez-orcas', 3))).not.toBeNull();
    expect(await readStretches()).toEqual([
      [0, 0],
      [3, 0],
      [3, 0],
      [0, 0],
    ]);
    const free = async (pair: string) => {
      const [sailing] = await findSailings(database.db, [idOf(pair)]);
      const places = sailing?.capacity.find(({ resource }) => resource === 'passenger');
      return (places?.sellableOnline ?? 0) - (places?.held ?? 0) - (places?.sold ?? 0);
    };
    expect(await free('mainland-lopez')).toBe(10);
    expect(await free('mainland-friday')).toBe(7);
    expect(await free('shaw-friday')).toBe(7);
    expect(await free('orcas-friday')).toBe(10);
  });

  it('go to one of two buyers of the last place on overlapping stretches', async () => {
    await hold(passengers('mainland-friday', CAPACITY - 1));
    const bought = await Promise.all([
      hold(passengers('mainland-orcas', 1)),
      hold(passengers('lopez-friday', 1)),
    ]);
    expect(bought.filter((id) => id !== null)).toHaveLength(1);
    await expectTrueCounts();
  });

  it('go to both of two buyers of the last place on touching stretches', async () => {
    await hold(passengers('mainland-friday', CAPACITY - 1));
    const bought = await Promise.all([
      hold(passengers('mainland-shaw', 1)),
      hold(passengers('shaw-friday', 1)),
    ]);
    expect(bought).not.toContain(null);
    expect(await readStretches()).toEqual(Array(4).fill([CAPACITY, 0]));
  });

  it('add up for an order that takes two sailings of one voyage', async () => {
    expect(await hold(passengers('mainland-orcas', 6), passengers('lopez-friday', 6))).toBeNull();
    expect(await hold(passengers('mainland-orcas', 5), passengers('lopez-friday', 5))).not.toBeNull();
    expect((await readStretches()).map(([held]) => held)).toEqual([5, 10, 10, 5]);
  });

  it('stay with a buyer who exchanges a full boat’s places for other stretches of it', async () => {
    const id = await hold(passengers('mainland-shaw', CAPACITY));
    const places = [passengers('lopez-friday', CAPACITY)];
    expect(
      await database.db.transaction((tx) => swapPlaces(tx, { clock }, { holdId: id ?? '', places })),
    ).toBe(true);
    expect((await readStretches()).map(([held]) => held)).toEqual([0, 10, 10, 10]);
  });

  it('are never oversold to forty parallel buyers', async () => {
    const pairs = [...ids.keys()];
    const bought = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        hold(passengers(pairs[(index * 7) % pairs.length] ?? '', 1 + (index % 3))),
      ),
    );
    expect(bought).toContain(null);
    await expectTrueCounts();
  });
});

const step = fc.record({
  kind: fc.constantFrom('hold', 'hold', 'hold', 'swap', 'release', 'sell', 'refund'),
  pick: fc.nat(20),
  from: fc.nat(3),
  length: fc.integer({ min: 1, max: 4 }),
  amount: fc.integer({ min: 1, max: 5 }),
  isTwice: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Buyer = { holdId: string; places: Places[]; pairs: [from: number, to: number][]; orderId?: string };

/** The places of a step: on one sailing, or on one and the rest of the voyage. */
function toRequest({ from, length, amount, isTwice }: Step): Pick<Buyer, 'places' | 'pairs'> {
  const last = PORTS.length - 1;
  const to = Math.min(from + length, last);
  const pairs: Buyer['pairs'] =
    isTwice && to < last
      ? [
          [from, to],
          [to, last],
        ]
      : [[from, to]];
  return { pairs, places: pairs.map(([a, b]) => passengers(`${PORTS[a]}-${PORTS[b]}`, amount)) };
}

/** Counted without the database: the passengers on each stretch. */
function countOnBoard(buyers: readonly Pick<Buyer, 'places' | 'pairs'>[]): number[] {
  return PORTS.slice(1).map((_, stretch) =>
    buyers
      .flatMap(({ pairs, places }) =>
        pairs.map(([from, to], index) =>
          from <= stretch && stretch < to ? (places[index]?.amount ?? 0) : 0,
        ),
      )
      .reduce((sum, amount) => sum + amount, 0),
  );
}

describe('any sequence of purchases on overlapping and touching stretches', () => {
  it('sells a place on a stretch once, and counts it there while it is held or sold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        let buyers: Buyer[] = [];
        for (const each of steps) {
          buyers = await act(each, buyers);
          await expectTrueCounts();
          const counted = (await readStretches()).map(([held, sold]) => held + sold);
          expect(counted).toEqual(countOnBoard(buyers));
        }
        for (const buyer of buyers) await leave(buyer);
      }),
      { numRuns: 15, seed: 20_260_602 },
    );
    expect(await readStretches()).toEqual(Array(4).fill([0, 0]));
  }, 120_000);

  async function act(each: Step, buyers: Buyer[]): Promise<Buyer[]> {
    const requested = toRequest(each);
    const fits = (others: readonly Buyer[]) =>
      countOnBoard([...others, requested]).every((count) => count <= CAPACITY);
    if (each.kind === 'hold') {
      const holdId = await hold(...requested.places);
      expect(holdId !== null).toBe(fits(buyers));
      return holdId === null ? buyers : [...buyers, { holdId, ...requested }];
    }
    const buyer = buyers[each.pick % Math.max(1, buyers.length)];
    if (!buyer) return buyers;
    const others = buyers.filter((other) => other !== buyer);
    if (each.kind === 'swap' && !buyer.orderId) {
      const { holdId } = buyer;
      const isSwapped = await database.db.transaction((tx) =>
        swapPlaces(tx, { clock }, { holdId, places: requested.places }),
      );
      expect(isSwapped).toBe(fits(others));
      return isSwapped ? [...others, { holdId, ...requested }] : buyers;
    }
    if (each.kind === 'sell' && !buyer.orderId) {
      return [...others, { ...buyer, orderId: await sell(buyer.holdId, buyer.places) }];
    }
    if (each.kind !== (buyer.orderId ? 'refund' : 'release')) return buyers;
    await leave(buyer);
    return others;
  }

  async function leave({ holdId, orderId }: Buyer): Promise<void> {
    if (orderId) return refund(orderId);
    await endHold(holdId, 'released');
    await releasePlaces(database.db, holdId);
  }
});

describe('a timetable in which a voyage calls at other ports', () => {
  const withoutShaw = EASTBOUND.filter(([port]) => port !== 'shaw');

  it('keeps passengers on their sailing and counts their places on its stretches', async () => {
    await sell((await hold(passengers('lopez-friday', 4))) ?? '', [passengers('lopez-friday', 4)]);
    await hold(passengers('mainland-orcas', 2));
    await importFeed(database.db, buildIslandFeed({ 'east-9': withoutShaw }));
    await expectTrueCounts();
    expect(await readStretches()).toEqual([
      [2, 0],
      [2, 4],
      [0, 4],
    ]);
    await importFeed(database.db, buildIslandFeed());
    await expectTrueCounts();
    expect((await readStretches()).map(([held, sold]) => held + sold)).toEqual([2, 6, 6, 4]);
    expect(await database.db.$count(orders, sql`needs_attention is not null`)).toBe(0);
  });

  it('cancels the sailing of a port it leaves out, whose places others can buy', async () => {
    const places = [passengers('mainland-shaw', CAPACITY)];
    const orderId = await sell((await hold(...places)) ?? '', places);
    const shaw = idOf('mainland-shaw');
    const report = await importFeed(database.db, buildIslandFeed({ 'east-9': withoutShaw }));
    expect(report.sailings).toMatchObject({ canceled: 1 });
    const [sailing] = await database.db.select().from(sailings).where(eq(sailings.id, shaw));
    expect(sailing).toMatchObject({ status: 'canceled', firstStop: 0, lastStop: 1 });
    expect(
      await database.db.$count(
        orders,
        and(eq(orders.id, orderId), eq(orders.needsAttention, 'sailing_canceled')),
      ),
    ).toBe(1);
    expect(await hold(passengers('mainland-friday', CAPACITY))).not.toBeNull();
    await expectTrueCounts();
    await refund(orderId);
    await expectTrueCounts();
  });

  it.each([
    ['leaves out', withoutShaw],
    [
      'has no drop-off at',
      EASTBOUND.map(
        ([port, arrives, departs]): TestCall => [port, arrives, departs, '0', port === 'shaw' ? '1' : '0'],
      ),
    ],
  ])('puts places held back for a port that it %s on sale again', async (_, calls) => {
    await holdBackPlaces(
      { ...database, clock },
      {
        ...{ sailingId: idOf('mainland-shaw'), places: [{ resource: 'passenger', amount: 4 }] },
        ...{ reason: 'Choir', actor: { kind: 'command', systemUser: 'test' } },
      },
    );
    expect(await hold(passengers('mainland-friday', CAPACITY))).toBeNull();
    await importFeed(database.db, buildIslandFeed({ 'east-9': calls }));
    expect(await database.db.$count(voyageCapacity, ne(voyageCapacity.heldBack, 0))).toBe(0);
    expect(await hold(passengers('mainland-friday', CAPACITY))).not.toBeNull();
    await expectTrueCounts();
  });

  it('removes sailings without passengers, and voyages without sailings', async () => {
    await importFeed(database.db, buildIslandFeed({ 'east-9': withoutShaw }));
    const perVoyage = await queryRows<{ count: number }>(
      database.db,
      sql`select count(s.id)::int as count from voyages v left join sailings s on s.voyage_id = v.id
          where v.service_date >= ${TUESDAY} group by v.id`,
    );
    expect(new Set(perVoyage.map(({ count }) => count))).toEqual(new Set([6]));
    expect(await database.db.$count(routes, eq(routes.active, true))).toBe(6);
    expect(await database.db.$count(ports, eq(ports.active, true))).toBe(4);
    expect(await database.db.$count(voyages)).toBeGreaterThan(0);
  });
});
