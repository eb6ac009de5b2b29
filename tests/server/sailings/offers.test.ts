import { and, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { holdItems, holds } from '#server/database/schema/holds.ts';
import { rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import { orderLines, orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { notifyPassengers } from '#server/sailings/notices/notify-passengers.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { mailKindsAbout } from '#tests/factories/order-mails.ts';
import {
  buildFeed,
  buildOrderOn,
  feedText,
  importFeed,
  MONDAY,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice({ passengers: 4 });
});
afterAll(() => office.close());
beforeEach(() => office.reopen({ passengers: 4 }));

async function run(...args: string[]): Promise<string> {
  const { stdout } = await settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args)),
  );
  return stdout;
}

/** Buys and pays, a second after the order before. */
async function buy(options: Parameters<Office['takePayment']>[0] = {}): Promise<string> {
  office.clock.advance(1000);
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return order.id;
}

const out = (index: number) => office.ferry.outward[index] ?? '';
const back = (index: number) => office.ferry.back[index] ?? '';

async function offersOf(orderId: string) {
  return office.context.db
    .select()
    .from(rebookingOffers)
    .where(eq(rebookingOffers.orderId, orderId))
    .orderBy(rebookingOffers.insertedAt, desc(rebookingOffers.direction));
}

async function mailsAbout(orderId: string): Promise<string[]> {
  const kinds = await mailKindsAbout(office.context.db, orderId);
  return kinds.filter((kind) => kind !== 'order-confirmed');
}

/** Of the first sailing. */
const departure = new Date('2026-06-02T15:00:00.000Z');

const heldOn = async (sailingId: string) => (await office.taken(sailingId)).passenger?.[0];
const hoursFromNow = (hours: number) => new Date(office.clock.now().getTime() + hours * 3_600_000);

async function undoAll(): Promise<void> {
  const lines = (await run('exceptions', '--csv')).trim().split('\n').slice(1);
  for (const line of lines) await run('undo', line.split(',')[0] ?? '');
}

