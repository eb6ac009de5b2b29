import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '#server/core/clock.ts';
import { ApiError } from '#server/http/api-error.ts';
import { startPayment } from '#server/orders/buy/start-payment.ts';
import { reconcilePayments } from '#server/orders/pay/payment-jobs.ts';
import { RefundRefused, refundOrder } from '#server/orders/pay/refund-order.ts';
import { freezeCard, replaceLostCard, unfreezeCard } from '#server/trip-cards/block-card.ts';
import { adjustBalance, takeCharge } from '#server/trip-cards/operator-commands.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import { watchHistory } from '#tests/server/histories/watch.ts';
import { PROVIDER_OUTAGE } from '#tests/setup/server.ts';

/*
 * Orders are paid by trip card, payment card or both, abandoned, expired and refunded, while gates charge the card,
 * connections break and processes die. Every order is paid once, every part is spent once, and all balances
 * match the ledger.
 */

const MINUTE = 60_000;
let office: Office;
let isCutOff = false;
let customerId: string;
let sessionId: string;
let card: { id: string; number: string };
let charges = 0;
beforeAll(async () => {
  office = await openOffice();
  const { fetch } = office.provider;
  office.provider.fetch = async (request) => {
    if (isCutOff) throw new TypeError('fetch failed');
    return fetch(request);
  };
});
afterAll(() => office.close());

const pick = fc.nat(3);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('order' as const), adults: fc.integer({ min: 1, max: 2 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('begin' as const),
      pick,
      how: fc.oneof(
        fc.constantFrom('whole' as const, 'card' as const, 'most' as const),
        fc.integer({ min: 1, max: 3000 }),
      ),
      /** The process dies at this reading of the clock. */
      crashAt: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 3 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'confirm' as const,
        'confirm' as const,
        // With a card whose bank returns every refund.
        'confirm in vain' as const,
        'decline' as const,
        'poll' as const,
        'cancel' as const,
      ),
      pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('refund' as const), pick, toTripCard: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('charge' as const, 'fill' as const),
      amount: fc.integer({ min: 100, max: 2500 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'webhooks' as const,
        'jobs' as const,
        'cut off' as const,
        'reconnect' as const,
        'freeze' as const,
        'unfreeze' as const,
        'lost' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Buyer = {
  orderId: string;
  buyerSecret: string;
  reference: string;
  total: number;
  paymentId?: string;
  intent?: string;
};

class Crash extends Error {}

test('any combination of payments pays an order once, and every balance matches the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 50, size: 'max' }), async (steps) => {
      await office.reopen({ passengers: 30 });
      isCutOff = false;
      await openCard();
      const { expectInvariants } = watchHistory(office);
      const buyers: Buyer[] = [];
      for (const each of steps) {
        await act(each, buyers);
        await expectInvariants();
      }
      await letEverythingSettle();
      await expectInvariants();
      await expectNothingOpen();
      await expectProviderAgrees();
    }),
    { numRuns: 6, seed: 20_261_121 },
  );
}, 240_000);

async function openCard(): Promise<void> {
  customerId = (await createCustomer(office.context)).id;
  await startSession(office.context, customerId);
  const [session] = await office.database.store.query<{ id: string }>('select id from sessions');
  sessionId = session?.id ?? '';
  card = await createTripCard(office.context, customerId, { balance: 4000 });
}

async function act(each: Step, buyers: Buyer[]): Promise<void> {
  try {
    await perform(each, buyers);
  } catch (error) {
    const isAnswer = error instanceof ApiError || error instanceof RefundRefused || error instanceof Crash;
    if (!isAnswer) throw error;
  }
}

async function perform(each: Step, buyers: Buyer[]): Promise<void> {
  const { context } = office;
  switch (each.kind) {
    case 'order': {
      const {
        id,
        buyer_secret: buyerSecret,
        reference,
        total,
      } = await office.takeOrder({ adults: each.adults });
      buyers.push({ orderId: id, buyerSecret, reference, total });
      return;
    }
    case 'wait':
      return office.clock.advance(each.minutes * MINUTE);
    case 'webhooks':
      return void (await office.provider.deliverNow());
    case 'jobs':
      return runMinuteJobs();
    case 'cut off':
    case 'reconnect':
      isCutOff = each.kind === 'cut off';
      return;
    case 'freeze':
      return void (await freezeCard(context, { customerId, cardId: card.id }));
    case 'unfreeze':
      return void (await unfreezeCard(context, { customerId, cardId: card.id }));
    case 'lost':
      return replaceCard();
    case 'fill':
      charges += 1;
      return void (await adjustBalance(context, {
        actor: { kind: 'server' },
        number: card.number,
        amount: each.amount,
        reason: 'Filled',
        key: `fill:${charges}`,
      }));
    case 'charge':
      return chargeAtGate(each.amount);
    default: {
      const buyer = buyers[each.pick % Math.max(1, buyers.length)];
      if (buyer) await performFor(buyer, each);
    }
  }
}

