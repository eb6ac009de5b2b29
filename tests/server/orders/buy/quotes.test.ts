import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { fares, feed, sailings } from '#server/database/schema/timetable.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());

const post = (body: unknown) => office.request('POST', '/api/quotes', { body });

test('a quote lists every line it charges, and its lines add up to its total', async () => {
  const quote = must(
    await office.quote({ adults: 2, children: 1, vehicle: { type: 'car', length_cm: 601 }, bicycles: 2 }),
  );
  expect(
    quote.lines.map((line: { description: string; quantity: number; amount: number }) => [
      line.description,
      line.quantity,
      line.amount,
    ]),
  ).toEqual([
    ['Adult', 1, 1275],
    ['Adult, driver', 1, 0],
    ['Child', 1, 500],
    ['Car', 1, 3250],
    ['Bicycle', 2, 600],
  ]);
  expect(quote).toMatchObject({
    subtotal: 5625,
    discount: 0,
    total: 5625,
    currency: 'USD',
    promo_code: null,
  });
  expect(quote.policy_text).toContainEqual(
    expect.stringMatching(/^80% refund, less \$5\.00, until .+ P[DS]T\.$/),
  );
  expect(quote.fare_class.summary).toBe(quote.policy_text.slice(0, 4).join(' '));
  expect(quote.fare_class.summary).toMatch(/^Full refund until .* No refund after that\. Free change until /);
  expect(quote.expires_at).toBe('2026-06-01T15:15:00.000Z');
});

test('a promo code is case-insensitive and appears as a separate line', async () => {
  const quote = must(await office.quote({ adults: 2, promo: ' ten ' }));
  expect(quote).toMatchObject({ subtotal: 2550, discount: 255, total: 2295, promo_code: 'TEN' });
  expect(quote.lines.at(-1)).toMatchObject({ kind: 'discount', amount: -255 });
});

test('guesses of promo codes are limited', async () => {
  const codes: string[] = [];
  for (let guess = 0; guess < 101; guess += 1) {
    const body = { ...office.quoteRequest(), promo_code: `GUESS${guess}` };
    codes.push(codeOf(await office.request('POST', '/api/quotes', { body, from: '198.51.100.20' })));
  }
  expect(codes.at(-1)).toBe('rate_limited');
  expect(codes.at(-2)).toBe('promo_invalid');
});

test('prices, totals and discounts sent by a client are refused', async () => {
  for (const field of ['total', 'price', 'discount', 'currency', 'amount']) {
    const reply = await post({ ...office.quoteRequest(), [field]: 1 });
    expect([reply.status, codeOf(reply), reply.body.errors[0].field]).toEqual([422, 'unknown_field', field]);
  }
});

test.for([-1, 1.5, '2', 1e9, null, '２', true, [], {}, 2_147_483_648])(
  'a count of %j is refused',
  async (count) => {
    const reply = await post({ ...office.quoteRequest(), passengers: [{ type: 'adult', count }] });
    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_input']);
  },
);

test.for([
  ['no passengers', { passengers: [{ type: 'adult', count: 0 }] }, 'no_passengers'],
  ['children alone', { passengers: [{ type: 'child', count: 2 }] }, 'needs_adult'],
  ['too many people', { passengers: [{ type: 'adult', count: 13 }] }, 'party_too_large'],
  ['an unknown passenger type', { passengers: [{ type: 'ghost', count: 1 }] }, 'invalid_input'],
  ['an unknown vehicle type', { vehicle: { type: 'tank', length_cm: 600 } }, 'invalid_input'],
  ['a car without its length', { vehicle: { type: 'car' } }, 'invalid_input'],
  ['a car that is too long', { vehicle: { type: 'car', length_cm: 1201 } }, 'vehicle_too_long'],
  [
    'a car that is too high',
    { vehicle: { type: 'car', length_cm: 500, height_cm: 421 } },
    'vehicle_too_high',
  ],
  ['an unknown fare class', { fare_class: 'gold' }, 'invalid_input'],
  ['an unknown promo code', { promo_code: 'NOPE' }, 'promo_invalid'],
  ['three legs', { legs: Array(3).fill({ sailing_id: newId('slg') }) }, 'invalid_input'],
] as const)('%s is refused with its own code', async ([, change, code]) => {
  const reply = await post({ ...office.quoteRequest(), ...change });
  expect([reply.status, codeOf(reply)]).toEqual([422, code]);
});

test('an unknown sailing answers 404', async () => {
  const reply = await office.quote({ legs: [newId('slg')] });
  expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
});

test('a return that sails before the arrival is refused', async () => {
  const [out = '', back = ''] = [office.ferry.outward[3], office.ferry.back[0]];
  expect(codeOf(await office.quote({ legs: [out, back] }))).toBe('return_before_outward');
  expect(codeOf(await office.quote({ legs: [out, out] }))).toBe('return_before_outward');
});

test('a canceled sailing and one with closed sales have different error codes', async () => {
  const [canceled = '', late = ''] = [office.ferry.outward[4], office.ferry.outward[5]];
  const { db } = office.context;
  await db.update(sailings).set({ status: 'canceled' }).where(eq(sailings.id, canceled));
  await db.update(sailings).set({ salesCloseAt: office.clock.now() }).where(eq(sailings.id, late));
  expect(codeOf(await office.quote({ legs: [canceled] }))).toBe('sailing_canceled');
  expect(codeOf(await office.quote({ legs: [late] }))).toBe('sales_closed');
});

test('an altered or foreign quote is refused', async () => {
  const quote = must(await office.quote());
  const [body = '', signature = ''] = quote.id.split('.');
  const cheaper = Buffer.from(
    Buffer.from(body, 'base64url').toString().replace('"count":1', '"count":9'),
  ).toString('base64url');
  for (const id of [
    `${cheaper}.${signature}`,
    `${body}.${'A'.repeat(43)}`,
    'x'.repeat(30),
    `${quote.id}.x`,
  ]) {
    const reply = await office.hold(id);
    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_input']);
  }
});

test('a quote expires after fifteen minutes', async () => {
  const quote = must(await office.quote());
  office.clock.advance(15 * 60_000);
  expect(codeOf(await office.hold(quote.id))).toBe('quote_expired');
});

test('a changed fare is reported with a new quote that can be held', async () => {
  const quote = must(await office.quote({ adults: 2 }));
  const { db } = office.context;
  await db.update(fares).set({ amount: 1500 }).where(eq(fares.amount, 1275));
  await db.update(feed).set({ revision: 'dearer' });
  const reply = await office.hold(quote.id);
  expect(codeOf(reply)).toBe('price_changed');
  const { quote: fresh } = reply.body.errors[0].details;
  expect(fresh.total).toBe(3000);
  expect(must(await office.hold(fresh.id)).status).toBe('active');
  expect(await db.execute(sql`select 1 from holds`)).toMatchObject({ rows: [{}] });
});
