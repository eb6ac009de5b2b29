import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { toIntent } from '#server/payments/provider/stripe-objects.ts';
import { settleIntent } from '#server/payments/settle-intent.ts';
import { topUpSubject } from '#server/trip-cards/top-up-subject.ts';
import { reconcileTopUps, registerTripCardJobs } from '#server/trip-cards/trip-card-jobs.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { type CardOffice, openCardOffice, type Wallet } from '#tests/server/payment-cards/wallet.ts';

const MINUTE = 60_000;
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
  card = (await createTripCard(office.context, wallet.customer.id)).id;
});

const path = (rest = '') => `/api/customers/trip_cards/${card}${rest}`;

function topUp(body: object, options: { idempotencyKey?: string; from?: string } = {}) {
  return wallet.request('POST', path('/top_ups'), { body, idempotencyKey: crypto.randomUUID(), ...options });
}

const balance = async () => must(await wallet.request('GET', path())).balance;
const entries = async () => must(await wallet.request('GET', path('/balance'))).entries;
const read = async (id: string) => must(await wallet.request('GET', path(`/top_ups/${id}`)));

/** A top-up whose card form is open in the browser. */
async function openForm(amount = 2000) {
  const started = must(await topUp({ amount }));
  return { ...started, intent: String(started.client_secret).split('_secret', 1)[0] ?? '' };
}

/** Sends an event about an intent like the provider, regardless of earlier events. */
async function tell(type: string, intent: object) {
  const event = {
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    created: 1,
    livemode: false,
    type: `payment_intent.${type}`,
    data: { object: intent },
  };
  const body = JSON.stringify(event);
  const signature = office.stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: office.provider.keys.webhookSecret,
    timestamp: Math.floor(office.clock.now().getTime() / 1000),
  });
  const reply = await office.request('POST', api.receiveProviderEvent.path, {
    body,
    headers: { 'stripe-signature': signature },
  });
  expect(reply.status).toBe(200);
}

test('A saved card is charged at once, and the response has the new value', async () => {
  const saved = await wallet.add();
  const done = must(await topUp({ amount: 5000, payment_card_id: saved.id }));
  expect(done).toMatchObject({
    status: 'succeeded',
    amount: 5000,
    payment_card_id: saved.id,
    client_secret: null,
    failure: null,
    completed_at: office.clock.now().toISOString(),
  });
  expect(done.receipt_number).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  expect(await entries()).toMatchObject([
    { kind: 'top_up', amount: 5000, top_up_id: done.id, balance_after: 5000 },
  ]);
  await office.provider.deliverNow();
  expect(await balance()).toBe(5000);
  const receipts = (await mailsTo(office.context, wallet.customer.email)).filter(
    ({ kind }) => kind === 'trip-card-topped-up',
  );
  expect(receipts).toMatchObject([
    { data: { amount: 5000, balance: 5000, receiptNumber: done.receipt_number } },
  ]);
});

test('One idempotency key causes one charge, also concurrently and after the response was deleted', async () => {
  const saved = await wallet.add();
  const same = { idempotencyKey: 'one-charge-only' };
  const body = { amount: 2000, payment_card_id: saved.id };
  const replies = await Promise.all([topUp(body, same), topUp(body, same), topUp(body, same)]);
  await office.database.store.query('delete from idempotency_keys');
  replies.push(await topUp(body, same));
  expect(new Set(replies.map((reply) => must(reply).id)).size).toBe(1);
  expect(await balance()).toBe(2000);
  expect((await office.stripe.paymentIntents.list()).data).toHaveLength(1);
  expect(codeOf(await topUp({ ...body, amount: 2001 }, same))).toBe('idempotency_mismatch');
});

test('A new card is entered in the browser, and reading the top-up adds the value before any webhook', async () => {
  const form = await openForm();
  expect(form).toMatchObject({ status: 'created', payment_card_id: null });
  await office.confirmWith(form.intent);
  expect(await read(form.id)).toMatchObject({ status: 'succeeded' });
  expect(await balance()).toBe(2000);
  await office.provider.deliverNow();
  expect(await balance()).toBe(2000);
});

test('Late, repeated and reordered webhooks lead to one entry', async () => {
  const form = await openForm();
  await office.confirmWith(form.intent, 'pm_card_chargeDeclined');
  const declined = await office.stripe.paymentIntents.retrieve(form.intent);
  await office.confirmWith(form.intent);
  const succeeded = await office.stripe.paymentIntents.retrieve(form.intent);
  await Promise.all([
    tell('succeeded', succeeded),
    tell('payment_failed', declined),
    tell('succeeded', succeeded),
    settleIntent(office.context, { subject: topUpSubject, intent: toIntent(succeeded) }),
    settleIntent(office.context, { subject: topUpSubject, intent: toIntent(declined) }),
    read(form.id),
    office.provider.deliverNow(),
  ]);
  await tell('payment_failed', declined);
  await tell('canceled', { ...succeeded, status: 'canceled' });
  expect(await read(form.id)).toMatchObject({ status: 'succeeded', failure: null });
  expect(await entries()).toHaveLength(1);
  expect(await findBrokenBooks(office.context)).toEqual([]);
});