async function performFor(buyer: Buyer, each: Extract<Step, { pick: number }>): Promise<void> {
  const { orderId, paymentId, intent } = buyer;
  if (each.kind === 'begin') return begin(buyer, each);
  if (each.kind === 'refund') {
    await refundOrder(office.context, {
      actor: { kind: 'server' },
      reference: buyer.reference,
      toTripCard: each.toTripCard ? card.number : null,
    });
  }
  if (each.kind === 'confirm' && intent) await atTheCardForm(() => office.confirmWith(intent));
  if (each.kind === 'confirm in vain' && intent) {
    await atTheCardForm(() => office.confirmWith(intent, 'pm_card_refundFail'));
  }
  if (each.kind === 'decline' && intent) {
    await atTheCardForm(() => office.confirmWith(intent, 'pm_card_chargeDeclined'));
  }
  if (each.kind === 'poll' && paymentId) await office.readPayment(orderId, paymentId);
  if (each.kind === 'cancel') await office.cancelOrder({ id: orderId, buyer_secret: buyer.buyerSecret });
}

async function begin(buyer: Buyer, { how, crashAt }: Extract<Step, { kind: 'begin' }>): Promise<void> {
  const amount = typeof how === 'number' ? how : null;
  const tripCard =
    how === 'card'
      ? null
      : { customerId, tripCardId: card.id, amount, trips: null, isWhole: how === 'whole' };
  const payment = { customerId, sessionId, device: '', paymentCardId: null, isToBeSaved: false, tripCard };
  const { clock } = office.context;
  const context = crashAt === null ? office.context : { ...office.context, clock: mortal(clock, crashAt) };
  const started = await startPayment(context, {
    ...{ orderId: buyer.orderId, network: '', language: 'en', payerId: customerId, payment },
  });
  buyer.paymentId = started.id;
  const [intent] = started.client_secret?.split('_secret') ?? [];
  if (intent !== undefined) buyer.intent = intent;
}

/** A clock that throws at the n-th reading. */
function mortal(clock: Clock, looks: number): Clock {
  let left = looks;
  return {
    now() {
      left -= 1;
      if (left === 0) throw new Crash('The process died.');
      return clock.now();
    },
  };
}

async function chargeAtGate(amount: number): Promise<void> {
  charges += 1;
  const charge = {
    deviceId: 'G1',
    deviceSeq: charges,
    number: card.number,
    amount,
    occurredAt: office.clock.now(),
    place: '',
  };
  await takeCharge(office.context, { charge, actor: { kind: 'server' } });
  await takeCharge(office.context, { charge, actor: { kind: 'server' } });
}

async function replaceCard(): Promise<void> {
  const id = await replaceLostCard(office.context, { customerId, cardId: card.id });
  const [row] = await office.database.store.query<{ number: string }>(
    'select number from trip_cards where id = $1',
    [id],
  );
  card = { id, number: row?.number ?? '' };
}

/** The buyer's connection to the provider, independent of the server's. */
async function atTheCardForm(work: () => Promise<unknown>): Promise<void> {
  const before = isCutOff;
  isCutOff = false;
  await work();
  isCutOff = before;
}

async function runMinuteJobs(): Promise<void> {
  await office.jobs.send('expire-holds', {});
  await office.jobs.runJobs(isCutOff ? PROVIDER_OUTAGE : {});
  await reconcilePayments(office.context);
}

async function letEverythingSettle(): Promise<void> {
  isCutOff = false;
  // Returned refunds are retried for two days.
  for (const minutes of [40, 40, 40, 25 * 60, 25 * 60, 25 * 60]) {
    office.clock.advance(minutes * MINUTE);
    await runMinuteJobs();
    await office.provider.deliverNow();
    await office.jobs.runJobs();
  }
}

async function expectNothingOpen(): Promise<void> {
  const open = await office.database.store.query(
    `select id from orders where status in ('held', 'awaiting_payment')
     union all select id from refunds where status in ('requested', 'pending')
     union all select payment_id from trip_card_reservations where status = 'held'
     union all select id from payments where status in ('created', 'requires_action', 'processing')`,
  );
  expect(open).toEqual([]);
}

/** The charged and refunded amounts at the provider equal those in the database. */
async function expectProviderAgrees(): Promise<void> {
  const { stripe } = office;
  const { data: intents } = await stripe.paymentIntents.list({ limit: 100 });
  const { data: refunds } = await stripe.refunds.list({ limit: 100 });
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const [ours] = await office.database.store.query<{ taken: number; given: number }>(
    `select
       (select coalesce(sum(amount), 0)::int from payments where method = 'card' and status = 'succeeded') as taken,
       (select coalesce(sum(amount), 0)::int from refunds where trip_card_id is null and status = 'succeeded') as given`,
  );
  expect({
    taken: sum(intents.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)),
    given: sum(refunds.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)),
  }).toEqual(ours);
}
