import { createPublicKey, verify } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseTripCardCode } from '#domain/trip-cards/trip-card-code.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { hashPin } from '#server/trip-cards/add-card.ts';
import { spend } from '#server/trip-cards/spend.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { startSession } from '#tests/factories/customers.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const HOUR = 3_600_000;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function plasticCard(pin = '4711', balance = 0) {
  const card = await createTripCard(server.context, null, { balance });
  await server.context.db
    .update(tripCards)
    .set({ pinHash: await hashPin(server.context, { number: card.number, pin }) })
    .where(eq(tripCards.id, card.id));
  return card;
}

test('A daily limit also counts what was spent with a card that was lost since', async () => {
  const owner = await cardHolder(server);
  const friend = await cardHolder(server);
  const { id } = await createTripCard(server.context, owner.customer.id, { balance: 1000 });
  const body = { email: friend.customer.email, role: 'spend', daily_limit: 300 };
  must(await owner.call('POST', `/${id}/shares`, body));
  must(await friend.call('GET', ''));
  const pay = (cardId: string, amount: number) =>
    server.context.db.transaction((tx) =>
      spend(tx, server.context, {
        ...{ cardId, customerId: friend.customer.id, amount, orderId: null },
        ...{ cause: { code: 'tickets', reference: 'K7QF-2M9P' }, key: `limit of ${cardId} ${amount}` },
      }),
    );
  await pay(id, 200);
  const replacement = must(await owner.call('POST', `/${id}/lost`)).id;
  await expect(pay(replacement, 101)).rejects.toMatchObject({ code: 'share_limit_reached' });
  await pay(replacement, 100);
});

test('A new card is empty, has a name and an owner, and shows its whole number', async () => {
  const { call } = await cardHolder(server);
  const card = must(await call('POST', '', { name: 'Commute' }));
  expect(card).toMatchObject({
    name: 'Commute',
    role: 'owner',
    status: 'active',
    balance: 0,
    currency: 'USD',
    as_of: server.clock.now().toISOString(),
    shared_with: [],
  });
  expect(card.number).toMatch(/^9\d{15}$/);
  expect(must(await call('GET', ''))).toEqual([card]);
});

test('A repeated request opens one card', async () => {
  const { call } = await cardHolder(server);
  const key = { idempotencyKey: 'the-same-card-twice' };
  const first = must(await call('POST', '', {}, key));
  await server.database.store.query(`delete from idempotency_keys`);
  expect(must(await call('POST', '', {}, key)).id).toBe(first.id);
  expect(must(await call('GET', ''))).toHaveLength(1);
});

test('A plastic card is added to the account by number and PIN with its balance', async () => {
  const { call } = await cardHolder(server);
  const plastic = await plasticCard('4711', 2500);
  const typed = plastic.number.replace(/(.{4})/g, '$1 ');
  const card = must(await call('POST', '', { number: typed, pin: '4711', name: 'Plastic' }));
  expect(card).toMatchObject({ id: plastic.id, name: 'Plastic', balance: 2500 });
  expect(codeOf(await call('POST', '', { number: plastic.number }))).toBe('invalid_input');
});

test('An unknown number, a wrong PIN and another customer’s card get the same refusal', async () => {
  const { call } = await cardHolder(server);
  const other = await cardHolder(server);
  const free = await plasticCard('4711');
  const taken = await plasticCard('4711');
  must(await other.call('POST', '', { number: taken.number, pin: '4711' }));
  const replies = [
    await call('POST', '', { number: '9000000000000001', pin: '4711' }),
    await call('POST', '', { number: '9999999999999995', pin: '4711' }),
    await call('POST', '', { number: free.number, pin: '4712' }),
    await call('POST', '', { number: taken.number, pin: '4711' }),
  ];
  expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(codeOf(replies[0]!)).toBe('trip_card_refused');
});

test('PINs are limited to five tries an hour per card, also concurrently, and per network', async () => {
  const { call } = await cardHolder(server);
  const plastic = await plasticCard('4711');
  const guesses = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      call('POST', '', { number: plastic.number, pin: `000${n}` }, { from: `198.51.${n}.1` }),
    ),
  );
  expect(guesses.map(codeOf).toSorted()).toEqual([
    ...Array(3).fill('rate_limited'),
    ...Array(5).fill('trip_card_refused'),
  ]);
  expect(codeOf(await call('POST', '', { number: plastic.number, pin: '4711' }))).toBe('rate_limited');
  server.clock.advance(HOUR);
  expect(codeOf(await call('POST', '', { number: plastic.number, pin: '4711' }))).toBe('success');

  const codes = [];
  for (let n = 0; n < 21; n += 1) {
    const number = `90000000000${String(n).padStart(5, '0')}`;
    codes.push(codeOf(await call('POST', '', { number, pin: '1234' }, { from: '192.0.2.200' })));
  }
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(1);
});

