import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { queryRows } from '#server/database/database.ts';
import { customers } from '#server/database/schema/people.ts';
import { orderLines, orders, tickets } from '#server/database/schema/sales.ts';
import { fares, feed } from '#server/database/schema/timetable.ts';
import { createSession } from '#server/identity/sessions.ts';
import { requireOrder } from '#server/orders/queries.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, contact, must, type Office, openOffice, termsVersion } from '#tests/factories/buyer.ts';

const MINUTE = 60_000;
let office: Office;
let sailing: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 10 });
  sailing = office.ferry.outward[0] ?? '';
});

async function signIn(email = 'grace@example.com'): Promise<{ id: string; token: string }> {
  const { db, clock } = office.context;
  const id = newId('cus');
  const now = clock.now();
  await db.insert(customers).values({ id, email, name: 'Grace Hopper', insertedAt: now, updatedAt: now });
  return {
    id,
    token: await createSession(db, { clock }, { customerId: id, kind: 'password', device: 'Test' }),
  };
}

const change = (id: string, body: object, token?: string) =>
  office.request('PATCH', `/api/orders/${id}`, { body, ...(token ? { token } : {}) });

test('an order contains its lines, rules, legs and the deadline of its places', async () => {
  const order = await office.takeOrder({ adults: 2 });
  expect(order).toMatchObject({
    status: 'held',
    payment_status: 'none',
    total: 2550,
    paid: 0,
    fare_class: { code: 'flex', name: 'Flex' },
    tickets: [],
    hold: { expires_at: '2026-06-01T15:10:00.000Z', can_extend: true },
    as_of: '2026-06-01T15:00:00.000Z',
    version: 1,
  });
  expect(order.reference).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
  expect(order.legs).toMatchObject([
    { leg: 'out', sailing_id: sailing, origin: { code: 'NOR' }, departs_local: '2026-06-02T08:00:00-07:00' },
  ]);
});

test.each([
  ['boarded', 'used'],
  ['no_show', 'missed'],
  ['issued', 'unknown'],
] as const)(
  'a past order with %s tickets says on its page and in the list that it is %s',
  async (status, outcome) => {
    const { token, id: customerId } = await signIn();
    const { order, intent } = await office.takePayment();
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const { db } = office.context;
    await db.update(orders).set({ customerId }).where(eq(orders.id, order.id));
    await db.update(tickets).set({ status });
    const read = async () => (await office.request('GET', `/api/orders/${order.id}`)).body.data;
    expect(await read()).not.toHaveProperty('trip_outcome');
    office.clock.advance(3 * 24 * 60 * MINUTE);
    expect(await read()).toMatchObject({ display_status: 'used', trip_outcome: outcome });
    const { body } = await office.request('GET', '/api/customers/orders', { token });
    expect(body.data).toMatchObject([{ display_status: 'used', trip_outcome: outcome }]);
  },
);

test('sending the order of a hold again returns the same order with the latest contact', async () => {
  const { quote, hold } = await office.takeHold();
  const first = must(await office.order(hold.id, quote.id));
  const again = must(await office.order(hold.id, quote.id, { contact: { ...contact, name: 'Ada King' } }));
  expect(again.id).toBe(first.id);
  expect(again.contact.name).toBe('Ada King');
  expect(await office.count('orders')).toBe(1);
});

test('the same form sent by several tabs concurrently creates one order', async () => {
  const { quote, hold } = await office.takeHold({ promo: 'TEN' });
  const replies = await Promise.all(Array.from({ length: 6 }, () => office.order(hold.id, quote.id)));
  expect(new Set(replies.map((reply) => must(reply).id)).size).toBe(1);
  expect(await office.count('orders')).toBe(1);
  const rows = await office.database.store.query(`select redeemed from promo_codes where code = 'TEN'`);
  expect(rows).toEqual([{ redeemed: 1 }]);
});

test('of several orders sent concurrently one gets the last use of a promo code, and the others take nothing', async () => {
  const holds = await Promise.all(Array.from({ length: 3 }, () => office.takeHold({ promo: 'ONCE' })));
  const { quote, hold } = await office.takeHold({ promo: 'TEN' });
  const replies = await Promise.all([
    ...holds.map((held) => office.order(held.hold.id, held.quote.id)),
    office.order(hold.id, quote.id),
  ]);
  expect(replies.slice(0, 3).map(codeOf).toSorted()).toEqual(['promo_used_up', 'promo_used_up', 'success']);
  expect(replies.slice(3).map(codeOf)).toEqual(['success']);
  expect(await office.count('orders')).toBe(2);
  const rows = await office.database.store.query(`select redeemed from promo_codes where code = 'ONCE'`);
  expect(rows).toEqual([{ redeemed: 1 }]);
});

