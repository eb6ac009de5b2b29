import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcilePayments } from '#server/orders/pay/payment-jobs.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';
import { watchHistory } from '#tests/server/histories/watch.ts';
import { PROVIDER_OUTAGE } from '#tests/setup/server.ts';

const MINUTE = 60_000;
let office: Office;
/** Whether our server's calls reach the provider; buyers' browsers always do. */
let isCutOff = false;
beforeAll(async () => {
  office = await openOffice();
  const { fetch } = office.provider;
  office.provider.fetch = async (request) => {
    if (isCutOff) throw new TypeError('fetch failed');
    return fetch(request);
  };
});
afterAll(() => office.close());

/** Actions of buyers and the provider, and expiry, in any order. `pick` selects one of the buyers. */
const pick = fc.nat(5);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      adults: fc.integer({ min: 1, max: 3 }),
      bicycles: fc.integer({ min: 0, max: 1 }),
      car: fc.boolean(),
      isReturn: fc.boolean(),
      promo: fc.constantFrom(undefined, 'TEN', 'ONCE', 'FREE'),
    }),
  },
  { weight: 16, arbitrary: fc.record({ kind: fc.constant('proceed' as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'decline' as const,
        'poll' as const,
        'swap' as const,
        'extend' as const,
        'release' as const,
        'cancel' as const,
      ),
      pick,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('webhooks' as const, 'jobs' as const, 'cut off' as const, 'reconnect' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Buyer = {
  quoteId: string;
  holdId: string;
  orderId?: string;
  buyerSecret?: string;
  paymentId?: string;
  intent?: string;
};

test('no sequence of events sells a place twice or keeps money without an order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      await office.reopen({ passengers: 4, laneCm: 1100, bicycles: 3 });
      const { expectInvariants } = watchHistory(office);
      const buyers: Buyer[] = [];
      for (const each of steps) {
        await act(each, buyers);
        await expectInvariants();
      }
      await letEverythingSettle();
      await expectInvariants();
      await expectMoneyAccountedFor();
    }),
    { numRuns: 12, seed: 20_260_601 },
  );
}, 240_000);

async function act(each: Step, buyers: Buyer[]): Promise<void> {
  if (each.kind === 'hold') return takeHold(each, buyers);
  if (each.kind === 'wait') return office.clock.advance(each.minutes * MINUTE);
  if (each.kind === 'webhooks') return void (await office.provider.deliverNow());
  if (each.kind === 'jobs') return runMinuteJobs();
  if (each.kind === 'cut off' || each.kind === 'reconnect') {
    isCutOff = each.kind === 'cut off';
    return;
  }
  if (!('pick' in each) || buyers.length === 0) return;
  const buyer = buyers[each.pick % buyers.length];
  if (buyer) await actAs(buyer, each.kind);
}

async function actAs(buyer: Buyer, kind: Step['kind']): Promise<void> {
  const { holdId, quoteId, orderId, paymentId, intent } = buyer;
  const patchHold = (body: object) =>
    office.request('PATCH', `/api/holds/${holdId}`, { body, idempotencyKey: randomUUID() });
  if (kind === 'proceed' && !orderId) {
    const reply = await office.order(holdId, quoteId);
    if (reply.body.success) {
      buyer.orderId = reply.body.data.id;
      buyer.buyerSecret = reply.body.data.buyer_secret;
    }
  }
  if (kind === 'proceed' && orderId && !intent) {
    const reply = await office.pay(orderId);
    if (reply.body.success) {
      buyer.paymentId = reply.body.data.id;
      buyer.intent = reply.body.data.client_secret.split('_secret')[0];
    }
  }
  if (kind === 'proceed' && intent) await atTheCardForm(() => office.confirmWith(intent));
  if (kind === 'decline' && intent) {
    await atTheCardForm(() => office.confirmWith(intent, 'pm_card_chargeDeclined'));
  }
  if (kind === 'poll' && orderId && paymentId) await office.readPayment(orderId, paymentId);
  if (kind === 'extend') await patchHold({});
  if (kind === 'swap') {
    const quote = await office.quote({ adults: 2, bicycles: 1, promo: 'TEN' });
    if (!quote.body.success) return;
    const reply = await patchHold({ quote_id: quote.body.data.id });
    if (reply.body.success) buyer.quoteId = quote.body.data.id;
  }
  if (kind === 'release') await office.request('DELETE', `/api/holds/${holdId}`);
  if (kind === 'cancel' && orderId)
    await office.cancelOrder({ id: orderId, buyer_secret: buyer.buyerSecret });
}

/** The buyer's connection to the provider, independent of the server's. */
async function atTheCardForm(work: () => Promise<unknown>): Promise<void> {
  const before = isCutOff;
  isCutOff = false;
  await work();
  isCutOff = before;
}

async function takeHold(input: Extract<Step, { kind: 'hold' }>, buyers: Buyer[]): Promise<void> {
  const [out = '', back = ''] = [office.ferry.outward[0], office.ferry.back[0]];
  const quote = await office.quote({
    legs: input.isReturn ? [out, back] : [out],
    adults: input.adults,
    bicycles: input.bicycles,
    vehicle: input.car ? { type: 'car', length_cm: 480 } : null,
    ...(input.promo ? { promo: input.promo } : {}),
  });
  if (!quote.body.success) return;
  const held = await office.hold(quote.body.data.id);
  if (held.body.success) buyers.push({ quoteId: quote.body.data.id, holdId: held.body.data.id });
}

async function runMinuteJobs(): Promise<void> {
  await office.jobs.send('expire-holds', {});
  await office.jobs.runJobs(isCutOff ? PROVIDER_OUTAGE : {});
  await reconcilePayments(office.context);
}

async function letEverythingSettle(): Promise<void> {
  isCutOff = false;
  for (let round = 0; round < 3; round += 1) {
    office.clock.advance(40 * MINUTE);
    await runMinuteJobs();
    await office.provider.deliverNow();
    await office.jobs.runJobs();
  }
}

/** Every successful payment at the provider either bought tickets or was refunded. */
async function expectMoneyAccountedFor(): Promise<void> {
  const intents = await office.stripe.paymentIntents.list({ limit: 100 });
  const taken = intents.data.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);
  const refunds = await office.stripe.refunds.list({ limit: 100 });
  const [kept] = await office.database.store.query<{ sum: number }>(
    `select coalesce(sum(total), 0)::int as sum from orders where status = 'confirmed'`,
  );
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  expect(sum(taken) - sum(refunds.data.map(({ amount }) => amount))).toBe(kept?.sum);
  const open = await office.database.store.query(
    `select id from orders where status in ('held', 'awaiting_payment')
     union all select id from refunds where status in ('requested', 'pending')`,
  );
  expect(open).toEqual([]);
}
