import { eq, sql } from 'drizzle-orm';
import { afterEach, expect, inject, test } from 'vitest';
import { releasePlaces } from '#server/capacity/places.ts';
import { queryRows } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { registerNoRoomJobs } from '#server/sailings/exceptions/review-room.ts';
import { findSailings } from '#server/sailings/queries.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { sayOfSailings } from '#tests/factories/exceptions.ts';

let office: Office;
afterEach(() => office.close());

test('of twenty concurrent buyers one holds the last place and nineteen are told that it is sold out', async () => {
  office = await openOffice({ passengers: 1 });
  const quote = must(await office.quote());
  const replies = await Promise.all(Array.from({ length: 20 }, () => office.hold(quote.id)));
  expect(replies.map(codeOf).toSorted()).toEqual([...Array(19).fill('sold_out'), 'success']);
  expect(await office.taken(office.ferry.outward[0] ?? '')).toMatchObject({ passenger: [1, 0] });
});

test.runIf(inject('engine') === 'postgres')(
  'a buyer who waits while places of a full boat come back gets one',
  async () => {
    office = await openOffice({ passengers: 4 });
    const { hold } = await office.takeHold({ adults: 4 });
    const quote = must(await office.quote());
    const { db } = office.context;
    const buying = await db.transaction(async (tx) => {
      await tx.update(holds).set({ status: 'released' }).where(eq(holds.id, hold.id));
      await releasePlaces(tx, hold.id);
      const waiting = office.hold(quote.id);
      await expect
        .poll(() =>
          queryRows(
            db,
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        )
        .toHaveLength(1);
      return { waiting };
    });
    expect(codeOf(await buying.waiting)).toBe('success');
  },
);

test('twenty buyers of the same two sailings in both directions cause no deadlock', async () => {
  office = await openOffice({ passengers: 7 });
  const [first = '', second = ''] = office.ferry.outward;
  const [back = ''] = office.ferry.back.slice(-1);
  const requests = [
    [first, back],
    [second, back],
  ];
  const quotes = await Promise.all(
    requests.map(async (legs) => must(await office.quote({ legs, adults: 2, bicycles: 1 })).id),
  );
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => office.hold(quotes[index % 2] ?? '')),
  );
  expect(replies.map(codeOf).filter((code) => code === 'success')).toHaveLength(3);
  expect(await office.taken(back)).toMatchObject({ passenger: [6, 0], bicycle: [3, 0] });
});

test('of twenty buyers who pay concurrently for ten places ten are confirmed, and ten places are sold', async () => {
  office = await openOffice({ passengers: 10 });
  const sailing = office.ferry.outward[0] ?? '';
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const quote = must(await office.quote());
      const held = await office.hold(quote.id);
      if (!held.body.success) return codeOf(held);
      const order = must(await office.order(held.body.data.id, quote.id));
      const payment = must(await office.pay(order.id));
      await office.confirmWith(payment.client_secret.split('_secret')[0]);
      await office.readPayment(order.id, payment.id);
      return (await office.readOrder(order.id)).status;
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'confirmed')).toHaveLength(10);
  expect(outcomes.filter((outcome) => outcome === 'sold_out')).toHaveLength(10);
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 10] });
  expect(await office.count('tickets')).toBe(10);
});

test('a boat with a smaller online share sells no more than that once buyers let more places go', async () => {
  office = await openOffice({ passengers: 4 });
  const { db } = office.context;
  const { hold } = await office.takeHold({ adults: 3 });
  const [boat] = await db.select().from(vessels);
  if (!boat) throw new Error('The ferry has a boat.');
  const shared = { ...boat, id: 'ves_shared', code: 'shared', passengerCapacity: 4, onlinePercent: 50 };
  await db.insert(vessels).values(shared);
  const change = { kind: 'vessel', fromDay: '2026-06-02', vesselId: shared.id } as const;
  await sayOfSailings(db, office.clock.now(), change);
  const holdOne = async () => codeOf(await office.hold(must(await office.quote()).id));
  expect(await holdOne()).toBe('sold_out');
  must(await office.request('DELETE', `/api/holds/${hold.id}`));
  const [sailing] = await findSailings(db, office.ferry.outward.slice(0, 1));
  expect(sailing?.capacity).toContainEqual(
    expect.objectContaining({ resource: 'passenger', total: 4, sellableOnline: 2, held: 0 }),
  );
  expect([await holdOne(), await holdOne(), await holdOne()]).toEqual(['success', 'success', 'sold_out']);
});

test('a boat made smaller while buyers hold its places sells only what it has once they let them go', async () => {
  office = await openOffice({ passengers: 4 });
  const { db } = office.context;
  const [sailing = ''] = office.ferry.outward;
  const { hold } = await office.takeHold({ adults: 3 });
  const [boat] = await db.select().from(vessels);
  if (!boat) throw new Error('The ferry has a boat.');
  await db.insert(vessels).values({ ...boat, id: 'ves_skiff', code: 'skiff', passengerCapacity: 1 });
  await sayOfSailings(db, office.clock.now(), {
    kind: 'vessel',
    fromDay: '2026-06-02',
    vesselId: 'ves_skiff',
  });
  const holdOne = async () => codeOf(await office.hold(must(await office.quote()).id));
  expect(await holdOne()).toBe('sold_out');
  must(await office.request('DELETE', `/api/holds/${hold.id}`));
  expect([await holdOne(), await holdOne()]).toEqual(['success', 'sold_out']);
  expect(await office.taken(sailing)).toMatchObject({ passenger: [1, 0] });
  const readRoom = () =>
    office.database.store.query(
      `select distinct s.oversubscribed, c.sellable_online from sailings s
       join voyage_capacity c on c.voyage_id = s.voyage_id and c.resource = 'passenger' where s.id = $1`,
      [sailing],
    );
  expect(await readRoom()).toEqual([{ oversubscribed: true, sellable_online: 3 }]);
  await registerNoRoomJobs(office.context);
  await office.jobs.send('clear-no-room', {});
  await office.jobs.runJobs();
  expect(await readRoom()).toEqual([{ oversubscribed: false, sellable_online: 1 }]);
});