test('a single-use promo code is used by one order and becomes available again when that expires', async () => {
  const first = await office.takeHold({ promo: 'ONCE' });
  const second = await office.takeHold({ promo: 'ONCE' });
  must(await office.order(first.hold.id, first.quote.id));
  const refused = await office.order(second.hold.id, second.quote.id);
  expect(codeOf(refused)).toBe('promo_used_up');
  office.clock.advance(10 * MINUTE);
  await office.request('DELETE', `/api/holds/${first.hold.id}`);
  const third = await office.takeHold({ promo: 'ONCE' });
  expect(must(await office.order(third.hold.id, third.quote.id)).discount).toBe(500);
});

test('outdated terms, a missing plate and a foreign quote are refused', async () => {
  const { quote, hold } = await office.takeHold({ vehicle: { type: 'car', length_cm: 480 } });
  expect(codeOf(await office.order(hold.id, quote.id, { terms_version: '1999' }))).toBe('terms_outdated');
  expect(codeOf(await office.order(hold.id, quote.id, { plate: null }))).toBe('plate_required');
  const other = must(await office.quote({ adults: 5 }));
  expect(codeOf(await office.order(hold.id, other.id))).toBe('invalid_input');
  expect(await office.count('orders')).toBe(0);
});

test('a rental is ordered and paid without a plate where the operator allows it', async () => {
  await storeWebSettings(office.context, { rentals_without_plate: true });
  const { quote, hold } = await office.takeHold({ vehicle: { type: 'car', length_cm: 480 } });
  const order = must(await office.order(hold.id, quote.id, { plate: null }));
  expect(order.plate).toBeNull();
  expect(must(await office.pay(order.id)).client_secret).toBeDefined();
});

test('a contact with several addresses, control characters or invalid values is refused', async () => {
  const { quote, hold } = await office.takeHold();
  for (const wrong of [
    { email: 'a@x.test\r\nBcc: evil@x.test' },
    { email: 'a@x.test, b@y.test' },
    { email: 'evil@x.test(comment)@good.test' },
    { email: 'nobody' },
    { name: '' },
    { name: 'null\u0000byte' },
    { name: 'turned\u202ename' },
    { name: 'x'.repeat(121) },
    { phone: 'javascript:alert(1)' },
  ]) {
    const reply = await office.order(hold.id, quote.id, { contact: { ...contact, ...wrong } });
    expect([reply.status, codeOf(reply)], JSON.stringify(wrong)).toEqual([422, 'invalid_input']);
  }
});

test('fields that only the server decides are refused', async () => {
  const { quote, hold } = await office.takeHold();
  for (const field of ['total', 'status', 'paid', 'customer_id', 'reference']) {
    const reply = await office.order(hold.id, quote.id, { [field]: 1 });
    expect([reply.status, codeOf(reply)]).toEqual([422, 'unknown_field']);
  }
});

test('a price that changed between hold and order is reported, held again and then ordered', async () => {
  const { quote, hold } = await office.takeHold();
  await office.context.db.update(fares).set({ amount: 1500 }).where(eq(fares.amount, 1275));
  await office.context.db.update(feed).set({ revision: randomUUID() });
  const reply = await office.order(hold.id, quote.id);
  expect(codeOf(reply)).toBe('price_changed');
  const fresh = reply.body.errors[0].details.quote;
  must(
    await office.request('PATCH', `/api/holds/${hold.id}`, {
      body: { quote_id: fresh.id },
      idempotencyKey: randomUUID(),
    }),
  );
  expect(must(await office.order(hold.id, fresh.id)).total).toBe(1500);
});

test('an existing order is updated when its hold is swapped', async () => {
  const { quote, hold } = await office.takeHold({ adults: 2, promo: 'ONCE' });
  const order = must(await office.order(hold.id, quote.id));
  const other = must(await office.quote({ adults: 3, bicycles: 1 }));
  await office.request('PATCH', `/api/holds/${hold.id}`, { body: { quote_id: other.id } });
  const rewritten = await office.readOrder(order.id);
  expect(rewritten).toMatchObject({ id: order.id, total: 3 * 1275 + 300, discount: 0, promo_code: null });
  expect(rewritten.version).toBeGreaterThan(order.version);
  expect(codeOf(await office.quote({ promo: 'ONCE' }))).toBe('success');
});

test('an order that costs nothing is confirmed at once', async () => {
  const order = await office.takeOrder({ adults: 2, promo: 'FREE' });
  expect(order).toMatchObject({ status: 'confirmed', payment_status: 'paid', total: 0 });
  expect(order.tickets).toHaveLength(2);
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
  expect(await office.count('mails:order-confirmed')).toBe(1);
  expect(codeOf(await office.pay(order.id))).toBe('already_paid');
});

test('an unpaid order expires with its hold', async () => {
  const order = await office.takeOrder({ adults: 2 });
  office.clock.advance(10 * MINUTE);
  expect(await office.readOrder(order.id)).toMatchObject({
    status: 'expired',
    display_status: 'expired',
    hold: null,
  });
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  expect(codeOf(await office.pay(order.id))).toBe('hold_expired');
  const { buyer_secret } = order;
  expect(codeOf(await change(order.id, { plate: 'ABC 1', buyer_secret }))).toBe('order_closed');
});