describe('offers for a canceled sailing', () => {
  it('protect places on the next sailing that fits the whole party, in order of purchase', async () => {
    const pair = await buy({ adults: 2 });
    const single = await buy({ adults: 1 });
    await buy({ legs: [out(1)], adults: 1 });
    expect(await run('cancel', out(0))).toContain('Orders written to: 2.');
    expect(await offersOf(pair)).toMatchObject([
      {
        ...{ direction: 'out', reason: 'sailing_canceled', status: 'open', ifUnanswered: 'refund' },
        ...{ sailingIds: [out(0)], protectedSailingIds: [out(1)], deadline: hoursFromNow(72) },
      },
    ]);
    expect(await offersOf(single)).toMatchObject([{ protectedSailingIds: [out(1)] }]);
    expect(await heldOn(out(1))).toBe(3);
    expect(await mailsAbout(pair)).toEqual(['sailing-canceled']);
  });

  it('go to a later sailing when the next one has no room for the whole party', async () => {
    const first = await buy({ adults: 1 });
    const family = await buy({ adults: 3 });
    await buy({ legs: [out(1)], adults: 2 });
    await run('cancel', out(0));
    expect(await offersOf(first)).toMatchObject([{ protectedSailingIds: [out(1)] }]);
    expect(await offersOf(family)).toMatchObject([{ protectedSailingIds: [out(2)] }]);
    expect([await heldOn(out(1)), await heldOn(out(2))]).toEqual([1, 3]);
  });

  it('go to another sailing when the protected one becomes later than that', async () => {
    const orderId = await buy();
    await run('cancel', out(0));
    office.clock.advance(1000);
    await run('delay', out(1), '30');
    expect(await offersOf(orderId)).toMatchObject([{ protectedSailingIds: [out(1)] }]);
    office.clock.advance(1000);
    await run('delay', out(1), '150');
    expect(await offersOf(orderId)).toMatchObject([{ protectedSailingIds: [out(2)] }]);
    expect(await mailsAbout(orderId)).toEqual([
      'sailing-canceled',
      'sailing-kept-moved',
      'rebooking-offer-changed',
    ]);
    expect([await heldOn(out(1)), await heldOn(out(2))]).toEqual([0, 1]);
  });

  it('keep the places from other buyers until the sales of the protected sailing close', async () => {
    await buy({ adults: 4 });
    await run('cancel', out(0));
    expect(codeOf(await office.hold((await office.quote({ legs: [out(1)] })).body.data.id))).toBe('sold_out');
    office.clock.set(hoursFromNow(26).toISOString());
    await office.jobs.send('expire-holds', {});
    await office.jobs.runJobs();
    expect(await heldOn(out(1))).toBe(0);
  });

  it('name no sailing for a vehicle that none can take', async () => {
    const vehicle = { type: 'car', length_cm: 480, height_cm: 300 };
    const orderId = await buy({ vehicle });
    await office.context.db.update(vessels).set({ tallClearanceCm: 250 });
    await run('cancel', out(0));
    expect(await offersOf(orderId)).toMatchObject([
      { status: 'open', holdId: null, protectedSailingIds: null },
    ]);
    expect(await mailsAbout(orderId)).toEqual(['sailing-canceled']);
  });

  it('take the lane that a vehicle needs', async () => {
    await buy({ vehicle: { type: 'car', length_cm: 480 } });
    await run('cancel', out(0));
    expect((await office.taken(out(1))).lane_cm).toEqual([530, 0]);
  });

  it('are also made when the boat is canceled after it should have left', async () => {
    const orderId = await buy({ adults: 2 });
    office.clock.set(new Date(departure.getTime() + 10 * 60_000).toISOString());
    expect(await run('cancel', out(0))).toContain('Orders written to: 1.');
    expect(await offersOf(orderId)).toMatchObject([
      {
        reason: 'sailing_canceled',
        status: 'open',
        protectedSailingIds: [out(1)],
        deadline: hoursFromNow(72),
      },
    ]);
    expect(await mailsAbout(orderId)).toEqual(['sailing-canceled']);
    const { body } = await office.request('GET', `/api/orders/${orderId}/options`);
    expect(body.data.journeys).toMatchObject([{ direction: 'out', status: 'open' }]);
  });

  it('are not made after the boat should have arrived', async () => {
    const orderId = await buy({ adults: 2 });
    office.clock.set(new Date(departure.getTime() + 24 * 3_600_000).toISOString());
    await run('cancel', out(0));
    expect(await offersOf(orderId)).toEqual([]);
  });

  it('leave time to travel back, and cover both journeys if both are canceled', async () => {
    const orderId = await buy({ legs: [out(0), back(0)] });
    await run('cancel', out(0));
    // The second boat arrives exactly when the booked one leaves for the return.
    expect(await offersOf(orderId)).toMatchObject([{ direction: 'out', protectedSailingIds: [out(1)] }]);
    await run('cancel', back(0));
    expect(await offersOf(orderId)).toMatchObject([
      { direction: 'out', protectedSailingIds: [out(1)] },
      { direction: 'back', protectedSailingIds: [back(1)] },
    ]);
    expect(await mailsAbout(orderId)).toEqual(['sailing-canceled', 'sailing-canceled']);
  });

  it('are withdrawn with their places when the sailing runs again', async () => {
    const orderId = await buy();
    await run('cancel', out(0));
    await undoAll();
    expect(await offersOf(orderId)).toMatchObject([{ status: 'withdrawn' }]);
    expect(await heldOn(out(1))).toBe(0);
    expect(await mailsAbout(orderId)).toEqual(['sailing-canceled', 'sailing-changed']);
    await run('cancel', out(0));
    expect(await offersOf(orderId)).toMatchObject([{ status: 'withdrawn' }, { status: 'open' }]);
  });

  it('move on, with one more mail, when the protected sailing is canceled too', async () => {
    const orderId = await buy();
    await run('cancel', out(0));
    const [before] = await offersOf(orderId);
    office.clock.advance(3_600_000);
    await run('cancel', out(1));
    const [after] = await offersOf(orderId);
    expect(after).toMatchObject({
      id: before?.id,
      protectedSailingIds: [out(2)],
      deadline: before?.deadline,
    });
    expect([await heldOn(out(1)), await heldOn(out(2))]).toEqual([0, 1]);
    expect(await mailsAbout(orderId)).toEqual(['sailing-canceled', 'rebooking-offer-changed']);
  });

  it('are made once, by whichever process comes first', async () => {
    const orderId = await buy();
    await run('cancel', out(0));
    const notify = () => inTransaction(office.context.db, (tx) => notifyPassengers(tx, office.context, {}));
    expect(await Promise.all([notify(), notify()])).toMatchObject([{ notified: 0 }, { notified: 0 }]);
    expect(await offersOf(orderId)).toHaveLength(1);
    expect(await heldOn(out(1))).toBe(1);
  });

  it('are made for an order that was paid while its sailing was being canceled', async () => {
    const { order, intent } = await office.takePayment();
    await run('cancel', out(0));
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    await inTransaction(office.context.db, (tx) => notifyPassengers(tx, office.context, {}));
    expect(await offersOf(order.id)).toMatchObject([{ protectedSailingIds: [out(1)] }]);
    expect(await mailsAbout(order.id)).toEqual(['sailing-canceled']);
  });

  it('end with their places when the buyer changes to another sailing', async () => {
    const id = await buy({ adults: 2 });
    await run('cancel', out(0));
    expect(await heldOn(out(1))).toBe(2);
    const order = await office.readOrder(id);
    must(await changesOf(office).change(order, [{ direction: 'out', to: [out(2)], adults: 2 }]));
    expect(await offersOf(id)).toMatchObject([{ status: 'withdrawn', protectedSailingIds: [out(1)] }]);
    expect([await heldOn(out(1)), (await office.taken(out(2))).passenger]).toEqual([0, [0, 2]]);
  });

  it('protect fewer places after a part of the party has canceled', async () => {
    const orderId = await buy({ adults: 3 });
    await run('cancel', out(0));
    await cancelTickets(orderId, 1);
    expect(await heldOn(out(1))).toBe(2);
    expect(await offersOf(orderId)).toMatchObject([{ status: 'open' }]);
    await cancelTickets(orderId, 2);
    expect(await heldOn(out(1))).toBe(0);
    expect(await offersOf(orderId)).toMatchObject([{ status: 'refunded' }]);
  });
});

