import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { payments } from '#server/database/schema/sales.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { reconcilePayments } from '#server/orders/pay/payment-jobs.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { PROVIDER_OUTAGE } from '#tests/setup/server.ts';

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

const intentAt = (id: string) => office.stripe.paymentIntents.retrieve(id);

/** Makes the provider unavailable until the returned function is called. */
function cutOff(): () => void {
  const fetch = office.provider.fetch;
  office.provider.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  return () => {
    office.provider.fetch = fetch;
  };
}

test('the provider is asked for exactly the order’s total, regardless of what the browser sends', async () => {
  const order = await office.takeOrder({ adults: 2 });
  const reply = await office.request('POST', `/api/orders/${order.id}/payments`, {
    body: { method: 'card', amount: 1 },
    idempotencyKey: randomUUID(),
  });
  expect([reply.status, codeOf(reply)]).toEqual([422, 'unknown_field']);
  const payment = must(await office.pay(order.id));
  const intent = await intentAt(payment.client_secret.split('_secret')[0]);
  expect(intent).toMatchObject({
    amount: 2550,
    currency: 'usd',
    metadata: { order_id: order.id, payment_id: payment.id, reference: order.reference },
  });
});

test('two tabs and a repeated request share one payment', async () => {
  const order = await office.takeOrder();
  const replies = await Promise.all(Array.from({ length: 5 }, () => office.pay(order.id)));
  const secrets = new Set(replies.map((reply) => must(reply).client_secret));
  expect(secrets.size).toBe(1);
  expect(await office.count('payments')).toBe(1);
});

test('the client secret is returned by starting a payment and not by reading one', async () => {
  const { order, payment } = await office.takePayment();
  expect(await office.readPayment(order.id, payment.id)).not.toHaveProperty('client_secret');
  expect(JSON.stringify(await office.readOrder(order.id))).not.toContain('_secret_');
  expect(JSON.stringify(office.logged)).not.toContain('_secret_');
});

test('polling detects a successful payment without a webhook', async () => {
  const { order, payment, intent } = await office.takePayment();
  await office.confirmWith(intent);
  expect(await office.readPayment(order.id, payment.id)).toMatchObject({
    status: 'succeeded',
    failure: null,
  });
  expect((await office.readOrder(order.id)).status).toBe('confirmed');
  await office.provider.deliverNow();
  await reconcilePayments(office.context);
  expect(await office.count('tickets')).toBe(1);
  expect(await office.count('mails:order-confirmed')).toBe(1);
});

test('the reconciling job confirms the order without webhook and polling', async () => {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent);
  office.clock.advance(2 * MINUTE);
  await reconcilePayments(office.context);
  expect((await office.readOrder(order.id)).status).toBe('confirmed');
});

const DECLINED = 'Your card was declined. You have not been charged. Try another card, or call your bank.';

test.for([
  ['pm_card_chargeDeclined', 'card_declined', DECLINED],
  [
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'card_declined',
    'There is not enough money for this on your card. You have not been charged. Try another card.',
  ],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', DECLINED],
  [
    'pm_card_chargeDeclinedExpiredCard',
    'card_declined',
    'Your card has expired. You have not been charged. Try another card.',
  ],
  [
    'pm_card_chargeDeclinedIncorrectCvc',
    'card_declined',
    'The security code is not right. You have not been charged. Check the code on your card and try again.',
  ],
  [
    'pm_card_chargeDeclinedProcessingError',
    'payment_failed',
    'Your bank could not process this card. You have not been charged. Try again in a few minutes, or use another card.',
  ],
] as const)('after %s another card pays the same order', async ([card, code, message]) => {
  const { order, payment, intent } = await office.takePayment();
  expect(await office.confirmWith(intent, card)).toBeInstanceOf(Error);
  await office.provider.deliverNow();
  expect(await office.readPayment(order.id, payment.id)).toMatchObject({
    status: 'failed',
    failure: { code, message },
  });
  expect(await office.readOrder(order.id)).toMatchObject({
    status: 'awaiting_payment',
    payment_status: 'failed',
  });

  const again = must(await office.pay(order.id));
  expect(again).toMatchObject({ id: payment.id, client_secret: payment.client_secret, failure: null });
  await office.confirmWith(intent, 'pm_card_mastercard');
  expect(await office.readPayment(order.id, payment.id)).toMatchObject({ status: 'succeeded' });
  expect((await office.readOrder(order.id)).status).toBe('confirmed');
});

