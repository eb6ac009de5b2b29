import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { holds } from '#server/database/schema/holds.ts';
import { startPayment } from '#server/orders/buy/start-payment.ts';
import { freezeCard, replaceLostCard } from '#server/trip-cards/block-card.ts';
import { takeCharge } from '#server/trip-cards/operator-commands.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { applyEvent } from '#tests/factories/provider-events.ts';
import { addEntry, cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { auditBooks } from '../../process/books.ts';

const MINUTE = 60_000;
let office: Office;
let sailing: string;
let holder: Awaited<ReturnType<typeof cardHolder>>;
let card: Awaited<ReturnType<typeof createTripCard>>;
let order: { id: string; buyer_secret: string; total: number; reference: string };
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  sailing = office.ferry.outward[0] ?? '';
  holder = await cardHolder(office);
  card = await createTripCard(office.context, holder.customer.id, { balance: 5000 });
  order = await office.takeOrder({ adults: 2 });
});

type PayOptions = { token?: string; key?: string; orderId?: string };
const refusalOf = (reply: TestReply) => [reply.status, codeOf(reply)];
const intentOf = (payment: { client_secret: string }) => payment.client_secret.split('_secret')[0] ?? '';

function pay(body: object, { token = holder.token, key, orderId = order.id }: PayOptions = {}) {
  return office.request('POST', fillPath(api.startPayment.path, { id: orderId }), {
    body,
    idempotencyKey: key ?? crypto.randomUUID(),
    token,
  });
}
const payWhole = (options?: PayOptions) => pay({ method: 'trip_card', trip_card_id: card.id }, options);
const payPart = (amount?: number, options?: PayOptions) =>
  pay(
    {
      method: 'card',
      trip_card_id: card.id,
      ...(amount === undefined ? {} : { trip_card_amount: amount }),
    },
    options,
  );
async function stateOf(id = card.id) {
  const [row] = await office.database.store.query<{ balance: number; held: number; entries: number }>(
    'select balance::int as balance, held::int as held, entry_count as entries from trip_cards where id = $1',
    [id],
  );
  return row;
}
const leave = (amount: number) => addEntry(office.context, card.id, amount - 5000);

