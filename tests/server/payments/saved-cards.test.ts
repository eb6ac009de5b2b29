import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { type CardOffice, openCardOffice, type Wallet } from '../payment-cards/wallet.ts';

let office: CardOffice;
let wallet: Wallet;
let order: { id: string; total: number };
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  wallet = await office.openWallet();
  order = await office.takeOrder();
});

const refusalOf = (reply: TestReply) => [reply.status, codeOf(reply)];
const intentOf = (payment: { client_secret: string }) => payment.client_secret.split('_secret')[0] ?? '';
const intentAt = (id: string) => office.stripe.paymentIntents.retrieve(id);

/** Pays the order as a customer; with another's token, or as a visitor without one. */
function pay(body: object, options: { token?: string | undefined; key?: string } = {}) {
  const { key = crypto.randomUUID() } = options;
  const token = 'token' in options ? options.token : wallet.token;
  return office.request('POST', fillPath(api.startPayment.path, { id: order.id }), {
    body: { method: 'card', ...body },
    idempotencyKey: key,
    ...(token === undefined ? {} : { token }),
  });
}

describe('a saved card', () => {
  test('pays at once, without a page of the bank or a form', async () => {
    const card = await wallet.add();
    const reply = await pay({ payment_card_id: card.id });
    expect(reply.status).toBe(201);
    expect(must(reply)).toMatchObject({ status: 'succeeded', amount: order.total, failure: null });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', payment_status: 'paid' });
    await office.provider.deliverNow();
    expect(await office.count('tickets')).toBe(1);
    expect(await office.count('mails:order-confirmed')).toBe(1);
    expect(JSON.stringify(reply.body)).not.toContain('pm_');
  });

  test('is charged once for repeated and concurrent requests', async () => {
    const card = await wallet.add();
    const key = crypto.randomUUID();
    const replies = await Promise.all([
      ...Array.from({ length: 3 }, () => pay({ payment_card_id: card.id }, { key })),
      ...Array.from({ length: 3 }, () => pay({ payment_card_id: card.id })),
    ]);
    // On a slow machine a repeated request can be told to retry later.
    const fine = ['success', 'already_paid', 'request_in_progress'];
    expect(replies.map(codeOf).filter((code) => !fine.includes(code))).toEqual([]);
    expect(replies.some(({ status }) => status === 201)).toBe(true);
    expect(await office.readOrder(order.id)).toMatchObject({ paid: order.total, refunds: [] });
    const { data } = await office.stripe.charges.list();
    expect(data).toHaveLength(1);
  });

  test('is charged by a request whose idempotency key cannot be reused for other input', async () => {
    const card = await wallet.add();
    const key = crypto.randomUUID();
    must(await pay({ payment_card_id: card.id }, { key }));
    expect(refusalOf(await pay({}, { key }))).toEqual([422, 'idempotency_mismatch']);
  });

  test('continues the payment that the form started', async () => {
    const card = await wallet.add();
    const begun = must(await pay({}));
    const paid = must(await pay({ payment_card_id: card.id }));
    expect([paid.id, paid.client_secret]).toEqual([begun.id, begun.client_secret]);
    expect(await office.count('payments')).toBe(1);
  });

  test('waits for the bank’s challenge, and pays once it is completed', async () => {
    const setup = await wallet.startSetup();
    const intent = await office.stripe.setupIntents.confirm(setup.setup_intent_id, {
      payment_method: 'pm_card_authenticationRequired',
    });
    await answerBank(intent.next_action, 'complete');
    const card = must(await wallet.addSetup(setup.setup_intent_id));
    const started = must(await pay({ payment_card_id: card.id }));
    expect(started.status).toBe('requires_action');
    expect((await office.readOrder(order.id)).status).toBe('awaiting_payment');
    const waiting = await intentAt(intentOf(started));
    await answerBank(waiting.next_action, 'complete');
    expect(await office.readPayment(order.id, started.id)).toMatchObject({ status: 'succeeded' });
    expect((await office.readOrder(order.id)).status).toBe('confirmed');
  });

  test('reports a decline, and another card can pay the same order', async () => {
    const bad = await wallet.add('pm_card_chargeCustomerFail');
    const good = await wallet.add('pm_card_visa');
    const key = crypto.randomUUID();
    const reply = await pay({ payment_card_id: bad.id }, { key });
    expect(refusalOf(reply)).toEqual([422, 'card_declined']);
    expect(reply.body.error).toBe(
      'Your card was declined. You have not been charged. Try another card, or call your bank.',
    );
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'awaiting_payment',
      payment_status: 'failed',
    });
    must(await pay({ payment_card_id: good.id }));
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed' });
  });

  test('ends the order’s payments after five declines', async () => {
    const bad = await wallet.add('pm_card_chargeCustomerFail');
    for (let times = 0; times < 5; times += 1) {
      expect(refusalOf(await pay({ payment_card_id: bad.id }))[1]).toBe('card_declined');
    }
    expect(refusalOf(await pay({ payment_card_id: bad.id }))).toEqual([422, 'order_blocked']);
  });

  test('can be charged by its owner only, and not after it was deleted', async () => {
    const card = await wallet.add();
    const other = await office.openWallet();
    await other.add('pm_card_mastercard');
    const foreign = await pay({ payment_card_id: card.id }, { token: other.token });
    expect(refusalOf(foreign)).toEqual([404, 'not_found']);
    const missing = await pay({ payment_card_id: 'pcd_00000000000000000000000000' });
    expect(foreign.body).toEqual(missing.body);
    expect(refusalOf(await pay({ payment_card_id: card.id }, { token: undefined }))).toEqual([
      401,
      'unauthenticated',
    ]);
    must(await wallet.remove(card.id));
    expect(refusalOf(await pay({ payment_card_id: card.id }))).toEqual([404, 'not_found']);
    expect(await office.count('payments')).toBe(0);
  });

  test('is not charged after it expired', async () => {
    const card = await wallet.add();
    await office.database.store.query('update payment_cards set exp_year = 2026, exp_month = 5');
    expect(refusalOf(await pay({ payment_card_id: card.id }))).toEqual([422, 'card_expired']);
    expect(await office.count('payments')).toBe(0);
  });

  test('pays the order although the provider’s answer is lost: a repetition finds it paid', async () => {
    const card = await wallet.add();
    const { fetch } = office.provider;
    office.provider.fetch = async (request) => {
      const answer = await fetch(request);
      if (request.url.endsWith('/confirm')) throw new TypeError('fetch failed');
      return answer;
    };
    expect(refusalOf(await pay({ payment_card_id: card.id }))).toEqual([503, 'payment_unavailable']);
    office.provider.fetch = fetch;
    expect(refusalOf(await pay({ payment_card_id: card.id }))).toEqual([422, 'already_paid']);
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: order.total });
  });
});

