import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, contact, must, type Office, openOffice, termsVersion } from '#tests/factories/buyer.ts';
import { leavesOf, withText } from '#tests/setup/damaged-body.ts';
import { hostileJson } from '#tests/setup/json-arbitrary.ts';

/*
 * Uses sailings that are on sale, so that invalid values in a request are found by validation and
 * not hidden by a "not found".
 */

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());

const car = { type: 'car', length_cm: 480, height_cm: 150, trailer_cm: 100 };
const quoteRequest = () => ({
  ...office.quoteRequest({ adults: 2, children: 1, vehicle: car, bicycles: 1 }),
  promo_code: 'TEN',
});
const post = (path: string, body: unknown) =>
  office.request('POST', path, { body, idempotencyKey: randomUUID(), from: '192.0.2.1' });

const wholeNumbers = [
  'passengers.0.count',
  'bicycles',
  'vehicle.length_cm',
  'vehicle.height_cm',
  'vehicle.trailer_cm',
];
const noNumbers = ['-1', '1.5', '"2"', '1e9', '2147483648', '1e999', 'null', '"２"', 'true', '[1]', '{}'];

test.each(wholeNumbers)('%s accepts only an integer within its limits', async (field) => {
  for (const value of noNumbers) {
    const reply = await post('/api/quotes', withText(quoteRequest(), field, value));
    expect([value, reply.status, reply.body.errors[0].field], field).toEqual([value, 422, field]);
  }
  for (const value of ['NaN', '01', '１']) {
    const reply = await post('/api/quotes', withText(quoteRequest(), field, value));
    expect([value, reply.status, codeOf(reply)], field).toEqual([value, 400, 'malformed_request']);
  }
});

const texts = ['fare_class', 'promo_code', 'passengers.0.type', 'vehicle.type', 'legs.0.sailing_id'];
const noTexts = ['\0', 'a\0b', '\ud800', '\u202e', "' or 1=1 --", '%', '../../x', '__proto__', 'constructor'];

test.each(texts)('%s that is unknown or malformed is refused', async (field) => {
  for (const value of noTexts) {
    const reply = await post('/api/quotes', withText(quoteRequest(), field, JSON.stringify(value)));
    expect([value, reply.status, codeOf(reply)]).toEqual([
      value,
      422,
      field === 'promo_code' && !/[\0\ud800\u202e]/.test(value) ? 'promo_invalid' : 'invalid_input',
    ]);
  }
});

test.each(noTexts)('a search for sailings does not fail with %j as its promo code', async (code) => {
  const query = new URLSearchParams({ route_id: office.ferry.routeId, date: '2026-06-02', promo_code: code });
  query.set('passengers[adult]', '1');
  const reply = await office.request('GET', `/api/sailings?${query}`);
  expect([reply.status, codeOf(reply)]).toEqual([
    422,
    expect.stringMatching(/^(promo_invalid|invalid_input)$/),
  ]);
});

test('an address is normalized and contains no invisible characters', async () => {
  const { quote, hold } = await office.takeHold();
  const order = (email: string) => office.order(hold.id, quote.id, { contact: { ...contact, email } });
  for (const unseen of [
    '\u200b',
    '\u200c',
    '\u200d',
    '\u00ad',
    '\u061c',
    '\u180e',
    '\u2028',
    '\u2060',
    '\ufeff',
  ]) {
    const reply = await order(`ada${unseen}@example.com`);
    expect([escape(unseen), reply.status, codeOf(reply)]).toEqual([escape(unseen), 422, 'invalid_input']);
  }
  const { id } = must(await order('Rene\u0301@example.com'));
  const rows = await office.database.store.query('select contact_email from orders where id = $1', [id]);
  expect(rows).toEqual([{ contact_email: 'Ren\u00e9@example.com' }]);
});

test.each(['\u061c', '\u2028', '\u2029', '\u202e', '\u2066', '\0', '\x7f'])(
  'a name that contains the invisible character %j is refused',
  async (unseen) => {
    const { quote, hold } = await office.takeHold();
    const reply = await office.order(hold.id, quote.id, {
      contact: { ...contact, name: `Ada${unseen}Byron` },
    });
    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_input']);
  },
);

test('a purchase with any one value damaged is answered or refused, and never fails', async () => {
  const { quote, hold } = await office.takeHold({ vehicle: car });
  const order = must(await office.order(hold.id, quote.id));
  const good: Record<string, [method: string, path: string, body: object]> = {
    quote: ['POST', '/api/quotes', quoteRequest()],
    hold: ['POST', '/api/holds', { quote_id: quote.id }],
    swap: ['PATCH', `/api/holds/${hold.id}`, { quote_id: quote.id }],
    order: [
      'POST',
      '/api/orders',
      {
        hold_id: hold.id,
        quote_id: quote.id,
        contact,
        plate: 'ABC 1',
        traveler_names: ['Ada'],
        terms_version: termsVersion,
        locale: 'en-US',
      },
    ],
    change: [
      'PATCH',
      `/api/orders/${order.id}`,
      { contact, plate: 'ABC 1', traveler_names: ['Ada'], buyer_secret: order.buyer_secret },
    ],
    payment: ['POST', `/api/orders/${order.id}/payments`, { method: 'card' }],
    lookup: ['POST', '/api/orders/lookup', { reference: order.reference, email: contact.email }],
  };
  const damages = Object.keys(good).flatMap((name) =>
    leavesOf(good[name]?.[2]).map((leaf) => ({ name, leaf })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...damages),
      hostileJson(),
      fc.nat(200),
      async (damage, value, network) => {
        const [method = '', path = '', body = {}] = good[damage.name] ?? [];
        const reply = await office.request(method, path, {
          body: withText(body, damage.leaf, JSON.stringify(value) ?? 'null'),
          idempotencyKey: randomUUID(),
          from: `192.0.${network}.1`,
        });
        expect(reply.status, `${damage.name} ${damage.leaf}`).toBeLessThan(500);
        expect(reply.body.status_code).toBe(reply.status);
      },
    ),
    { numRuns: 250, seed: 7 },
  );
  expect(office.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
