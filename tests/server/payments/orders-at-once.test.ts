import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { copyRows } from '#tests/setup/database.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { type CardOffice, openCardOffice, type Wallet } from '../payment-cards/wallet.ts';

const ORDERS = 48;
const FROM_TRIP_CARD = 500;
const BALANCE = 500_000;
const ROUNDS_OF_WEBHOOKS = 8;

let office: CardOffice;
let wallet: Wallet;
let paymentCardId: string;
let tripCardId: string;
let orders: { id: string; total: number }[];
let restoreOrders: () => Promise<void>;
beforeAll(async () => {
  office = await openCardOffice();
  wallet = await office.openWallet();
  paymentCardId = (await wallet.add()).id;
  tripCardId = (await createTripCard(office.context, wallet.customer.id, { balance: BALANCE })).id;
  orders = [];
  for (let number = 0; number < ORDERS; number += 1) orders.push(await office.takeOrder());
  restoreOrders = await copyRows(office.database.store);
});
afterAll(() => office.close());
beforeEach(async () => {
  await restoreOrders();
  office.logged.length = 0;
});

const savedCard = () => ({ method: 'card', payment_card_id: paymentCardId });
const wholeByTripCard = () => ({ method: 'trip_card', trip_card_id: tripCardId });
const both = () => ({ ...savedCard(), trip_card_id: tripCardId, trip_card_amount: FROM_TRIP_CARD });

function totalOfOrders(): number {
  return orders.reduce((sum, { total }) => sum + total, 0);
}

function pay(orderId: string, body: object): Promise<TestReply> {
  const path = fillPath(api.startPayment.path, { id: orderId });
  return wallet.request('POST', path, { body, idempotencyKey: crypto.randomUUID() });
}

/** Webhooks arrive while the requests are being answered, as they do in production. */
async function whileWebhooksArrive<Result>(work: Promise<Result>): Promise<Result> {
  const deliveries = (async () => {
    for (let round = 0; round < ROUNDS_OF_WEBHOOKS; round += 1) await office.provider.deliverNow();
  })();
  const [result] = await Promise.all([work, deliveries]);
  await office.provider.deliverNow();
  return result;
}

async function expectPaidOnce({ byTripCard }: { byTripCard: number }): Promise<void> {
  const states = await office.database.store.query(
    `select status, payment_status, paid = total as is_paid, refunded::int as refunded, count(*)::int as count
     from orders group by 1, 2, 3, 4`,
  );
  expect(states).toEqual([
    { status: 'confirmed', payment_status: 'paid', is_paid: true, refunded: 0, count: ORDERS },
  ]);
  const [paid] = await office.database.store.query(
    `select sum(amount) filter (where method = 'card')::int as card,
       coalesce(sum(amount) filter (where method = 'trip_card'), 0)::int as trip_card
     from payments where status = 'succeeded'`,
  );
  const [charged] = await office.database.store.query<{ sum: number }>(
    `select coalesce(sum((doc->>'amount_received')::int), 0)::int as sum from sandbox.objects
     where object = 'payment_intent' and doc->>'status' = 'succeeded'`,
  );
  const card = charged?.sum ?? 0;
  expect(paid).toEqual({ card: card === 0 ? null : card, trip_card: byTripCard });
  expect(card + byTripCard).toBe(totalOfOrders());
  const [tripCard] = await office.database.store.query(
    'select balance::int as balance, held::int as held from trip_cards where id = $1',
    [tripCardId],
  );
  expect(tripCard).toEqual({ balance: BALANCE - byTripCard, held: 0 });
  expect(await findBrokenBooks(office.context)).toEqual([]);
  const taken = await office.taken(office.ferry.outward[0] ?? '');
  expect(taken.passenger).toEqual([0, ORDERS]);
}

const errors = (): unknown[] => office.logged.filter(({ level }) => level === 'error');

type Direction = [name: string, bodyOf: () => object, sumByTripCard: () => number];
const DIRECTIONS: Direction[] = [
  ['a saved card', savedCard, () => 0],
  ['a trip card', wholeByTripCard, totalOfOrders],
  ['a trip card and a saved card together', both, () => ORDERS * FROM_TRIP_CARD],
];

test.each(DIRECTIONS)(
  'one customer pays forty-eight orders concurrently with %s, and each is paid once',
  async (_, bodyOf, sumByTripCard) => {
    const replies = await whileWebhooksArrive(Promise.all(orders.map(({ id }) => pay(id, bodyOf()))));
    expect(replies.map((reply) => `${reply.status} ${codeOf(reply)}`)).toEqual(
      Array(ORDERS).fill('201 success'),
    );
    await expectPaidOnce({ byTripCard: sumByTripCard() });
    expect(errors()).toEqual([]);
  },
  120_000,
);

test('paying each order twice concurrently, in every way, while account and cards change, pays each once', async () => {
  const journeys = [savedCard, wholeByTripCard, both];
  const payments = orders.flatMap(({ id }, index) =>
    [0, 1].map(() => pay(id, (journeys[index % journeys.length] ?? savedCard)())),
  );
  const changes = Array.from({ length: 12 }, (_, index) => [
    wallet.request('PATCH', api.changeDetails.path, { body: { name: `Ada ${index}` } }),
    wallet.request('PATCH', fillPath(api.getTripCard.path, { id: tripCardId }), {
      body: { name: `Card ${index}` },
    }),
    wallet.makePrimary(paymentCardId),
  ]).flat();
  const [paid, changed] = await whileWebhooksArrive(
    Promise.all([Promise.all(payments), Promise.all(changes)]),
  );
  changed.forEach(must);
  const allowed = ['success', 'already_paid', 'payment_in_progress', 'order_closed'];
  const outcomes = paid.map((reply) => codeOf(reply));
  expect(outcomes.filter((code) => !allowed.includes(code))).toEqual([]);
  expect(paid.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  const byTripCard = orders.reduce(
    (sum, { total }, index) => sum + [0, total, FROM_TRIP_CARD][index % 3]!,
    0,
  );
  await expectPaidOnce({ byTripCard });
  expect(errors()).toEqual([]);
}, 120_000);