test('Another customer’s card is not found by any call', async () => {
  const owner = await cardHolder(server);
  const stranger = await cardHolder(server);
  const { id } = must(await owner.call('POST', '', {}));
  const missing = await stranger.call('GET', '/tcd_00000000000000000000000000');
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { name: 'mine' }],
    ['GET', '/balance'],
    ['GET', '/statement'],
    ['GET', '/offline_code'],
    ['POST', '/freeze'],
    ['POST', '/unfreeze'],
    ['POST', '/lost'],
    ['POST', '/transfers', { to_card_id: 'tcd_00000000000000000000000000', amount: 1 }],
    ['POST', '/shares', { email: 'a@example.com', role: 'spend' }],
    ['DELETE', '/shares/shr_00000000000000000000000000'],
  ] as const) {
    const reply = await stranger.call(method, `/${id}${path}`, body);
    expect([path, reply.status, reply.body]).toEqual([path, 404, missing.body]);
  }
});

test('A frozen card pays nothing until its owner unfreezes it', async () => {
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 500 });
  const pay = (key: string) =>
    server.context.db.transaction((tx) =>
      spend(tx, server.context, {
        cardId: card.id,
        customerId: customer.id,
        amount: 100,
        orderId: null,
        cause: { code: 'tickets', reference: 'K7QF-2M9P' },
        key,
      }),
    );
  for (let turn = 0; turn < 2; turn += 1) {
    expect(must(await call('POST', `/${card.id}/freeze`)).status).toBe('frozen');
    expect(must(await call('POST', `/${card.id}/freeze`)).status).toBe('frozen');
    await expect(pay(`frozen ${turn}`)).rejects.toMatchObject({ code: 'trip_card_frozen' });
    expect(codeOf(await call('GET', `/${card.id}/offline_code`))).toBe('trip_card_frozen');
    expect(must(await call('POST', `/${card.id}/unfreeze`)).status).toBe('active');
  }
  await pay('unfrozen');
  expect(must(await call('GET', `/${card.id}`))).toMatchObject({ balance: 400 });
});

test('A lost card stops working at once, and its replacement has the whole balance', async () => {
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 1234, name: 'Red' });
  must(await call('POST', `/${card.id}/shares`, { email: 'friend@example.com', role: 'spend' }));
  const replies = await Promise.all(Array.from({ length: 4 }, () => call('POST', `/${card.id}/lost`)));
  const [first] = replies.map(must);
  expect(new Set(replies.map((reply) => must(reply).id)).size).toBe(1);
  expect(first).toMatchObject({
    name: 'Red',
    balance: 1234,
    status: 'active',
    replaces_card_id: card.id,
    shared_with: [{ email: 'friend@example.com' }],
  });
  expect(first.number).not.toBe(card.number);
  expect(must(await call('GET', `/${card.id}`))).toMatchObject({
    status: 'lost',
    balance: 0,
    replaced_by_card_id: first.id,
  });
  for (const path of ['/freeze', '/unfreeze'])
    expect(codeOf(await call('POST', `/${card.id}${path}`))).toBe('trip_card_lost');
  expect((await mailsTo(server.context, customer.email)).map(({ kind }) => kind)).toEqual(['trip-card-lost']);
  expect(await findBrokenBooks(server.context)).toEqual([]);
});

test('Calls that move value require a step-up', async () => {
  const { call, customer } = await cardHolder(server);
  const stale = await startSession(server.context, customer.id, { isFresh: false });
  const one = await createTripCard(server.context, customer.id, { balance: 100 });
  const two = await createTripCard(server.context, customer.id);
  for (const [path, body] of [
    ['/lost'],
    ['/transfers', { to_card_id: two.id, amount: 1 }],
    ['/shares', { email: 'a@example.com', role: 'spend' }],
  ] as const) {
    const reply = await call('POST', `/${one.id}${path}`, body, { token: stale });
    expect([reply.status, codeOf(reply)]).toEqual([403, 'step_up_required']);
  }
});