describe('a saved card for the difference of a change', () => {
  /** One more adult on a later sailing of an order that the customer owns. */
  async function makeChange() {
    const buyer = changesOf(office);
    const bought = await buyer.buy();
    await office.database.store.query('update orders set customer_id = $1 where id = $2', [
      wallet.customer.id,
      bought.id,
    ]);
    const [, later = ''] = office.ferry.outward;
    const { token } = wallet;
    const change = must(
      await buyer.change(bought, [{ direction: 'out', to: [later], adults: 2 }], { token }),
    );
    return (card: { id: string }) =>
      buyer.startPayment(bought, change, { method: 'card', payment_card_id: card.id }, token);
  }
  const readChanged = async () => must(await wallet.request('GET', `${api.listOrders.path}`));

  test('pays at once, and a decline leaves the order as it was', async () => {
    const bad = await wallet.add('pm_card_chargeCustomerFail');
    const good = await wallet.add('pm_card_visa');
    const payBy = await makeChange();
    expect(refusalOf(await payBy(bad))).toEqual([422, 'card_declined']);
    expect(await readChanged()).toMatchObject([{ total: 1275, party_size: 1 }]);
    expect(must(await payBy(good))).toMatchObject({ status: 'succeeded', amount: 1275 });
    expect(await readChanged()).toMatchObject([{ total: 2550, party_size: 2 }]);
  });

  test('returns from the bank’s page to the page of the change', async () => {
    const setup = await wallet.startSetup();
    const intent = await office.stripe.setupIntents.confirm(setup.setup_intent_id, {
      payment_method: 'pm_card_authenticationRequired',
    });
    await answerBank(intent.next_action, 'complete');
    const card = must(await wallet.addSetup(setup.setup_intent_id));
    const payBy = await makeChange();
    const { fetch } = office.provider;
    const returnUrls: (string | null)[] = [];
    office.provider.fetch = async (request) => {
      if (request.url.endsWith('/confirm')) {
        returnUrls.push(new URLSearchParams(await request.clone().text()).get('return_url'));
      }
      return fetch(request);
    };
    const started = must(await payBy(card));
    office.provider.fetch = fetch;
    expect(started.status).toBe('requires_action');
    expect(returnUrls).toEqual([expect.stringMatching(/\/orders\/[^/]+\/change$/)]);
    await answerBank((await intentAt(intentOf(started))).next_action, 'complete');
    await office.provider.deliverNow();
    expect(await readChanged()).toMatchObject([{ total: 2550, party_size: 2 }]);
  });
});

describe('a saved card beside a trip card', () => {
  test('pays the rest that the trip card does not, in one request', async () => {
    const card = await wallet.add();
    const tripCard = await createTripCard(office.context, wallet.customer.id, { balance: 500 });
    const input = { trip_card_id: tripCard.id, trip_card_amount: 500, payment_card_id: card.id };
    const payment = must(await pay(input));
    expect(payment).toMatchObject({ status: 'succeeded', amount: order.total - 500, trip_card_amount: 500 });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: order.total });
    expect(await valueOn(tripCard.id)).toEqual({ balance: 0, held: 0 });
  });

  test('leaves the trip card unchanged when it is declined, and another card pays the rest', async () => {
    const bad = await wallet.add('pm_card_chargeCustomerFail');
    const good = await wallet.add('pm_card_mastercard');
    const tripCard = await createTripCard(office.context, wallet.customer.id, { balance: 500 });
    const input = { trip_card_id: tripCard.id, trip_card_amount: 500 };
    expect(refusalOf(await pay({ ...input, payment_card_id: bad.id }))).toEqual([422, 'card_declined']);
    expect(await valueOn(tripCard.id)).toEqual({ balance: 500, held: 0 });
    must(await pay({ ...input, payment_card_id: good.id }));
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: order.total });
    expect(await valueOn(tripCard.id)).toEqual({ balance: 0, held: 0 });
    expect((await office.stripe.charges.list()).data.filter(({ paid }) => paid)).toHaveLength(1);
  });
});

