import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { holds } from '#server/database/schema/holds.ts';
import { payments } from '#server/database/schema/sales.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { orderSubject } from '#server/orders/pay/order-subject.ts';
import { reconcilePayments } from '#server/orders/pay/payment-jobs.ts';
import { toIntent } from '#server/payments/provider/stripe-objects.ts';
import { settleIntent } from '#server/payments/settle-intent.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';

const MINUTE = 60_000;
let office: Office;
let sailing: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 4 });
  sailing = office.ferry.outward[0] ?? '';
});

/**
 * An order that expired while the provider was unavailable, and whose payment then succeeded. This is the
 * worst case of a late payment.
 */
async function payTooLate(input: { adults?: number; promo?: string } = {}) {
  const taken = await office.takePayment(input);
  const fetch = office.provider.fetch;
  office.provider.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  await office.context.db
    .update(holds)
    .set({ expiresAtMax: sql`expires_at` })
    .where(eq(holds.id, taken.hold.id));
  office.clock.advance(11 * MINUTE);
  await office.readOrder(taken.order.id);
  office.provider.fetch = fetch;
  expect((await office.readOrder(taken.order.id)).status).toBe('expired');
  await office.confirmWith(taken.intent);
  return taken;
}

test('a payment after the places expired confirms the order if they are still free', async () => {
  const { order } = await payTooLate({ adults: 2, promo: 'ONCE' });
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    status: 'confirmed',
    notice: 'Your payment came late, but we still had room for you.',
    tickets: [{}, {}],
  });
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
  expect(await office.count('mails:order-confirmed-late')).toBe(1);
  const [promo] = await office.database.store.query(`select redeemed from promo_codes where code = 'ONCE'`);
  expect(promo).toEqual({ redeemed: 1 });
});

test('a payment after the places were sold is refunded to the card, once', async () => {
  const { order } = await payTooLate({ adults: 2 });
  await office.takeHold({ adults: 3 });
  await office.provider.deliverNow();
  const told = await office.readOrder(order.id);
  expect(told).toMatchObject({
    status: 'canceled',
    display_status: 'canceled',
    tickets: [],
    paid: 2550,
    refunded: 0,
    refunds: [{ amount: 2550, reason: 'no_room', status: 'requested' }],
  });
  expect(told.notice).toContain('Your money is on its way back');
  expect(await office.count('mails:order-refunded')).toBe(1);

  await office.jobs.runJobs();
  await office.jobs.send('refund', { refund_id: told.refunds[0].id });
  await office.jobs.runJobs();
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    payment_status: 'refunded',
    display_status: 'refunded',
    refunded: 2550,
    refunds: [{ status: 'succeeded' }],
  });
  expect((await office.stripe.refunds.list()).data).toHaveLength(1);
  expect(await office.taken(sailing)).toMatchObject({ passenger: [3, 0] });
});

test('a payment for a canceled sailing is refunded to the card', async () => {
  const { order } = await payTooLate();
  await office.context.db.update(sailings).set({ status: 'canceled' }).where(eq(sailings.id, sailing));
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    status: 'canceled',
    refunds: [{ reason: 'no_room' }],
  });
});

test('a second payment of the same order is refunded, and the order does not change', async () => {
  const { order, intent } = await office.takePayment({ adults: 2 });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  const second = newId('pay');
  await office.context.db.insert(payments).values({
    id: second,
    orderId: order.id,
    attempt: 2,
    method: 'card',
    amount: 2550,
    currency: 'USD',
    status: 'canceled',
    startedFrom: 'elsewhere',
    insertedAt: office.clock.now(),
    updatedAt: office.clock.now(),
  });
  const paidTwice = await office.stripe.paymentIntents.create({
    amount: 2550,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    metadata: { order_id: order.id, payment_id: second },
    payment_method: 'pm_card_visa',
    confirm: true,
    return_url: 'http://tickets.ferry.localhost/',
  });
  await Promise.all([
    settleIntent(office.context, { subject: orderSubject, intent: toIntent(paidTwice) }),
    settleIntent(office.context, { subject: orderSubject, intent: toIntent(paidTwice) }),
    office.provider.deliverNow(),
  ]);
  await office.jobs.runJobs();
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    status: 'confirmed',
    payment_status: 'paid',
    paid: 2550,
    refunded: 0,
    refunds: [{ reason: 'duplicate', amount: 2550, status: 'succeeded' }],
  });
  expect(await office.count('tickets')).toBe(2);
});

test('a refund whose job was lost in a crash is made by the next reconciling job', async () => {
  const { order } = await payTooLate({ adults: 2 });
  await office.takeHold({ adults: 3 });
  await office.provider.deliverNow();
  office.jobs.asked.splice(0);
  office.clock.advance(2 * MINUTE);
  await reconcilePayments(office.context);
  expect(await office.readOrder(order.id)).toMatchObject({
    refunded: 2550,
    refunds: [{ status: 'succeeded' }],
  });
});

test('a refund that the bank returns later no longer counts as refunded, and is retried', async () => {
  const { order, intent } = await office.takePayment({ adults: 2 });
  await office.context.db.update(holds).set({ status: 'expired' });
  await office.context.db.execute(sql`update orders set status = 'expired'`);
  await office.context.db.execute(sql`update voyage_capacity set held = 0, sold = sellable_online`);
  await office.confirmWith(intent, 'pm_card_refundFail');
  await office.provider.deliverNow();
  await office.jobs.runJobs();
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    refunded: 0,
    payment_status: 'paid',
    refunds: [{ status: 'requested' }],
  });
});

test('a disputed charge marks the order as disputed', async () => {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent, 'pm_card_createDispute');
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', payment_status: 'disputed' });
});

test.each([
  { evidence: 'winning_evidence', meanwhile: sql`refunded = 0`, after: 'paid', refunded: 0 },
  { evidence: 'winning_evidence', meanwhile: sql`refunded = 100`, after: 'partly_refunded', refunded: 100 },
  {
    evidence: 'winning_evidence',
    meanwhile: sql`refunded = paid, payment_status = 'refunded'`,
    after: 'refunded',
    refunded: 1275,
  },
  { evidence: 'losing_evidence', meanwhile: sql`refunded = 100`, after: 'refunded', refunded: 1275 },
])('a dispute closed with $evidence leaves the order $after, by what was given back', async (end) => {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent, 'pm_card_createDispute');
  await office.provider.deliverNow();
  await office.context.db.execute(sql`update orders set ${end.meanwhile}`);
  const { data } = await office.stripe.disputes.list({ payment_intent: intent });
  await office.stripe.disputes.update(data[0]?.id ?? '', {
    evidence: { uncategorized_text: end.evidence },
    submit: true,
  });
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    payment_status: end.after,
    paid: 1275,
    refunded: end.refunded,
  });
});
