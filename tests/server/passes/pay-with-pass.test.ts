import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import type { PassOffer } from '#contract/passes/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { orders } from '#server/database/schema/sales.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { freezeCard, replaceLostCard } from '#server/trip-cards/block-card.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf, type RequestedJourney } from '#tests/factories/changes.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import type { TestReply } from '#tests/setup/server.ts';

const HOUR = 3_600_000;
let office: Office;
let out: string;
let back: string;
let holder: Awaited<ReturnType<typeof cardHolder>>;
let pass: Awaited<ReturnType<typeof createPass>>;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  [out = ''] = office.ferry.outward;
  [back = ''] = office.ferry.back;
  holder = await cardHolder(office);
  pass = await createPass();
});

function createPass(terms: Partial<PassTerms> = {}, over: { balance?: number; expiresAt?: Date } = {}) {
  const copy = buildPassTerms(terms);
  return createTripCard(office.context, holder.customer.id, {
    ...{ unit: 'trips', pass: copy, name: copy.name, balance: 10 },
    ...over,
  });
}

type Order = TestReply['body'];
/** An order of the customer. */
async function takeOrder(options: Parameters<Office['takeOrder']>[0] = {}): Promise<Order> {
  const order = await office.takeOrder(options);
  await office.context.db
    .update(orders)
    .set({ customerId: holder.customer.id })
    .where(eq(orders.id, order.id));
  return order;
}

function pay(order: Order, body: object, { token = holder.token }: { token?: string } = {}) {
  return office.request('POST', fillPath(api.startPayment.path, { id: order.id }), {
    body,
    idempotencyKey: randomUUID(),
    token,
  });
}
const payWhole = (order: Order, trips: number, card = pass.id) =>
  pay(order, { method: 'trip_card', trip_card_id: card, trips });
const payPart = (order: Order, trips: number, card = pass.id) =>
  pay(order, { method: 'card', trip_card_id: card, trips });

async function offersOf(order: Order, token = holder.token): Promise<PassOffer[]> {
  return must(await office.request('GET', fillPath(api.listPassOffers.path, { id: order.id }), { token }));
}
const readOrder = async (order: Order) =>
  must(await office.request('GET', `/api/orders/${order.id}`, { token: holder.token }));
async function stateOf(id = pass.id) {
  const { balance, held } = must(await holder.call('GET', `/${id}`));
  return { balance, held };
}
const intentOf = (payment: { client_secret: string }) => payment.client_secret.split('_secret')[0] ?? '';

async function cancel(order: Order, ticketIds: string[]) {
  const path = (of: typeof api.quoteCancellation | typeof api.cancelTickets) =>
    fillPath(of.path, { id: order.id });
  const send = (url: string, body: object) =>
    office.request('POST', url, { body, token: holder.token, idempotencyKey: randomUUID() });
  const quote = must(await send(path(api.quoteCancellation), { ticket_ids: ticketIds }));
  const { version, refund } = quote;
  must(await send(path(api.cancelTickets), { ticket_ids: ticketIds, version, refund }));
  return quote;
}

describe('GET /api/orders/{id}/passes', () => {
  test('needs a session and a known order', async () => {
    const order = await takeOrder();
    const path = fillPath(api.listPassOffers.path, { id: order.id });
    expect((await office.request('GET', path)).status).toBe(401);
    const unknown = fillPath(api.listPassOffers.path, { id: 'ord_00000000000000000000000000' });
    expect(codeOf(await office.request('GET', unknown, { token: holder.token }))).toBe('not_found');
  });

  test('lists what the passes of the customer pay, and none of others', async () => {
    const order = await takeOrder({ adults: 2, children: 1, legs: [out, back] });
    expect(await offersOf(order)).toEqual([
      {
        ...{ trip_card_id: pass.id, name: '10-trip pass', last_four: pass.number.slice(-4), available: 10 },
        ...{ trips: 6, amount: 2 * (2 * 1275 + 500) },
        covered: [
          { description: 'Adult', count: 4 },
          { description: 'Child', count: 2 },
        ],
      },
    ]);
    const stranger = await cardHolder(office);
    expect(await offersOf(order, stranger.token)).toEqual([]);
  });

  test.each([
    ['of another line', { lines: ['route-9'] }, {}],
    ['for other people', { passenger_types: ['child'] }, {}],
    ['that expires before the departure', {}, { expiresAt: new Date('2026-06-02T07:00:00Z') }],
    ['without trips', {}, { balance: 0 }],
  ])('leaves out a pass %s', async (_, terms, over) => {
    await createPass(terms, over);
    const order = await takeOrder();
    expect((await offersOf(order)).map(({ trip_card_id: id }) => id)).toEqual([pass.id]);
  });

  test('covers only the journey on lines of the pass, and the vehicle only if the pass says so', async () => {
    const order = await takeOrder({ legs: [out, back], vehicle: { type: 'car', length_cm: 500 }, adults: 2 });
    const line = await createPass({ lines: ['route-0'] });
    const car = await createPass({ passenger_types: [], vehicle_type: 'car', vehicle_name: 'Car' });
    const offers = new Map((await offersOf(order)).map((offer) => [offer.trip_card_id, offer]));
    // The driver is free, so that nothing is to be paid for them.
    expect(offers.get(pass.id)).toMatchObject({ trips: 2, amount: 2 * 1275 });
    expect(offers.get(line.id)).toMatchObject({ trips: 1, amount: 1275 });
    expect(offers.get(car.id)).toMatchObject({ trips: 2, amount: 2 * 3000 });
  });
});

