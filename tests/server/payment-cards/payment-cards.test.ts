import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { eraseCustomer } from '#server/privacy/delete-customer.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { type CardOffice, openCardOffice, type Wallet } from './wallet.ts';

const NOBODYS = 'pcd_00000000000000000000000000';

let office: CardOffice;
let wallet: Wallet;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  wallet = await office.openWallet();
});

const refusalOf = (reply: TestReply) => [reply.status, codeOf(reply)];

describe('adding a card', () => {
  test('a finished setup becomes a card with the details its owner may see', async () => {
    const setup = await wallet.startSetup();
    expect(setup.client_secret.startsWith(`${setup.setup_intent_id}_secret_`)).toBe(true);
    await office.stripe.setupIntents.confirm(setup.setup_intent_id, { payment_method: 'pm_card_visa' });
    const reply = await wallet.addSetup(setup.setup_intent_id);
    expect(reply.status).toBe(201);
    expect(must(reply)).toEqual({
      id: expect.stringMatching(/^pcd_/),
      last_four: '4242',
      exp_month: 12,
      exp_year: 2029,
      network: 'visa',
      funding: 'credit',
      primary: true,
      inserted_at: '2026-06-01T15:00:00.000Z',
      status: 'active',
      exp_date: '12/29',
      expired: false,
      expires_soon: false,
    });
    expect(JSON.stringify(office.logged)).not.toContain('_secret_');
  });

  test('the provider receives the customer’s id and no personal data', async () => {
    await wallet.add();
    const { reference } = await wallet.atProvider();
    expect(await office.stripe.customers.retrieve(reference)).toMatchObject({
      metadata: { customer_id: wallet.customer.id },
      email: null,
      name: null,
    });
  });

  test('concurrent setups share one customer at the provider', async () => {
    await Promise.all(Array.from({ length: 4 }, () => wallet.startSetup()));
    expect(await office.count('card_holders')).toBe(1);
    const { data } = await office.stripe.customers.list();
    expect(data).toHaveLength(1);
  });

  test('a setup of an account that is deleted meanwhile is refused and leaves no customer at the provider', async () => {
    const { createCustomer } = office.context.provider;
    let reference = '';
    vi.spyOn(office.context.provider, 'createCustomer').mockImplementationOnce(async (id) => {
      reference = await createCustomer(id);
      await eraseCustomer(office.context, { customerId: id, actor: { kind: 'server' }, reason: null });
      return reference;
    });
    const reply = await wallet.request('POST', api.startCardSetup.path, { body: {} });
    expect(refusalOf(reply)).toEqual([401, 'session_expired']);
    await office.jobs.runJobs();
    expect(await office.stripe.customers.retrieve(reference)).toMatchObject({ deleted: true });
  });

  test('a repeated request starts one setup', async () => {
    const idempotencyKey = crypto.randomUUID();
    const ask = () => wallet.request('POST', api.startCardSetup.path, { body: {}, idempotencyKey });
    expect(must(await ask())).toEqual(must(await ask()));
  });

  test('adding the same setup again, also concurrently, returns the same card', async () => {
    const setup = await wallet.finishSetup();
    const replies = await Promise.all(Array.from({ length: 4 }, () => wallet.addSetup(setup)));
    expect(new Set(replies.map((reply) => must(reply).id)).size).toBe(1);
    expect(await wallet.list()).toHaveLength(1);
    expect(await office.count('security_events')).toBe(1);
  });

  test('an unfinished, foreign or unknown setup adds no card', async () => {
    const other = await office.openWallet();
    await wallet.add();
    const { setup_intent_id: unfinished } = await wallet.startSetup();
    expect(refusalOf(await wallet.addSetup(unfinished))).toEqual([422, 'setup_unfinished']);
    const challenged = await wallet.finishSetup('pm_card_authenticationRequired');
    expect(refusalOf(await wallet.addSetup(challenged))).toEqual([422, 'setup_unfinished']);
    const others = await other.finishSetup('pm_card_mastercard');
    const foreign = await wallet.addSetup(others);
    const unknown = await wallet.addSetup('seti_nobody');
    expect(refusalOf(foreign)).toEqual([422, 'setup_refused']);
    expect(foreign.body).toEqual(unknown.body);
    expect(await wallet.list()).toHaveLength(1);
    expect(await other.list()).toHaveLength(0);
  });

  test('a customer who never started a setup cannot add a card', async () => {
    expect(refusalOf(await wallet.addSetup('seti_nobody'))).toEqual([422, 'setup_refused']);
  });

  test.for([
    [{}, 'invalid_input'],
    [{ setup_intent_id: 7 }, 'invalid_input'],
    [{ setup_intent_id: 'seti_../../customers' }, 'invalid_input'],
    [{ setup_intent_id: 'pi_123' }, 'invalid_input'],
    [{ setup_intent_id: 'seti_1', primary: 'yes' }, 'invalid_input'],
    [{ setup_intent_id: 'seti_1', number: '4242424242424242' }, 'unknown_field'],
  ] as const)('%j is not accepted as a card', async ([body, code]) => {
    expect(refusalOf(await wallet.request('POST', api.listPaymentCards.path, { body }))).toEqual([422, code]);
  });

  test('card data is refused where a setup is started, too', async () => {
    const body = { number: '4242424242424242' };
    expect(refusalOf(await wallet.request('POST', api.startCardSetup.path, { body }))).toEqual([
      422,
      'unknown_field',
    ]);
  });

  test('setups are limited per account and per network', async () => {
    const refused = async (who: Wallet, from?: string) =>
      refusalOf(await who.request('POST', api.startCardSetup.path, { body: {}, ...(from ? { from } : {}) }));
    for (let times = 0; times < 6; times += 1) await wallet.startSetup();
    const reply = await wallet.request('POST', api.startCardSetup.path, { body: {} });
    expect(refusalOf(reply)).toEqual([429, 'rate_limited']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    for (let accounts = 0; accounts < 2; accounts += 1) {
      const other = await office.openWallet();
      for (let times = 0; times < 6; times += 1) await other.startSetup();
    }
    const last = await office.openWallet();
    expect(await refused(last)).toEqual([201, 'success']);
    expect(await refused(last)).toEqual([201, 'success']);
    expect(await refused(last)).toEqual([429, 'rate_limited']);
    expect(await refused(last, '198.51.100.1')).toEqual([201, 'success']);
    office.clock.advance(3_600_000);
    expect(await refused(wallet)).toEqual([201, 'success']);
  });

  test('an unreachable provider is reported, and nothing is stored', async () => {
    const { fetch } = office.provider;
    const setup = await wallet.finishSetup();
    office.provider.fetch = async () => {
      throw new TypeError('fetch failed');
    };
    expect(refusalOf(await wallet.addSetup(setup))).toEqual([503, 'payment_unavailable']);
    const started = await wallet.request('POST', api.startCardSetup.path, { body: {} });
    expect(refusalOf(started)).toEqual([503, 'payment_unavailable']);
    office.provider.fetch = fetch;
    expect(await wallet.list()).toEqual([]);
    must(await wallet.addSetup(setup));
  });
});

describe('the same card saved twice', () => {
  test('stays one card, charged through the newer payment method, and the older one is detached', async () => {
    const first = await wallet.add();
    office.clock.advance(60_000);
    const again = await wallet.add();
    expect(again.id).toBe(first.id);
    expect(await wallet.list()).toHaveLength(1);
    const before = (await wallet.atProvider()).methods;
    expect(before).toHaveLength(2);
    await office.jobs.runJobs();
    const { methods, primary } = await wallet.atProvider();
    expect(methods.map(({ created }) => created)).toEqual([Math.max(...before.map((each) => each.created))]);
    expect(primary).toBe(methods[0]?.id);
  });

  test('is a separate card if its expiry differs', async () => {
    const first = await wallet.add();
    const [method] = (await wallet.atProvider()).methods;
    await office.stripe.paymentMethods.update(method?.id ?? '', {
      card: { exp_month: 3, exp_year: 2031 },
    });
    await office.provider.deliverNow();
    expect((await wallet.list())[0]).toMatchObject({ id: first.id, exp_date: '03/31' });
    const second = await wallet.add();
    expect(second.id).not.toBe(first.id);
  });

  test('is a separate card for another customer', async () => {
    const other = await office.openWallet();
    await wallet.add();
    await other.add();
    expect(await wallet.list()).toHaveLength(1);
    expect(await other.list()).toHaveLength(1);
  });
});

describe('the primary card', () => {
  test('is the first card until another one is chosen', async () => {
    const visa = await wallet.add('pm_card_visa');
    const mastercard = await wallet.add('pm_card_mastercard');
    expect([visa.primary, mastercard.primary]).toEqual([true, false]);
    expect(must(await wallet.makePrimary(mastercard.id))).toMatchObject({ id: mastercard.id, primary: true });
    expect((await wallet.list()).map(({ id, primary }) => [id, primary])).toEqual([
      [mastercard.id, true],
      [visa.id, false],
    ]);
    const amex = await wallet.add('pm_card_amex', { primary: true });
    expect(amex).toMatchObject({ primary: true, network: 'american_express' });
  });

  test('is answered in the older format with its fields at the top, and null if there is none', async () => {
    const none = await wallet.request('GET', api.getPrimaryCard.path);
    expect([none.status, none.body.success, none.body.data]).toEqual([200, true, null]);
    const card = await wallet.add();
    const reply = await wallet.request('GET', api.getPrimaryCard.path);
    expect(reply.body).toMatchObject({ ...card, success: true, data: card });
  });

  test('is exactly one while several are chosen concurrently', async () => {
    const cards = [];
    for (const name of ['visa', 'mastercard', 'amex', 'discover'])
      cards.push(await wallet.add(`pm_card_${name}`));
    const replies = await Promise.all([...cards, ...cards].map(({ id }) => wallet.makePrimary(id)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await wallet.list()).filter(({ primary }) => primary)).toHaveLength(1);
    await office.jobs.runJobs();
    const [first] = await wallet.list();
    const { methods, primary } = await wallet.atProvider();
    expect(methods.find(({ id }) => id === primary)?.card?.last4).toBe(first?.last_four);
  });

  test('is exactly one while cards are chosen, added and deleted concurrently', async () => {
    const visa = await wallet.add('pm_card_visa');
    const mastercard = await wallet.add('pm_card_mastercard');
    const setup = await wallet.finishSetup('pm_card_amex');
    const replies = await Promise.all([
      wallet.makePrimary(mastercard.id),
      wallet.remove(visa.id),
      wallet.addSetup(setup, { primary: true }),
      wallet.makePrimary(visa.id),
      wallet.remove(mastercard.id),
    ]);
    for (const reply of replies) expect([200, 201, 404]).toContain(reply.status);
    expect(await wallet.list()).toMatchObject([{ last_four: '0005', primary: true }]);
  });

  test('is kept unique by the database, as is each card', async () => {
    await wallet.add('pm_card_visa');
    await wallet.add('pm_card_mastercard');
    const refused = (statement: string) =>
      expect(office.database.store.query(statement)).rejects.toThrow(/payment_cards_/);
    await refused('update payment_cards set is_primary = true');
    await refused("update payment_cards set provider_reference = 'pm_same'");
    await refused("update payment_cards set fingerprint = 'same'");
    await refused('update payment_cards set exp_month = 13');
  });

  test('causes a mail to its owner only when a new card replaces it', async () => {
    const device = { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1' };
    const setup = await wallet.finishSetup();
    must(
      await wallet.request('POST', api.listPaymentCards.path, {
        body: { setup_intent_id: setup },
        headers: device,
      }),
    );
    await wallet.add('pm_card_mastercard');
    await office.provider.deliverNow();
    const events = must(await wallet.request('GET', api.listSecurityEvents.path));
    expect(events).toEqual([
      expect.objectContaining({ kind: 'primary_card_added', device: 'Safari on iPhone' }),
    ]);
    expect(await office.count('mails:security-event')).toBe(1);
  });

  test('is set at the provider too; a failure is logged, has no effect on the customer and is retried', async () => {
    await wallet.add('pm_card_visa');
    const { fetch } = office.provider;
    const card = await wallet.add('pm_card_mastercard', { primary: true });
    office.provider.fetch = async () => {
      throw new TypeError('fetch failed');
    };
    await office.jobs.runJobs({ mayFail: ['saved cards not as at the provider'] });
    expect(office.logged.some(({ event }) => event === 'saved cards not as at the provider')).toBe(true);
    office.provider.fetch = fetch;
    expect((await wallet.list())[0]?.id).toBe(card.id);
    office.jobs.trigger('sync-payment-cards');
    await office.jobs.runJobs();
    const { methods, primary } = await wallet.atProvider();
    expect(methods.find(({ id }) => id === primary)?.card?.last4).toBe(card.last_four);
  });
});

describe('deleting a card', () => {
  test('makes the newest valid card primary, notifies the owner, and detaches the card at the provider', async () => {
    const visa = await wallet.add('pm_card_visa');
    const mastercard = await wallet.add('pm_card_mastercard');
    office.clock.advance(1000);
    const amex = await wallet.add('pm_card_amex');
    expect(must(await wallet.remove(visa.id))).toEqual({
      id: visa.id,
      promoted: { ...amex, primary: true },
    });
    expect(must(await wallet.remove(mastercard.id))).toEqual({ id: mastercard.id, promoted: null });
    expect((await wallet.list()).map(({ id }) => id)).toEqual([amex.id]);
    await office.jobs.runJobs();
    const { methods, primary } = await wallet.atProvider();
    expect(methods.map(({ card }) => card?.last4)).toEqual([amex.last_four]);
    expect(primary).toBe(methods[0]?.id);
    expect(must(await wallet.remove(amex.id)).promoted).toBeNull();
    await office.jobs.runJobs();
    expect((await wallet.atProvider()).primary).toBeNull();
  });

  test('is final: neither its setup nor late webhooks restore it', async () => {
    const setup = await wallet.finishSetup();
    const card = must(await wallet.addSetup(setup));
    must(await wallet.remove(card.id));
    expect(refusalOf(await wallet.addSetup(setup))).toEqual([422, 'setup_refused']);
    await office.provider.deliverNow();
    expect(await wallet.list()).toEqual([]);
    expect(refusalOf(await wallet.remove(card.id))).toEqual([404, 'not_found']);
    expect(refusalOf(await wallet.makePrimary(card.id))).toEqual([404, 'not_found']);
  });

  test('lets the same card be saved again', async () => {
    const card = await wallet.add();
    must(await wallet.remove(card.id));
    await office.jobs.runJobs();
    expect((await wallet.add()).id).not.toBe(card.id);
  });

  test('deleting an account deletes its cards, also at the provider', async () => {
    await wallet.add();
    const { reference } = await wallet.atProvider();
    must(await wallet.request('DELETE', api.changeDetails.path));
    await office.jobs.runJobs();
    expect(await office.count('payment_cards')).toBe(0);
    expect(await office.stripe.customers.retrieve(reference)).toMatchObject({ deleted: true });
  });
});

describe('cards of others', () => {
  test('cannot be chosen or deleted, with the same answer as for unknown ones', async () => {
    const other = await office.openWallet();
    const mine = await wallet.add();
    await wallet.add('pm_card_mastercard');
    await office.jobs.runJobs();
    const before = await wallet.atProvider();
    for (const act of [other.makePrimary, other.remove]) {
      const [foreign, missing] = [await act(mine.id), await act(NOBODYS)];
      expect(refusalOf(foreign)).toEqual([404, 'not_found']);
      expect(foreign.body).toEqual(missing.body);
    }
    await office.jobs.runJobs();
    expect(await wallet.atProvider()).toEqual(before);
    expect((await wallet.list())[0]).toEqual(mine);
    expect(await other.list()).toEqual([]);
  });
});

test.each([
  ['GET', api.getPrimaryCard.path],
  ['GET', api.listPaymentCards.path],
  ['POST', api.startCardSetup.path],
  ['POST', api.listPaymentCards.path],
  ['POST', fillPath(api.makeCardPrimary.path, { id: NOBODYS })],
  ['DELETE', fillPath(api.removePaymentCard.path, { id: NOBODYS })],
])('%s %s needs a session', async (method, path) => {
  const body = method === 'POST' ? { body: {} } : {};
  expect(refusalOf(await office.request(method, path, body))).toEqual([401, 'unauthenticated']);
  const dead = await office.request(method, path, { ...body, token: `gw_${'x'.repeat(43)}` });
  expect(refusalOf(dead)).toEqual([401, 'session_expired']);
});

test('the list has pages of ten with the primary card on the first, and at most twenty cards', async () => {
  const first = await wallet.add();
  // The test cards are few: the same numbers with other expiries are other cards.
  await office.database.store.query(`
    insert into payment_cards
    select 'pcd_' || lpad(n::text, 26, '0'), customer_id, 'pm_' || n, method_created_at, 'f' || n, network,
      funding, last_four, exp_month, exp_year, false, 'active', inserted_at + n * interval '1 second', updated_at
    from payment_cards, generate_series(1, 19) as n
  `);
  const page = await wallet.request('GET', `${api.listPaymentCards.path}?page=1`);
  expect(page.body.meta).toEqual({ page: 1, page_size: 10, total_pages: 2, total_count: 20 });
  expect(page.body.data[0].id).toBe(first.id);
  const all = [...(await wallet.list()), ...(await wallet.list(2))];
  expect(new Set(all.map(({ id }) => id)).size).toBe(20);
  expect(await wallet.list(3)).toEqual([]);
  for (const bad of ['0', '-1', 'abc', '1.5', '1&page=2']) {
    const reply = await wallet.request('GET', `${api.listPaymentCards.path}?page=${bad}`);
    expect(refusalOf(reply), bad).toEqual([422, 'invalid_input']);
  }
  const reply = await wallet.request('POST', api.startCardSetup.path, { body: {} });
  expect(refusalOf(reply)).toEqual([422, 'too_many_cards']);
});
