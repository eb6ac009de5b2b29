import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { spend } from '#server/trip-cards/spend.ts';
import { registerTripCardJobs, runAutoTopUps } from '#server/trip-cards/trip-card-jobs.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { startSession } from '#tests/factories/customers.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { type CardOffice, openCardOffice, type Wallet } from '#tests/server/payment-cards/wallet.ts';
import { PROVIDER_OUTAGE } from '#tests/setup/server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let office: CardOffice;
let wallet: Wallet;
let card: string;
beforeAll(async () => {
  office = await openCardOffice();
  await registerTripCardJobs(office.context);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  wallet = await office.openWallet();
  card = (await createTripCard(office.context, wallet.customer.id, { balance: 1000 })).id;
});

const path = (rest = '', id = card) => `/api/customers/trip_cards/${id}${rest}`;
const read = async (id = card) => must(await wallet.request('GET', path('', id)));
const set = (body: object) => wallet.request('PUT', path('/auto_top_up'), { body });
const topUps = async () => must(await wallet.request('GET', path('/top_ups'))).top_ups;
const stops = async () =>
  (await mailsTo(office.context, wallet.customer.email)).filter(
    ({ kind }) => kind === 'trip-card-auto-stopped',
  );

async function fillFrom(method?: string, more: object = {}) {
  const saved = await wallet.add(method);
  must(await set({ threshold: 500, amount: 2000, payment_card_id: saved.id, ...more }));
  return saved;
}

async function pay(amount: number, id = card) {
  const input = {
    ...{ cardId: id, customerId: wallet.customer.id, amount, orderId: null },
    cause: { code: 'tickets', reference: 'K7QF-2M9P' } as const,
  };
  await office.context.db.transaction((tx) =>
    spend(tx, office.context, { ...input, key: crypto.randomUUID() }),
  );
}

/** Advances the clock and runs the job; customers have to sign in again after a long time. */
async function later(milliseconds: number, expected: { mayFail?: readonly string[] } = {}) {
  office.clock.advance(milliseconds);
  await wallet.signInAgain();
  await office.jobs.send('reconcile-top-ups', {});
  await office.jobs.runJobs(expected);
}

test('A card whose balance falls below the threshold is topped up automatically, once', async () => {
  const saved = await fillFrom();
  await pay(500);
  await later(MINUTE);
  expect((await read()).balance).toBe(500);
  await pay(1);
  expect((await read()).auto_top_up).toMatchObject({
    state: 'ok',
    next_try_at: office.clock.now().toISOString(),
  });
  expect(office.jobs.asked).toContainEqual({ name: 'reconcile-top-ups', data: {} });
  await Promise.all([
    runAutoTopUps(office.context),
    runAutoTopUps(office.context),
    runAutoTopUps(office.context),
  ]);
  await office.provider.deliverNow();
  await later(MINUTE);
  expect(await read()).toMatchObject({
    balance: 2499,
    auto_top_up: {
      threshold: 500,
      amount: 2000,
      payment_card_id: saved.id,
      max_per_day: 1,
      next_try_at: null,
    },
  });
  expect(await topUps()).toMatchObject([{ trigger: 'auto', status: 'succeeded', amount: 2000 }]);
  expect(await findBrokenBooks(office.context)).toEqual([]);
});

test('A frozen card is topped up once it is unfrozen or replaced, not before', async () => {
  await fillFrom(undefined, { max_per_day: 2 });
  await pay(900);
  must(await wallet.request('POST', path('/freeze')));
  await later(MINUTE);
  expect(await read()).toMatchObject({ balance: 100, auto_top_up: { next_try_at: null } });
  must(await wallet.request('POST', path('/unfreeze')));
  await later(0);
  expect((await read()).balance).toBe(2100);

  await pay(2100);
  must(await wallet.request('POST', path('/freeze')));
  await later(MINUTE);
  card = must(await wallet.request('POST', path('/lost'))).id;
  await later(0);
  expect((await read()).balance).toBe(2000);
});

test('The daily maximum delays further automatic top-ups to the next day', async () => {
  await fillFrom(undefined, { max_per_day: 2, amount: 500 });
  for (const amount of [900, 500, 500]) {
    await pay(amount);
    await later(MINUTE);
  }
  expect(await read()).toMatchObject({
    balance: 100,
    auto_top_up: { next_try_at: '2026-06-02T07:00:00.000Z' },
  });
  await later(12 * HOUR);
  expect(await topUps()).toHaveLength(2);
  await later(5 * HOUR);
  expect((await read()).balance).toBe(600);
});

