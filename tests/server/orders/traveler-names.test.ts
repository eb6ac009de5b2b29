import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CreatedOrder, Ticket } from '#contract/orders/schemas.ts';
import { listTravelers } from '#domain/orders/travelers.ts';
import { codeOf, contact, must, type Office, openOffice, termsVersion } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => office.reopen());

type PurchaseOptions = Parameters<Office['takeHold']>[0];

async function takeOrder(
  names: unknown,
  input: PurchaseOptions = { adults: 2, promo: 'FREE' },
): Promise<CreatedOrder> {
  const { quote, hold } = await office.takeHold(input);
  return must(await office.order(hold.id, quote.id, { traveler_names: names }));
}
const change = ({ id, buyer_secret }: Pick<CreatedOrder, 'id' | 'buyer_secret'>, names: unknown) =>
  office.request('PATCH', `/api/orders/${id}`, { body: { traveler_names: names, buyer_secret } });
const namesOn = (tickets: Ticket[]) => tickets.map((ticket) => ticket.traveler_name);

test('names given with an order appear on it and its tickets; a missing name is null', async () => {
  const order = await takeOrder([' Ada Lovelace ', '', ''], { adults: 3, bicycles: 1, promo: 'FREE' });
  expect(order.traveler_names).toEqual(['Ada Lovelace']);
  expect(namesOn(order.tickets)).toEqual(['Ada Lovelace', undefined, undefined, undefined]);
  const alone = must(await office.request('GET', `/api/orders/${order.id}/tickets`));
  expect(namesOn(alone)).toEqual(namesOn(order.tickets));
  expect(must(await office.request('GET', `/api/orders/${order.id}`)).traveler_names).toEqual([
    'Ada Lovelace',
  ]);
  expect((await office.takeOrder()).traveler_names).toEqual([]);
});

test('each name stays with its fare line, on every crossing and whatever the party', async () => {
  const party = fc.record({
    adults: fc.integer({ min: 1, max: 4 }),
    children: fc.integer({ min: 0, max: 3 }),
    bicycles: fc.integer({ min: 0, max: 2 }),
    vehicle: fc.constantFrom(null, { type: 'car', length_cm: 480 }),
    legs: fc.constantFrom<string[]>(
      [office.ferry.outward[0] ?? ''],
      [office.ferry.outward[0] ?? '', office.ferry.back[0] ?? ''],
    ),
  });
  await fc.assert(
    fc.asyncProperty(
      party,
      fc.array(fc.constantFrom('Ada', 'Bo', 'Cy', ''), { maxLength: 4 }),
      async (input, some) => {
        const names = some.slice(0, input.adults + input.children);
        const order = await takeOrder(names, { ...input, promo: 'FREE' });
        const types = listTravelers<{ description: string } & Parameters<typeof listTravelers>[0][number]>(
          order.lines,
        ).map(({ description }) => description);
        for (const { leg } of order.legs) {
          const own = order.tickets.filter((ticket) => ticket.leg === leg && ticket.kind === 'passenger');
          expect(own.map(({ title }) => title)).toEqual(types);
          expect(own.map((ticket) => ticket.traveler_name ?? '')).toEqual(
            types.map((_, at) => names[at] ?? ''),
          );
        }
        expect(
          order.tickets.filter(({ kind }) => kind !== 'passenger').every((each) => !each.traveler_name),
        ).toBe(true);
      },
    ),
    { numRuns: 12, seed: 3 },
  );
});

test('names that are too long, contain control characters or are not a list of texts are refused by both calls', async () => {
  const { quote, hold } = await office.takeHold({ adults: 2 });
  const order = must(await office.order(hold.id, quote.id));
  for (const [names, field] of [
    [['Ada', 'x'.repeat(121)], 'traveler_names.1'],
    [['null\u0000byte'], 'traveler_names.0'],
    [['turned\u202ename'], 'traveler_names.0'],
    [['two\nlines'], 'traveler_names.0'],
    [[null], 'traveler_names.0'],
    [[{ name: 'Ada' }], 'traveler_names.0'],
    [Array.from({ length: 21 }, () => 'Ada'), 'traveler_names'],
    [['Ada', 'Bo', 'Cy'], 'traveler_names'],
    ['Ada', 'traveler_names'],
    [null, 'traveler_names'],
  ] as const) {
    for (const reply of [
      await office.order(hold.id, quote.id, { traveler_names: names }),
      await change(order, names),
    ]) {
      expect([reply.status, codeOf(reply), reply.body.errors[0].field], JSON.stringify(names)).toEqual([
        422,
        'invalid_input',
        field,
      ]);
    }
  }
  expect((await office.readOrder(order.id)).traveler_names).toEqual([]);
});