test('a bank’s challenge extends the hold, and its outcome decides the payment', async () => {
  const { order, payment, hold, intent } = await office.takePayment();
  office.clock.advance(9 * MINUTE);
  await office.confirmWith(intent, 'pm_card_authenticationRequired');
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    payment_status: 'requires_action',
    hold: { expires_at: '2026-06-01T15:19:00.000Z', expires_at_max: '2026-06-01T15:35:00.000Z' },
  });
  expect(hold.expires_at_max).toBe('2026-06-01T15:20:00.000Z');
  expect(await office.readPayment(order.id, payment.id)).toMatchObject({ status: 'requires_action' });
});

test('after five declines the order accepts no further payment and cannot be charged', async () => {
  const { order, payment, intent } = await office.takePayment();
  for (let tries = 0; tries < 5; tries += 1) {
    await office.confirmWith(intent, 'pm_card_chargeDeclined');
    await office.provider.deliverNow();
  }
  expect(codeOf(await office.pay(order.id))).toBe('order_blocked');
  expect((await intentAt(intent)).status).toBe('canceled');
  expect(await office.readPayment(order.id, payment.id)).toMatchObject({
    status: 'failed',
    failure: { code: 'card_declined' },
  });
});

test('a decline counts once, however often it is reported', async () => {
  const { order, payment, intent } = await office.takePayment();
  await office.confirmWith(intent, 'pm_card_chargeDeclined');
  for (let look = 0; look < 6; look += 1) await office.readPayment(order.id, payment.id);
  await office.provider.deliverNow();
  expect(await office.context.db.execute(sql`select declines from orders`)).toMatchObject({
    rows: [{ declines: 1 }],
  });
});

test('twenty declines in an hour block one network and no other', async () => {
  const { order } = await office.takePayment();
  await office.context.db
    .update(payments)
    .set({ declinedCharges: Array.from({ length: 20 }, (_, index) => `ch_${index}`) });
  const blocked = await office.pay(order.id);
  expect([blocked.status, codeOf(blocked)]).toEqual([429, 'rate_limited']);
  expect(blocked.headers.get('retry-after')).toBe('3600');
  const elsewhere = await office.request('POST', `/api/orders/${order.id}/payments`, {
    body: { method: 'card' },
    idempotencyKey: randomUUID(),
    from: '192.0.2.44',
  });
  expect(elsewhere.status).toBe(201);
  office.clock.advance(61 * MINUTE);
  expect(codeOf(await office.pay((await office.takeOrder()).id))).toBe('success');
});

test('paid, canceled and expired orders accept no payment', async () => {
  const paid = await office.takeOrder({ promo: 'FREE' });
  expect(codeOf(await office.pay(paid.id))).toBe('already_paid');
  const canceled = await office.takeOrder();
  must(await office.cancelOrder(canceled));
  expect(codeOf(await office.pay(canceled.id))).toBe('order_closed');
  const expired = await office.takeOrder();
  office.clock.advance(10 * MINUTE);
  expect(codeOf(await office.pay(expired.id))).toBe('hold_expired');
  const gone = await office.takeOrder();
  await office.context.db.update(sailings).set({ status: 'canceled' }).where(eq(sailings.id, sailing));
  expect(codeOf(await office.pay(gone.id))).toBe('sailing_canceled');
  expect(await office.count('payments')).toBe(0);
});

test('an unavailable provider loses nothing, and the payment continues afterwards', async () => {
  const order = await office.takeOrder();
  const reconnect = cutOff();
  const reply = await office.pay(order.id);
  expect([reply.status, codeOf(reply)]).toEqual([503, 'payment_unavailable']);
  reconnect();
  const payment = must(await office.pay(order.id));
  const again = cutOff();
  expect(await office.readPayment(order.id, payment.id)).toMatchObject({ status: 'created' });
  again();
  await office.confirmWith(payment.client_secret.split('_secret')[0]);
  expect(await office.readPayment(order.id, payment.id)).toMatchObject({ status: 'succeeded' });
  expect(await office.count('payments')).toBe(1);
});