describe('a pass', () => {
  test('pays a whole order at once, with one ledger entry in trips', async () => {
    const order = await takeOrder({ adults: 2, children: 1 });
    const paid = must(await payWhole(order, 3));
    expect(paid).toMatchObject({ method: 'trip_card', status: 'succeeded', amount: 3050, trips: 3 });
    expect(await readOrder(order)).toMatchObject({
      status: 'confirmed',
      paid: 3050,
      payments: [{ method: 'trip_card', amount: 3050, trips: 3 }],
      tickets: [{}, {}, {}],
    });
    expect(await stateOf()).toEqual({ balance: 7, held: 0 });
    const { entries } = must(await holder.call('GET', `/${pass.id}/balance`));
    expect(entries[0]).toMatchObject({ kind: 'fare', amount: -3, order_id: order.id });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('pays for some, the dearest first, and the payment card pays the rest', async () => {
    const small = await createPass({}, { balance: 2 });
    const order = await takeOrder({ adults: 2, children: 1 });
    const started = must(await payPart(order, 2, small.id));
    expect(started).toMatchObject({ amount: 500, trip_card_amount: 2550 });
    expect(await stateOf(small.id)).toEqual({ balance: 2, held: 2 });
    expect(await offersOf(order), 'its own reservation').toContainEqual(
      expect.objectContaining({ trip_card_id: small.id, trips: 2 }),
    );
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    expect(await readOrder(order)).toMatchObject({
      status: 'confirmed',
      paid: 3050,
      payments: [
        { method: 'card', amount: 500 },
        { method: 'trip_card', amount: 2550, trips: 2 },
      ],
    });
    expect(await stateOf(small.id)).toEqual({ balance: 0, held: 0 });
  });

  test('keeps its trips after a decline, and pays with them at the next try', async () => {
    const order = await takeOrder({ adults: 1, bicycles: 1 });
    const started = must(await payPart(order, 1));
    await office.confirmWith(intentOf(started), 'pm_card_chargeDeclined');
    await office.provider.deliverNow();
    expect(await stateOf()).toEqual({ balance: 10, held: 0 });
    const again = must(await payPart(order, 1));
    expect(await stateOf()).toEqual({ balance: 10, held: 1 });
    await office.confirmWith(intentOf(again));
    await office.provider.deliverNow();
    expect(await readOrder(order)).toMatchObject({ status: 'confirmed', paid: 1575 });
    expect(await stateOf()).toEqual({ balance: 9, held: 0 });
  });

  test('pays from the card that replaced it while the payment was under way', async () => {
    const order = await takeOrder({ adults: 1, bicycles: 1 });
    const started = must(await payPart(order, 1));
    const id = await replaceLostCard(office.context, { customerId: holder.customer.id, cardId: pass.id });
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    expect(await stateOf(id)).toEqual({ balance: 9, held: 0 });
  });

  test('sells its last trip to exactly one of two buyers', async () => {
    const last = await createPass({}, { balance: 1 });
    const [first, second] = [await takeOrder(), await takeOrder()];
    const replies = await Promise.all([payWhole(first, 1, last.id), payWhole(second, 1, last.id)]);
    expect(replies.map(codeOf).toSorted()).toEqual(['insufficient_balance', 'success']);
    const statuses = [await readOrder(first), await readOrder(second)].map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['confirmed', 'held']);
    expect(await stateOf(last.id)).toEqual({ balance: 0, held: 0 });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('is refused without a number of trips, with another one, and to strangers', async () => {
    const order = await takeOrder({ adults: 2 });
    expect(codeOf(await pay(order, { method: 'trip_card', trip_card_id: pass.id }))).toBe('invalid_input');
    expect(codeOf(await payWhole(order, 3))).toBe('invalid_input');
    expect(codeOf(await payWhole(order, 1))).toBe('insufficient_balance');
    const stranger = await cardHolder(office);
    const body = { method: 'trip_card', trip_card_id: pass.id, trips: 2 };
    expect(codeOf(await pay(order, body, { token: stranger.token }))).toBe('not_found');
    const money = await createTripCard(office.context, holder.customer.id, { balance: 9000 });
    expect(codeOf(await payWhole(order, 2, money.id))).toBe('invalid_input');
    expect(await stateOf()).toEqual({ balance: 10, held: 0 });
  });

  test('is refused once it is frozen or expired', async () => {
    const order = await takeOrder();
    await freezeCard(office.context, { customerId: holder.customer.id, cardId: pass.id });
    expect(codeOf(await payWhole(order, 1))).toBe('trip_card_frozen');
    const old = await createPass({}, { expiresAt: office.clock.now() });
    expect(codeOf(await payWhole(order, 1, old.id))).toBe('pass_expired');
  });

  test('pays for the person it is shared with, who has never listed cards, until the share ends', async () => {
    const friend = await cardHolder(office);
    const shares = `/${pass.id}/shares`;
    const share = must(await holder.call('POST', shares, { email: friend.customer.email, role: 'spend' }));
    const takeFriendsOrder = async () => {
      const order = await takeOrder();
      await office.context.db
        .update(orders)
        .set({ customerId: friend.customer.id })
        .where(eq(orders.id, order.id));
      return order;
    };
    const body = { method: 'trip_card', trip_card_id: pass.id, trips: 1 };
    const order = await takeFriendsOrder();
    expect(await offersOf(order, friend.token)).toMatchObject([{ trip_card_id: pass.id, trips: 1 }]);
    expect(must(await pay(order, body, friend))).toMatchObject({ status: 'succeeded', trips: 1 });
    expect(await stateOf()).toEqual({ balance: 9, held: 0 });
    must(await holder.call('DELETE', `${shares}/${share.id}`));
    const next = await takeFriendsOrder();
    expect(await offersOf(next, friend.token)).toEqual([]);
    expect(codeOf(await pay(next, body, friend))).toBe('not_found');
  });

  test('that counts from its first use begins with the purchase', async () => {
    const unused = await createPass({ valid_from: 'first_use', valid_days: 30 });
    must(await payWhole(await takeOrder(), 1, unused.id));
    expect(must(await holder.call('GET', `/${unused.id}`))).toMatchObject({ valid_until: '2026-07-01' });
  });
});

describe('canceled tickets that a pass paid for', () => {
  test('give their trips back, and the money of others to the payment card', async () => {
    const order = await takeOrder({ adults: 2, bicycles: 1, legs: [out, back] });
    const started = must(await payPart(order, 4));
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    const { tickets } = await readOrder(order);
    const first = tickets.filter((ticket: { leg: string }) => ticket.leg === 'out').slice(0, 1);
    const quote = await cancel(order, [first[0].id]);
    expect(quote).toMatchObject({
      ...{ paid: 1275, fee: 0, refund: 1275 },
      destinations: [{ destination: 'trip_card', amount: 1275, trips: 1, last_four: pass.number.slice(-4) }],
    });
    expect(await stateOf()).toEqual({ balance: 7, held: 0 });
    const rest = tickets
      .filter(({ id }: { id: string }) => id !== first[0].id)
      .map(({ id }: { id: string }) => id);
    await cancel(order, rest);
    await office.jobs.runJobs();
    expect(await readOrder(order)).toMatchObject({
      ...{ status: 'canceled', payment_status: 'refunded', refunded: 4 * 1275 + 600 },
      refunds: expect.arrayContaining([
        expect.objectContaining({ destination: 'trip_card', trips: 1, amount: 1275, status: 'succeeded' }),
        expect.objectContaining({ destination: 'trip_card', trips: 3, amount: 3825, status: 'succeeded' }),
        expect.objectContaining({ destination: 'card', amount: 600 }),
      ]),
    });
    expect(await stateOf()).toEqual({ balance: 10, held: 0 });
    const { entries } = must(await holder.call('GET', `/${pass.id}/balance`));
    expect(entries[0]).toMatchObject({ kind: 'refund_in', amount: 3 });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('give whole trips back where the fare keeps a part of money, and no fee', async () => {
    const order = await takeOrder({ adults: 2 });
    must(await payWhole(order, 2));
    office.clock.advance(20 * HOUR);
    const { tickets } = await readOrder(order);
    const quote = await cancel(order, [tickets[0].id]);
    expect(quote).toMatchObject({ paid: 1275, fee: 0, refund: 1275 });
    expect(await stateOf()).toEqual({ balance: 9, held: 0 });
    expect(await readOrder(order)).toMatchObject({
      status: 'partly_canceled',
      payment_status: 'partly_refunded',
    });
  });

  test('give their trips back to the card that replaced the pass, whatever trip card is named for money', async () => {
    const order = await takeOrder({ adults: 2 });
    must(await payWhole(order, 2));
    const id = await replaceLostCard(office.context, { customerId: holder.customer.id, cardId: pass.id });
    const money = await createTripCard(office.context, null);
    await refundOrder(office.context, {
      actor: { kind: 'server' },
      reference: order.reference,
      toTripCard: money.number,
    });
    expect(await stateOf(id)).toEqual({ balance: 10, held: 0 });
    expect(await readOrder(order)).toMatchObject({ status: 'canceled', payment_status: 'refunded' });
  });

  test('are never refunded in money', async () => {
    const order = await takeOrder({ adults: 2 });
    must(await payWhole(order, 2));
    const scope = { kind: 'amount', amount: '5.00' } as const;
    const refund = refundOrder(office.context, {
      actor: { kind: 'server' },
      reference: order.reference,
      toTripCard: null,
      scope,
    });
    await expect(refund).rejects.toThrow('Only $0.00 is left of what was paid.');
  });
});

describe('a change of an order that a pass paid for', () => {
  let later: string;
  beforeEach(() => {
    [, later = ''] = office.ferry.outward;
  });
  const changeTo = (order: Order, direction: Omit<RequestedJourney, 'direction' | 'to'>, to = later) =>
    changesOf(office).change(order, [{ direction: 'out', to: [to], ...direction }], { token: holder.token });
  const setPolicy = (change: object) =>
    office.database.store.query(`update orders set fare_policy = fare_policy || $1::jsonb`, [
      JSON.stringify({ change }),
    ]);

  test('moves the trips to another sailing, and a cancellation gives them back', async () => {
    const order = await takeOrder({ adults: 2 });
    must(await payWhole(order, 2));
    expect(must(await changeTo(order, { adults: 2 }))).toMatchObject({ status: 'done', difference: 0 });
    const changed = await readOrder(order);
    expect(changed).toMatchObject({ total: 2550, paid: 2550, legs: [{ sailing_id: later }] });
    expect(await stateOf()).toEqual({ balance: 8, held: 0 });
    const valid = changed.tickets.filter(({ status }: { status: string }) => status === 'issued');
    await cancel(
      order,
      valid.map(({ id }: { id: string }) => id),
    );
    expect(await stateOf()).toEqual({ balance: 10, held: 0 });
    expect(await readOrder(order)).toMatchObject({ status: 'canceled', payment_status: 'refunded' });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('costs the fee of the fare, and an added return, in money', async () => {
    const order = await takeOrder();
    must(await payWhole(order, 1));
    await setPolicy({ allowed: true, fee: 500, until_minutes: 60 });
    expect(must(await changeTo(order, { adults: 1 }))).toMatchObject({ status: 'held', difference: 500 });
    const added = await changesOf(office).change(order, [{ direction: 'back', to: [back], adults: 1 }], {
      token: holder.token,
    });
    expect(must(added)).toMatchObject({ status: 'held', difference: 1275 });
  });

  test('is refused with what is possible: other people, or a sailing that the pass does not pay for', async () => {
    const own = await createPass({}, { expiresAt: new Date('2026-06-02T16:00:00Z') });
    const order = await takeOrder({ adults: 1 });
    must(await payWhole(order, 1, own.id));
    const quote = (adults: number) =>
      changesOf(office).quote(order, [{ direction: 'out', to: [later], adults }], holder.token);
    const refusal = async (reply: TestReply) => [codeOf(reply), reply.body.errors[0].message];
    expect(await refusal(await quote(2))).toEqual([
      'change_not_allowed',
      expect.stringContaining('only its sailing can change'),
    ]);
    expect(await refusal(await quote(1))).toEqual([
      'change_not_allowed',
      expect.stringContaining('Your pass does not pay for this sailing'),
    ]);
    await cancel(order, [(await readOrder(order)).tickets[0].id]);
    expect(await stateOf(own.id)).toEqual({ balance: 10, held: 0 });
  });
});
