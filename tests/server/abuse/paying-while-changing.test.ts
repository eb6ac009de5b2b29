import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { reconcilePayments } from '#server/orders/pay/payment-jobs.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';

const MINUTE = 60_000;
let office: Office;
let reach: Office['provider']['fetch'];
beforeAll(async () => {
  office = await openOffice();
  reach = office.provider.fetch;
});
afterAll(() => office.close());
beforeEach(() => office.reopen());
afterEach(() => {
  office.provider.fetch = reach;
});

const intentOf = (payment: { client_secret: string }) => payment.client_secret.split('_secret')[0] ?? '';
const statusAt = async (intent: string) => (await office.stripe.paymentIntents.retrieve(intent)).status;
const swap = (holdId: string, quoteId: string) =>
  office.request('PATCH', `/api/holds/${holdId}`, {
    body: { quote_id: quoteId },
    idempotencyKey: randomUUID(),
  });

/** Runs an action after the provider has canceled a payment and before its response arrives. */
function afterTheNextCancellation(work: () => Promise<void>): void {
  office.provider.fetch = async (request) => {
    const answer = await reach(request);
    if (request.url.endsWith('/cancel')) {
      office.provider.fetch = reach;
      await work();
    }
    return answer;
  };
}

/** Calls to cancel a payment do not reach the provider. */
function loseCancellations(): void {
  office.provider.fetch = async (request) => {
    if (request.url.endsWith('/cancel')) throw new TypeError('fetch failed');
    return reach(request);
  };
}

async function declineFiveTimes(intent: string): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    await office.confirmWith(intent, 'pm_card_chargeDeclined');
    await office.provider.deliverNow();
  }
}

test('a payment begun in another tab while the party grows does not pay for the larger party', async () => {
  const { order, hold } = await office.takePayment({ adults: 1 });
  const dearer = must(await office.quote({ adults: 9 }));
  let small = '';
  afterTheNextCancellation(async () => {
    small = intentOf(must(await office.pay(order.id)));
  });
  expect(codeOf(await swap(hold.id, dearer.id))).toBe('payment_in_progress');
  await office.confirmWith(small);
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', total: 1275, tickets: [{}] });
});

test('a payment for an outdated price is refunded and confirms nothing', async () => {
  const { order, hold, intent } = await office.takePayment({ adults: 1 });
  loseCancellations();
  await declineFiveTimes(intent);
  const dearer = must(await office.quote({ adults: 9 }));
  must(await swap(hold.id, dearer.id));
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  await office.jobs.runJobs();
  await office.provider.deliverNow();
  expect(await office.readOrder(order.id)).toMatchObject({
    status: 'awaiting_payment',
    paid: 0,
    tickets: [],
    refunds: [{ amount: 1275, status: 'succeeded' }],
  });
});

test('an order blocked for its declined cards stays blocked, although the first call to the provider fails', async () => {
  const { intent } = await office.takePayment();
  loseCancellations();
  await declineFiveTimes(intent);
  expect(await statusAt(intent)).toBe('requires_payment_method');
  office.provider.fetch = reach;
  await office.confirmWith(intent, 'pm_card_chargeDeclined');
  await office.provider.deliverNow();
  expect(await statusAt(intent)).toBe('canceled');
});

test('twenty declined cards block their network, also when all its payments were started before', async () => {
  const intents: string[] = [];
  for (let order = 0; order < 6; order += 1) intents.push((await office.takePayment()).intent);
  for (const intent of intents) {
    for (let tries = 0; tries < 4; tries += 1) await office.confirmWith(intent, 'pm_card_chargeDeclined');
    await office.provider.deliverNow();
  }
  const states = await Promise.all(intents.map(statusAt));
  expect(states.slice(0, 4)).toEqual(Array(4).fill('requires_payment_method'));
  expect(states.at(-1)).toBe('canceled');
  const [sum] = await office.database.store.query('select sum(declines)::int as declines from orders');
  expect(sum).toEqual({ declines: 21 });
});

test('an order whose total becomes zero needs no payment, even if one was started', async () => {
  const taken = await office.takePayment();
  const free = must(await office.quote({ promo: 'FREE' }));
  must(await swap(taken.hold.id, free.id));
  expect(must(await office.order(taken.hold.id, free.id))).toMatchObject({ status: 'confirmed', total: 0 });

  const other = await office.takePayment();
  must(await swap(other.hold.id, must(await office.quote({ promo: 'FREE' })).id));
  expect(codeOf(await office.pay(other.order.id))).toBe('already_paid');
  expect(await office.readOrder(other.order.id)).toMatchObject({ status: 'confirmed', tickets: [{}] });
  expect(await office.count('mails:order-confirmed')).toBe(2);
});

