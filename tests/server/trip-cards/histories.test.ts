import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import type { Clock } from '#server/core/clock.ts';
import { newId } from '#server/core/ids.ts';
import { topUps } from '#server/database/schema/trip-cards.ts';
import { freezeCard, replaceLostCard, unfreezeCard } from '#server/trip-cards/block-card.ts';
import { adjustBalance, takeCharge } from '#server/trip-cards/operator-commands.ts';
import type { GateCharge } from '#server/trip-cards/operator-files.ts';
import { postEntry } from '#server/trip-cards/post-entry.ts';
import { refundIn, spend } from '#server/trip-cards/spend.ts';
import { applyTopUpDispute } from '#server/trip-cards/top-up-subject.ts';
import { transfer } from '#server/trip-cards/transfer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { watchHistory } from '#tests/server/histories/watch.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

/*
 * After any sequence of concurrent actions on cards, with crashes in between, balances are the sums of
 * their entries and never negative, the total of all money is unchanged, and each request has taken
 * effect once.
 */

let server: TestServer;
let customerId: string;
let run = 0;
beforeAll(async () => {
  server = await openTestServer();
  customerId = (await createCustomer(server.context)).id;
});
afterAll(() => server.close());

const UNITS = ['money', 'trips'] as const;
type Unit = (typeof UNITS)[number];
/** The columns of a card with money, or of a pass. */
function kindOf(unit: Unit) {
  return unit === 'trips' ? { unit, pass: buildPassTerms() } : { unit };
}

type Card = { id: string; number: string };
type Action =
  | { kind: 'spend' | 'refund' | 'adjust'; card: number; amount: number }
  | { kind: 'transfer'; card: number; other: number; amount: number }
  | { kind: 'freeze' | 'unfreeze' | 'lost'; card: number };
/** `crashAt`: the process dies at this reading of the clock; then the request is repeated. */
type Step = { action: Action; crashAt: number | null; repeats: number };

const cardIndex = fc.nat(2);
const amount = fc.integer({ min: 1, max: 400 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('spend' as const), card: cardIndex, amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), card: cardIndex, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      card: cardIndex,
      amount: fc.integer({ min: -300, max: 300 }).filter((value) => value !== 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      card: cardIndex,
      other: cardIndex,
      amount,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('freeze' as const, 'unfreeze', 'lost'), card: cardIndex }),
  },
);
const step: fc.Arbitrary<Step> = fc.record({
  action,
  crashAt: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 2 }),
  repeats: fc.integer({ min: 0, max: 2 }),
});

class Crash extends Error {}

/** A clock that throws at the n-th reading, also inside a transaction. */
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

async function balances(ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await server.database.store.query<{ id: string; balance: number }>(
    `select id, balance::int as balance from trip_cards where id in (${ids.map((_, n) => `$${n + 1}`).join(', ')})`,
    [...ids],
  );
  return new Map(rows.map(({ id, balance }) => [id, balance]));
}

/** Executes the step; 'refused' if a rule forbids it. */
async function perform(
  context: Context,
  cards: Card[],
  what: Action,
  key: string,
): Promise<'done' | 'refused'> {
  const card = cards[what.card] as Card;
  try {
    switch (what.kind) {
      case 'spend': {
        const input = {
          cardId: card.id,
          customerId,
          amount: what.amount,
          orderId: null,
          cause: { code: 'tickets', reference: 'K7QF-2M9P' } as const,
          key,
        };
        await context.db.transaction((tx) => spend(tx, context, input));
        break;
      }
      case 'refund': {
        const cause = { code: 'refund', reference: 'K7QF-2M9P' } as const;
        const input = { cardId: card.id, amount: what.amount, orderId: null, cause, key };
        await context.db.transaction((tx) => refundIn(tx, context, input));
        break;
      }
      case 'adjust':
        await adjustBalance(context, {
          actor: { kind: 'server' },
          number: card.number,
          amount: what.amount,
          reason: 'Put right',
          key,
        });
        break;
      case 'transfer': {
        const toId = (cards[what.other] as Card).id;
        await transfer(context, { customerId, fromId: card.id, toId, amount: what.amount, key });
        break;
      }
      case 'freeze':
        await freezeCard(context, { customerId, cardId: card.id });
        break;
      case 'unfreeze':
        await unfreezeCard(context, { customerId, cardId: card.id });
        break;
      case 'lost':
        await replaceLostCard(context, { customerId, cardId: card.id });
        break;
    }
    return 'done';
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') return 'refused';
    throw error;
  }
}

/** The change of the total of all cards. */
function changeOf(what: Action): number {
  if (what.kind === 'spend') return -what.amount;
  return what.kind === 'refund' || what.kind === 'adjust' ? what.amount : 0;
}