describe('a trip card', () => {
  test('pays a whole order at once, with one ledger entry', async () => {
    const reply = await payWhole();
    expect(reply.status).toBe(201);
    const paid = must(reply);
    expect(paid).toMatchObject({ method: 'trip_card', status: 'succeeded', amount: 2550, failure: null });
    expect(paid).not.toHaveProperty('client_secret');
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'confirmed',
      payment_status: 'paid',
      paid: 2550,
      tickets: [{}, {}],
      payments: [{ method: 'trip_card', amount: 2550, status: 'succeeded' }],
    });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
    expect(await stateOf()).toEqual({ balance: 2450, held: 0, entries: 2 });
    const { entries } = must(await holder.call('GET', `/${card.id}/balance`));
    expect(entries[0]).toMatchObject({
      kind: 'fare',
      amount: -2550,
      order_id: order.id,
      description: `Ferry tickets ${order.reference}`,
    });
    expect(await office.count('mails:order-confirmed')).toBe(1);
    expect((await office.stripe.paymentIntents.list()).data).toEqual([]);
  });

  test('pays once for repeated requests in several tabs', async () => {
    const key = crypto.randomUUID();
    const replies = await Promise.all([
      ...Array.from({ length: 3 }, () => payWhole({ key })),
      ...Array.from({ length: 4 }, () => payWhole()),
      ...Array.from({ length: 2 }, () => payPart()),
    ]);
    for (const reply of replies) {
      expect(['success', 'already_paid', 'request_in_progress']).toContain(codeOf(reply));
    }
    expect(replies.some(({ status }) => status === 201)).toBe(true);
    expect(await stateOf()).toEqual({ balance: 2450, held: 0, entries: 2 });
    expect(await office.count('payments')).toBe(1);
    expect(await office.count('tickets')).toBe(2);
  });

  test('is unchanged if its balance is insufficient, and so is the order', async () => {
    await leave(2549);
    expect(refusalOf(await payWhole())).toEqual([422, 'insufficient_balance']);
    expect(await stateOf()).toMatchObject({ balance: 2549, held: 0 });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'held', payments: [], tickets: [] });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [2, 0] });
  });

  test('pays as many of fifty concurrent orders as its balance covers', async () => {
    await office.reopen({ passengers: 200 });
    holder = await cardHolder(office);
    card = await createTripCard(office.context, holder.customer.id, { balance: 3 * 2550 + 2549 });
    const orders = [];
    for (let n = 0; n < 50; n += 1) orders.push(await office.takeOrder({ adults: 2 }));
    const replies = await Promise.all(orders.map(({ id }) => payWhole({ orderId: id })));
    expect(replies.map(codeOf).toSorted()).toEqual([
      ...Array(47).fill('insufficient_balance'),
      ...Array(3).fill('success'),
    ]);
    expect(await stateOf()).toMatchObject({ balance: 2549, held: 0 });
    expect(await office.count('tickets')).toBe(6);
  }, 60_000);

  test('can be used by its owner and those it is shared with, and answers 404 to others', async () => {
    const other = await cardHolder(office, { email: 'eve@example.com' });
    const foreign = await payWhole({ token: other.token });
    expect(refusalOf(foreign)).toEqual([404, 'not_found']);
    const missing = await pay({ method: 'trip_card', trip_card_id: 'tcd_00000000000000000000000000' });
    expect(missing.body).toEqual(foreign.body);
    const visitor = await office.request('POST', fillPath(api.startPayment.path, { id: order.id }), {
      body: { method: 'trip_card', trip_card_id: card.id },
      idempotencyKey: crypto.randomUUID(),
    });
    expect(refusalOf(visitor)).toEqual([401, 'unauthenticated']);
    await share(other.customer, 'top_up', null);
    expect(refusalOf(await payWhole({ token: other.token }))).toEqual([404, 'not_found']);
    await share(other.customer, 'spend', 2000);
    expect(refusalOf(await payWhole({ token: other.token }))).toEqual([422, 'share_limit_reached']);
    const part = must(await payPart(undefined, { token: other.token }));
    expect(part).toMatchObject({ amount: 550, trip_card_amount: 2000 });
    const next = await office.takeOrder();
    expect(codeOf(await payPart(100, { token: other.token, orderId: next.id }))).toBe('share_limit_reached');
  });

  test('pays nothing while it is frozen or lost', async () => {
    await freezeCard(office.context, { customerId: holder.customer.id, cardId: card.id });
    expect(refusalOf(await payWhole())).toEqual([422, 'trip_card_frozen']);
    expect(refusalOf(await payPart(100))).toEqual([422, 'trip_card_frozen']);
    await replaceLostCard(office.context, { customerId: holder.customer.id, cardId: card.id });
    expect(refusalOf(await payWhole())).toEqual([422, 'trip_card_lost']);
  });

  test('pays nothing if the session ends while the request is in progress', async () => {
    const customerId = holder.customer.id;
    const tripCard = { customerId, tripCardId: card.id, amount: null, trips: null, isWhole: true };
    const options = { sessionId: 'ses_0', device: '', paymentCardId: null, isToBeSaved: false, tripCard };
    const payment = { customerId, ...options };
    const late = startPayment(office.context, {
      ...{ orderId: order.id, network: '', language: 'en', payerId: customerId, payment },
    });
    await expect(late).rejects.toMatchObject({ code: 'session_expired' });
    expect(await stateOf()).toEqual({ balance: 5000, held: 0, entries: 1 });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'held', payments: [] });
  });

  test.each<[{ method: string; trip_card_amount?: number; save_card?: boolean }, string]>([
    [{ method: 'trip_card' }, 'trip_card_id'],
    [{ method: 'card', trip_card_amount: 100 }, 'trip_card_amount'],
    [{ method: 'trip_card', trip_card_amount: 100 }, 'trip_card_amount'],
    [{ method: 'card', trip_card_amount: 2551 }, 'trip_card_amount'],
    [{ method: 'card', trip_card_amount: 2549 }, 'trip_card_amount'],
    [{ method: 'card', trip_card_amount: 0 }, 'trip_card_amount'],
    [{ method: 'trip_card', save_card: true }, 'method'],
  ])('refuses an invalid payment: %j', async (body, field) => {
    const isWithout = field === 'trip_card_id' || (body.trip_card_amount === 100 && body.method === 'card');
    const reply = await pay(isWithout ? body : { ...body, trip_card_id: card.id });
    expect(refusalOf(reply)).toEqual([422, 'invalid_input']);
    expect(reply.body.errors[0].field).toBe(field);
    expect(await stateOf()).toMatchObject({ balance: 5000, held: 0 });
  });
});

