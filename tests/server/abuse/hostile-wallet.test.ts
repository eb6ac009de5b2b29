import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { must } from '#tests/factories/buyer.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { type CardOffice, openCardOffice, type Wallet } from '#tests/server/payment-cards/wallet.ts';
import { leavesOf, withText } from '#tests/setup/damaged-body.ts';
import { hostileJson } from '#tests/setup/json-arbitrary.ts';

/*
 * Uses existing cards with a balance, so that invalid values in the calls that move value are found by
 * validation, and no value moves.
 */

type Call = [method: string, path: string, body: object];
let office: CardOffice;
let wallet: Wallet;
let good: Record<string, Call>;
let cards: string[];
beforeAll(async () => {
  office = await openCardOffice();
  wallet = await office.openWallet();
  const saved = await wallet.add();
  const from = await createTripCard(office.context, wallet.customer.id, { balance: 50_000 });
  const to = await createTripCard(office.context, wallet.customer.id, { balance: 10 });
  cards = [from.id, to.id];
  const order = await office.takeOrder({ adults: 2 });
  const path = (rest = '') => `${api.listTripCards.path}/${from.id}${rest}`;
  const pay = fillPath(api.startPayment.path, { id: order.id });
  const part = { method: 'card', trip_card_id: from.id, trip_card_amount: 1000 };
  good = {
    adopt: ['POST', api.listTripCards.path, { number: from.number, pin: '4711', name: 'Blue' }],
    change: ['PATCH', path(), { name: 'Blue', low_balance_at: 500 }],
    transfer: ['POST', path('/transfers'), { to_card_id: to.id, amount: 100 }],
    share: ['POST', path('/shares'), { email: 'friend@example.com', role: 'spend', daily_limit: 500 }],
    'top-up': ['POST', path('/top_ups'), { amount: 2000, payment_card_id: saved.id }],
    'top-up by a new card': ['POST', path('/top_ups'), { amount: 2000, save_card: true }],
    'automatic top-up': [
      'PUT',
      path('/auto_top_up'),
      { threshold: 500, amount: 2000, payment_card_id: saved.id, max_per_day: 2, paused: true },
    ],
    'part by trip card': ['POST', pay, part],
    'saved card': ['POST', pay, { ...part, payment_card_id: saved.id }],
    'new card': ['POST', api.listPaymentCards.path, { setup_intent_id: 'seti_1', primary: true }],
  };
});
afterAll(() => office.close());

const balances = () =>
  office.database.store.query<{ id: string; balance: number }>(
    'select id, balance::int as balance from trip_cards order by id',
  );

test('a call about cards with any one value damaged is answered or refused, and never fails', async () => {
  const damages = Object.keys(good).flatMap((name) =>
    leavesOf(good[name]?.[2]).map((leaf) => ({ name, leaf })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...damages),
      hostileJson(),
      fc.nat(200),
      async (damage, value, network) => {
        const [method = '', path = '', body = {}] = good[damage.name] ?? [];
        const reply = await wallet.request(method, path, {
          body: withText(body, damage.leaf, JSON.stringify(value) ?? 'null'),
          idempotencyKey: randomUUID(),
          from: `192.0.${network}.1`,
        });
        expect(reply.status, `${damage.name} ${damage.leaf} ${JSON.stringify(reply.body)}`).toBeLessThan(500);
        expect(reply.body.status_code).toBe(reply.status);
      },
    ),
    { numRuns: 250, seed: 7 },
  );
  expect(office.logged.filter(({ level }) => level === 'error')).toEqual([]);
  expect(await findBrokenBooks(office.context)).toEqual([]);
}, 60_000);

test.each([
  '-1',
  '0',
  '0.5',
  '"100"',
  '1e9',
  '2147483648',
  '9007199254740993',
  '1e999',
  'null',
  '"１００"',
  '[1]',
])('no value moves for an amount of %s', async (text) => {
  const before = await balances();
  for (const name of ['transfer', 'top-up', 'automatic top-up']) {
    const [method, path, body] = good[name] as Call;
    const request = { body: withText(body, 'amount', text), idempotencyKey: randomUUID() };
    expect([name, (await wallet.request(method, path, request)).status]).toEqual([name, 422]);
  }
  const [method, path, body] = good['part by trip card'] as Call;
  const request = { body: withText(body, 'trip_card_amount', text), idempotencyKey: randomUUID() };
  expect((await wallet.request(method, path, request)).status).toBe(422);
  expect(await balances()).toEqual(before);
});

test('any query of a card’s history returns a page or is refused', async () => {
  const odd = [
    '0',
    '-1',
    '1.5',
    '1e3',
    '１',
    '',
    'null',
    '99999999999999999999',
    "1' or 1=1",
    '%00',
    '2026-02-30',
  ];
  for (const value of odd) {
    for (const name of ['page', 'before_seq', 'from', 'to', 'format', 'filters[0][field]']) {
      for (const list of ['balance', 'top_ups', 'statement']) {
        const query = new URLSearchParams({ [name]: value });
        const reply = await wallet.request('GET', `${api.listTripCards.path}/${cards[0]}/${list}?${query}`);
        expect([200, 422], `${list} ${name}=${value} ${reply.status}`).toContain(reply.status);
      }
    }
  }
  must(await wallet.request('GET', `${api.listTripCards.path}/${cards[0]}/balance`));
});
