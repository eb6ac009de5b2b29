import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PassCard } from '#contract/trip-cards/schemas.ts';
import { passProducts } from '#server/database/schema/timetable.ts';
import { adjustBalance } from '#server/trip-cards/operator-commands.ts';
import { reconcileTopUps } from '#server/trip-cards/trip-card-jobs.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { sellPass } from '#tests/factories/passes.ts';
import { importDemo } from '#tests/factories/timetable.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { type CardOffice, openCardOffice, type Wallet } from '#tests/server/payment-cards/wallet.ts';

const DAY = 24 * 3_600_000;
let office: CardOffice;
let wallet: Wallet;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  wallet = await office.openWallet();
  await sellPass(office.context.db);
});

function buy(body: object = {}, options: { idempotencyKey?: string; from?: string } = {}) {
  return wallet.request('POST', '/api/customers/passes', {
    body: { code: 'ten_trips', price: 7400, ...body },
    idempotencyKey: randomUUID(),
    ...options,
  });
}

const cards = async (query = '?include=passes'): Promise<PassCard[]> =>
  must(await wallet.request('GET', `/api/customers/trip_cards${query}`));
const cardPath = (id: string, rest = '') => `/api/customers/trip_cards/${id}${rest}`;
const entriesOf = async (id: string) => must(await wallet.request('GET', cardPath(id, '/balance')));

/** Buys the pass with a saved card. */
async function buyPaid(body: object = {}): Promise<PassCard> {
  const saved = await wallet.add();
  must(await buy({ payment_card_id: saved.id, ...body }));
  const [card] = await cards();
  if (!card) throw new Error('There is no pass.');
  return card;
}

describe('GET /api/passes', () => {
  test('lists the passes on sale to everyone', async () => {
    const listed = must(await office.request('GET', '/api/passes'));
    expect(listed).toMatchObject([{ code: 'ten_trips', trips: 10, price: 7400, currency: 'USD' }]);
  });

  test('lists those of the imported passes.csv in its order, with the names of lines and people', async () => {
    const { db } = office.context;
    await db.delete(passProducts);
    await office.database.store.query('truncate feed, ports, routes, vessels cascade');
    await importDemo(db, office.clock.now().toISOString());
    expect(must(await office.request('GET', '/api/passes'))).toMatchObject([
      { code: 'ten_trips', price: 7400, trips: 10, lines: ['madrona-heron', 'heron-kestrel'] },
      {
        ...{ code: 'car_commuter', passenger_types: [], vehicle_type: 'car' },
        ...{ vehicle_name: 'Car, SUV or pickup', valid_days: 180, valid_from: 'first_use' },
      },
    ]);
  });

  test('leaves out a pass that the timetable no longer has', async () => {
    await office.context.db.update(passProducts).set({ active: false });
    expect(must(await office.request('GET', '/api/passes'))).toEqual([]);
  });
});

describe('a pass in another language', () => {
  test('has the name that its buyer read, and conditions in the language of each reader', async () => {
    await sellPass(office.context.db, {
      passenger_types: ['adult'],
      passenger_names: ['Adult'],
      translations: { 'name@de': '10-Fahrten-Karte', 'passenger_names@de': ['Erwachsene'] },
    });
    const saved = await wallet.add();
    const german = { headers: { 'accept-language': 'de' } };
    must(
      await wallet.request('POST', '/api/customers/passes', {
        body: { code: 'ten_trips', price: 7400, payment_card_id: saved.id },
        idempotencyKey: randomUUID(),
        ...german,
      }),
    );
    const path = '/api/customers/trip_cards?include=passes';
    const [card] = must(await wallet.request('GET', path, german));
    expect(card).toMatchObject({ name: '10-Fahrten-Karte', pass: { passenger_names: ['Erwachsene'] } });
    expect(card.pass).not.toHaveProperty('translations');
    const [inEnglish] = await cards();
    expect(inEnglish).toMatchObject({ name: '10-Fahrten-Karte', pass: { passenger_names: ['Adult'] } });
  });
});

