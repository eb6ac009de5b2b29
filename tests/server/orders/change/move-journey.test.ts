import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takePlaces } from '#server/capacity/places.ts';
import { sumPlaces } from '#server/capacity/sum-places.ts';
import { newId } from '#server/core/ids.ts';
import { holds } from '#server/database/schema/holds.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import { TicketsChanged } from '#server/orders/crossings/cancel-tickets.ts';
import { carryJourney, moveJourney } from '#server/orders/crossings/move-journey.ts';
import { readStoredOrder } from '#server/orders/queries.ts';
import { findTimetable } from '#server/sailings/queries.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Bought = TestReply['body'];
let office: Office;
let sailing: string;
let later: string;
let back: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  [sailing = '', later = ''] = office.ferry.outward;
  [back = ''] = office.ferry.back;
});

async function buy(options: Parameters<Office['takePayment']>[0] = {}): Promise<Bought> {
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return office.readOrder(order.id);
}

/** Moves the outbound journey to a sailing whose places are held first, or were until the hold expired. */
async function move(order: Bought, to: string[], isExpired = false): Promise<unknown> {
  const { context } = office;
  const sailings = await findTimetable(context.db, to);
  const direction = {
    direction: 'out' as const,
    sailings: to.flatMap((id) => sailings.find((each) => each.id === id) ?? []),
  };
  const now = context.clock.now();
  const holdId = newId('hld');
  const request = {
    legs: [],
    passengers: [],
    vehicle: null,
    bicycles: 0,
    fare_class: 'flex',
    promo_code: null,
  };
  return inTransaction(context.db, async (tx) => {
    const locked = await lockOrder(tx, order.id);
    if (!locked) throw new Error('The order is not there.');
    const sold = await readStoredOrder(tx, locked);
    const places = sumPlaces(await carryJourney(tx, sold, direction));
    const until = { expiresAt: now, expiresAtMax: now, insertedAt: now };
    const hold = { id: holdId, request, total: 0, priceFingerprint: '', ...until };
    if (isExpired) {
      await tx.insert(holds).values({ ...hold, status: 'expired' });
    } else {
      await takePlaces(tx, { hold, places });
    }
    return moveJourney(tx, context, { sold, move: direction, holdId, actor: 'operator' });
  });
}

const statuses = (order: Bought) => order.tickets.map(({ status }: { status: string }) => status);
const sumLines = (order: Bought, status: string) =>
  order.lines
    .filter((line: Bought) => line.status === status)
    .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);

describe('moveJourney', () => {
  test('replaces the tickets and their places, and keeps what was paid', async () => {
    const order = await buy({
      adults: 2,
      children: 1,
      vehicle: { type: 'car', length_cm: 400 },
      promo: 'TEN',
    });
    expect(await move(order, [later])).not.toBeNull();
    const moved = await office.readOrder(order.id);
    expect(moved).toMatchObject({
      status: 'confirmed',
      total: order.total,
      paid: order.paid,
      tax: order.tax,
    });
    expect(moved.legs).toMatchObject([{ leg: 'out', sailing_id: later }]);
    expect([sumLines(moved, 'active'), sumLines(moved, 'replaced')]).toEqual([order.total, 0]);
    expect(statuses(moved).toSorted()).toEqual([...Array(4).fill('issued'), ...Array(4).fill('replaced')]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0], lane_cm: [0, 0] });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 3], lane_cm: [0, 450] });
  });

  test('leaves travelers their numbers in the party, and the other journey its tickets', async () => {
    const order = await buy({ legs: [sailing, back], adults: 2, bicycles: 1 });
    await move(order, [later]);
    const moved = await office.readOrder(order.id);
    const valid = moved.tickets.filter(({ status }: { status: string }) => status === 'issued');
    const describeAll = (tickets: Bought[]) =>
      tickets.map(({ leg, kind, party_index: index, party_size: size }) =>
        [leg, kind, index, size].join(' '),
      );
    expect(describeAll(valid).toSorted()).toEqual(describeAll(order.tickets).toSorted());
    const old = order.tickets.filter(({ leg }: { leg: string }) => leg === 'back');
    expect(valid).toEqual(
      expect.arrayContaining(old.map(({ id }: { id: string }) => expect.objectContaining({ id }))),
    );
    expect(await office.taken(back)).toMatchObject({ passenger: [0, 2], bicycle: [0, 1] });
  });

  test('can be repeated, back to the first sailing', async () => {
    const order = await buy({ adults: 2 });
    await move(order, [later]);
    await move(order, [sailing]);
    const moved = await office.readOrder(order.id);
    expect(moved.legs).toMatchObject([{ sailing_id: sailing }]);
    expect([sumLines(moved, 'active'), sumLines(moved, 'replaced')]).toEqual([order.total, 0]);
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
  });

  test('carries the value of one boat over to the first of two, and of two boats to one', async () => {
    const order = await buy({ adults: 1, children: 1, promo: 'TEN' });
    await move(order, [later, back]);
    const twoBoats = await office.readOrder(order.id);
    expect(twoBoats.legs).toMatchObject([{ leg: 'out' }, { leg: 'out_onward' }]);
    expect(sumLines(twoBoats, 'active')).toBe(order.total);
    await move(order, [sailing]);
    const oneBoat = await office.readOrder(order.id);
    expect(oneBoat.legs).toMatchObject([{ leg: 'out', sailing_id: sailing }]);
    expect(sumLines(oneBoat, 'active')).toBe(order.total);
    expect(oneBoat).toMatchObject({ total: order.total, tax: order.tax });
    expect(await office.taken(back)).toMatchObject({ passenger: [0, 0] });
  });

  test('ends the mark of a canceled sailing', async () => {
    const order = await buy();
    await office.database.store.query(`update sailings set status = 'canceled' where id = $1`, [sailing]);
    await office.database.store.query(`update orders set needs_attention = 'sailing_canceled'`);
    await move(order, [later]);
    expect(await office.readOrder(order.id)).toMatchObject({
      needs_attention: null,
      display_status: 'upcoming',
    });
  });

  test('takes free places if the hold has ended, and changes nothing without room', async () => {
    const order = await buy({ adults: 2 });
    expect(await move(order, [later], true)).not.toBeNull();
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 2] });
    await office.reopen({ passengers: 3 });
    [sailing = '', later = ''] = office.ferry.outward;
    const mine = await buy({ adults: 2 });
    await buy({ legs: [later], adults: 2 });
    expect(await move(mine, [later], true)).toBeNull();
    expect(await office.readOrder(mine.id)).toMatchObject({ legs: [{ sailing_id: sailing }] });
  });

  test('is refused once a ticket was used', async () => {
    const order = await buy();
    await office.database.store.query(`update tickets set status = 'boarded'`);
    await expect(move(order, [later])).rejects.toBeInstanceOf(TicketsChanged);
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
  });
});