async function cancelTickets(orderId: string, count: number): Promise<void> {
  const { tickets } = await office.readOrder(orderId);
  const ids = tickets
    .filter(({ status }: { status: string }) => status === 'issued')
    .slice(0, count)
    .map(({ id }: { id: string }) => id);
  const [{ reference } = { reference: '' }] = await office.context.db
    .select({ reference: orders.reference })
    .from(orders)
    .where(eq(orders.id, orderId));
  const codes = tickets
    .filter(({ id }: { id: string }) => ids.includes(id))
    .map((ticket: { boarding_code: string }) => ticket.boarding_code);
  await refundOrder(office.context, {
    actor: { kind: 'server' },
    reference,
    toTripCard: null,
    scope: { kind: 'tickets', boardingCodes: codes },
  });
}

describe('offers for a late sailing', () => {
  it('begin with the operator’s delay, name only a sooner sailing, and keep unanswered tickets', async () => {
    const orderId = await buy();
    await run('delay', out(0), '89');
    expect(await offersOf(orderId)).toEqual([]);
    office.clock.advance(1000);
    await run('delay', out(0), '100');
    expect(await offersOf(orderId)).toMatchObject([
      {
        ...{ reason: 'sailing_delayed', ifUnanswered: 'keep', protectedSailingIds: null },
        deadline: departure,
      },
    ]);
    office.clock.advance(1000);
    await run('delay', out(0), '150');
    expect(await mailsAbout(orderId)).toEqual(['sailing-late', 'sailing-delayed', 'sailing-late']);
  });

  it('are also made while the boat is expected after it should have left', async () => {
    const orderId = await buy();
    office.clock.set(new Date(departure.getTime() + 10 * 60_000).toISOString());
    await run('delay', out(0), '150');
    const deadline = new Date(departure.getTime() + 150 * 60_000);
    expect(await offersOf(orderId)).toMatchObject([
      { reason: 'sailing_delayed', ifUnanswered: 'keep', protectedSailingIds: [out(1)], deadline },
    ]);
    expect(await mailsAbout(orderId)).toEqual(['sailing-delayed']);
  });

  it('protect places on a sailing that arrives sooner', async () => {
    const orderId = await buy();
    await run('delay', out(0), '150');
    expect(await offersOf(orderId)).toMatchObject([{ protectedSailingIds: [out(1)] }]);
    await undoAll();
    expect(await offersOf(orderId)).toMatchObject([{ status: 'withdrawn' }]);
    expect(await mailsAbout(orderId)).toEqual(['sailing-delayed', 'sailing-on-time']);
  });

  it('become those of a cancellation', async () => {
    const orderId = await buy();
    await run('delay', out(0), '150');
    await run('cancel', out(0));
    expect(await offersOf(orderId)).toMatchObject([
      { reason: 'sailing_delayed', status: 'withdrawn' },
      { reason: 'sailing_canceled', status: 'open', ifUnanswered: 'refund', protectedSailingIds: [out(1)] },
    ]);
    expect(await heldOn(out(1))).toBe(1);
  });
});