test('a repeated key with other names is refused, and with the same names gets the same answer', async () => {
  const { quote, hold } = await office.takeHold({ adults: 2 });
  const idempotencyKey = randomUUID();
  const send = (names: string[]) =>
    office.request('POST', '/api/orders', {
      body: {
        hold_id: hold.id,
        quote_id: quote.id,
        contact,
        terms_version: termsVersion,
        traveler_names: names,
      },
      idempotencyKey,
    });
  const first = must(await send(['Ada']));
  expect(must(await send(['Ada'])).id).toBe(first.id);
  expect(codeOf(await send(['Bo']))).toBe('idempotency_mismatch');
  expect((await office.readOrder(first.id)).traveler_names).toEqual(['Ada']);
});

test('sending an order again replaces its names', async () => {
  const { quote, hold } = await office.takeHold({ adults: 2 });
  const names = async (more: object) => must(await office.order(hold.id, quote.id, more)).traveler_names;
  expect(await names({ traveler_names: ['Ada', 'Bo'] })).toEqual(['Ada', 'Bo']);
  expect(await names({ traveler_names: ['', 'Bo'] })).toEqual(['', 'Bo']);
  expect(await names({})).toEqual([]);
});

test('names can change until check-in closes, and are kept when other fields change', async () => {
  const order = await takeOrder(['Ada', 'Bo']);
  const { id, buyer_secret } = order;
  const other = must(await office.request('PATCH', `/api/orders/${id}`, { body: { contact, buyer_secret } }));
  expect(other.traveler_names).toEqual(['Ada', 'Bo']);
  expect(namesOn(must(await change(order, ['', 'Grace'])).tickets)).toEqual([undefined, 'Grace']);
  expect(must(await change(order, [])).traveler_names).toEqual([]);
  office.clock.set('2026-06-02T15:00:00.000Z');
  expect(codeOf(await change(order, ['Ada']))).toBe('order_closed');
});

test('everyone with the link reads the names, and only the owner lists and changes those of a customer’s order', async () => {
  const { id: customerId } = await createCustomer(office.context);
  const token = await startSession(office.context, customerId);
  const { quote, hold } = await office.takeHold({ adults: 2, promo: 'FREE' });
  const order = must(
    await office.request('POST', '/api/orders', {
      body: {
        hold_id: hold.id,
        quote_id: quote.id,
        contact,
        terms_version: termsVersion,
        traveler_names: ['Ada'],
      },
      idempotencyKey: randomUUID(),
      token,
    }),
  );
  expect(namesOn((await office.readOrder(order.id)).tickets)).toEqual(['Ada', undefined]);
  expect((await change(order, ['Eve'])).status).toBe(404);
  const list = await office.request('GET', '/api/customers/orders', { token });
  expect(list.body.data).toMatchObject([{ traveler_names: ['Ada'] }]);
  const { id: otherId } = await createCustomer(office.context);
  const otherToken = await startSession(office.context, otherId);
  const others = await office.request('GET', '/api/customers/orders', { token: otherToken });
  expect(others.body.data).toEqual([]);
});

test('names appear in no ticket code, calendar or log', async () => {
  const order = await takeOrder(['Quackenbush', '']);
  const codes = [...order.tickets, ...(order.party_codes ?? [])].map(({ barcode }) => barcode.payload);
  expect(codes).toHaveLength(3);
  for (const code of codes) expect(code).not.toMatch(/quackenbush/i);
  const calendar = await office.request('GET', `/api/orders/${order.id}/calendar.ics`);
  expect(JSON.stringify(calendar.body)).not.toContain('Quackenbush');
  await change(order, ['Quackenbush', 'x'.repeat(121)]);
  expect(JSON.stringify(office.logged)).not.toContain('Quackenbush');
});

test('an unpaid order keeps its names on another sailing and loses them with another party', async () => {
  const { quote, hold } = await office.takeHold({ adults: 2 });
  const order = must(await office.order(hold.id, quote.id, { traveler_names: ['Ada', 'Bo'] }));
  const swap = async (input: PurchaseOptions) => {
    const other = must(await office.quote(input));
    must(await office.request('PATCH', `/api/holds/${hold.id}`, { body: { quote_id: other.id } }));
    return (await office.readOrder(order.id)).traveler_names;
  };
  expect(await swap({ adults: 2, bicycles: 1, legs: [office.ferry.outward[1] ?? ''] })).toEqual([
    'Ada',
    'Bo',
  ]);
  expect(await swap({ adults: 1, children: 1 })).toEqual([]);
});
