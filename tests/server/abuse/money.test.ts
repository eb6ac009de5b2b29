import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { fares, feed } from '#server/database/schema/timetable.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';

let office: Office;
let reach: Office['provider']['fetch'];
/** Calls sent to the provider. */
let asked: string[];
beforeAll(async () => {
  office = await openOffice();
  reach = office.provider.fetch;
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  asked = [];
  office.provider.fetch = async (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return reach(request);
  };
});
afterEach(() => {
  office.provider.fetch = reach;
  office.context.provider.isTest = true;
});

async function sellIn(currency: string): Promise<void> {
  await office.context.db.update(feed).set({ currency, revision: randomUUID() });
}

const swap = (holdId: string, quoteId: string) =>
  office.request('PATCH', `/api/holds/${holdId}`, {
    body: { quote_id: quoteId },
    idempotencyKey: randomUUID(),
  });

/** The provider's success event of the intent, with the test's changes. */
async function tellSuccess(intent: string, changes: object = {}, livemode = false) {
  const truth = await office.stripe.paymentIntents.retrieve(intent);
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    livemode,
    type: 'payment_intent.succeeded',
    data: { object: { ...truth, status: 'succeeded', amount_received: truth.amount, ...changes } },
  });
  const header = office.stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: office.provider.keys.webhookSecret,
    timestamp: Math.floor(office.clock.now().getTime() / 1000),
  });
  return office.request('POST', '/api/provider/webhooks', { body, headers: { 'stripe-signature': header } });
}

test('a price with the same number in another currency is a different price', async () => {
  const quote = must(await office.quote());
  const { hold, quote: held } = await office.takeHold();
  await sellIn('EUR');
  for (const reply of [await office.hold(quote.id), await office.order(hold.id, held.id)]) {
    expect(codeOf(reply)).toBe('price_changed');
    expect(reply.body.errors[0].details.quote).toMatchObject({ total: 1275, currency: 'EUR' });
  }
  expect(await office.count('orders')).toBe(0);
});

test('an order keeps its currency, also when the operator’s currency changes before it is paid', async () => {
  const order = await office.takeOrder();
  await sellIn('EUR');
  const payment = must(await office.pay(order.id));
  expect(payment).toMatchObject({ amount: 1275, currency: 'USD' });
  const [intent = ''] = payment.client_secret.split('_secret');
  expect(await office.stripe.paymentIntents.retrieve(intent)).toMatchObject({
    amount: 1275,
    currency: 'usd',
  });
});

test('a currency without decimals is charged by its own units, not by hundredths', async () => {
  await sellIn('JPY');
  const { order, intent } = await office.takePayment({ adults: 2 });
  expect(await office.stripe.paymentIntents.retrieve(intent)).toMatchObject({
    amount: 2550,
    currency: 'jpy',
  });
  await tellSuccess(intent, { amount_received: 255_000 });
  await tellSuccess(intent, { currency: 'usd' });
  expect((await office.readOrder(order.id)).status).toBe('awaiting_payment');
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    status: 'confirmed',
    currency: 'JPY',
    paid: 2550,
  });
});

test('a total above the card limit is refused before the provider is called', async () => {
  await office.context.db.update(fares).set({ amount: 9_999_999 });
  await office.context.db.update(feed).set({ revision: randomUUID() });
  const reply = await office.quote({ adults: 11 });
  expect([reply.status, codeOf(reply)]).toEqual([422, 'party_too_large']);
  expect(must(await office.quote({ adults: 10 })).total).toBe(99_999_990);
  expect(asked).toEqual([]);
});

test('a fare that rises after the order was created is not charged', async () => {
  const order = await office.takeOrder({ adults: 2 });
  await office.context.db.update(fares).set({ amount: 5000 });
  await office.context.db.update(feed).set({ revision: randomUUID() });
  expect(must(await office.pay(order.id)).amount).toBe(2550);
});

test('a test payment buys nothing where payments are real', async () => {
  const { order, intent } = await office.takePayment();
  office.context.provider.isTest = false;
  expect((await tellSuccess(intent)).status).toBe(200);
  expect((await office.readOrder(order.id)).status).toBe('awaiting_payment');
  expect(office.logged.map(({ event }) => event)).toContain('event of the other mode ignored');
  expect((await tellSuccess(intent, {}, true)).status).toBe(200);
  expect((await office.readOrder(order.id)).status).toBe('confirmed');
});

test('the secret of one payment gives no access to another', async () => {
  const mine = await office.takePayment();
  const yours = await office.takePayment();
  const look = async (secret: string) => {
    const query = new URLSearchParams({ client_secret: secret, key: office.context.provider.publishableKey });
    const url = `${office.context.config.origins.pay}/v1/payment_intents/${yours.intent}?${query}`;
    return (await reach(new Request(url))).status;
  };
  expect(await look(yours.payment.client_secret)).toBe(200);
  expect(await look(mine.payment.client_secret)).toBe(404);
  expect(await look(`${yours.intent}_secret_guess`)).toBe(404);
});

test('paying a paid order again charges nothing, from any tab and any number of times', async () => {
  const { order, hold, intent } = await office.takePayment();
  await office.confirmWith(intent);
  const replies = await Promise.all(Array.from({ length: 5 }, () => office.pay(order.id)));
  expect(new Set(replies.map(codeOf))).toEqual(new Set(['already_paid']));
  expect(codeOf(await swap(hold.id, must(await office.quote({ adults: 3 })).id))).toBe('already_paid');
  const [kept] = await office.database.store.query('select count(*)::int as count from payments');
  expect(kept).toEqual({ count: 1 });
  expect((await office.stripe.charges.list()).data.filter(({ paid }) => paid)).toHaveLength(1);
});

test('an order and its payments always have the same currency', async () => {
  await office.takePayment();
  await sellIn('JPY');
  await office.takePayment();
  const mixed = await office.database.store.query(`
    select 1 from payments p join orders o on o.id = p.order_id where p.currency <> o.currency or p.amount <> o.total
  `);
  expect(mixed).toEqual([]);
});