test.each(UNITS)(
  'Any history of cards with %s, with crashes and repetitions, leaves a consistent ledger',
  async (unit) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        run += 1;
        const cards: Card[] = [];
        for (let n = 0; n < 3; n += 1)
          cards.push(await createTripCard(server.context, customerId, { balance: 500, ...kindOf(unit) }));
        let total = 1500;
        const { expectInvariants } = watchHistory(server);
        const all = new Set(cards.map(({ id }) => id));
        for (const [index, { action: what, crashAt, repeats }] of steps.entries()) {
          const key = `history:${unit}:${run}:${index}`;
          const before = await balances([...all]);
          let outcome: 'done' | 'refused' | null = null;
          if (crashAt !== null) {
            const context = { ...server.context, clock: mortal(server.clock, crashAt) };
            outcome = await perform(context, cards, what, key).catch((error: unknown) => {
              if (!(error instanceof Crash)) throw error;
              return null;
            });
            if (outcome === null)
              expect(await balances([...all]), 'died midway: nothing happened').toEqual(before);
          }
          outcome ??= await perform(server.context, cards, what, key);
          for (let again = 0; again < repeats && outcome === 'done'; again += 1) {
            await perform(server.context, cards, what, key);
          }
          if (unit === 'trips' && what.kind === 'transfer') expect(outcome).toBe('refused');
          if (outcome === 'done') total += changeOf(what);
          const replacements = await server.database.store.query<{ id: string; number: string; old: string }>(
            `select id, number, replaces_card_id as old from trip_cards where replaces_card_id is not null`,
          );
          for (const { id, number, old } of replacements) {
            const place = cards.findIndex((card) => card.id === old);
            if (place < 0) continue;
            cards[place] = { id, number };
            all.add(id);
          }
          const after = await balances([...all]);
          expect([...after.values()].reduce((sum, value) => sum + value, 0)).toBe(total);
          await expectInvariants();
        }
      }),
      { numRuns: 8, seed: 11 },
    );
  },
  120_000,
);

type Arrival =
  | { kind: 'charges'; charges: number[] }
  | { kind: 'value'; amount: number }
  | { kind: 'dispute'; of: Disputed; isOver: boolean };
/** A disputed top-up; `status` is the provider's current one. */
type Disputed = {
  id: string;
  intentId: string;
  amount: number;
  currency: string;
  status: 'open' | 'won';
};

test.each(UNITS)(
  'Late, repeated and reordered gate batches and disputes of cards with %s lead to the same balance and debt',
  async (unit) => {
    const history = fc.record({
      fares: fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 7 }),
      values: fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 3 }),
      // Card payments are at least 50 cents.
      disputes: fc.array(fc.record({ amount: fc.integer({ min: 50, max: 700 }), isWon: fc.boolean() }), {
        maxLength: 2,
      }),
      orders: fc.array(fc.infiniteStream(fc.nat(1_000_000)), { minLength: 2, maxLength: 3 }),
      lost: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ fares, values, disputes, orders, lost }) => {
        const ends = [];
        const { expectInvariants } = watchHistory(server);
        for (const random of orders) {
          run += 1;
          const card = await createTripCard(server.context, customerId, { balance: 500, ...kindOf(unit) });
          const disputed: { of: Disputed; isWon: boolean }[] = [];
          for (const [index, { amount: value, isWon }] of disputes.entries()) {
            disputed.push({ of: await topUpToDispute(card.id, index + 1, value, unit), isWon });
          }
          const arrivals = arrivalsOf({ fares, values, disputed }, () => Number(random.next().value));
          let lostAt = lost ? Number(random.next().value) % (arrivals.length + 1) : -1;
          for (const arrival of [...arrivals, null]) {
            if (lostAt === 0) await replaceLostCard(server.context, { customerId, cardId: card.id });
            lostAt -= 1;
            if (arrival) await arrive({ ...card, unit }, fares, arrival, `${unit}-${run}`);
            await expectInvariants();
          }
          ends.push(await endOf(card.id));
        }
        const kept = disputes.filter(({ isWon }) => isWon).map(({ amount: value }) => value);
        const net = 500 + sum(values) + sum(kept) - sum(fares);
        expect(ends).toEqual(ends.map(() => ({ balance: Math.max(0, net), owed: Math.max(0, -net) })));
      }),
      { numRuns: 5, seed: 5 },
    );
  },
  120_000,
);

type Told = {
  fares: readonly number[];
  values: readonly number[];
  disputed: readonly { of: Disputed; isWon: boolean }[];
};

/** The same fares in batches, the same value and the same disputes, shuffled, and some of them twice. */
function arrivalsOf({ fares, values, disputed }: Told, random: () => number): Arrival[] {
  const arrivals: Arrival[] = values.map((value) => ({ kind: 'value', amount: value }));
  for (const { of, isWon } of disputed) {
    arrivals.push({ kind: 'dispute', of, isOver: false }, { kind: 'dispute', of, isOver: isWon });
  }
  let batch: number[] = [];
  for (const seq of shuffled(
    fares.map((_, index) => index),
    random,
  )) {
    batch.push(seq);
    if (random() % 2 === 0) {
      arrivals.push({ kind: 'charges', charges: batch });
      if (random() % 3 === 0) arrivals.push({ kind: 'charges', charges: batch.toReversed() });
      batch = [];
    }
  }
  arrivals.push({ kind: 'charges', charges: batch });
  return shuffled(arrivals, random);
}

