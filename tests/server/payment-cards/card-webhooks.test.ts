import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { must } from '#tests/factories/buyer.ts';
import { type CardOffice, openCardOffice, type Wallet } from './wallet.ts';

let office: CardOffice;
let wallet: Wallet;
let events = 0;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  wallet = await office.openWallet();
});

/** Sends a signed event like the provider, with a unique id unless one is given. */
function tell(type: string, object: object, id = newEventId()) {
  const body = JSON.stringify({ id, object: 'event', created: 1, livemode: false, type, data: { object } });
  const signature = office.stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: office.provider.keys.webhookSecret,
    timestamp: Math.floor(office.clock.now().getTime() / 1000),
  });
  return office.request('POST', api.receiveProviderEvent.path, {
    body,
    headers: { 'stripe-signature': signature },
  });
}

function newEventId(): string {
  events += 1;
  return `evt_${events}`;
}

const setupAt = (id: string) => office.stripe.setupIntents.retrieve(id);
const methodAt = (id: string) => office.stripe.paymentMethods.retrieve(id);
const onlyMethod = async () => (await wallet.atProvider()).methods[0]?.id ?? '';

test('a card whose browser never returned is added by the webhook, once, and its owner is notified', async () => {
  const device = { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1' };
  const setup = must(await wallet.request('POST', api.startCardSetup.path, { body: {}, headers: device }));
  await office.stripe.setupIntents.confirm(setup.setup_intent_id, { payment_method: 'pm_card_visa' });
  await office.provider.deliverNow();
  expect(await wallet.list()).toMatchObject([{ last_four: '4242', primary: true }]);
  expect(must(await wallet.addSetup(setup.setup_intent_id)).id).toBe((await wallet.list())[0]?.id);
  const told = must(await wallet.request('GET', api.listSecurityEvents.path));
  expect(told).toMatchObject([{ kind: 'primary_card_added', device: 'Safari on iPhone' }]);
});

test('repeated and concurrent webhooks of one setup add one card', async () => {
  const setup = await wallet.finishSetup();
  const truth = await setupAt(setup);
  const replies = await Promise.all([
    ...Array.from({ length: 4 }, () => tell('setup_intent.succeeded', truth, 'evt_same')),
    ...Array.from({ length: 3 }, () => tell('setup_intent.succeeded', truth)),
    wallet.addSetup(setup),
  ]);
  expect(replies.every(({ status }) => status < 300)).toBe(true);
  expect(await wallet.list()).toHaveLength(1);
  expect(await office.count('security_events')).toBe(1);
});

test('late and reordered webhooks do not overwrite newer data', async () => {
  const setup = await wallet.finishSetup();
  const truth = await setupAt(setup);
  const card = must(await wallet.addSetup(setup));
  const old = await methodAt(await onlyMethod());
  await office.stripe.paymentMethods.update(old.id, { card: { exp_month: 5, exp_year: 2032 } });
  await tell('payment_method.updated', await methodAt(old.id));
  // The event contains the values from before the change.
  await tell('payment_method.updated', old);
  await tell('payment_method.automatically_updated', old);
  expect(await wallet.list()).toMatchObject([{ id: card.id, exp_date: '05/32' }]);

  await office.stripe.paymentMethods.detach(old.id);
  await tell('payment_method.detached', { ...old, customer: null });
  await tell('payment_method.updated', old);
  await tell('setup_intent.succeeded', truth);
  expect(await wallet.list()).toEqual([]);
});

test('a card detached before its webhook arrives is not added', async () => {
  const truth = await setupAt(await wallet.finishSetup());
  const method = await methodAt(await onlyMethod());
  await tell('payment_method.detached', { ...method, customer: null });
  expect((await tell('setup_intent.succeeded', truth)).status).toBe(200);
  expect(await wallet.list()).toEqual([]);
});

test('the next card becomes primary when the primary one is detached at the provider', async () => {
  const visa = await wallet.add('pm_card_visa');
  const mastercard = await wallet.add('pm_card_mastercard');
  const { methods } = await wallet.atProvider();
  const method = methods.find(({ card }) => card?.last4 === visa.last_four);
  await office.stripe.paymentMethods.detach(method?.id ?? '');
  await office.provider.deliverNow();
  expect(await wallet.list()).toMatchObject([{ id: mastercard.id, primary: true }]);
});

test('a card renewed with the details of another saved card is merged with it', async () => {
  const first = await wallet.add();
  office.clock.advance(60_000);
  await office.stripe.paymentMethods.update(await onlyMethod(), {
    card: { exp_month: 5, exp_year: 2032 },
  });
  await office.provider.deliverNow();
  const second = await wallet.add();
  expect(second.id).not.toBe(first.id);
  const { methods } = await wallet.atProvider();
  const newer = methods.find(({ card }) => card?.exp_year === 2029);
  await office.stripe.paymentMethods.update(newer?.id ?? '', { card: { exp_month: 5, exp_year: 2032 } });
  await office.provider.deliverNow();
  expect(await wallet.list()).toMatchObject([{ id: first.id, primary: true, exp_date: '05/32' }]);
  await office.jobs.runJobs();
  expect((await wallet.atProvider()).methods.map(({ id }) => id)).toEqual([newer?.id]);
});

test('webhooks about unknown customers, cards or setups are accepted and ignored', async () => {
  const method = await office.stripe.paymentMethods.create({
    type: 'card',
    card: { token: 'tok_visa' },
  });
  const customer = await office.stripe.customers.create({});
  await office.stripe.paymentMethods.attach(method.id, { customer: customer.id });
  for (const [type, object] of [
    ['payment_method.updated', method],
    ['payment_method.detached', { ...method, id: 'pm_nobody' }],
    ['payment_method.updated', { ...method, id: 'pm_nobody' }],
    ['setup_intent.succeeded', { id: 'seti_nobody', payment_method: null, metadata: null }],
    ['setup_intent.succeeded', { id: 'seti_nobody', payment_method: method.id, metadata: {} }],
  ] as const) {
    expect((await tell(type, object)).status, type).toBe(200);
  }
  expect(await office.count('payment_cards')).toBe(0);
});

test('a webhook is refused while the provider is unreachable, so that it is sent again', async () => {
  const truth = await setupAt(await wallet.finishSetup());
  const { fetch } = office.provider;
  office.provider.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  expect((await tell('setup_intent.succeeded', truth, 'evt_again')).status).toBe(503);
  office.provider.fetch = fetch;
  expect(await wallet.list()).toEqual([]);
  expect((await tell('setup_intent.succeeded', truth, 'evt_again')).status).toBe(200);
  expect(await wallet.list()).toHaveLength(1);
});

test('a setup is canceled after three declines', async () => {
  const { setup_intent_id: setup } = await wallet.startSetup();
  for (let times = 0; times < 3; times += 1) {
    expect((await setupAt(setup)).status).toBe('requires_payment_method');
    await decline(setup);
  }
  expect((await setupAt(setup)).status).toBe('canceled');
  expect(await wallet.list()).toEqual([]);
});

test('after twenty declines from one network each further decline cancels its setup', async () => {
  for (let accounts = 0; accounts < 10; accounts += 1) {
    const other = await office.openWallet();
    const { setup_intent_id: setup } = await other.startSetup();
    await decline(setup);
    await decline(setup);
    expect((await setupAt(setup)).status).toBe('requires_payment_method');
  }
  const { setup_intent_id: setup } = await wallet.startSetup();
  await decline(setup);
  expect((await setupAt(setup)).status).toBe('canceled');
});

async function decline(setup: string): Promise<void> {
  await office.stripe.setupIntents
    .confirm(setup, { payment_method: 'pm_card_chargeDeclined' })
    .catch(() => {});
  await office.provider.deliverNow();
}
