import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import type { Clock } from '#server/core/clock.ts';
import { ApiError } from '#server/http/api-error.ts';
import { makeCardPrimary, removeCard } from '#server/payment-cards/change-cards.ts';
import { addCard } from '#server/payment-cards/save-card.ts';
import { applyEvent } from '#tests/factories/provider-events.ts';
import { watchHistory } from '#tests/server/histories/watch.ts';
import { type CardOffice, openCardOffice, type Wallet } from './wallet.ts';

/*
 * Saved cards are added, chosen, deleted, renewed, detached at the provider and expire in any order, with late,
 * duplicate and reordered webhooks and crashes. Of the valid cards exactly one is always
 * primary, an expired card never is, and in the end the provider has the same state.
 */

const DAY = 86_400_000;
let office: CardOffice;
let wallet: Wallet;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());

const pick = fc.nat(5);
/** The process dies at this reading of the clock. */
const crashAt = fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      card: fc.constantFrom('visa', 'mastercard', 'amex'),
      primary: fc.boolean(),
      crashAt,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('choose' as const, 'remove' as const), pick, crashAt }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('renew' as const, 'renew' as const, 'detach' as const),
      pick,
      years: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('news' as const, 'old news' as const, 'jobs' as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 90, max: 400 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

class Crash extends Error {}

test('after any sequence of events exactly one valid card is primary', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20, size: 'max' }), async (steps) => {
      await office.reopen();
      wallet = await office.openWallet();
      // A customer without a card is unknown to the provider.
      await wallet.startSetup();
      const { expectInvariants } = watchHistory(office, { listCards: listAll });
      for (const each of steps) {
        await act(each);
        await expectInvariants();
        await expectNoCardTwice();
      }
      await office.provider.deliverNow();
      await office.jobs.send('sync-payment-cards', {});
      await office.jobs.runJobs();
      await expectInvariants();
      await expectProviderAgrees();
    }),
    { numRuns: 8, seed: 11 },
  );
}, 240_000);

async function act(each: Step): Promise<void> {
  try {
    await perform(each);
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof Crash)) throw error;
  }
}

async function perform(each: Step): Promise<void> {
  const { customer } = wallet;
  switch (each.kind) {
    case 'add': {
      // Avoids the rate limit of setups.
      office.clock.advance(DAY / 24);
      const setup = await wallet.finishSetup(`pm_card_${each.card}`);
      const input = { customerId: customer.id, device: '', setup_intent_id: setup, primary: each.primary };
      await addCard(mortal(each.crashAt), input);
      return;
    }
    case 'wait':
      office.clock.advance(each.days * DAY);
      return wallet.signInAgain();
    case 'news':
      return void (await office.provider.deliverNow());
    case 'old news':
      return tellAgain();
    case 'jobs':
      await office.jobs.send('sync-payment-cards', {});
      return office.jobs.runJobs();
    case 'choose':
    case 'remove': {
      const all = await listAll();
      const card = all[each.pick % Math.max(1, all.length)];
      if (!card) return;
      const change = each.kind === 'choose' ? makeCardPrimary : removeCard;
      await change(mortal(each.crashAt), { customerId: customer.id, cardId: card.id });
      return;
    }
    default: {
      const { paymentMethods } = office.stripe;
      const { methods } = await wallet.atProvider();
      const method = methods[each.pick % Math.max(1, methods.length)];
      if (!method) return;
      if (each.kind === 'detach') await paymentMethods.detach(method.id);
      else {
        const year = office.clock.now().getUTCFullYear() + each.years;
        await paymentMethods.update(method.id, { card: { exp_month: 3, exp_year: year } });
      }
    }
  }
}

/** Sends all events of the provider again, newest first. */
async function tellAgain(): Promise<void> {
  const { data } = await office.stripe.events.list({ limit: 100 });
  for (const event of data) await applyEvent(office.context, { ...event, id: `evt_${crypto.randomUUID()}` });
}

/** A server whose clock throws at the n-th reading. */
function mortal(looks: number | null): Context {
  if (looks === null) return office.context;
  let left = looks;
  const clock: Clock = {
    now() {
      left -= 1;
      if (left === 0) throw new Crash('The process died.');
      return office.clock.now();
    },
  };
  return { ...office.context, clock };
}

async function listAll() {
  const first = await wallet.list();
  return first.length < 10 ? first : [...first, ...(await wallet.list(2))];
}

async function expectNoCardTwice(): Promise<void> {
  const names = (await listAll()).map(({ last_four, exp_date }) => `${last_four} ${exp_date}`);
  expect(new Set(names).size).toBe(names.length);
}

async function expectProviderAgrees(): Promise<void> {
  const kept = await office.database.store.query<{ reference: string; is_primary: boolean }>(
    `select provider_reference as reference, is_primary from payment_cards where status = 'active'`,
  );
  const { methods, primary } = await wallet.atProvider();
  expect(methods.map(({ id }) => id).toSorted()).toEqual(kept.map(({ reference }) => reference).toSorted());
  expect(primary ?? null).toBe(kept.find((card) => card.is_primary)?.reference ?? null);
}
