import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { holds } from '#server/database/schema/holds.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { expireDueHolds } from '#server/orders/buy/expire-holds.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { loseHolds } from '#tests/factories/lost-holds.ts';
import type { TestReply } from '#tests/setup/server.ts';

const MINUTE = 60_000;
let office: Office;
let sailing: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 4, laneCm: 1000 });
  sailing = office.ferry.outward[0] ?? '';
});

const patch = (id: string, body: object = {}) =>
  office.request('PATCH', `/api/holds/${id}`, { body, idempotencyKey: randomUUID() });

test('a hold reserves its places for ten minutes, twenty at most', async () => {
  const { hold } = await office.takeHold({ adults: 2, vehicle: { type: 'car', length_cm: 480 } });
  expect(hold).toMatchObject({
    status: 'active',
    expires_at: '2026-06-01T15:10:00.000Z',
    expires_at_max: '2026-06-01T15:20:00.000Z',
    can_extend: true,
    order_id: null,
    as_of: '2026-06-01T15:00:00.000Z',
  });
  expect(await office.taken(sailing)).toMatchObject({
    passenger: [2, 0],
    lane_cm: [530, 0],
    tall_lane_cm: [0, 0],
  });
});

test('a vehicle higher than the normal deck uses the tall lane', async () => {
  await office.takeHold({ vehicle: { type: 'car', length_cm: 480, height_cm: 300, trailer_cm: 100 } });
  expect(await office.taken(sailing)).toMatchObject({ lane_cm: [0, 0], tall_lane_cm: [630, 0] });
});

test('a party that does not fit is refused with the missing resources and alternative sailings, and takes no places', async () => {
  await office.takeHold({ adults: 3 });
  const reply = await office.hold(must(await office.quote({ adults: 2 })).id);
  expect([reply.status, codeOf(reply)]).toEqual([422, 'sold_out']);
  const { details } = reply.body.errors[0];
  expect(details).toMatchObject({ resource: 'passenger', sailing_id: sailing });
  expect(details.alternatives.map((each: { sailing_id: string }) => each.sailing_id)).toEqual(
    office.ferry.outward.slice(1, 4),
  );
  expect(await office.taken(sailing)).toMatchObject({ passenger: [3, 0] });
  expect(await office.count('holds')).toBe(1);
});

test('a return trip holds both legs or neither', async () => {
  const back = office.ferry.back[0] ?? '';
  await office.takeHold({ legs: [back], adults: 3 });
  const reply = await office.hold(must(await office.quote({ legs: [sailing, back], adults: 2 })).id);
  expect(reply.body.errors[0]).toMatchObject({ code: 'sold_out', details: { sailing_id: back } });
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
});

test('a sailing canceled or closed after the quote is refused by its own code', async () => {
  const quote = must(await office.quote());
  await office.context.db.update(sailings).set({ status: 'canceled' }).where(eq(sailings.id, sailing));
  expect(codeOf(await office.hold(quote.id))).toBe('sailing_canceled');
  await office.context.db
    .update(sailings)
    .set({ status: 'scheduled', salesCloseAt: office.clock.now() })
    .where(eq(sailings.id, sailing));
  expect(codeOf(await office.hold(quote.id))).toBe('sales_closed');
});

test('more time is granted once and never past the limit', async () => {
  const { hold } = await office.takeHold();
  office.clock.advance(8 * MINUTE);
  expect(must(await patch(hold.id))).toMatchObject({
    expires_at: '2026-06-01T15:18:00.000Z',
    can_extend: false,
  });
  expect(codeOf(await patch(hold.id))).toBe('hold_not_extendable');
});

test('a swap holds the new party instead and does not extend the hold', async () => {
  const { hold } = await office.takeHold({ adults: 3 });
  office.clock.advance(MINUTE);
  const [, later = ''] = office.ferry.outward;
  const quote = must(await office.quote({ legs: [later], adults: 4, bicycles: 1 }));
  expect(must(await patch(hold.id, { quote_id: quote.id }))).toMatchObject({
    status: 'active',
    expires_at: hold.expires_at,
    expires_at_max: hold.expires_at_max,
  });
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  expect(await office.taken(later)).toMatchObject({ passenger: [4, 0], bicycle: [1, 0] });
});