describe('offers for a smaller vessel', () => {
  beforeEach(async () => {
    const [boat] = await office.context.db.select().from(vessels);
    if (boat)
      await office.context.db
        .insert(vessels)
        .values({ ...boat, id: 'ves_skiff', code: 'skiff', passengerCapacity: 1 });
  });

  it('go to the orders that no longer fit, and end when there is room again', async () => {
    const first = await buy();
    const second = await buy();
    await run('vessel', out(0), 'skiff');
    expect(await offersOf(first)).toEqual([]);
    expect(await offersOf(second)).toMatchObject([
      { reason: 'no_room', ifUnanswered: 'keep', protectedSailingIds: [out(1)], deadline: departure },
    ]);
    expect(await mailsAbout(second)).toEqual(['sailing-overbooked']);
    await undoAll();
    expect(await offersOf(second)).toMatchObject([{ status: 'withdrawn' }]);
    expect(await heldOn(out(1))).toBe(0);
  });

  it('protect places again where a protected sailing gets less room, and never sell more than it has', async () => {
    const first = await buy();
    const second = await buy();
    await run('cancel', out(0));
    await run('vessel', out(1), 'skiff');
    expect(await offersOf(first)).toMatchObject([{ protectedSailingIds: [out(1)] }]);
    expect(await offersOf(second)).toMatchObject([{ protectedSailingIds: [out(2)] }]);
    expect([await heldOn(out(1)), await heldOn(out(2))]).toEqual([1, 1]);
    expect([await mailsAbout(first), await mailsAbout(second)]).toEqual([
      ['sailing-canceled'],
      ['rebooking-offer-changed', 'sailing-canceled'],
    ]);
    expect(codeOf(await office.hold((await office.quote({ legs: [out(1)] })).body.data.id))).toBe('sold_out');
    const active = await office.context.db.$count(
      holds,
      and(eq(holds.status, 'active'), sql`price_fingerprint = 'protected'`),
    );
    expect(active).toBe(2);
  });
});

describe('offers and the timetable', () => {
  it('stay the same over an import, and move on when the feed loses the protected sailing', async () => {
    const server = await openTestServer({ now: MONDAY });
    try {
      const { db } = server.context;
      await importFeed(db);
      const [booked, next] = [
        await sailingOf(db, 'out-10', '2026-06-02'),
        await sailingOf(db, 'out-12', '2026-06-02'),
      ];
      const orderId = await buildOrderOn(db, booked.id);
      const withoutTen = feedText('stop_times.txt').replace(/out-10.*\n/g, '');
      const trips = feedText('trips.txt').replace('sound,daily,out-10\n', '');
      await importFeed(db, buildFeed({ 'stop_times.txt': withoutTen, 'trips.txt': trips }));
      const read = () => db.select().from(rebookingOffers).where(eq(rebookingOffers.orderId, orderId));
      const [offer] = await read();
      expect(offer).toMatchObject({
        status: 'open',
        sailingIds: [booked.id],
        protectedSailingIds: [next.id],
      });
      await importFeed(
        db,
        buildFeed({ 'stop_times.txt': withoutTen, 'trips.txt': trips, 'promo_codes.csv': null }),
      );
      expect(await read()).toEqual([offer]);
      const gone = await importFeed(
        db,
        buildFeed({
          'stop_times.txt': withoutTen.replace(/out-12.*\n/g, ''),
          'trips.txt': trips.replace('sound,daily,out-12\n', ''),
        }),
      );
      expect(gone).toMatchObject({ notices: { notified: 1 } });
      expect(await read()).toMatchObject([{ id: offer?.id, status: 'open', protectedSailingIds: null }]);
    } finally {
      await server.close();
    }
  });

  it('tell their parties when the feed moves the protected sailing', async () => {
    const server = await openTestServer({ now: MONDAY });
    try {
      const { db } = server.context;
      await importFeed(db);
      const [booked, next] = [
        await sailingOf(db, 'out-10', '2026-06-02'),
        await sailingOf(db, 'out-12', '2026-06-02'),
      ];
      const orderId = await buildOrderOn(db, booked.id);
      await executeCommand(
        sailingsCommand,
        server.context,
        await sailingsCommand.read(['cancel', booked.id]),
      );
      const later = feedText('stop_times.txt').replace(
        'out-12,12:00:00,12:00:00',
        'out-12,12:05:00,12:05:00',
      );
      expect(await importFeed(db, buildFeed({ 'stop_times.txt': later }))).toMatchObject({
        notices: { notified: 1 },
      });
      expect((await mailKindsAbout(db, orderId)).at(-1)).toBe('sailing-kept-moved');
      expect(await db.select().from(rebookingOffers)).toMatchObject([{ protectedSailingIds: [next.id] }]);
    } finally {
      await server.close();
    }
  });

  it('replace a connection by a connection', async () => {
    const server = await openTestServer({ now: MONDAY });
    try {
      const { orderId, boats, read, run: command } = await bookConnection(server);
      await command('cancel', boats[1]);
      const [offer] = await read();
      expect(offer).toMatchObject({
        direction: 'out',
        sailingIds: boats,
        protectedSailingIds: await later(server),
      });
      const items = await server.context.db
        .select()
        .from(holdItems)
        .where(eq(holdItems.holdId, offer?.holdId ?? ''));
      expect(items.map(({ resource, amount }) => [resource, amount])).toEqual([
        ['passenger', 1],
        ['passenger', 1],
      ]);
      expect(orderId).toBe(offer?.orderId);
    } finally {
      await server.close();
    }
  });

  it('replace a connection that a short delay breaks, until the boats connect again', async () => {
    const server = await openTestServer({ now: MONDAY });
    try {
      const { orderId, boats, read, run: command } = await bookConnection(server);
      const written = () => server.context.db.$count(mails, eq(mails.orderId, orderId));
      await command('delay', boats[0], '5');
      expect(await read()).toEqual([]);
      expect(await written()).toBe(0);
      await command('delay', boats[0], '40');
      expect(await read()).toMatchObject([
        { reason: 'sailing_delayed', ifUnanswered: 'keep', protectedSailingIds: await later(server) },
      ]);
      const [order] = await server.context.db.select().from(orders).where(eq(orders.id, orderId));
      expect(order?.needsAttention).toBe('sailing_changed');
      await command('delay', boats[0], '45');
      expect(await written()).toBe(1);
      await command('delay', boats[1], '60');
      expect(await read()).toMatchObject([{ status: 'withdrawn' }]);
      expect(await written()).toBe(2);
    } finally {
      await server.close();
    }
  });
});

