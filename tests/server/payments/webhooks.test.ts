import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reconcilePayments } from '#server/orders/pay/payment-jobs.ts';
import { codeOf, type Office, openOffice } from '#tests/factories/buyer.ts';

let office: Office;
let order: { id: string; total: number };
let intent: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  ({ order, intent } = await office.takePayment());
});

type Change = { id?: string; type?: string; livemode?: boolean; object?: Record<string, unknown> };

/** The provider's event about the payment, with the test's changes. */
async function buildEvent({
  id = 'evt_1',
  type = 'payment_intent.succeeded',
  livemode = false,
  object,
}: Change = {}) {
  const truth = await office.stripe.paymentIntents.retrieve(intent);
  return JSON.stringify({
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: 1_780_000_000,
    livemode,
    type,
    data: { object: { ...truth, status: 'succeeded', amount_received: truth.amount, ...object } },
  });
}

function send(body: string, header?: string) {
  return office.request('POST', '/api/provider/webhooks', {
    body,
    headers: header === undefined ? {} : { 'stripe-signature': header },
  });
}

function sign(payload: string, options: { secret?: string; secondsAgo?: number } = {}): string {
  const now = Math.floor(office.clock.now().getTime() / 1000);
  return office.stripe.webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? office.provider.keys.webhookSecret,
    timestamp: now - (options.secondsAgo ?? 0),
  });
}

async function sendSigned(change: Change = {}) {
  const body = await buildEvent(change);
  return send(body, sign(body));
}

const alerts = () => office.logged.filter(({ level }) => level === 'error').map(({ event }) => event);
const state = async () => (await office.readOrder(order.id)).status;

test('an event without a valid signature of its exact bytes changes nothing', async () => {
  const body = await buildEvent();
  const other = await buildEvent({ id: 'evt_other' });
  const attempts: [string, string | undefined][] = [
    [body, undefined],
    [body, ''],
    [body, 'garbage'],
    [body, sign(body, { secret: 'whsec_somebody_else' })],
    [body.replace('succeeded', 'succeedeD'), sign(body)],
    [JSON.stringify(JSON.parse(body), null, 2), sign(body)],
    [body, sign(other)],
    ['', sign('')],
    ['not json', sign('not json')],
  ];
  for (const [sent, header] of attempts) {
    const reply = await send(sent, header);
    expect([reply.status, codeOf(reply)], header ?? 'none').toEqual([400, 'webhook_rejected']);
  }
  expect(await state()).toBe('awaiting_payment');
  expect(await office.count('provider_events')).toBe(0);
});

test('an event signed more than five minutes ago, or ahead, is refused', async () => {
  const body = await buildEvent();
  for (const secondsAgo of [301, -301, 86_400, -86_400]) {
    expect((await send(body, sign(body, { secondsAgo }))).status).toBe(400);
  }
  expect((await send(body, sign(body, { secondsAgo: 299 }))).status).toBe(200);
  expect(await state()).toBe('confirmed');
});

test.each([7200, -7200])(
  'an order is paid once by a server whose clock is off by %i seconds',
  async (secondsAgo) => {
    await office.confirmWith(intent);
    const body = await buildEvent();
    expect((await send(body, sign(body, { secondsAgo }))).status).toBe(400);
    office.clock.advance(120_000);
    await reconcilePayments(office.context);
    expect(await state()).toBe('confirmed');
    expect((await send(body, sign(body))).status).toBe(200);
    expect([await office.count('tickets'), await office.count('mails:order-confirmed')]).toEqual([1, 1]);
  },
);

test('the same event repeated, also concurrently, confirms the order once', async () => {
  const body = await buildEvent();
  const replies = await Promise.all(Array.from({ length: 8 }, () => send(body, sign(body))));
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect((await send(body, sign(body))).status).toBe(200);
  expect(await office.count('tickets')).toBe(1);
  expect(await office.count('mails:order-confirmed')).toBe(1);
  expect(await office.taken(office.ferry.outward[0] ?? '')).toMatchObject({ passenger: [0, 1] });
});

test('different events about the same success confirm the order once', async () => {
  await Promise.all(Array.from({ length: 5 }, (_, index) => sendSigned({ id: `evt_${index}` })));
  expect(await office.count('tickets')).toBe(1);
  expect(await office.count('refunds')).toBe(0);
});

test('events in any order have the same result: a paid order stays paid', async () => {
  const failed = {
    status: 'requires_payment_method',
    amount_received: 0,
    last_payment_error: { type: 'card_error', code: 'card_declined', charge: 'ch_1' },
  };
  await sendSigned({ id: 'evt_2' });
  for (const [type, object] of [
    ['payment_intent.payment_failed', failed],
    ['payment_intent.processing', { status: 'processing', amount_received: 0 }],
    ['payment_intent.requires_action', { status: 'requires_action', amount_received: 0 }],
    ['payment_intent.canceled', { status: 'canceled', amount_received: 0 }],
  ] as const) {
    expect((await sendSigned({ id: `evt_${type}`, type, object })).status).toBe(200);
  }
  expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', payment_status: 'paid' });
});

test.for([
  ['amount', { amount_received: 1 }],
  ['more than the amount', { amount_received: 999_999 }],
  ['currency', { currency: 'eur' }],
  ['order', { metadata: { order_id: 'ord_00000000000000000000000000' } }],
  ['no order', { metadata: {} }],
] as const)('a success whose %s does not match pays nothing and raises an alert', async ([, object]) => {
  expect((await sendSigned({ object })).status).toBe(200);
  expect(await state()).toBe('awaiting_payment');
  expect(alerts()).toEqual(['payment does not match its order']);
});

test('an event of live mode is logged and ignored in test mode', async () => {
  expect((await sendSigned({ livemode: true })).status).toBe(200);
  expect(await state()).toBe('awaiting_payment');
  expect(alerts()).toEqual(['event of the other mode ignored']);
});

test('a payment without a known order is logged and ignored', async () => {
  expect((await sendSigned({ object: { id: 'pi_unknown', metadata: {} } })).status).toBe(200);
  expect(alerts()).toEqual(['payment of no order of ours']);
});

test('events of other types are accepted and ignored', async () => {
  expect((await sendSigned({ type: 'customer.created' })).status).toBe(200);
  expect(await state()).toBe('awaiting_payment');
});

test('an oversized event is refused unread', async () => {
  expect((await send('x'.repeat(600_000), 't=1,v1=x')).status).toBe(413);
});

test('an event that fails halfway is rolled back, and works when it is sent again', async () => {
  const { ticketSigner } = office.context;
  const sound = ticketSigner.sign;
  ticketSigner.sign = () => {
    throw new Error('no key');
  };
  const body = await buildEvent();
  expect((await send(body, sign(body))).status).toBe(500);
  expect(await state()).toBe('awaiting_payment');
  expect(await office.count('provider_events')).toBe(0);
  expect(await office.taken(office.ferry.outward[0] ?? '')).toMatchObject({ passenger: [1, 0] });

  ticketSigner.sign = sound;
  expect((await send(body, sign(body))).status).toBe(200);
  expect(await state()).toBe('confirmed');
  expect(await office.count('mails:order-confirmed')).toBe(1);
});