test('a swap that does not fit keeps the places of the hold', async () => {
  const { hold } = await office.takeHold({ adults: 2 });
  await office.takeHold({ adults: 1 });
  const quote = must(await office.quote({ adults: 4 }));
  expect(codeOf(await patch(hold.id, { quote_id: quote.id }))).toBe('sold_out');
  expect(await office.taken(sailing)).toMatchObject({ passenger: [3, 0] });
});

test('releasing a hold several times frees its places once', async () => {
  const { hold } = await office.takeHold({ adults: 3 });
  for (let repeat = 0; repeat < 2; repeat += 1) {
    const reply = await office.request('DELETE', `/api/holds/${hold.id}`);
    expect(must(reply).status).toBe('released');
  }
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  expect(codeOf(await patch(hold.id))).toBe('hold_expired');
});

test('the expiry job puts expired places back on sale once, also when it runs twice concurrently', async () => {
  await office.takeHold({ adults: 3 });
  await office.takeHold({ legs: [office.ferry.outward[1] ?? ''], adults: 1 });
  office.clock.advance(10 * MINUTE);
  await Promise.all([expireDueHolds(office.context), expireDueHolds(office.context)]);
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  const rows = await office.context.db.select({ status: holds.status }).from(holds);
  expect(rows).toEqual([{ status: 'expired' }, { status: 'expired' }]);
});

test('places of an expired hold can be sold before the expiry job has run', async () => {
  await office.takeHold({ adults: 4 });
  office.clock.advance(10 * MINUTE);
  const { hold } = await office.takeHold({ adults: 4 });
  expect(hold.status).toBe('active');
  expect(await office.taken(sailing)).toMatchObject({ passenger: [4, 0] });
});

test('an unknown hold answers 404 for any form of id', async () => {
  for (const id of [newId('hld'), 'abc', '99999999999999999999', '%E0%A4%A', '..%2f..%2f']) {
    const reply = await patch(id);
    expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
    expect((await office.request('DELETE', `/api/holds/${id}`)).status).toBe(404);
  }
});

test('an order for a hold lost in a crash names the missing field, and its quote can be held again', async () => {
  const { hold, quote } = await office.takeHold({ adults: 2 });
  await loseHolds(office.database.store);
  const refused = await office.order(hold.id, quote.id);
  expect([refused.status, refused.body.errors]).toEqual([
    404,
    [expect.objectContaining({ code: 'not_found', field: 'hold_id' })],
  ]);
  expect(codeOf(await patch(hold.id))).toBe('not_found');
  const again = must(await office.hold(quote.id));
  expect(again.id).not.toBe(hold.id);
  expect((await office.order(again.id, quote.id)).status).toBe(201);
  expect(await office.taken(sailing)).toMatchObject({ passenger: [2, 0] });
});

test('a lost hold whose places were sold meanwhile answers sold out with alternative sailings', async () => {
  const { quote } = await office.takeHold({ adults: 2 });
  await loseHolds(office.database.store);
  await office.takeHold({ adults: 3 });
  const refused = await office.hold(quote.id);
  expect(codeOf(refused)).toBe('sold_out');
  expect(refused.body.errors[0].details.alternatives).not.toHaveLength(0);
});

test('one network cannot hold all places of a season', async () => {
  const quote = must(await office.quote({ legs: [office.ferry.back[5] ?? ''] }));
  const codes: string[] = [];
  for (let turn = 0; turn < 121; turn += 1)
    codes.push(codeOf(await office.hold(quote.id, { from: '198.51.100.9' })));
  expect(codes.at(-1)).toBe('rate_limited');
  expect(codes.at(-2)).toBe('sold_out');
  expect(codeOf(await office.hold(quote.id, { from: '192.0.2.1' }))).toBe('sold_out');
});