/** An order from West to East over Middle. */
async function bookConnection(server: TestServer) {
  const { db } = server.context;
  await importFeed(db, buildFeed(CONNECTED));
  const [first, onward] = [
    await sailingOf(db, 'west-9', '2026-06-02'),
    await sailingOf(db, 'east-10', '2026-06-02'),
  ];
  const orderId = await buildOrderOn(db, first.id);
  const [line] = await db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  if (!line) throw new Error('There is no line.');
  await db
    .insert(orderLines)
    .values({ ...line, id: 'oln_onward', position: 2, leg: 'out_onward', sailingId: onward.id });
  return {
    orderId,
    boats: [first.id, onward.id] as const,
    read: () => db.select().from(rebookingOffers).where(eq(rebookingOffers.orderId, orderId)),
    async run(...args: string[]): Promise<void> {
      // Of two exceptions the later one counts.
      server.clock.advance(1000);
      await executeCommand(sailingsCommand, server.context, await sailingsCommand.read(args));
    },
  };
}

/** The next connection. */
async function later({ context: { db } }: TestServer): Promise<string[]> {
  const boats = [await sailingOf(db, 'west-11', '2026-06-02'), await sailingOf(db, 'east-12', '2026-06-02')];
  return boats.map(({ id }) => id);
}

/** West to Middle at 9 and 11, Middle to East at 10 and 12. */
const CONNECTED = {
  'stops.txt': 'stop_id,stop_name\nwest,West\nmiddle,Middle\neast,East\n',
  'routes.txt': 'route_id,route_long_name,route_type\nwest,West Line,4\neast,East Line,4\n',
  'trips.txt':
    'route_id,service_id,trip_id\nwest,daily,west-9\nwest,daily,west-11\neast,daily,east-10\neast,daily,east-12\n',
  'stop_times.txt': [
    'trip_id,arrival_time,departure_time,stop_id,stop_sequence',
    'west-9,9:00:00,9:00:00,west,1',
    'west-9,9:30:00,9:30:00,middle,2',
    'west-11,11:00:00,11:00:00,west,1',
    'west-11,11:30:00,11:30:00,middle,2',
    'east-10,10:00:00,10:00:00,middle,1',
    'east-10,10:30:00,10:30:00,east,2',
    'east-12,12:00:00,12:00:00,middle,1',
    'east-12,12:30:00,12:30:00,east,2',
    '',
  ].join('\n'),
  'route_rules.csv': null,
};
