import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { idempotencyKeys } from '#server/database/schema/system.ts';
import { codeOf, contact, must, type Office, openOffice, termsVersion } from '#tests/factories/buyer.ts';

const HOUR = 3_600_000;
let office: Office;
let quote: { id: string };
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
afterEach(() => {
  vi.restoreAllMocks();
});
beforeEach(async () => {
  await office.reopen({ passengers: 4 });
  quote = must(await office.quote());
});

const hold = (idempotencyKey: string, quoteId = quote.id) =>
  office.request('POST', '/api/holds', { body: { quote_id: quoteId }, idempotencyKey });

test('a call that holds places or moves money needs a sufficiently long key', async () => {
  for (const path of ['/api/holds', '/api/orders']) {
    const body = path.endsWith('holds')
      ? { quote_id: quote.id }
      : { hold_id: `hld_${'0'.repeat(26)}`, quote_id: quote.id, contact, terms_version: termsVersion };
    const reply = await office.request('POST', path, { body });
    expect([reply.status, codeOf(reply)]).toEqual([422, 'idempotency_key_required']);
  }
  for (const bad of ['1', 'x'.repeat(200), 'with spaces in it', "'; drop table"]) {
    expect(codeOf(await hold(bad))).toBe('invalid_input');
  }
});

test('a repeated request has the first one’s effect and answer', async () => {
  const key = randomUUID();
  const first = await hold(key);
  office.clock.advance(60_000);
  const again = await hold(key);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await office.count('holds')).toBe(1);
});

test('a repeated request has the first one’s answer even if it would now be refused', async () => {
  const key = randomUUID();
  const first = must(await hold(key));
  office.clock.advance(20 * 60_000);
  expect(codeOf(await hold(randomUUID()))).toBe('quote_expired');
  expect(must(await hold(key))).toEqual(first);
});

test('a repeated request does not undo what a later one changed', async () => {
  const { quote: offer, hold: taken } = await office.takeHold();
  const write = (name: string, idempotencyKey: string) =>
    office.request('POST', '/api/orders', {
      body: {
        hold_id: taken.id,
        quote_id: offer.id,
        contact: { ...contact, name },
        terms_version: termsVersion,
      },
      idempotencyKey,
    });
  const key = randomUUID();
  const first = must(await write('Ada Lovelace', key));
  must(await write('Grace Hopper', randomUUID()));
  expect(must(await write('Ada Lovelace', key))).toEqual(first);
  expect(must(await office.request('GET', `/api/orders/${first.id}`)).contact.name).toBe('Grace Hopper');
});

test('concurrent repetitions of a request have one effect', async () => {
  const key = randomUUID();
  const replies = await Promise.all(Array.from({ length: 5 }, () => hold(key)));
  expect(new Set(replies.map((reply) => must(reply).id)).size).toBe(1);
  expect(await office.taken(office.ferry.outward[0] ?? '')).toMatchObject({ passenger: [1, 0] });
});

test('the same key with another body is refused', async () => {
  const key = randomUUID();
  must(await hold(key));
  const other = must(await office.quote({ adults: 2 }));
  const reply = await hold(key, other.id);
  expect([reply.status, codeOf(reply)]).toEqual([422, 'idempotency_mismatch']);
});

test('a refusal does not use the key up', async () => {
  const key = randomUUID();
  const { hold: inTheWay } = await office.takeHold({ adults: 4 });
  expect(codeOf(await hold(key))).toBe('sold_out');
  await office.request('DELETE', `/api/holds/${inTheWay.id}`);
  expect(must(await hold(key)).status).toBe('active');
});

test('a repetition after the process died before answering takes the places once', async () => {
  const key = randomUUID();
  const first = must(await hold(key));
  await office.context.db
    .update(idempotencyKeys)
    .set({ status: null, encryptedBody: null })
    .where(eq(idempotencyKeys.key, key));
  office.clock.advance(61_000);
  expect(must(await hold(key)).id).toBe(first.id);
  expect(await office.taken(office.ferry.outward[0] ?? '')).toMatchObject({ passenger: [1, 0] });
});

test('a repetition after the process died before answering gets the hold that took the last places', async () => {
  const key = randomUUID();
  const whole = must(await office.quote({ adults: 4 }));
  const first = must(await hold(key, whole.id));
  await office.context.db
    .update(idempotencyKeys)
    .set({ status: null, encryptedBody: null })
    .where(eq(idempotencyKeys.key, key));
  office.clock.advance(61_000);
  expect(must(await hold(key, whole.id)).id).toBe(first.id);
});

test('a repetition is refused while the first request is in progress', async () => {
  const key = randomUUID();
  must(await hold(key));
  await office.context.db.update(idempotencyKeys).set({ status: null, encryptedBody: null });
  const reply = await hold(key);
  expect([reply.status, codeOf(reply), reply.headers.get('retry-after')]).toEqual([
    409,
    'request_in_progress',
    '2',
  ]);
});

test('stores answers encrypted and for two days only', async () => {
  const key = randomUUID();
  const order = await office.takeOrder();
  const pay = () =>
    office.request('POST', `/api/orders/${order.id}/payments`, {
      body: { method: 'card' },
      idempotencyKey: key,
    });
  const secret = must(await pay()).client_secret;
  expect(must(await pay()).client_secret).toBe(secret);
  const rows = await office.context.db.select().from(idempotencyKeys);
  expect(JSON.stringify(rows)).not.toContain(secret);
  office.clock.advance(49 * HOUR);
  expect(codeOf(await pay())).toBe('hold_expired');
});

test('an answer is not stored if its key was deleted with the account', async () => {
  const order = await office.takeOrder();
  const { paymentIntents } = office.stripe;
  const create = paymentIntents.create.bind(paymentIntents);
  vi.spyOn(paymentIntents, 'create').mockImplementation(async (...given: Parameters<typeof create>) => {
    await office.context.db.delete(idempotencyKeys);
    return create(...given);
  });
  const body = { method: 'card' };
  must(
    await office.request('POST', `/api/orders/${order.id}/payments`, { body, idempotencyKey: randomUUID() }),
  );
  expect(await office.context.db.select().from(idempotencyKeys)).toEqual([]);
});