test('A declined payment card is tried three times over a day, then the owner is asked for another', async () => {
  await fillFrom('pm_card_chargeCustomerFail');
  await pay(900);
  await later(0);
  await later(HOUR);
  expect(await topUps()).toMatchObject([{ status: 'failed', trigger: 'auto' }]);
  await later(11 * HOUR);
  expect(await topUps()).toHaveLength(2);
  expect((await read()).auto_top_up.state).toBe('ok');
  await later(12 * HOUR);
  expect((await read()).auto_top_up).toMatchObject({ state: 'needs_card', next_try_at: null });
  await later(48 * HOUR);
  expect(await topUps()).toHaveLength(3);
  expect(await stops()).toMatchObject([{ data: { why: 'needs_card' } }]);

  await fillFrom();
  await later(0);
  expect(await read()).toMatchObject({ balance: 2100, auto_top_up: { state: 'ok' } });
});

test('A bank that requires authentication stops automatic top-ups until the owner tops up once', async () => {
  const saved = await fillFrom();
  // The bank requires authentication since the card was saved.
  await office.database.store.query(
    `update sandbox.objects set secret = jsonb_set(secret, '{behavior}', '"authenticationRequired"')
     where object = 'payment_method'`,
  );
  await pay(900);
  await later(0);
  expect((await read()).auto_top_up).toMatchObject({ state: 'needs_authentication', next_try_at: null });
  expect(await stops()).toMatchObject([{ data: { why: 'needs_authentication' } }]);
  expect(await topUps()).toMatchObject([{ status: 'failed', failure: { code: 'authentication_required' } }]);
  await later(24 * HOUR);
  expect(await topUps()).toHaveLength(1);

  const started = must(
    await wallet.request('POST', path('/top_ups'), {
      body: { amount: 2000, payment_card_id: saved.id },
      idempotencyKey: crypto.randomUUID(),
    }),
  );
  const intent = await office.stripe.paymentIntents.retrieve(started.client_secret.split('_secret', 1)[0]);
  const action = intent.next_action?.use_stripe_sdk as { source: string };
  await office.provider.answerChallenge(action.source, 'complete');
  await office.provider.deliverNow();
  expect(await read()).toMatchObject({ balance: 2100, auto_top_up: { state: 'ok', next_try_at: null } });
});

test('A paused or removed automatic top-up charges nothing', async () => {
  await fillFrom(undefined, { paused: true });
  await pay(900);
  await later(HOUR);
  expect(await read()).toMatchObject({ balance: 100, auto_top_up: { state: 'paused' } });
  expect(must(await wallet.request('DELETE', path('/auto_top_up'))).auto_top_up).toBeNull();
  await later(HOUR);
  expect(await topUps()).toEqual([]);
  await fillFrom();
  await later(0);
  expect((await read()).balance).toBe(2100);
});

test('Removing the payment card stops automatic top-ups at once', async () => {
  const saved = await fillFrom();
  must(await wallet.remove(saved.id));
  expect((await read()).auto_top_up.state).toBe('needs_card');
  await pay(900);
  await later(0);
  expect(await topUps()).toEqual([]);
});

test('An expired payment card stops automatic top-ups when one is due, and its owner is notified', async () => {
  await fillFrom();
  await office.database.store.query('update payment_cards set exp_year = 2020');
  await pay(900);
  await later(0);
  expect((await read()).auto_top_up.state).toBe('needs_card');
  expect(await stops()).toHaveLength(1);
  expect(await topUps()).toEqual([]);
});

test('A provider outage neither charges twice nor forgets a top-up', async () => {
  await fillFrom();
  const { fetch } = office.provider;
  office.provider.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  await pay(900);
  await later(0, PROVIDER_OUTAGE);
  await later(2 * MINUTE, PROVIDER_OUTAGE);
  expect(await topUps()).toMatchObject([{ status: 'created' }]);
  office.provider.fetch = fetch;
  await later(2 * MINUTE);
  await later(2 * MINUTE);
  expect(await read()).toMatchObject({ balance: 2100 });
  expect(await topUps()).toHaveLength(1);
});

test('An automatic top-up that the owner stops before the charge is not charged', async () => {
  await fillFrom();
  const { fetch } = office.provider;
  office.provider.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  await pay(900);
  await later(0, PROVIDER_OUTAGE);
  must(await wallet.request('DELETE', path('/auto_top_up')));
  office.provider.fetch = fetch;
  await later(2 * MINUTE);
  await later(HOUR);
  expect(await topUps()).toMatchObject([{ status: 'canceled' }]);
  expect(await read()).toMatchObject({ balance: 100 });
  expect((await office.stripe.paymentIntents.list()).data).toEqual([]);
});