test('A transfer writes two entries or none, once per key', async () => {
  const { call, customer } = await cardHolder(server);
  const from = await createTripCard(server.context, customer.id, { balance: 1000 });
  const to = await createTripCard(server.context, customer.id);
  const move = (amount: number, key?: string) =>
    call(
      'POST',
      `/${from.id}/transfers`,
      { to_card_id: to.id, amount },
      key === undefined ? {} : { idempotencyKey: key },
    );
  expect(codeOf(await move(1001))).toBe('insufficient_balance');
  for (const amount of [0, -1, 1.5, '2', 1e9])
    expect(codeOf(await move(amount as number))).toBe('invalid_input');
  const first = must(await move(300, 'move-it-once'));
  await server.database.store.query('delete from idempotency_keys');
  expect(must(await move(300, 'move-it-once'))).toEqual(first);
  expect(codeOf(await move(301, 'move-it-once'))).toBe('idempotency_mismatch');
  expect(must(await call('GET', `/${from.id}/balance`))).toMatchObject({
    balance: 700,
    entries: [{ kind: 'transfer_out', amount: -300, balance_after: 700, transfer_id: first.id }, {}],
  });
  expect(must(await call('GET', `/${to.id}/balance`))).toMatchObject({
    balance: 300,
    entries: [{ kind: 'transfer_in', amount: 300, balance_after: 300, transfer_id: first.id }],
  });
  expect(codeOf(await call('POST', `/${from.id}/transfers`, { to_card_id: from.id, amount: 1 }))).toBe(
    'invalid_input',
  );
  const foreign = await createTripCard(server.context, (await cardHolder(server)).customer.id);
  expect(codeOf(await call('POST', `/${from.id}/transfers`, { to_card_id: foreign.id, amount: 1 }))).toBe(
    'not_found',
  );
});

test('A shared card allows what its role allows and nothing else', async () => {
  const owner = await cardHolder(server);
  const friend = await cardHolder(server, { email: 'Friend.Of@Example.com' });
  const card = await createTripCard(server.context, owner.customer.id, { balance: 1000 });
  const share = (role: string, more: object = {}) =>
    owner.call('POST', `/${card.id}/shares`, { email: 'friend.of@example.com', role, ...more });
  const shared = must(await share('spend', { daily_limit: 300 }));
  expect(shared.status).toBe('invited');
  expect((await friend.call('GET', `/${card.id}`)).status).toBe(404);
  expect(must(await friend.call('GET', ''))).toMatchObject([
    { id: card.id, role: 'spend', number: null, balance: 1000, shared_with: [] },
  ]);
  expect(must(await owner.call('GET', `/${card.id}`)).shared_with).toMatchObject([{ status: 'active' }]);

  const pay = (amount: number, key: string) =>
    server.context.db.transaction((tx) =>
      spend(tx, server.context, {
        cardId: card.id,
        customerId: friend.customer.id,
        amount,
        orderId: null,
        cause: { code: 'tickets', reference: 'K7QF-2M9P' },
        key,
      }),
    );
  await pay(200, 'shared 1');
  await pay(200, 'shared 1');
  await expect(pay(101, 'shared 2')).rejects.toMatchObject({ code: 'share_limit_reached' });
  server.clock.advance(24 * HOUR);
  await pay(101, 'shared 2');
  const again = await startSession(server.context, friend.customer.id);
  const fresh = await startSession(server.context, owner.customer.id);
  for (const path of ['/balance', '/statement'])
    expect((await friend.call('GET', `/${card.id}${path}`, undefined, { token: again })).status).toBe(404);
  for (const path of ['/freeze', '/lost'])
    expect((await friend.call('POST', `/${card.id}${path}`, undefined, { token: again })).status).toBe(404);
  expect((await friend.call('GET', `/${card.id}/offline_code`, undefined, { token: again })).status).toBe(
    200,
  );

  const asOwner = { token: fresh };
  const email = 'friend.of@example.com';
  must(await owner.call('POST', `/${card.id}/shares`, { email, role: 'spend_and_view' }, asOwner));
  expect((await friend.call('GET', `/${card.id}/balance`)).status).toBe(200);
  must(await owner.call('POST', `/${card.id}/shares`, { email, role: 'top_up' }, asOwner));
  expect((await friend.call('GET', `/${card.id}/offline_code`)).status).toBe(404);
  await expect(pay(1, 'shared 3')).rejects.toMatchObject({ code: 'not_found' });

  expect((await owner.call('DELETE', `/${card.id}/shares/${shared.id}`)).status).toBe(200);
  expect(must(await friend.call('GET', ''))).toEqual([]);
  expect((await owner.call('DELETE', `/${card.id}/shares/${shared.id}`)).status).toBe(404);
});