describe('a part by trip card', () => {
  test('is reserved on the card, and spent when the rest is paid', async () => {
    const started = must(await payPart(1000));
    expect(started).toMatchObject({ method: 'card', amount: 1550, trip_card_amount: 1000 });
    expect(await stateOf()).toEqual({ balance: 5000, held: 1000, entries: 1 });
    expect(must(await holder.call('GET', `/${card.id}`))).toMatchObject({
      balance: 5000,
      held: 1000,
      available: 4000,
    });
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'confirmed',
      paid: 2550,
      payments: [
        { method: 'card', amount: 1550, status: 'succeeded' },
        { method: 'trip_card', amount: 1000, status: 'succeeded' },
      ],
    });
    expect(await stateOf()).toEqual({ balance: 4000, held: 0, entries: 2 });
    expect(await auditBooks(office.database.store)).toMatchObject({ wrongMoney: [], wrongPayments: [] });
  });

  test('is the whole balance by default, and leaves an amount that a card can be charged', async () => {
    await leave(2520);
    expect(must(await payPart())).toMatchObject({ amount: 50, trip_card_amount: 2500 });
  });

  test('is kept by the same request and changed by a different one', async () => {
    const first = must(await payPart(1000));
    expect(must(await payPart(1000))).toMatchObject({ id: first.id, client_secret: first.client_secret });
    expect(must(await payPart(2000))).toMatchObject({ amount: 550, trip_card_amount: 2000 });
    expect(await stateOf()).toMatchObject({ held: 2000 });
    expect(must(await pay({ method: 'card' }))).toMatchObject({ amount: 2550, trip_card_amount: 0 });
    expect(await stateOf()).toMatchObject({ held: 0 });
    must(await payPart(1000));
    expect(must(await payWhole())).toMatchObject({ status: 'succeeded', amount: 2550 });
    expect(await stateOf()).toMatchObject({ balance: 2450, held: 0 });
    const { data } = await office.stripe.paymentIntents.list();
    expect(data.map(({ status }) => status)).toEqual(Array(data.length).fill('canceled'));
  });

  test.each(['a webhook', 'no webhook'])(
    'is released after a decline reported by %s, and reserved again for the next try',
    async (who) => {
      const started = must(await payPart(1000));
      await office.confirmWith(intentOf(started), 'pm_card_chargeDeclined');
      if (who === 'a webhook') {
        await office.provider.deliverNow();
        expect(await stateOf()).toEqual({ balance: 5000, held: 0, entries: 1 });
      }
      const again = must(await payPart(1000));
      expect(again).toMatchObject({ id: started.id, client_secret: started.client_secret, amount: 1550 });
      expect(await stateOf()).toMatchObject({ held: 1000 });
      await office.provider.deliverNow();
      expect(await stateOf()).toMatchObject({ held: 1000 });
      await office.confirmWith(intentOf(started));
      await office.provider.deliverNow();
      expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: 2550 });
      expect(await stateOf()).toEqual({ balance: 4000, held: 0, entries: 2 });
    },
  );

  test('replaces a payment that is only being started, which is refused without closing the order', async () => {
    const { createIntent } = office.context.provider;
    const create = vi.spyOn(office.context.provider, 'createIntent').mockImplementationOnce(async (input) => {
      must(await payPart(1000));
      return createIntent(input);
    });
    expect(refusalOf(await pay({ method: 'card' }))).toEqual([422, 'payment_in_progress']);
    create.mockRestore();
    const again = must(await payPart(1000));
    await office.confirmWith(intentOf(again));
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: 2550 });
    expect(await stateOf()).toEqual({ balance: 4000, held: 0, entries: 2 });
  });

  test('is spent once after a lost connection and late, duplicate and reordered webhooks', async () => {
    const started = must(await payPart(1000));
    const intent = intentOf(started);
    await office.confirmWith(intent, 'pm_card_chargeDeclined');
    must(await payPart(1000));
    const { fetch } = office.provider;
    office.provider.fetch = async () => {
      throw new TypeError('fetch failed');
    };
    await office.confirmWith(intent).catch(() => null);
    expect(await stateOf()).toMatchObject({ balance: 5000, held: 1000 });
    expect(codeOf(await payPart(1000))).toBe('payment_unavailable');
    office.provider.fetch = fetch;
    await office.confirmWith(intent);
    const { data: events } = await office.stripe.events.list({ limit: 100 });
    const ofPayments = events.filter(({ type }) => type.startsWith('payment_intent.'));
    for (const event of [...ofPayments, ...ofPayments.toReversed()]) await applyEvent(office.context, event);
    await Promise.all([office.readPayment(order.id, started.id), office.provider.deliverNow()]);
    expect(codeOf(await payPart(1000))).toBe('already_paid');
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: 2550, refunds: [] });
    expect(await stateOf()).toEqual({ balance: 4000, held: 0, entries: 2 });
    const { data: charges } = await office.stripe.charges.list();
    expect(charges.filter(({ paid }) => paid).map(({ amount }) => amount)).toEqual([1550]);
    expect(await office.count('mails:order-confirmed')).toBe(1);
  });

  test('cannot be taken if it was spent elsewhere after a decline, and another payment works', async () => {
    const started = must(await payPart(1000));
    await office.confirmWith(intentOf(started), 'pm_card_chargeDeclined');
    await office.provider.deliverNow();
    await leave(999);
    expect(refusalOf(await payPart(1000))).toEqual([422, 'insufficient_balance']);
    const whole = must(await pay({ method: 'card' }));
    expect(whole).toMatchObject({ amount: 2550, trip_card_amount: 0 });
    expect(intentOf(whole)).not.toBe(intentOf(started));
    expect(await stateOf()).toMatchObject({ balance: 999, held: 0 });
  });

  test('is released when the order is abandoned', async () => {
    must(await payPart(1000));
    must(await office.cancelOrder(order));
    expect(await stateOf()).toEqual({ balance: 5000, held: 0, entries: 1 });
  });

  test('is released when the order expires', async () => {
    must(await payPart(1000));
    office.clock.advance(40 * MINUTE);
    await office.jobs.send('expire-holds', {});
    await office.jobs.runJobs();
    expect((await office.readOrder(order.id)).status).toBe('expired');
    expect(await stateOf()).toEqual({ balance: 5000, held: 0, entries: 1 });
  });

  test('cannot be spent elsewhere while it is reserved; gates charge it only after its release', async () => {
    await leave(1000);
    must(await payPart(1000));
    const next = await office.takeOrder();
    expect(codeOf(await payWhole({ orderId: next.id }))).toBe('insufficient_balance');
    const charge = {
      deviceId: 'G1',
      deviceSeq: 1,
      number: card.number,
      amount: 300,
      occurredAt: office.clock.now(),
      place: '',
    };
    expect(await takeCharge(office.context, { charge, actor: { kind: 'server' } })).toBe('owed');
    expect(await stateOf()).toMatchObject({ balance: 1000, held: 1000 });
    must(await office.cancelOrder(order));
    expect(await stateOf()).toMatchObject({ balance: 700, held: 0 });
  });

  test('moves with the balance of a lost card, and is spent from its replacement', async () => {
    await leave(1000);
    const started = must(await payPart(1000));
    const replacement = await replaceLostCard(office.context, {
      customerId: holder.customer.id,
      cardId: card.id,
    });
    expect([await stateOf(), await stateOf(replacement)]).toMatchObject([
      { balance: 0, held: 0 },
      { balance: 1000, held: 1000 },
    ]);
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    expect(await stateOf(replacement)).toMatchObject({ balance: 0, held: 0 });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });
});