test('no order is created for places that are released concurrently', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const { quote, hold } = await office.takeHold();
    // The interleaving of the two varies.
    const giveBack = async () => {
      for (let pause = 0; pause < turn; pause += 1) await office.count('holds');
      return office.request('DELETE', `/api/holds/${hold.id}`);
    };
    await Promise.all([office.order(hold.id, quote.id), giveBack()]);
  }
  const stranded = await office.database.store.query(`
    select o.status, h.status from orders o join holds h on h.id = o.hold_id
    where o.status in ('held', 'awaiting_payment') and h.status <> 'active'
  `);
  expect(stranded).toEqual([]);
});

test('an order created while the party changes is for the party of the hold', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    await office.reopen();
    const larger = must(await office.quote({ adults: 3 }));
    const { quote, hold } = await office.takeHold();
    const grow = async () => {
      for (let pause = 0; pause < turn % 5; pause += 1) await office.count('holds');
      return swap(hold.id, larger.id);
    };
    await Promise.all([office.order(hold.id, quote.id), grow()]);
    const differing = await office.database.store.query(`
      select o.total as ordered, h.total as held from orders o join holds h on h.id = o.hold_id
      where o.total <> h.total
    `);
    expect(differing).toEqual([]);
  }
});

const acts = ['order', 'pay', 'grow', 'shrink', 'cancel', 'release', 'extend', 'card', 'look'] as const;
const likely = fc.constantFrom(...acts, 'order' as const, 'order' as const, 'pay' as const, 'pay' as const);

test('an order that several tabs change concurrently is paid in full when it is confirmed', async () => {
  const together = fc.array(likely, { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(together, { minLength: 2, maxLength: 6 }), async (rounds) => {
      await office.reopen({ passengers: 6 });
      const { quote, hold } = await office.takeHold();
      const buyer = {
        holdId: hold.id,
        quoteId: quote.id,
        orderId: '',
        paymentId: '',
        intents: [] as string[],
      };
      for (const round of rounds) await Promise.all(round.map((act) => actAs(buyer, act)));
      for (const intent of buyer.intents) await office.confirmWith(intent);
      await letEverythingSettle();
      await expectPaidInFull();
    }),
    { numRuns: 30, seed: 20_260_601 },
  );
}, 120_000);

type Buyer = {
  holdId: string;
  quoteId: string;
  orderId: string;
  buyerSecret?: string;
  paymentId: string;
  intents: string[];
};

async function actAs(buyer: Buyer, act: (typeof acts)[number]): Promise<void> {
  if (act === 'pay' && buyer.orderId) {
    const { body } = await office.pay(buyer.orderId);
    if (!body.success) return;
    buyer.paymentId = body.data.id;
    buyer.intents.push(intentOf(body.data));
  }
  if (act === 'grow' || act === 'shrink') {
    const quote = must(await office.quote({ adults: act === 'grow' ? 3 : 1 }));
    if ((await swap(buyer.holdId, quote.id)).body.success) buyer.quoteId = quote.id;
  }
  if (act === 'order') {
    const { body } = await office.order(buyer.holdId, buyer.quoteId);
    if (body.success) {
      buyer.orderId = body.data.id;
      // A repeated order has none.
      buyer.buyerSecret = body.data.buyer_secret ?? buyer.buyerSecret;
    }
  }
  if (act === 'cancel' && buyer.orderId) {
    await office.cancelOrder({ id: buyer.orderId, buyer_secret: buyer.buyerSecret });
  }
  if (act === 'release') await office.request('DELETE', `/api/holds/${buyer.holdId}`);
  if (act === 'extend') await office.request('PATCH', `/api/holds/${buyer.holdId}`, { body: {} });
  const intent = buyer.intents.at(-1);
  if (act === 'card' && intent) await office.confirmWith(intent);
  if (act === 'look' && buyer.paymentId) await office.readPayment(buyer.orderId, buyer.paymentId);
}

async function letEverythingSettle(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await office.provider.deliverNow();
    office.clock.advance(40 * MINUTE);
    await office.jobs.send('expire-holds', {});
    await office.jobs.runJobs();
    await reconcilePayments(office.context);
  }
}

async function expectPaidInFull(): Promise<void> {
  const intents = (await office.stripe.paymentIntents.list({ limit: 100 })).data;
  const refunds = (await office.stripe.refunds.list({ limit: 100 })).data;
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const taken = sum(intents.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount));
  const received = taken - sum(refunds.map(({ amount }) => amount));
  const [books] = await office.database.store.query(`
    select coalesce(sum(total), 0)::int as sold, coalesce(sum(total - paid), 0)::int as owed,
      (select coalesce(sum(sold), 0)::int from voyage_capacity where resource = 'passenger') as places,
      (select coalesce(sum(held), 0)::int from voyage_capacity) as held,
      (select count(*)::int from tickets) as tickets,
      (select count(*)::int from orders where status in ('held', 'awaiting_payment')) as waiting
    from orders where status = 'confirmed'
  `);
  const places = received / 1275;
  expect(books).toEqual({ sold: received, owed: 0, places, held: 0, tickets: places, waiting: 0 });
}