test('Sharing answers the same with and without an account, and mails no text of the sender', async () => {
  const owner = await cardHolder(server);
  const known = await cardHolder(server);
  const card = await createTripCard(server.context, owner.customer.id, { name: 'Buy pills at evil.example' });
  const replies = [];
  for (const email of [known.customer.email, 'nobody.at.all@example.com']) {
    const {
      id,
      email: told,
      ...rest
    } = must(await owner.call('POST', `/${card.id}/shares`, { email, role: 'spend' }));
    replies.push(rest);
    expect(await mailsTo(server.context, told)).toEqual([{ kind: 'trip-card-shared', data: {} }]);
  }
  expect(replies[0]).toEqual(replies[1]);
  const own = { email: owner.customer.email.toUpperCase(), role: 'spend' };
  expect(codeOf(await owner.call('POST', `/${card.id}/shares`, own))).toBe('invalid_input');
});

test('Repeated sharing sends a limited number of mails', async () => {
  const owner = await cardHolder(server);
  const card = await createTripCard(server.context, owner.customer.id);
  const email = 'flooded@example.com';
  const codes = [];
  for (let n = 0; n < 21; n += 1) {
    const reply = await owner.call('POST', `/${card.id}/shares`, { email, role: 'spend' });
    codes.push(codeOf(reply));
    if (reply.status === 201) await owner.call('DELETE', `/${card.id}/shares/${must(reply).id}`);
  }
  expect(codes).toEqual([...Array(20).fill('success'), 'rate_limited']);
  expect(await mailsTo(server.context, email)).toHaveLength(3);
});

test('The owner gets one low-balance mail, and another after the card was topped up', async () => {
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 1000 });
  must(await call('PATCH', `/${card.id}`, { low_balance_at: 500, name: 'Blue' }));
  const pay = (amount: number) =>
    server.context.db.transaction((tx) =>
      spend(tx, server.context, {
        cardId: card.id,
        customerId: customer.id,
        amount,
        orderId: null,
        cause: { code: 'tickets', reference: 'K7QF-2M9P' },
        key: crypto.randomUUID(),
      }),
    );
  const told = async () => (await mailsTo(server.context, customer.email)).length;
  await pay(500);
  expect(await told()).toBe(0);
  await pay(1);
  await pay(1);
  expect(await mailsTo(server.context, customer.email)).toEqual([
    {
      kind: 'trip-card-low',
      data: { name: 'Blue', lastFour: card.number.slice(-4), unit: 'money', currency: 'USD', balance: 499 },
    },
  ]);
  expect(must(await call('PATCH', `/${card.id}`, { low_balance_at: null })).low_balance_at).toBeNull();
});

test('An emptied lost card causes no low-balance mail, and its replacement keeps the warning level', async () => {
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 1000 });
  must(await call('PATCH', `/${card.id}`, { low_balance_at: 500 }));
  expect(must(await call('POST', `/${card.id}/lost`))).toMatchObject({ balance: 1000, low_balance_at: 500 });
  expect((await mailsTo(server.context, customer.email)).map(({ kind }) => kind)).toEqual(['trip-card-lost']);
});

test('A card shared with two addresses of one customer is listed once, with the latest share', async () => {
  const owner = await cardHolder(server);
  const friend = await cardHolder(server, { email: 'before@example.com' });
  const card = await createTripCard(server.context, owner.customer.id);
  const share = (email: string, role: string) => owner.call('POST', `/${card.id}/shares`, { email, role });
  must(await share('before@example.com', 'spend_and_view'));
  must(await friend.call('GET', ''));
  await server.database.store.query(`update customers set email = 'after@example.com' where id = $1`, [
    friend.customer.id,
  ]);
  must(await share('after@example.com', 'top_up'));
  expect(must(await friend.call('GET', ''))).toMatchObject([{ id: card.id, role: 'top_up' }]);
  expect((await friend.call('GET', `/${card.id}/balance`)).status).toBe(404);
});

test('The offline code is signed by the operator, names the card, and is valid for a day', async () => {
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 777 });
  const code = must(await call('GET', `/${card.id}/offline_code`));
  const parsed = parseTripCardCode(code.payload);
  if (!parsed) throw new Error('The code can be read.');
  expect(parsed.fields).toMatchObject({
    cardId: card.id,
    number: card.number,
    balance: 777,
    keyId: code.key_id,
  });
  expect(parsed.fields.validUntilMinute - parsed.fields.madeMinute).toBe(24 * 60);
  const keys = must(await server.request('GET', '/api/keys'));
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: keys[0].key };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  expect(verify(null, parsed.signed, key, parsed.signature)).toBe(true);
  expect(verify(null, parsed.signed.with(30, 10), key, parsed.signature)).toBe(false);
});
