import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { orderRefunds } from '#server/orders/pay/order-refunds.ts';
import { reconcilePayments } from '#server/orders/pay/payment-jobs.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { toRefund } from '#server/payments/provider/stripe-objects.ts';
import { applyRefund } from '#server/payments/refunds.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { applyEvent } from '#tests/factories/provider-events.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';

/* A failed refund is owed until a later try succeeds, and is never paid twice. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let office: Office;
let holder: Awaited<ReturnType<typeof cardHolder>>;
let card: Awaited<ReturnType<typeof createTripCard>>;
let order: { id: string; total: number; reference: string };
let intent: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  holder = await cardHolder(office);
  card = await createTripCard(office.context, holder.customer.id, { balance: 5000 });
  order = await office.takeOrder({ adults: 2 });
});

/** Pays the given amount by trip card, and the rest with one of the provider's test cards. */
async function pay(method: string, byTripCard = 0): Promise<void> {
  const part = byTripCard > 0 ? { trip_card_id: card.id, trip_card_amount: byTripCard } : {};
  const started = must(
    await office.request('POST', fillPath(api.startPayment.path, { id: order.id }), {
      body: { method: 'card', ...part },
      idempotencyKey: crypto.randomUUID(),
      ...(byTripCard > 0 ? { token: holder.token } : {}),
    }),
  );
  intent = started.client_secret.split('_secret')[0] ?? '';
  await office.confirmWith(intent, method);
  await office.provider.deliverNow();
}

const input = (toTripCard: string | null = null) => ({
  reference: order.reference,
  toTripCard,
  actor: { kind: 'server' } as const,
});
const refund = (toTripCard?: string) => refundOrder(office.context, input(toTripCard));
const read = () => office.readOrder(order.id);
const atProvider = async () => (await office.stripe.refunds.list({ limit: 100 })).data;
const balance = async () => {
  const [row] = await office.database.store.query<{ balance: number }>(
    'select balance::int as balance from trip_cards where id = $1',
    [card.id],
  );
  return row?.balance;
};
const alerts = () => office.logged.filter(({ level }) => level === 'error').map(({ event }) => event);

/** Runs the reconciling job of every minute, and delivers the provider's webhooks. */
async function look(later = 2 * MINUTE): Promise<void> {
  office.clock.advance(later);
  await reconcilePayments(office.context);
  await office.provider.deliverNow();
}

/** From now on every refund succeeds. */
async function mendTheBank(): Promise<void> {
  await office.database.store.query(
    `update sandbox.objects set secret = jsonb_set(secret, '{behavior}', '"visa"') where object = 'payment_method'`,
  );
}