describe('POST /api/customers/passes', () => {
  test('needs a session', async () => {
    const reply = await office.request('POST', '/api/customers/passes', {
      body: { code: 'ten_trips', price: 7400 },
      idempotencyKey: randomUUID(),
    });
    expect(reply.status).toBe(401);
  });

  test('refuses an unknown pass, another price and fields it does not know', async () => {
    expect(codeOf(await buy({ code: 'gold' }))).toBe('not_found');
    expect(codeOf(await buy({ price: 7399 }))).toBe('price_changed');
    expect(codeOf(await buy({ trips: 99 }))).toBe('unknown_field');
    expect(codeOf(await buy({ payment_card_id: 'pcd_00000000000000000000000000' }))).toBe('invalid_input');
    expect(await cards()).toEqual([]);
  });

  test('charges a saved card, and the trips are on the card at once', async () => {
    const saved = await wallet.add();
    const done = must(await buy({ payment_card_id: saved.id }));
    expect(done).toMatchObject({ status: 'succeeded', amount: 7400, trips: 10, currency: 'USD' });
    const [card, ...others] = await cards();
    expect(others).toEqual([]);
    expect(card).toMatchObject({
      id: done.trip_card_id,
      name: '10-trip pass',
      unit: 'trips',
      balance: 10,
      available: 10,
      valid_until: '2027-06-01',
      pass: { code: 'ten_trips', lines: null },
    });
    expect(await entriesOf(done.trip_card_id)).toMatchObject({
      unit: 'trips',
      entries: [{ kind: 'top_up', amount: 10, balance_after: 10, description: 'Pass bought' }],
    });
    const [receipt] = (await mailsTo(office.context, wallet.customer.email)).filter(
      ({ kind }) => kind === 'trip-card-pass-bought',
    );
    expect(receipt?.data).toMatchObject({
      trips: 10,
      paid: 7400,
      validUntil: '2027-06-01',
      receiptNumber: done.receipt_number,
    });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('shows the card of a new payment card once it is paid, by webhook, poll or job', async () => {
    const started = must(await buy());
    const intent = String(started.client_secret).split('_secret', 1)[0] ?? '';
    expect(started).toMatchObject({ status: 'created' });
    expect(await cards(), 'unpaid').toEqual([]);
    await office.confirmWith(intent);
    office.clock.advance(2 * 60_000);
    await reconcileTopUps(office.context);
    await office.provider.deliverNow();
    expect(await cards()).toMatchObject([{ balance: 10 }]);
    const path = cardPath(started.trip_card_id, `/top_ups/${started.id}`);
    expect(must(await wallet.request('GET', path))).toMatchObject({ status: 'succeeded', trips: 10 });
  });

  test('sells once for one idempotency key', async () => {
    const saved = await wallet.add();
    const same = { idempotencyKey: 'one-pass-only' };
    const body = { payment_card_id: saved.id };
    const replies = await Promise.all([buy(body, same), buy(body, same)]);
    await office.database.store.query('delete from idempotency_keys');
    replies.push(await buy(body, same));
    expect(new Set(replies.map((reply) => must(reply).id)).size).toBe(1);
    expect(await cards()).toMatchObject([{ balance: 10 }]);
  });

  test('renews a pass of the same product, and extends it', async () => {
    const card = await buyPaid();
    office.clock.advance(30 * DAY);
    await wallet.signInAgain();
    const renewed = await buyPaid();
    expect(renewed).toMatchObject({ id: card.id, balance: 20, valid_until: '2027-07-01' });
    expect((await entriesOf(card.id)).entries[0]).toMatchObject({ description: 'Pass renewed', amount: 10 });
  });

  test('makes another card if the product pays for something else now', async () => {
    const card = await buyPaid();
    await sellPass(office.context.db, { lines: ['sound'], line_names: ['Sound'], price: 5000 });
    await buyPaid({ price: 5000 });
    const all = await cards();
    expect(all.map(({ balance }) => balance)).toEqual([10, 10]);
    expect(all.find(({ id }) => id === card.id)?.pass).toMatchObject({ lines: null, price: 7400 });
  });

  test('refuses to renew a frozen pass', async () => {
    const card = await buyPaid();
    must(await wallet.request('POST', cardPath(card.id, '/freeze')));
    expect(codeOf(await buy())).toBe('trip_card_frozen');
  });
});

describe('a pass', () => {
  test('is not listed to clients that do not ask for passes', async () => {
    await buyPaid();
    expect(await cards('')).toEqual([]);
  });

  test('takes no money, no automatic top-up and no transfer', async () => {
    const card = await buyPaid();
    const saved = await wallet.add();
    const options = { idempotencyKey: randomUUID() };
    const topUp = { body: { amount: 2000 }, ...options };
    expect(codeOf(await wallet.request('POST', cardPath(card.id, '/top_ups'), topUp))).toBe('holds_trips');
    const auto = { body: { threshold: 1000, amount: 2000, payment_card_id: saved.id } };
    expect(codeOf(await wallet.request('PUT', cardPath(card.id, '/auto_top_up'), auto))).toBe('holds_trips');
    const other = await createTripCard(office.context, wallet.customer.id, { balance: 500 });
    const move = { body: { to_card_id: other.id, amount: 1 }, ...options };
    expect(codeOf(await wallet.request('POST', cardPath(card.id, '/transfers'), move))).toBe('invalid_input');
  });

  test('keeps its trips and conditions on the card that replaces it', async () => {
    const card = await buyPaid();
    const replaced = must(await wallet.request('POST', cardPath(card.id, '/lost')));
    expect(replaced).toMatchObject({
      unit: 'trips',
      balance: 10,
      valid_until: card.valid_until,
      pass: card.pass,
      replaces_card_id: card.id,
    });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('shows a code in another format than money, until it expires', async () => {
    const card = await buyPaid();
    const code = must(await wallet.request('GET', cardPath(card.id, '/offline_code')));
    expect(code).toMatchObject({ unit: 'trips', balance: 10 });
    expect(code.payload).toMatch(/^GP1/);
    office.clock.advance(366 * DAY);
    await wallet.signInAgain();
    expect(codeOf(await wallet.request('GET', cardPath(card.id, '/offline_code')))).toBe('pass_expired');
  });

  test('has a statement in trips', async () => {
    const card = await buyPaid();
    const reply = await wallet.request('GET', cardPath(card.id, '/statement'));
    expect(reply.body).toContain('Pass bought,,10,10,trips');
  });

  test('warns its owner when few trips are left', async () => {
    const card = await buyPaid();
    must(await wallet.request('PATCH', cardPath(card.id), { body: { low_balance_at: 3 } }));
    await adjustBalance(office.context, {
      actor: { kind: 'server' },
      number: card.number ?? '',
      amount: -8,
      reason: 'Used on board',
      key: randomUUID(),
    });
    const warnings = (await mailsTo(office.context, wallet.customer.email)).filter(
      ({ kind }) => kind === 'trip-card-low',
    );
    expect(warnings).toMatchObject([{ data: { name: '10-trip pass', balance: 2, unit: 'trips' } }]);
  });
});