async function arrive(
  card: Card & { unit: Unit },
  fares: readonly number[],
  arrival: Arrival,
  device: string,
): Promise<void> {
  if (arrival.kind === 'value') {
    const { amount: value } = arrival;
    const key = crypto.randomUUID();
    const cause = { code: 'refund', reference: 'K7QF-2M9P' } as const;
    const input = { cardId: card.id, amount: value, orderId: null, cause, key };
    await server.context.db.transaction((tx) => refundIn(tx, server.context, input));
    return;
  }
  if (arrival.kind === 'dispute') {
    const { of, isOver } = arrival;
    if (isOver) of.status = 'won';
    await server.context.db.transaction((tx) =>
      applyTopUpDispute(tx, server.context, {
        id: of.id,
        intentId: of.intentId,
        status: of.status,
        money: of,
      }),
    );
    return;
  }
  for (const index of arrival.charges) {
    const charge: GateCharge = {
      deviceId: `device-${device}`,
      deviceSeq: index + 1,
      number: card.number,
      unit: card.unit,
      amount: fares[index] ?? 0,
      occurredAt: new Date(server.clock.now().getTime() - 60_000),
      place: '',
    };
    await takeCharge(server.context, { charge, actor: { kind: 'server' } });
  }
}

async function topUpToDispute(cardId: string, seq: number, value: number, unit: Unit): Promise<Disputed> {
  const id = newId('top');
  const now = server.clock.now();
  const intent = await server.stripe.paymentIntents.create({
    ...{ amount: value, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
    return_url: 'http://my.ferry.localhost/trip_cards',
  });
  await server.context.db.transaction(async (tx) => {
    await tx.insert(topUps).values({
      id,
      tripCardId: cardId,
      seq,
      byCustomerId: customerId,
      amount: value,
      pass: unit === 'trips' ? buildPassTerms({ trips: value, price: value }) : null,
      currency: 'USD',
      trigger: 'manual',
      status: 'succeeded',
      providerReference: intent.id,
      startedFrom: '',
      receiptNumber: id,
      idempotencyKey: id,
      insertedAt: now,
      completedAt: now,
      updatedAt: now,
    });
    await postEntry(tx, server.context, {
      tripCardId: cardId,
      kind: 'top_up',
      amount: value,
      topUpId: id,
      cause: { code: 'top_up' },
      idempotencyKey: `top_up:${id}`,
      actor: 'customer',
    });
  });
  return { id, intentId: intent.id, amount: value, currency: 'usd', status: 'open' };
}

/** The balance and debt of a card or its replacement. */
async function endOf(cardId: string) {
  const [end] = await server.database.store.query<{ balance: number; owed: number }>(
    `select sum(balance)::int as balance, (
        select coalesce(sum(amount - settled), 0)::int from trip_card_debts
        where trip_card_id in (select id from trip_cards where id = $1 or replaces_card_id = $1)
      ) as owed
     from trip_cards where id = $1 or replaces_card_id = $1`,
    [cardId],
  );
  return end;
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

test('Exactly one of fifty concurrent purchases spends the last value', async () => {
  const card = await createTripCard(server.context, customerId, { balance: 300 });
  const tries = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) =>
      server.context.db.transaction((tx) =>
        spend(tx, server.context, {
          cardId: card.id,
          customerId,
          amount: 300,
          orderId: null,
          cause: { code: 'tickets', reference: 'K7QF-2M9P' } as const,
          key: `last:${card.id}:${n}`,
        }),
      ),
    ),
  );
  const refusals = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
  expect(refusals).toEqual(Array(49).fill('insufficient_balance'));
  expect(await balances([card.id])).toEqual(new Map([[card.id, 0]]));
  expect(await findBrokenBooks(server.context)).toEqual([]);
});

test('Concurrent requests with one key have one effect', async () => {
  const one = await createTripCard(server.context, customerId, { balance: 1000 });
  const two = await createTripCard(server.context, customerId, { balance: 1000 });
  const move = () =>
    transfer(server.context, {
      customerId,
      fromId: one.id,
      toId: two.id,
      amount: 100,
      key: `once:${one.id}`,
    });
  const moves = await Promise.all(Array.from({ length: 12 }, move));
  expect(new Set(moves.map(({ id }) => id)).size).toBe(1);
  expect(await balances([one.id, two.id])).toEqual(
    new Map([
      [one.id, 900],
      [two.id, 1100],
    ]),
  );
});

test('Concurrent opposite transfers neither deadlock nor lose value', async () => {
  const one = await createTripCard(server.context, customerId, { balance: 1000 });
  const two = await createTripCard(server.context, customerId, { balance: 1000 });
  await Promise.all(
    Array.from({ length: 24 }, (_, n) => {
      const [from, to] = n % 2 === 0 ? [one, two] : [two, one];
      return transfer(server.context, {
        customerId,
        fromId: from.id,
        toId: to.id,
        amount: 10 + n,
        key: `against:${one.id}:${n}`,
      });
    }),
  );
  expect(sum([...(await balances([one.id, two.id])).values()])).toBe(2000);
  expect(await findBrokenBooks(server.context)).toEqual([]);
});
