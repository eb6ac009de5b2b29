import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, type Office, openOffice } from '#tests/factories/buyer.ts';
import { hostileJson } from '#tests/setup/json-arbitrary.ts';
import type { TestReply } from '#tests/setup/server.ts';

let office: Office;
let order: { id: string };
let intent: Record<string, unknown>;
beforeAll(async () => {
  office = await openOffice();
  const taken = await office.takePayment();
  order = taken.order;
  intent = { ...(await office.stripe.paymentIntents.retrieve(taken.intent)) };
});
afterAll(() => office.close());
beforeEach(() => {
  office.logged.length = 0;
});

/** Sends a body with the provider's own signature. */
function send(body: string): Promise<TestReply> {
  const header = office.stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: office.provider.keys.webhookSecret,
    timestamp: Math.floor(office.clock.now().getTime() / 1000),
  });
  return office.request('POST', '/api/provider/webhooks', { body, headers: { 'stripe-signature': header } });
}

let events = 0;
function eventOf(type: string, object: unknown): Record<string, unknown> {
  events += 1;
  return { id: `evt_malformed_${events}`, object: 'event', type, livemode: false, data: { object } };
}

const alerts = () => office.logged.filter(({ level }) => level === 'error').map(({ event }) => event);

const TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'payment_method.updated',
  'payment_method.detached',
  'customer.created',
  'no.such.type',
];

describe('a signed message', () => {
  test.each([
    'null',
    'true',
    '7',
    '"text"',
    '[]',
    '[{}]',
    '{}',
    '{"id":"evt_1"}',
    '{"id":"evt_1","type":"payment_intent.succeeded","livemode":false}',
    '{"id":"evt_1","type":"payment_intent.succeeded","livemode":false,"data":null}',
    '{"id":"evt_1","type":"payment_intent.succeeded","livemode":false,"data":{}}',
    '{"id":"evt_1","type":"payment_intent.succeeded","livemode":false,"data":{"object":null}}',
    '{"id":"evt_1","type":"payment_intent.succeeded","livemode":false,"data":{"object":{}}}',
    '{"id":"evt_1","type":"refund.updated","livemode":false,"data":{"object":{"id":7}}}',
    '{"id":"evt_1","type":"charge.dispute.created","livemode":false,"data":{"object":{"id":[]}}}',
    '{"id":"","type":"customer.created","livemode":false,"data":{"object":{}}}',
    '{"id":"evt_\\u0000","type":"customer.created","livemode":false,"data":{"object":{}}}',
    '{"id":"evt_1","type":{},"livemode":false,"data":{"object":{}}}',
    '{"id":"evt_1","type":"customer.created","livemode":"no","data":{"object":{}}}',
  ])('that is no event is refused with 400: %s', async (body) => {
    const reply = await send(body);
    expect(reply.status).toBe(400);
    expect(['malformed_request', 'webhook_rejected']).toContain(codeOf(reply));
    expect(alerts().length).toBeLessThanOrEqual(1);
    expect(await office.count('provider_events')).toBe(0);
  });

  test('of a type we do not act on is acknowledged, whatever its object looks like', async () => {
    const reply = await send(JSON.stringify(eventOf('customer.created', { id: null, deep: [[]] })));
    expect(reply.status).toBe(200);
    expect(alerts()).toEqual([]);
  });

  test.each(['charge.dispute.created', 'charge.dispute.closed'])(
    'about a dispute (%s) that neither we nor the provider know is acknowledged and logged',
    async (type) => {
      const reply = await send(
        JSON.stringify(eventOf(type, { id: 'du_unknown', payment_intent: 'pi_unknown' })),
      );
      expect(reply.status).toBe(200);
      expect(alerts()).toEqual(['dispute unknown to the provider']);
    },
  );

  test('about a saved card that the provider does not know is acknowledged', async () => {
    for (const payment_method of ['pm_unknown', null]) {
      const setup = { id: 'seti_unknown', payment_method, metadata: {} };
      expect((await send(JSON.stringify(eventOf('setup_intent.succeeded', setup)))).status).toBe(200);
    }
  });

  test('with any content is answered with 200 or 400, and pays nothing', async () => {
    const anyField = fc.constantFrom(...Object.keys(intent), 'payment_intent', '__proto__', '');
    const damagedObject = fc
      .tuple(anyField, hostileJson())
      .map(([name, value]) => Object.fromEntries([...Object.entries(intent), [name, value]]));
    const damagedEvent = fc
      .tuple(
        fc.constantFrom(...TYPES),
        fc.oneof(damagedObject, hostileJson(), fc.object()),
        fc.option(fc.tuple(fc.constantFrom('id', 'type', 'livemode', 'data'), hostileJson()), { freq: 3 }),
      )
      .map(([type, object, damage]) =>
        Object.fromEntries([...Object.entries(eventOf(type, object)), ...(damage ? [damage] : [])]),
      );
    await fc.assert(
      fc.asyncProperty(fc.oneof(damagedEvent, hostileJson()), async (body) => {
        const reply = await send(JSON.stringify(body) ?? 'null');
        expect([200, 400]).toContain(reply.status);
      }),
      { numRuns: 300 },
    );
    expect((await office.readOrder(order.id)).status).toBe('awaiting_payment');
  }, 120_000);
});