describe('a released amount', () => {
  test('is not reserved again beyond its user’s daily limit', async () => {
    const other = await cardHolder(office, { email: 'eve@example.com' });
    await share(other.customer, 'spend', 1300);
    const started = must(await payPart(1300, { token: other.token }));
    await office.confirmWith(intentOf(started), 'pm_card_chargeDeclined');
    await office.provider.deliverNow();
    const next = await office.takeOrder();
    must(await payWhole({ token: other.token, orderId: next.id }));
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'canceled',
      refunds: [{ amount: 1250, reason: 'no_value' }],
    });
    expect(await stateOf()).toMatchObject({ balance: 5000 - 1275, held: 0 });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
  });

  test('releases places and promo code immediately if it was spent before the rest is paid', async () => {
    order = await office.takeOrder({ adults: 2, promo: 'ONCE' });
    const started = must(await payPart(1000));
    await office.confirmWith(intentOf(started), 'pm_card_chargeDeclined');
    await office.provider.deliverNow();
    await leave(999);
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'canceled', tickets: [] });
    const [promo] = await office.database.store.query(`select redeemed from promo_codes where code = 'ONCE'`);
    expect(promo).toEqual({ redeemed: 0 });
    expect(codeOf(await office.quote({ promo: 'ONCE' }))).toBe('success');
  });

  test('is released also when the provider charged another amount than requested', async () => {
    const started = must(await payPart(1000));
    await office.stripe.paymentIntents.update(intentOf(started), { amount: 100 });
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    expect(await stateOf()).toMatchObject({ balance: 5000, held: 1000 });
    for (let look = 0; look < 3; look += 1) {
      office.clock.advance(20 * MINUTE);
      await office.jobs.send('expire-holds', {});
      await office.jobs.runJobs();
    }
    expect((await office.readOrder(order.id)).status).toBe('expired');
    expect(await stateOf()).toEqual({ balance: 5000, held: 0, entries: 1 });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(office.logged.map(({ event }) => event)).toContain('payment does not match its order');
  });
});