describe('saving a card while buying', () => {
  test('saves the card that paid, if the customer chose to', async () => {
    const payment = must(await pay({ save_card: true }));
    await confirmAndAgree(payment);
    expect(await wallet.list()).toEqual([]);
    await office.provider.deliverNow();
    await office.jobs.runJobs();
    expect(await wallet.list()).toMatchObject([{ last_four: '4242', primary: true }]);
    expect((await office.readOrder(order.id)).status).toBe('confirmed');
  });

  test('needs no webhook: the process that detects the payment saves the card', async () => {
    const payment = must(await pay({ save_card: true }));
    await confirmAndAgree(payment);
    await office.readPayment(order.id, payment.id);
    await office.jobs.runJobs();
    expect(await wallet.list()).toHaveLength(1);
    await office.provider.deliverNow();
    await office.jobs.runJobs();
    expect(await wallet.list()).toHaveLength(1);
  });

  test('adds no second card if it is already saved', async () => {
    const card = await wallet.add();
    const payment = must(await pay({ save_card: true }));
    await confirmAndAgree(payment);
    await office.provider.deliverNow();
    await office.jobs.runJobs();
    expect(await wallet.list()).toMatchObject([{ id: card.id }]);
  });

  test('is revoked by paying without the choice, or as a visitor', async () => {
    const started = must(await pay({ save_card: true }));
    expect((await intentAt(intentOf(started))).setup_future_usage).toBe('off_session');
    must(await pay({ save_card: false }));
    expect((await intentAt(intentOf(started))).setup_future_usage).toBeNull();
    must(await pay({ save_card: true }));
    must(await pay({}, { token: undefined }));
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    await office.jobs.runJobs();
    expect(await wallet.list()).toEqual([]);
    expect((await office.readOrder(order.id)).status).toBe('confirmed');
  });

  test('saves no card of another person who pays the same order', async () => {
    const stranger = must(await pay({}, { token: undefined }));
    const { client_secret: secret } = must(await pay({ save_card: true }));
    expect(secret).toBe(stranger.client_secret);
    await office.confirmWith(intentOf(stranger));
    await office.provider.deliverNow();
    const [method] = (await wallet.atProvider()).methods;
    await office.stripe.paymentMethods.update(method?.id ?? '', { metadata: { changed: 'yes' } });
    await office.provider.deliverNow();
    await office.jobs.runJobs();
    await office.jobs.runJobs();
    expect(await wallet.list()).toEqual([]);
    expect((await wallet.atProvider()).methods).toEqual([]);
    expect((await office.readOrder(order.id)).status).toBe('confirmed');
  });

  test('is refused to visitors and with a card that is already saved', async () => {
    expect(refusalOf(await pay({ save_card: true }, { token: undefined }))).toEqual([401, 'unauthenticated']);
    const card = await wallet.add();
    expect(refusalOf(await pay({ save_card: true, payment_card_id: card.id }))).toEqual([
      422,
      'invalid_input',
    ]);
    expect(refusalOf(await pay({ payment_card_id: 7 }))).toEqual([422, 'invalid_input']);
    expect(await office.count('payments')).toBe(0);
  });
});

test('a visitor’s payment creates no customer at the provider', async () => {
  const payment = must(await pay({}, { token: undefined }));
  expect(await intentAt(intentOf(payment))).toMatchObject({ customer: null, setup_future_usage: null });
});

/** Confirms at the provider like the form of a customer who chose to save the card. */
async function confirmAndAgree(payment: { client_secret: string }): Promise<void> {
  await office.stripe.paymentIntents.confirm(intentOf(payment), {
    payment_method_data: { type: 'card', card: { token: 'tok_visa' }, allow_redisplay: 'always' },
    return_url: 'http://tickets.ferry.localhost/orders/new',
  } as object);
}

/** Completes the bank's challenge like the customer on the bank's page. */
async function answerBank(action: unknown, outcome: 'complete' | 'fail'): Promise<void> {
  const page = /https?:\/\/[^"\\]+/.exec(JSON.stringify(action))?.[0] ?? '';
  const reply = await office.provider.fetch(
    new Request(page, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ outcome }),
    }),
  );
  if (reply.status >= 400) throw new Error(`The bank's page answered ${reply.status}.`);
}

async function valueOn(tripCardId: string) {
  const [row] = await office.database.store.query<{ balance: number; held: number }>(
    'select balance::int as balance, held::int as held from trip_cards where id = $1',
    [tripCardId],
  );
  return row;
}