test.runIf(inject('engine') === 'postgres')(
  'an order is read from one snapshot, also when it changes concurrently',
  async () => {
    const { db } = office.context;
    const { id } = await office.takeOrder();
    const reading = await db.transaction(async (writer) => {
      await writer.execute(sql`lock table order_lines in access exclusive mode`);
      const found = requireOrder(office.context, id);
      const waiting = sql`select 1 from pg_locks where relation = 'order_lines'::regclass and not granted`;
      await vi.waitUntil(async () => (await queryRows(db, waiting)).length > 0);
      await writer.update(orders).set({ status: 'expired' }).where(eq(orders.id, id));
      await writer.update(orderLines).set({ status: 'canceled' }).where(eq(orderLines.orderId, id));
      // In an object, because a returned promise would be awaited before the lock is released.
      return { found };
    });
    const { order, lines } = await reading.found;
    expect([order.status, lines.map(({ status }) => status)]).toEqual(['held', ['active']]);
  },
);

test('an unpaid order can be abandoned, repeatedly without effect; a paid one cannot', async () => {
  const order = await office.takeOrder({ adults: 2 });
  for (let repeat = 0; repeat < 2; repeat += 1) {
    const reply = await office.cancelOrder(order);
    expect(must(reply).status).toBe('canceled');
  }
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  const free = await office.takeOrder({ promo: 'FREE' });
  expect(codeOf(await office.cancelOrder(free))).toBe('already_paid');
});

test('contact and plate change until check-in closes, on the ticket too', async () => {
  const { quote, hold } = await office.takeHold({ vehicle: { type: 'car', length_cm: 400 }, promo: 'FREE' });
  const { id, buyer_secret } = must(await office.order(hold.id, quote.id));
  const email = 'new@example.com';
  const changed = must(await change(id, { plate: 'new 1', contact: { ...contact, email }, buyer_secret }));
  expect(changed).toMatchObject({ plate: 'NEW 1', contact: { email: 'n•••@example.com' } });
  expect(changed.tickets.find((ticket: { kind: string }) => ticket.kind === 'vehicle').title).toBe(
    'Car, NEW 1',
  );
  expect(codeOf(await change(id, { plate: '<img onerror=1>', buyer_secret }))).toBe('invalid_input');
  office.clock.set('2026-06-02T14:40:00.000Z');
  expect(codeOf(await change(id, { plate: 'LATE', buyer_secret }))).toBe('order_closed');
});

test('the order of a customer shows its address to that customer only, and only they can change it', async () => {
  const owner = await signIn();
  const stranger = await signIn('stranger@example.com');
  const { quote, hold } = await office.takeHold();
  const order = must(
    await office.request('POST', '/api/orders', {
      body: {
        hold_id: hold.id,
        quote_id: quote.id,
        contact,
        terms_version: termsVersion,
      },
      token: owner.token,
      idempotencyKey: randomUUID(),
    }),
  );
  expect(order.contact.email).toBe(contact.email);
  const [row] = await office.context.db.select().from(orders).where(eq(orders.id, order.id));
  expect(row?.customerId).toBe(owner.id);
  const read = (token?: string) => office.request('GET', `/api/orders/${order.id}`, token ? { token } : {});
  expect(must(await read()).contact.email).toBe('a•••@example.com');
  expect(must(await read(stranger.token)).contact.email).toBe('a•••@example.com');
  expect((await change(order.id, { contact }, stranger.token)).status).toBe(404);
  expect((await change(order.id, { contact })).status).toBe(404);
  expect((await change(order.id, { contact }, owner.token)).status).toBe(200);
});

test('an unknown order answers 404', async () => {
  const missing = await office.request('GET', `/api/orders/${newId('ord')}`);
  for (const id of [
    'abc',
    '1',
    '99999999999999999999',
    '%E0%A4%A',
    '..%2f..%2fholds',
    "'; drop table orders",
  ]) {
    const reply = await office.request('GET', `/api/orders/${encodeURI(id)}`);
    expect([reply.status, reply.body]).toEqual([404, missing.body]);
  }
  for (const path of ['cancel', 'payments']) {
    const reply = await office.request('POST', `/api/orders/${newId('ord')}/${path}`, {
      body: path === 'payments' ? { method: 'card' } : {},
      idempotencyKey: randomUUID(),
    });
    expect(reply.status).toBe(404);
  }
});

test('the tickets of an order can be requested separately, to be saved on a device', async () => {
  const order = await office.takeOrder({ adults: 2, bicycles: 1, promo: 'FREE' });
  const tickets = must(await office.request('GET', `/api/orders/${order.id}/tickets`));
  expect(tickets).toEqual(order.tickets);
  expect(
    tickets.map((ticket: { party_index: number; kind: string }) => [ticket.party_index, ticket.kind]),
  ).toEqual([
    [1, 'passenger'],
    [2, 'passenger'],
    [3, 'bicycle'],
  ]);
  expect((await office.request('GET', `/api/orders/${newId('ord')}/tickets`)).status).toBe(404);
});