test('a provider that is unavailable for an hour refuses buyers, and loses and doubles no payment', async () => {
  const [paid, unpaid] = [await office.takePayment(), await office.takePayment()];
  await office.confirmWith(paid.intent);
  const reconnect = cutOff();
  for (let minutes = 0; minutes < 60; minutes += 10) {
    const reply = await office.pay((await office.takeOrder()).id);
    expect([reply.status, codeOf(reply), reply.headers.get('retry-after')]).toEqual([
      ...[503, 'payment_unavailable', '5'],
    ]);
    office.clock.advance(10 * MINUTE);
    for (const job of ['expire-holds', 'reconcile-payments'] as const) await office.jobs.send(job, {});
    await office.jobs.runJobs(PROVIDER_OUTAGE);
  }
  reconnect();
  for (const job of ['expire-holds', 'reconcile-payments'] as const) await office.jobs.send(job, {});
  await office.jobs.runJobs();
  expect((await office.readOrder(paid.order.id)).status).toBe('confirmed');
  expect((await office.readOrder(unpaid.order.id)).status).toBe('expired');
  expect((await intentAt(unpaid.intent)).status).toBe('canceled');
  expect([await office.count('tickets'), await office.count('refunds')]).toEqual([1, 0]);
});

test('abandoning an order cancels its open payment; an order that was just paid stays paid', async () => {
  const open = await office.takePayment();
  must(await office.cancelOrder(open.order));
  expect((await intentAt(open.intent)).status).toBe('canceled');
  expect(await office.readPayment(open.order.id, open.payment.id)).toMatchObject({ status: 'canceled' });

  const paid = await office.takePayment();
  await office.confirmWith(paid.intent);
  expect(codeOf(await office.cancelOrder(paid.order))).toBe('already_paid');
  expect((await office.readOrder(paid.order.id)).status).toBe('confirmed');
});

test('an order changed while its payment is open is paid at the new price', async () => {
  const { order, hold, intent } = await office.takePayment({ adults: 1 });
  const dearer = must(await office.quote({ adults: 3 }));
  must(await office.request('PATCH', `/api/holds/${hold.id}`, { body: { quote_id: dearer.id } }));
  expect((await intentAt(intent)).status).toBe('canceled');
  const payment = must(await office.pay(order.id));
  expect(payment.amount).toBe(3825);
  await office.confirmWith(payment.client_secret.split('_secret')[0]);
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: 3825 });
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 3] });
});

test('a vehicle added after the form was sent can be paid once its plate is given', async () => {
  const { quote, hold } = await office.takeHold();
  const order = must(await office.order(hold.id, quote.id, { plate: null }));
  const withCar = must(await office.quote({ vehicle: { type: 'car', length_cm: 480 } }));
  must(await office.request('PATCH', `/api/holds/${hold.id}`, { body: { quote_id: withCar.id } }));
  const refused = await office.pay(order.id);
  expect([refused.status, codeOf(refused)]).toEqual([422, 'plate_required']);
  expect(await office.count('payments')).toBe(0);
  const body = { plate: '5KJH 220', buyer_secret: order.buyer_secret };
  must(await office.request('PATCH', `/api/orders/${order.id}`, { body }));
  expect(must(await office.pay(order.id)).amount).toBe(withCar.total);
});

test('an expiring hold first cancels its open payment at the provider', async () => {
  const { order, intent } = await office.takePayment();
  office.clock.advance(11 * MINUTE);
  await office.jobs.send('expire-holds', {});
  await office.jobs.runJobs();
  expect((await office.readOrder(order.id)).status).toBe('expired');
  expect((await intentAt(intent)).status).toBe('canceled');
});

test('a hold whose payment has just gone through does not expire but becomes the order', async () => {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent);
  office.clock.advance(11 * MINUTE);
  await office.jobs.send('expire-holds', {});
  await office.jobs.runJobs();
  expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', notice: '' });
});

test('an unknown payment and one of another order answer 404', async () => {
  const { payment } = await office.takePayment();
  const other = await office.takeOrder();
  for (const path of [
    `${other.id}/payments/${payment.id}`,
    `${other.id}/payments/${newId('pay')}`,
    `${other.id}/payments/1`,
  ]) {
    const reply = await office.request('GET', `/api/orders/${path}`);
    expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
  }
});