test('the history of a shared card reveals no id that gives access to another customer’s order', async () => {
  const friend = await cardHolder(office, { email: 'eve@example.com' });
  await share(friend.customer, 'spend_and_view', null);
  must(await payWhole());
  const theirs = await office.takeOrder();
  must(await payWhole({ token: friend.token, orderId: theirs.id }));
  const idsSeenBy = async ({ call }: typeof holder) => {
    const { entries } = must(await call('GET', `/${card.id}/balance`));
    return entries.map(({ order_id: id }: { order_id: string | null }) => id);
  };
  expect(await idsSeenBy(holder)).toEqual([null, order.id, null]);
  expect(await idsSeenBy(friend)).toEqual([theirs.id, null, null]);
  const data = must(await office.request('POST', '/api/customers/export', { token: holder.token, body: {} }));
  expect(JSON.stringify(data)).not.toContain(theirs.id);
});

describe('a success after the places and the amount were released', () => {
  async function payTooLate() {
    const started = must(await payPart(1000));
    const { fetch } = office.provider;
    office.provider.fetch = async () => {
      throw new TypeError('fetch failed');
    };
    await office.context.db
      .update(holds)
      .set({ expiresAtMax: sql`expires_at` })
      .where(eq(holds.status, 'active'));
    office.clock.advance(11 * MINUTE);
    await office.readOrder(order.id);
    office.provider.fetch = fetch;
    expect((await office.readOrder(order.id)).status).toBe('expired');
    expect(await stateOf()).toMatchObject({ held: 0 });
    await office.confirmWith(intentOf(started));
  }

  test('takes both again if they are still available', async () => {
    await payTooLate();
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: 2550 });
    expect(await stateOf()).toMatchObject({ balance: 4000, held: 0 });
  });

  test.each(['spent', 'frozen'])('refunds the card when the value is %s, and reports it', async (what) => {
    await payTooLate();
    if (what === 'spent') await leave(999);
    else await freezeCard(office.context, { customerId: holder.customer.id, cardId: card.id });
    const before = await stateOf();
    await office.provider.deliverNow();
    const told = await office.readOrder(order.id);
    expect(told).toMatchObject({
      status: 'canceled',
      paid: 1550,
      tickets: [],
      refunds: [{ amount: 1550, reason: 'no_value', destination: 'card' }],
    });
    expect(told.notice).toContain('no longer on your trip card');
    expect(await stateOf()).toEqual(before);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(await office.count('mails:order-value-gone')).toBe(1);
    await office.jobs.runJobs();
    expect(await office.readOrder(order.id)).toMatchObject({ payment_status: 'refunded', refunded: 1550 });
  });
});

async function share(customer: { id: string; email: string }, role: string, limit: number | null) {
  await office.database.store.query(`delete from trip_card_shares`);
  await office.database.store.query(
    `insert into trip_card_shares (id, trip_card_id, email, customer_id, role, daily_limit, status, inserted_at, updated_at)
     values ('shr_1', $1, $2, $3, $4, $5, 'active', now(), now())`,
    [card.id, customer.email, customer.id, role, limit],
  );
}
