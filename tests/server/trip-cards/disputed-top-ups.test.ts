import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { moneyEntries } from '#server/database/schema/accounting.ts';
import { topUps as tableOfTopUps } from '#server/database/schema/trip-cards.ts';
import { postEntry } from '#server/trip-cards/post-entry.ts';
import { spend } from '#server/trip-cards/spend.ts';
import { registerTripCardJobs } from '#server/trip-cards/trip-card-jobs.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { must } from '#tests/factories/buyer.ts';
import { applyEvent } from '#tests/factories/provider-events.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { type CardOffice, openCardOffice, type Wallet } from '#tests/server/payment-cards/wallet.ts';

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
afterEach(async () => {
  vi.restoreAllMocks();
  expect(await findBrokenBooks(office.context)).toEqual([]);
});

const path = (rest = '') => `/api/customers/trip_cards/${card}${rest}`;
const read = async () => must(await wallet.request('GET', path()));
const balance = async () => (await read()).balance;
const entries = async () => must(await wallet.request('GET', path('/balance'))).entries;
const topUps = async () => must(await wallet.request('GET', path('/top_ups'))).top_ups;
const letters = async () =>
  (await mailsTo(office.context, wallet.customer.email)).filter(({ kind }) => kind === 'trip-card-disputed');

/** A top-up of $20.00 that the cardholder disputes; no webhook has arrived yet. */
async function topUpDisputed(): Promise<Stripe.Dispute> {
  const body = { amount: 2000 };
  const started = must(
    await wallet.request('POST', path('/top_ups'), { body, idempotencyKey: crypto.randomUUID() }),
  );
  const intent = String(started.client_secret).split('_secret', 1)[0] ?? '';
  await office.confirmWith(intent, 'pm_card_createDispute');
  must(await wallet.request('GET', path(`/top_ups/${started.id}`)));
  const [dispute] = (await office.stripe.disputes.list({ payment_intent: intent })).data;
  if (!dispute) throw new Error('There is a dispute.');
  return dispute;
}

async function pay(amount: number) {
  const input = {
    ...{ cardId: card, customerId: wallet.customer.id, amount, orderId: null },
    cause: { code: 'tickets', reference: 'K7QF-2M9P' } as const,
  };
  await office.context.db.transaction((tx) =>
    spend(tx, office.context, { ...input, key: crypto.randomUUID() }),
  );
}

async function addValue(amount: number) {
  const entry = { kind: 'adjustment', amount, description: 'Goodwill', actor: 'staff' } as const;
  await office.context.db.transaction((tx) =>
    postEntry(tx, office.context, { tripCardId: card, ...entry, idempotencyKey: crypto.randomUUID() }),
  );
}

const tell = () => office.provider.deliverNow();
const lose = (dispute: Stripe.Dispute) => office.stripe.disputes.close(dispute.id);
const win = (dispute: Stripe.Dispute) =>
  office.stripe.disputes.update(dispute.id, {
    evidence: { uncategorized_text: 'winning_evidence' },
    submit: true,
  });

/** Sends all webhooks about disputes again. */
async function tellAgain() {
  const { data: events } = await office.stripe.events.list({ limit: 100 });
  const news = events.filter(({ type }) => type.startsWith('charge.dispute.'));
  await Promise.all(news.map((event) => applyEvent(office.context, { ...event, id: `again_${event.id}` })));
}

test('A disputed top-up is taken off the card, and its owner is notified', async () => {
  await topUpDisputed();
  expect(await balance()).toBe(2000);
  await tell();
  expect(await entries()).toMatchObject([
    { kind: 'adjustment', amount: -2000, balance_after: 0, description: 'Top-up disputed with the bank' },
    { kind: 'top_up', amount: 2000 },
  ]);
  expect(await topUps()).toMatchObject([{ status: 'disputed', receipt_number: expect.any(String) }]);
  expect(await letters()).toMatchObject([{ data: { amount: 2000, taken: 2000, owed: 0 } }]);
  expect(office.logged.filter(({ level }) => level === 'error')).toMatchObject([
    { event: 'top-up disputed', trip_card_id: card, taken: 2000, owed: 0 },
  ]);
});

test('The spent part of a disputed top-up becomes a debt that later value pays, and the balance never is negative', async () => {
  await topUpDisputed();
  await pay(1500);
  await tell();
  expect(await balance()).toBe(0);
  expect(await letters()).toMatchObject([{ data: { taken: 500, owed: 1500 } }]);
  expect(await read()).toMatchObject({ balance: 0, owed: 1500 });
  expect(must(await wallet.request('GET', '/api/customers/trip_cards'))).toMatchObject([{ owed: 1500 }]);
  const saved = await wallet.add();
  const body = { amount: 2000, payment_card_id: saved.id };
  must(await wallet.request('POST', path('/top_ups'), { body, idempotencyKey: crypto.randomUUID() }));
  expect(await read()).toMatchObject({ balance: 500, owed: 0 });
  expect((await entries())[0]).toMatchObject({
    kind: 'adjustment',
    amount: -1500,
    description: 'Owed from a disputed top-up',
  });
});

test('A won dispute returns the taken value once, however often its webhook arrives', async () => {
  const dispute = await topUpDisputed();
  await pay(1500);
  await tell();
  await addValue(1000);
  expect(await balance()).toBe(0);
  await win(dispute);
  await tell();
  await tellAgain();
  expect(await balance()).toBe(1500);
  expect((await entries())[0]).toMatchObject({ amount: 1500, description: 'Top-up no longer disputed' });
  expect(await topUps()).toMatchObject([{ status: 'succeeded' }]);
  await addValue(100);
  expect(await balance()).toBe(1600);
});