test('A declined payment adds no value: the form accepts another card, a saved card ends the top-up', async () => {
  const form = await openForm();
  await office.confirmWith(form.intent, 'pm_card_chargeDeclined');
  expect(await read(form.id)).toMatchObject({ status: 'created', failure: { code: 'card_declined' } });
  await office.confirmWith(form.intent);
  expect(await read(form.id)).toMatchObject({ status: 'succeeded', failure: null });

  const saved = await wallet.add('pm_card_chargeCustomerFail');
  const failed = must(await topUp({ amount: 2000, payment_card_id: saved.id }));
  expect(failed).toMatchObject({
    status: 'failed',
    client_secret: null,
    receipt_number: null,
    failure: { code: 'card_declined' },
  });
  const list = must(await wallet.request('GET', path('/top_ups')));
  expect(list.top_ups.map(({ status, seq }: { status: string; seq: number }) => [seq, status])).toEqual([
    [2, 'failed'],
    [1, 'succeeded'],
  ]);
  expect(await balance()).toBe(2000);
});

test.each([
  ['complete', 'succeeded', 2000],
  ['fail', 'failed', 0],
] as const)('a top-up waits for the bank’s challenge: %s', async (outcome, status, value) => {
  const saved = await wallet.add('pm_card_authenticationRequiredSetupForOffSession');
  const waiting = must(await topUp({ amount: 2000, payment_card_id: saved.id }));
  expect(waiting.status).toBe('requires_action');
  expect(waiting.client_secret).toMatch(/^pi_.*_secret_/);
  expect(await balance()).toBe(0);
  const intent = await office.stripe.paymentIntents.retrieve(waiting.client_secret.split('_secret', 1)[0]);
  const action = intent.next_action?.use_stripe_sdk as { source: string };
  expect(await office.provider.answerChallenge(action.source, outcome)).toBe(true);
  expect((await read(waiting.id)).status).toBe(status);
  expect(await balance()).toBe(value);
});

describe('a top-up after one that was given up', () => {
  async function leaveAtBank() {
    const saved = await wallet.add('pm_card_authenticationRequiredSetupForOffSession');
    const left = must(await topUp({ amount: 2000, payment_card_id: saved.id }));
    const intent = await office.stripe.paymentIntents.retrieve(left.client_secret.split('_secret', 1)[0]);
    const action = intent.next_action?.use_stripe_sdk as { source: string };
    return { id: left.id, confirm: () => office.provider.answerChallenge(action.source, 'complete') };
  }

  test('is the only one that can be paid', async () => {
    const left = await leaveAtBank();
    const form = await openForm(3000);
    expect((await read(left.id)).status).toBe('canceled');
    expect(await left.confirm()).toBe(false);
    await office.confirmWith(form.intent);
    expect(await read(form.id)).toMatchObject({ status: 'succeeded' });
    expect(await balance()).toBe(3000);
  });

  test('is not charged if the bank has confirmed that one meanwhile', async () => {
    const left = await leaveAtBank();
    await left.confirm();
    const saved = await wallet.add();
    const reply = await topUp({ amount: 3000, payment_card_id: saved.id });
    expect([codeOf(reply), reply.body.errors[0].message]).toEqual([
      'already_paid',
      'Your earlier payment went through, and nothing else was charged.',
    ]);
    expect(await balance()).toBe(2000);
    must(await topUp({ amount: 3000, payment_card_id: saved.id }));
    expect(await balance()).toBe(5000);
  });
});

test('An abandoned form is canceled after an hour and cannot be paid afterwards', async () => {
  const form = await openForm();
  office.clock.advance(59 * MINUTE);
  await reconcileTopUps(office.context);
  expect((await read(form.id)).status).toBe('created');
  office.clock.advance(2 * MINUTE);
  await wallet.signInAgain();
  await reconcileTopUps(office.context);
  expect((await read(form.id)).status).toBe('canceled');
  expect(await office.confirmWith(form.intent)).toBeInstanceOf(Error);
});

test('The job of every minute finds a payment whose webhook was lost', async () => {
  const form = await openForm();
  await office.confirmWith(form.intent);
  office.clock.advance(2 * MINUTE);
  await reconcileTopUps(office.context);
  expect(await balance()).toBe(2000);
});

test.each(['charged', 'never asked for'])(
  'A saved card that was %s when the response was lost is not charged again, and the outcome is found',
  async (what) => {
    const saved = await wallet.add();
    const { fetch } = office.provider;
    office.provider.fetch = async (request) => {
      const isAsked = request.method === 'POST' && request.url.endsWith('/v1/payment_intents');
      if (isAsked && what === 'charged') await fetch(request);
      throw new TypeError('fetch failed');
    };
    const input = { amount: 2000, payment_card_id: saved.id };
    const same = { idempotencyKey: 'the-answer-got-lost' };
    expect(codeOf(await topUp(input, same))).toBe('payment_unavailable');
    await office.database.store.query('delete from sandbox.deliveries');
    office.clock.advance(2 * MINUTE);
    await reconcileTopUps(office.context);
    expect(await balance()).toBe(0);
    office.provider.fetch = fetch;
    for (let hour = 0; hour < 2; hour += 1) {
      office.clock.advance(31 * MINUTE);
      await reconcileTopUps(office.context);
    }
    await wallet.signInAgain();
    expect(await balance()).toBe(what === 'charged' ? 2000 : 0);
    const { top_ups: all } = must(await wallet.request('GET', path('/top_ups')));
    expect(all).toMatchObject([{ status: what === 'charged' ? 'succeeded' : 'canceled' }]);
    expect(must(await topUp(input, same))).toMatchObject({ id: all[0].id, status: all[0].status });
    expect((await office.stripe.paymentIntents.list()).data).toHaveLength(what === 'charged' ? 1 : 0);
  },
);