describe('places of one network that are not paid yet', () => {
  const from = '198.51.100.20';
  const quoteOf = async (options: Parameters<Office['quote']>[0]) => must(await office.quote(options));
  /** Holds of several parties from one network, one after the other, until one is refused. */
  async function holdParties(options: Parameters<Office['quote']>[0], turns: number) {
    const { id } = await quoteOf(options);
    const holds: TestReply[] = [];
    for (let turn = 0; turn < turns; turn += 1) holds.push(await office.hold(id, { from }));
    return holds;
  }
  const sailing = (index: number) => office.ferry.outward[index] ?? '';

  test('are at most 240, and buyers of other networks still find room', async () => {
    await office.reopen();
    const boats = [0, 1, 2, 3].map(sailing);
    for (const boat of boats.slice(0, 2)) {
      const holds = await holdParties({ legs: [boat], adults: 12 }, 10);
      expect(holds.map(codeOf)).toEqual(Array(10).fill('success'));
    }
    const [refused] = await holdParties({ legs: [boats[2] ?? ''] }, 1);
    expect([refused?.status, refused?.body.errors[0].message]).toEqual([
      429,
      expect.stringContaining('Your network is holding many places'),
    ]);
    expect(refused?.headers.get('retry-after')).toBe('60');
    const { id } = await quoteOf({ legs: [boats[2] ?? ''] });
    expect(codeOf(await office.hold(id, { from: '203.0.113.5' }))).toBe('success');
    office.clock.advance(11 * MINUTE);
    expect(codeOf(await office.hold((await quoteOf({ legs: [boats[2] ?? ''] })).id, { from }))).toBe(
      'success',
    );
  });

  test('are at most half of a boat, also when they are asked for at once', async () => {
    await office.reopen({ passengers: 100 });
    const { id } = await quoteOf({ legs: [sailing(0)], adults: 10 });
    const holds = await Promise.all(Array.from({ length: 10 }, () => office.hold(id, { from })));
    expect(holds.filter((hold) => codeOf(hold) === 'success')).toHaveLength(5);
    expect(await office.taken(sailing(0))).toMatchObject({ passenger: [50, 0] });
  });

  test('are as many as two large parties on a small boat, and a car deck counts by its length', async () => {
    await office.reopen({ passengers: 30, laneCm: 20_000 });
    expect((await holdParties({ legs: [sailing(0)], adults: 8 }, 4)).map(codeOf)).toEqual([
      ...['success', 'success', 'success', 'rate_limited'],
    ]);
    const car = { type: 'car', length_cm: 1150 };
    const codes = (await holdParties({ legs: [sailing(1)], vehicle: car }, 12)).map(codeOf);
    expect(codes.filter((code) => code === 'success')).toHaveLength(8);
  });

  test('do not stop a terminal whose buyers pay', async () => {
    await office.reopen({ passengers: 60 });
    const terminal = async () => {
      const { id } = await quoteOf({ legs: [sailing(0)], adults: 5 });
      const hold = must(await office.hold(id, { from }));
      const order = must(await office.order(hold.id, id));
      const payment = must(await office.pay(order.id));
      await office.confirmWith(String(payment.client_secret).split('_secret', 1)[0] ?? '');
      await office.provider.deliverNow();
    };
    for (let buyer = 0; buyer < 12; buyer += 1) await terminal();
    expect(await office.taken(sailing(0))).toMatchObject({ passenger: [0, 60] });
  });

  test('cannot be exceeded by exchanging a hold for a larger one', async () => {
    await office.reopen({ passengers: 100 });
    const [first] = await holdParties({ legs: [sailing(0)] }, 1);
    await holdParties({ legs: [sailing(0)], adults: 12 }, 4);
    const { id } = await quoteOf({ legs: [sailing(0)], adults: 12 });
    const swapped = await office.request('PATCH', `/api/holds/${must(first as TestReply).id}`, {
      body: { quote_id: id },
    });
    expect(codeOf(swapped)).toBe('rate_limited');
    expect(await office.taken(sailing(0))).toMatchObject({ passenger: [49, 0] });
  });
});