test('A lost dispute takes nothing again, and late payment webhooks return nothing', async () => {
  const dispute = await topUpDisputed();
  await tell();
  await lose(dispute);
  await tell();
  await tellAgain();
  const { data: events } = await office.stripe.events.list({ type: 'payment_intent.succeeded' });
  for (const event of events) await applyEvent(office.context, { ...event, id: 'evt_late' });
  expect(await entries()).toHaveLength(2);
  expect(await topUps()).toMatchObject([{ status: 'disputed' }]);
  expect(await letters()).toHaveLength(1);
});

test('A dispute webhook before the payment webhook leads to the same result', async () => {
  const body = { amount: 2000 };
  const started = must(
    await wallet.request('POST', path('/top_ups'), { body, idempotencyKey: crypto.randomUUID() }),
  );
  await office.confirmWith(
    String(started.client_secret).split('_secret', 1)[0] ?? '',
    'pm_card_createDispute',
  );
  await tellAgain();
  expect((await entries()).map(({ amount }: { amount: number }) => amount)).toEqual([-2000, 2000]);
  await tell();
  expect(await entries()).toHaveLength(2);
});

test('An inquiry of the bank takes nothing off the card', async () => {
  const dispute = await topUpDisputed();
  vi.spyOn(office.stripe.disputes, 'retrieve').mockResolvedValue({
    ...dispute,
    status: 'warning_needs_response',
  } as Stripe.Response<Stripe.Dispute>);
  await tell();
  expect(await balance()).toBe(2000);
  expect(await topUps()).toMatchObject([{ status: 'succeeded' }]);
});

test('A dispute pauses automatic top-ups', async () => {
  const saved = await wallet.add();
  await topUpDisputed();
  const input = { threshold: 1000, amount: 2000, payment_card_id: saved.id };
  must(await wallet.request('PUT', path('/auto_top_up'), { body: input }));
  await tell();
  await office.jobs.send('reconcile-top-ups', {});
  await office.jobs.runJobs();
  expect(await read()).toMatchObject({ balance: 0, auto_top_up: { state: 'paused', next_try_at: null } });
});

test('A debt moves to the replacement card, and a won dispute returns the value there', async () => {
  const dispute = await topUpDisputed();
  await pay(1500);
  await tell();
  card = must(await wallet.request('POST', path('/lost'))).id;
  await addValue(600);
  expect(await balance()).toBe(0);
  await win(dispute);
  await tell();
  expect(await balance()).toBe(1100);
});

/** Sets the provider's response about disputes for the next request, or for all following ones. */
function answerWith(dispute: Stripe.Dispute, change: Partial<Stripe.Dispute>, isOnce = false) {
  const answer = { ...dispute, ...change } as Stripe.Response<Stripe.Dispute>;
  const asked = vi.spyOn(office.stripe.disputes, 'retrieve');
  return isOnce ? asked.mockResolvedValueOnce(answer) : asked.mockResolvedValue(answer);
}

test('A dispute that was read before it was won and applied afterwards takes nothing permanently', async () => {
  const dispute = await topUpDisputed();
  await pay(1500);
  await tell();
  await win(dispute);
  await tell();
  answerWith(dispute, { status: 'under_review' }, true);
  const { data: events } = await office.stripe.events.list({ type: 'charge.dispute.created' });
  for (const event of events) await applyEvent(office.context, { ...event, id: 'evt_slow' });
  expect(await read()).toMatchObject({ balance: 500, owed: 0 });
  expect(await topUps()).toMatchObject([{ status: 'succeeded' }]);
});

test('A dispute that is lost after it was won takes the value off again', async () => {
  const dispute = await topUpDisputed();
  await tell();
  await win(dispute);
  await tell();
  expect(await balance()).toBe(2000);
  answerWith(dispute, { status: 'lost' });
  await tellAgain();
  expect(await read()).toMatchObject({ balance: 0, owed: 0 });
  expect(await topUps()).toMatchObject([{ status: 'disputed' }]);
});

test('A dispute of a part of a top-up moves that part only, on the card and in the books', async () => {
  const dispute = await topUpDisputed();
  const booked = async () =>
    (await office.context.db.select().from(moneyEntries).orderBy(moneyEntries.seq)).map(
      ({ method, amount }) => [method, amount],
    );
  answerWith(dispute, { amount: 500, status: 'under_review' });
  await tellAgain();
  expect(await balance()).toBe(1500);
  expect(await booked()).toEqual([
    ['card', 2000],
    ['dispute', -500],
  ]);
  answerWith(dispute, { amount: 500, status: 'won' });
  await tellAgain();
  expect(await balance()).toBe(2000);
  expect((await booked()).slice(2)).toEqual([['dispute', 500]]);
});

test('The end of another dispute of the same payment returns nothing', async () => {
  const dispute = await topUpDisputed();
  await pay(1500);
  await tell();
  await lose(dispute);
  await tell();
  answerWith(dispute, { id: 'du_another', status: 'warning_closed' });
  await tellAgain();
  expect(await read()).toMatchObject({ balance: 0, owed: 1500 });
});

test('A dispute by a person the card is shared with does not pause the owner’s automatic top-ups', async () => {
  const saved = await wallet.add();
  const input = { threshold: 1000, amount: 2000, payment_card_id: saved.id };
  must(await wallet.request('PUT', path('/auto_top_up'), { body: input }));
  await topUpDisputed();
  await office.context.db.update(tableOfTopUps).set({ byCustomerId: newId('cus') });
  await tell();
  expect((await read()).auto_top_up.state).toBe('ok');
});