test('A charge whose response was lost is found, even if the owner has stopped automatic top-ups since', async () => {
  await fillFrom();
  const { fetch } = office.provider;
  office.provider.fetch = async (request) => {
    await fetch(request);
    throw new TypeError('fetch failed');
  };
  await pay(900);
  await later(0, PROVIDER_OUTAGE);
  office.provider.fetch = fetch;
  await office.database.store.query('delete from sandbox.deliveries');
  must(await wallet.request('DELETE', path('/auto_top_up')));
  await later(2 * MINUTE);
  expect(await read()).toMatchObject({ balance: 2100 });
  expect((await office.stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('A payment card that duplicates another is replaced by it in automatic top-ups', async () => {
  const renew = async (year: number) => {
    const { methods } = await wallet.atProvider();
    const method = methods.find(({ card }) => card?.exp_year === year);
    await office.stripe.paymentMethods.update(method?.id ?? '', {
      card: { exp_month: 5, exp_year: 2032 },
    });
    await office.provider.deliverNow();
  };
  const first = await wallet.add();
  office.clock.advance(MINUTE);
  await renew(first.exp_year);
  const second = await fillFrom();
  expect(second.id).not.toBe(first.id);
  await renew(second.exp_year);
  expect(await wallet.list()).toMatchObject([{ id: first.id }]);
  expect((await read()).auto_top_up).toMatchObject({ state: 'ok', payment_card_id: first.id });
  await pay(900);
  await later(0);
  expect((await read()).balance).toBe(2100);
});

test('A payment card that the provider detached stops automatic top-ups at once', async () => {
  await fillFrom();
  const { methods } = await wallet.atProvider();
  await office.stripe.paymentMethods.detach(methods[0]?.id ?? '');
  await office.provider.deliverNow();
  expect((await read()).auto_top_up.state).toBe('needs_card');
});

test('Automatic top-ups move to the replacement card', async () => {
  await fillFrom();
  const replacement = must(await wallet.request('POST', path('/lost')));
  expect(replacement.auto_top_up).toMatchObject({ threshold: 500 });
  expect((await read()).auto_top_up).toBeNull();
  await pay(900, replacement.id);
  await later(0);
  expect((await read(replacement.id)).balance).toBe(2100);
});

test('A replacement card shares the open top-up and the daily maximum of the card it replaces', async () => {
  await fillFrom();
  await pay(900);
  const { fetch } = office.provider;
  office.provider.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  await later(0, PROVIDER_OUTAGE);
  const replacement = must(await wallet.request('POST', path('/lost'))).id;
  await later(0, PROVIDER_OUTAGE);
  office.provider.fetch = fetch;
  for (let run = 0; run < 3; run += 1) await later(2 * MINUTE);
  expect((await read(replacement)).balance).toBe(2100);
  await pay(2000, replacement);
  await later(MINUTE);
  expect((await read(replacement)).balance).toBe(100);
  expect(await findBrokenBooks(office.context)).toEqual([]);
});

test('Only the owner sets automatic top-ups, after a step-up and within the operator’s limits', async () => {
  const saved = await wallet.add();
  const body = { threshold: 500, amount: 2000, payment_card_id: saved.id };
  for (const wrong of [{ amount: 499 }, { amount: 50_001 }, { threshold: 50_001 }])
    expect(codeOf(await set({ ...body, ...wrong }))).toBe('top_up_amount');
  for (const wrong of [{ max_per_day: 0 }, { max_per_day: 6 }, { threshold: 0 }, { payment_card_id: 'x' }])
    expect(codeOf(await set({ ...body, ...wrong }))).toBe('invalid_input');
  const stranger = await office.openWallet();
  const theirs = await stranger.add();
  expect(codeOf(await set({ ...body, payment_card_id: theirs.id }))).toBe('invalid_input');
  for (const method of ['PUT', 'DELETE'])
    expect(
      (await stranger.request(method, path('/auto_top_up'), method === 'PUT' ? { body } : {})).status,
    ).toBe(404);
  const token = await startSession(office.context, wallet.customer.id, { isFresh: false });
  expect(codeOf(await office.request('PUT', path('/auto_top_up'), { token, body }))).toBe('step_up_required');
  expect((await read()).auto_top_up).toBeNull();
});