describe('a refund that the bank returns', () => {
  test('is retried a day later, and shows as pending until then', async () => {
    await pay('pm_card_refundFail');
    await refund();
    await look();
    expect(await read()).toMatchObject({
      status: 'canceled',
      payment_status: 'paid',
      paid: 2550,
      refunded: 0,
      refunds: [{ status: 'requested', amount: 2550 }],
    });
    await look(DAY - 10 * MINUTE);
    expect(await atProvider()).toHaveLength(1);
    await mendTheBank();
    await look(10 * MINUTE);
    expect(await read()).toMatchObject({
      payment_status: 'refunded',
      refunded: 2550,
      refunds: [{ status: 'succeeded' }],
    });
    expect((await atProvider()).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    await look(3 * DAY);
    expect(await atProvider()).toHaveLength(2);
  });

  test('is reported to the customer and to the operator after the third time', async () => {
    await pay('pm_card_refundFail');
    await refund();
    await look();
    for (let day = 0; day < 5; day += 1) await look(DAY);
    expect(await atProvider()).toHaveLength(3);
    const told = await read();
    expect(told).toMatchObject({ payment_status: 'paid', refunded: 0, refunds: [{ status: 'failed' }] });
    expect(told.notice).toContain('Please call us');
    expect(await office.count('mails:order-refund-failed')).toBe(1);
    expect(alerts()).toEqual(['refund failed; pay it back by hand']);
  });

  test('can be credited to a trip card by the operator, once, after the last try', async () => {
    await pay('pm_card_refundFail', 1000);
    await refund();
    for (let day = 0; day < 4; day += 1) await look(DAY);
    expect(await read()).toMatchObject({ refunded: 1000, payment_status: 'partly_refunded' });
    const asked = await Promise.all(Array.from({ length: 4 }, () => refund(card.number)));
    expect(asked.map(({ done }) => done).toSorted()).toEqual([
      'given_back_again',
      ...Array(3).fill('nothing'),
    ]);
    await look(DAY);
    expect(await balance()).toBe(6550);
    expect(await read()).toMatchObject({ refunded: 2550, payment_status: 'refunded' });
    expect(await atProvider()).toHaveLength(3);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('is retried once a day, also by concurrent jobs', async () => {
    await pay('pm_card_refundFail', 1000);
    await refund();
    // The bank's result of a try can arrive before or after the next day's job.
    for (let day = 0; day < 8; day += 1) {
      office.clock.advance(DAY);
      await Promise.all([
        ...Array.from({ length: 3 }, () => reconcilePayments(office.context)),
        office.provider.deliverNow(),
      ]);
      await Promise.all([office.provider.deliverNow(), reconcilePayments(office.context)]);
    }
    expect((await atProvider()).map(({ status }) => status)).toEqual(Array(3).fill('failed'));
    expect(await read()).toMatchObject({ refunded: 1000, payment_status: 'partly_refunded' });
    expect(await office.count('mails:order-refund-failed')).toBe(1);
  });

  test('is not completed by a late webhook of the previous try', async () => {
    await pay('pm_card_refundFail');
    await refund();
    office.clock.advance(2 * MINUTE);
    await reconcilePayments(office.context);
    const [first] = await atProvider();
    if (!first) throw new Error('The refund was asked for.');
    await look();
    await office.context.db.transaction((tx) =>
      applyRefund(tx, office.context, {
        subject: orderRefunds,
        reported: toRefund({ ...first, status: 'succeeded' }),
      }),
    );
    expect(await read()).toMatchObject({ refunded: 0, refunds: [{ status: 'requested' }] });
    expect(alerts()).toEqual([]);
  });
});

describe('a refund whose answer is lost', () => {
  /** Calls to the provider take effect, and their responses are lost. */
  async function askInVain(): Promise<void> {
    const { fetch } = office.provider;
    office.provider.fetch = async (request) => {
      const answer = await fetch(request);
      if (request.method === 'POST' && request.url.endsWith('/v1/refunds'))
        throw new TypeError('fetch failed');
      return answer;
    };
    office.clock.advance(2 * MINUTE);
    await reconcilePayments(office.context);
    office.provider.fetch = fetch;
  }

  test('is found also after the provider has deleted its idempotency key', async () => {
    await pay('pm_card_visa');
    await refund();
    await askInVain();
    await office.database.store.query('delete from sandbox.deliveries');
    await office.database.store.query('delete from sandbox.idempotency');
    await look(2 * DAY);
    expect(await read()).toMatchObject({ refunded: 2550, refunds: [{ status: 'succeeded' }] });
    expect(await atProvider()).toHaveLength(1);
  });

  test('is recorded also if it was made in the provider’s dashboard', async () => {
    await pay('pm_card_visa');
    await office.stripe.refunds.create({ payment_intent: intent });
    await office.provider.deliverNow();
    await refund();
    await look();
    expect(await read()).toMatchObject({ refunded: 2550, refunds: [{ status: 'succeeded' }] });
    expect(await atProvider()).toHaveLength(1);
  });
});

test('a second payment whose refund failed can be refunded while the order stays', async () => {
  await pay('pm_card_visa');
  await payAgain('pm_card_refundFail');
  await look();
  for (let day = 0; day < 4; day += 1) await look(DAY);
  expect(await read()).toMatchObject({ status: 'confirmed', paid: 2550, refunded: 0 });
  await mendTheBank();
  expect((await refundOrder(office.context, { ...input(), scope: { kind: 'failed' } })).done).toBe(
    'given_back_again',
  );
  await look();
  expect(await read()).toMatchObject({
    status: 'confirmed',
    payment_status: 'paid',
    refunded: 0,
    tickets: [{ status: 'issued' }, { status: 'issued' }],
  });
  expect((await refundOrder(office.context, { ...input(), scope: { kind: 'failed' } })).done).toBe('nothing');
});

test('a second payment whose refund failed is refunded with the order, and not counted with it', async () => {
  await pay('pm_card_visa');
  const extra = await payAgain('pm_card_refundFail');
  for (let day = 0; day < 5; day += 1) await look(DAY);
  await mendTheBank();
  const { refunds } = await refund();
  expect(refunds.map(({ reason, status }) => [reason, status])).toEqual([
    ['duplicate', 'failed'],
    ['operator', 'requested'],
    ['duplicate', 'requested'],
  ]);
  await look();
  expect(await read()).toMatchObject({ paid: 2550, refunded: 2550, payment_status: 'refunded' });
  const given = (await atProvider()).filter(({ status }) => status === 'succeeded');
  expect(given.map(({ payment_intent: of }) => of).toSorted()).toEqual([intent, extra].toSorted());
});

/** A second payment of a paid order. */
async function payAgain(method: string): Promise<string> {
  const { stripe } = office;
  const id = `pay_${'0'.repeat(26)}`;
  await office.database.store.query(
    `insert into payments (id, order_id, attempt, method, amount, currency, status, started_from, inserted_at, updated_at)
     select $1, order_id, 2, 'card', amount, currency, 'canceled', '', inserted_at, inserted_at from payments`,
    [id],
  );
  const paid = await stripe.paymentIntents.create({
    amount: order.total,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    metadata: { order_id: order.id, payment_id: id },
    payment_method: method,
    confirm: true,
    return_url: 'http://tickets.ferry.localhost/',
  });
  await office.provider.deliverNow();
  return paid.id;
}

describe('money that the bank took back in a dispute', () => {
  async function lose(): Promise<Stripe.Dispute> {
    const { data } = await office.stripe.disputes.list({ payment_intent: intent });
    const lost = await office.stripe.disputes.close(data[0]?.id ?? '');
    await office.provider.deliverNow();
    return lost;
  }

  test('is the card’s share, not the trip card’s', async () => {
    await pay('pm_card_createDispute', 1000);
    expect(await read()).toMatchObject({ payment_status: 'disputed', refunded: 0 });
    await lose();
    expect(await read()).toMatchObject({
      status: 'confirmed',
      payment_status: 'partly_refunded',
      refunded: 1550,
      refunds: [{ reason: 'dispute', amount: 1550, status: 'succeeded' }],
    });
  });

  test('is not refunded a second time with the order', async () => {
    await pay('pm_card_createDispute', 1000);
    await expect(refund()).rejects.toThrow('disputes');
    await lose();
    await refund();
    await look();
    expect(await read()).toMatchObject({ refunded: 2550, payment_status: 'refunded' });
    expect(await atProvider()).toEqual([]);
    expect(await balance()).toBe(5000);
  });

  test('ends a refund that would be retried', async () => {
    await pay('pm_card_createDispute');
    await office.database.store.query(`update orders set payment_status = 'paid'`);
    await refund();
    await look();
    expect(await read()).toMatchObject({ refunds: [{ status: 'requested' }] });
    await lose();
    for (let day = 0; day < 4; day += 1) await look(DAY);
    expect(await read()).toMatchObject({
      refunded: 2550,
      payment_status: 'refunded',
      notice: 'This order was canceled and refunded.',
    });
    expect(await office.count('mails:order-refund-failed')).toBe(0);
  });

  test('is not disputed again by late webhooks', async () => {
    await pay('pm_card_createDispute');
    const { data: events } = await office.stripe.events.list({ type: 'charge.dispute.created' });
    const [created] = events;
    if (!created) throw new Error('There is a dispute.');
    const { data } = await office.stripe.disputes.list({ payment_intent: intent });
    await office.stripe.disputes.update(data[0]?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
    await office.provider.deliverNow();
    expect(await read()).toMatchObject({ payment_status: 'paid', refunded: 0 });
    await applyEvent(office.context, { ...created, id: 'evt_late' });
    expect(await read()).toMatchObject({ payment_status: 'paid', refunded: 0 });
  });
});