test('A receipt number that is taken is replaced by another', async () => {
  const form = await openForm();
  await office.confirmWith(form.intent);
  // Makes the first drawn number collide with an existing one.
  await office.database.store.query(`
    create sequence draws;
    create function draw() returns trigger language plpgsql as $$ begin
      if new.receipt_number is not null and nextval('draws') = 1 then
        raise exception 'taken' using errcode = 'unique_violation', constraint = 'top_ups_receipt_number_unique';
      end if;
      return new;
    end $$;
    create trigger draw before update on top_ups for each row execute function draw()
  `);
  await office.provider.deliverNow();
  await office.database.store.query('drop trigger draw on top_ups; drop function draw; drop sequence draws');
  expect(await balance()).toBe(2000);
  expect(await entries()).toHaveLength(1);
});

test('Value for a card that was lost meanwhile is added to its replacement', async () => {
  const form = await openForm();
  const replacement = must(await wallet.request('POST', path('/lost')));
  await office.confirmWith(form.intent);
  await office.provider.deliverNow();
  expect(must(await wallet.request('GET', `/api/customers/trip_cards/${replacement.id}`)).balance).toBe(2000);
  expect(await balance()).toBe(0);
  expect(codeOf(await topUp({ amount: 2000 }))).toBe('trip_card_lost');
});

test('A top-up requires an allowed amount and the customer’s own cards', async () => {
  for (const amount of [499, 50_001]) {
    const reply = await topUp({ amount });
    expect(reply.body.errors[0]).toMatchObject({ code: 'top_up_amount', details: { min: 500, max: 50_000 } });
  }
  for (const amount of [-500, 0, 500.5, '500', 2 ** 53, null])
    expect(codeOf(await topUp({ amount }))).toBe('invalid_input');
  const stranger = await office.openWallet();
  const theirs = await stranger.add();
  expect(codeOf(await topUp({ amount: 2000, payment_card_id: theirs.id }))).toBe('invalid_input');
  for (const method of ['GET', 'POST']) {
    const options = {
      ...(method === 'POST' ? { body: { amount: 2000 } } : {}),
      idempotencyKey: crypto.randomUUID(),
    };
    expect((await stranger.request(method, path('/top_ups'), options)).status).toBe(404);
  }
  const { id } = must(await topUp({ amount: 2000 }));
  expect((await stranger.request('GET', path(`/top_ups/${id}`))).status).toBe(404);
  const other = (await createTripCard(office.context, wallet.customer.id)).id;
  expect((await wallet.request('GET', `/api/customers/trip_cards/${other}/top_ups/${id}`)).status).toBe(404);
  expect(codeOf(await topUp({ amount: 2000 }, { idempotencyKey: 'x' }))).toBe('invalid_input');
});

test('A new payment card is saved on request', async () => {
  const started = must(await topUp({ amount: 2000, save_card: true }));
  await office.confirmWith(String(started.client_secret).split('_secret', 1)[0] ?? '');
  await office.provider.deliverNow();
  await office.jobs.runJobs();
  expect(await wallet.list()).toMatchObject([{ last_four: '4242' }]);
  expect(await balance()).toBe(2000);
});

test('A payment that does not match its top-up adds no value and logs an error', async () => {
  const form = await openForm();
  await office.confirmWith(form.intent);
  const truth = await office.stripe.paymentIntents.retrieve(form.intent);
  office.clock.advance(1);
  for (const wrong of [
    { amount_received: 1 },
    { currency: 'jpy' },
    { metadata: { ...truth.metadata, trip_card_id: 'tcd_00000000000000000000000000' } },
    { metadata: { top_up_id: 'top_00000000000000000000000000' }, id: 'pi_unknown' },
  ])
    await tell('succeeded', { ...truth, ...wrong });
  expect(await entries()).toEqual([]);
  expect(office.logged.filter(({ level }) => level === 'error')).toHaveLength(4);
});

test('Declined top-ups count towards the network’s card-testing limit', async () => {
  const bad = await wallet.add('pm_card_chargeCustomerFail');
  for (let n = 0; n < 20; n += 1) must(await topUp({ amount: 2000, payment_card_id: bad.id }));
  expect(codeOf(await topUp({ amount: 2000, payment_card_id: bad.id }))).toBe('rate_limited');
  expect(codeOf(await topUp({ amount: 2000 }, { from: '198.51.100.1' }))).toBe('success');
});
