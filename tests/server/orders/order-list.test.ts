import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { OrderSummary as Order } from '#contract/orders/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { matchesSearch, parseSearch } from '#domain/orders/order-search.ts';
import { loadDemoTimetable } from '#server/demo/demo-timetable.ts';
import { assignGuestOrders } from '#server/identity/customers.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

type Sailing = { id: string; route_id: string; departs_at: string };
type Summary = { id: string; reference: string; legs: { departs_at: string }[] };

let server: TestServer;
let sailings: Sailing[];
let ownToken: string;
let ownOrders: Summary[];
let customerId: string;

beforeAll(async () => {
  server = await openTestServer();
  await loadDemoTimetable(server.context);
  sailings = await findSailings();
  const customer = await createCustomer(server.context, { email: 'ada@example.com' });
  customerId = customer.id;
  ownToken = await startSession(server.context, customer.id);
  ownOrders = [];
  for (let index = 0; index < 12; index += 1) {
    server.clock.advance(1000);
    ownOrders.unshift(await buy(sailings[index % 4] as Sailing, { token: ownToken }));
  }
});
afterAll(() => server.close());

/** Two sailings of each of the first two routes, tomorrow. */
async function findSailings(): Promise<Sailing[]> {
  const { body } = await server.request('GET', api.listRoutes.path);
  const onSale: Sailing[] = [];
  for (const route of body.data.slice(0, 2)) {
    const path = `${api.searchSailings.path}?route_id=${route.id}&date=2026-06-02&passengers[adult]=1`;
    onSale.push(...(await server.request('GET', path)).body.data.slice(0, 2));
  }
  expect(onSale).toHaveLength(4);
  return onSale;
}

/** An unpaid order, created like on the screens. */
async function buy(
  sailing: Sailing,
  { token, email = 'ada@example.com' }: { token?: string; email?: string } = {},
): Promise<Summary> {
  const by = { ...(token === undefined ? {} : { token }), idempotencyKey: crypto.randomUUID() };
  const request = {
    legs: [{ sailing_id: sailing.id }],
    passengers: [{ type: 'adult', count: 1 }],
    fare_class: 'saver',
  };
  const quote = await server.request('POST', api.createQuote.path, { body: request });
  const quoteId = quote.body.data.id;
  const hold = await server.request('POST', api.takeHold.path, { ...by, body: { quote_id: quoteId } });
  const catalogue = await server.request('GET', api.getCatalogue.path);
  const order = await server.request('POST', api.createOrder.path, {
    ...by,
    body: {
      hold_id: hold.body.data.id,
      quote_id: quoteId,
      contact: { name: 'Ada', email },
      terms_version: catalogue.body.data.terms_version,
    },
  });
  expect([quote.body.errors, hold.body.errors, order.body.errors]).toEqual([[], [], []]);
  return order.body.data;
}

async function list(search: string | [string, string][] = '', token = ownToken) {
  const query = typeof search === 'string' ? search : new URLSearchParams(search).toString();
  return server.request('GET', `${api.listOrders.path}?${query}`, { token });
}

function filter(...conditions: [field: string, op: string, value: string | string[]][]): [string, string][] {
  return conditions.flatMap(([field, op, value], index): [string, string][] => [
    [`filters[${index}][field]`, field],
    [`filters[${index}][op]`, op],
    ...(typeof value === 'string'
      ? [[`filters[${index}][value]`, value] as [string, string]]
      : value.map((each): [string, string] => [`filters[${index}][value][]`, each])),
  ]);
}

/** What a device searches of a saved order. */
function searchedOf({ contact_name = '', traveler_names = [], plate = '', reference, legs }: Order) {
  const ports = legs.flatMap(({ origin, destination }) => [origin, destination]);
  return {
    names: [contact_name, ...traveler_names, ...ports.map(({ name }) => name)],
    codes: [reference, plate ?? '', ...ports.map(({ code }) => code)],
    days: legs.map(({ departs_local }) => departs_local.slice(0, 10)),
  };
}

function ids(orders: readonly { id: string }[]): string[] {
  return orders.map(({ id }) => id);
}

test('Orders are listed newest first, ten to a page, with their status', async () => {
  const first = await list();
  expect(first.status).toBe(200);
  expect(ids(first.body.data)).toEqual(ids(ownOrders.slice(0, 10)));
  expect(first.body.meta).toEqual({ page: 1, page_size: 10, total_pages: 2, total_count: 12 });
  const second = await list('page=2');
  expect(ids(second.body.data)).toEqual(ids(ownOrders.slice(10)));
  const beyond = await list('page=999999999');
  expect(beyond.status).toBe(200);
  expect(beyond.body.data).toEqual([]);
});

test('A customer cannot see the orders of others', async () => {
  const stranger = await startSession(server.context, (await createCustomer(server.context)).id);
  expect((await list('', stranger)).body.data).toEqual([]);
  const own = fillPath(api.getCustomerOrder.path, { id: ownOrders[0]?.id ?? '' });
  const refused = await server.request('GET', own, { token: stranger });
  const missing = await server.request('GET', own.replace(/.{6}$/, '000000'), { token: stranger });
  expect(refused.status).toBe(404);
  expect(refused.body).toEqual(missing.body);
  expect((await server.request('GET', own, { token: ownToken })).status).toBe(200);
});

test('The owner reads the contact details that others see masked', async () => {
  const path = fillPath(api.getCustomerOrder.path, { id: ownOrders[0]?.id ?? '' });
  const { body } = await server.request('GET', path, { token: ownToken });
  expect(body.data.contact.email).toBe('ada@example.com');
});

test('A reference is found by any part of it, case-insensitively', async () => {
  const [order] = ownOrders;
  const part = order?.reference.slice(0, 6).toLowerCase() ?? '';
  const { body } = await list(filter(['reference', 'ilike', part]));
  expect(ids(body.data)).toContain(order?.id);
  expect(ids((await list(filter(['reference', '==', order?.reference ?? '']))).body.data)).toEqual([
    order?.id,
  ]);
});

test.each(['%', '_', '\\', '%%', '____-____', "' or 1=1 --"])(
  'The character %j is matched literally',
  async (value) => {
    const { status, body } = await list(filter(['reference', 'ilike', value]));
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
  },
);

test('Orders are filtered by status', async () => {
  expect((await list(filter(['status', 'in', ['held', 'confirmed']]))).body.meta.total_count).toBe(12);
  expect((await list(filter(['status', 'not_in', ['held']]))).body.meta.total_count).toBe(0);
  expect((await list(filter(['status', '==', 'confirmed']))).body.data).toEqual([]);
});

test('Orders are filtered by the time of purchase', async () => {
  const middle = new Date(server.clock.now().getTime() - 5500).toISOString();
  const later = await list(filter(['inserted_at', '>', middle]));
  const earlier = await list(filter(['inserted_at', '<=', middle]));
  expect(later.body.meta.total_count).toBe(6);
  expect(earlier.body.meta.total_count).toBe(6);
});

test('Orders are filtered by route and departure of the same sailing', async () => {
  const [first, , other] = sailings as [Sailing, Sailing, Sailing, Sailing];
  const onRoute = await list(filter(['route_id', '==', first.route_id]));
  expect(onRoute.body.meta.total_count).toBe(6);
  const offRoute = await list(filter(['route_id', 'not_in', [first.route_id]]));
  expect(offRoute.body.meta.total_count).toBe(6);
  const neither = await list(filter(['route_id', 'not_in', [first.route_id, other.route_id]]));
  expect(neither.body.data).toEqual([]);
  const oneSailing = await list(
    filter(['route_id', '==', first.route_id], ['departs_at', '==', first.departs_at]),
  );
  expect(oneSailing.body.meta.total_count).toBe(3);
  const before = await list(filter(['departs_at', '<', '2026-06-01T00:00:00Z']));
  expect(before.body.data).toEqual([]);
});

test('an order says who travels, to book the same again', async () => {
  const { body } = await list();
  const [order] = body.data;
  const party = { passengers: [{ type: 'adult', count: 1 }], vehicle: null, bicycles: 0 };
  expect(order.party).toEqual(party);
  const path = fillPath(api.getOrder.path, { id: order.id });
  expect((await server.request('GET', path)).body.data.party).toEqual(party);
});

describe('a search', () => {
  let ada: string;
  let order: Summary;
  beforeAll(async () => {
    ada = await startSession(server.context, (await createCustomer(server.context)).id);
    const [first, , third] = sailings as [Sailing, Sailing, Sailing, Sailing];
    order = await buy(first, { token: ada, email: 'zoe@example.com' });
    await buy(third, { token: ada, email: 'other@example.com' });
    await server.database.store.query(
      'update orders set contact_name = $1, traveler_names = $2, plate = $3 where id = $4',
      ['Grace Hopper', JSON.stringify(['Zoë Ångström', 'Жанна "J"']), '5KJH 220', order.id],
    );
  });
  const search = async (text: string) => ids((await list([['search', text]], ada)).body.data);

  test.each(['zoe angstrom', 'ÅNGSTRÖM', 'Жанна', 'жанна', 'hopper', '5kjh-220', '220', 'grace 5KJH220'])(
    'finds an order by its names and plate: %s',
    async (text) => {
      expect(await search(text)).toEqual([order.id]);
    },
  );

  test('finds an order by its reference in any spelling, its port and its day', async () => {
    expect(await search(order.reference.toLowerCase().replace('-', ' '))).toEqual([order.id]);
    const { origin, departs_local } = (order as unknown as Order).legs[0] ?? {};
    const day = new Date(`${departs_local?.slice(0, 10)}T12:00:00Z`);
    const written = day.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
    expect(await search(`${origin?.name} grace`)).toEqual([order.id]);
    expect(await search(`${origin?.code} ${written} grace`)).toEqual([order.id]);
    expect(await search(`${written}, ${day.getUTCFullYear()} hopper`)).toEqual([order.id]);
    expect(await search(`hopper ${departs_local?.slice(0, 10)}`)).toEqual([order.id]);
    const german = day.toLocaleDateString('de', {
      weekday: 'short',
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    });
    const path = `${api.listOrders.path}?${new URLSearchParams({ search: `hopper ${german}` })}`;
    const headers = { 'Accept-Language': 'de' };
    expect(ids((await server.request('GET', path, { token: ada, headers })).body.data)).toEqual([order.id]);
    day.setUTCDate(day.getUTCDate() + 40);
    expect(await search(`hopper ${day.toISOString().slice(0, 10)}`)).toEqual([]);
  });

  test('needs all words, finds no orders of others, and combines with filters', async () => {
    expect(await search('hopper lovelace')).toEqual([]);
    expect(await search(ownOrders[0]?.reference ?? '')).toEqual([]);
    expect(await search('')).toHaveLength(2);
    const combined: [string, string][] = [['search', 'hopper'], ...filter(['status', '==', 'confirmed'])];
    expect((await list(combined, ada)).body.data).toEqual([]);
  });

  test.each(['%', '_', '\\', "' or 1=1 --", '[', '(', '*', '-', '"'.repeat(100)])(
    'takes the characters %j literally',
    async (text) => {
      const { status, body } = await list([['search', text]], ada);
      expect([status, ids(body.data).filter((id) => id !== order.id)]).toEqual([200, []]);
    },
  );

  test('finds on the server what a device finds among saved orders', async () => {
    const all = (await list('', ada)).body.data as Order[];
    for (const text of [
      'zoe',
      'june 2',
      '6/2',
      '2026-06-02',
      'жанна',
      '220',
      'harbor',
      'port',
      'k',
      'june 3',
    ]) {
      const onDevice = all.filter((order) => matchesSearch(searchedOf(order), parseSearch(text, 'en-US')));
      expect([text, await search(text)]).toEqual([text, ids(onDevice)]);
    }
  });

  test.each([
    ['too long', [['search', 'x'.repeat(101)]]],
    ['with a control character', [['search', 'a\u0000b']]],
    [
      'given twice',
      [
        ['search', 'a'],
        ['search', 'b'],
      ],
    ],
    ['with an unknown order', [['sort', 'total']]],
  ] as [string, [string, string][]][])('is refused %s', async (_, query) => {
    expect((await list(query, ada)).status).toBe(422);
  });
});

test('Orders are sorted by the departures that the filters ask for', async () => {
  const departures = async (query: [string, string][]) =>
    (await list(query)).body.data.map(({ legs }: Summary) => Date.parse(legs[0]?.departs_at ?? ''));
  const soonest = await departures([['sort', 'departs_at']]);
  expect(soonest).toEqual(soonest.toSorted((a: number, b: number) => a - b));
  expect(new Set(soonest).size).toBeGreaterThan(1);
  const later = new Date(soonest[0] + 1).toISOString();
  const latest = await departures([['sort', '-departs_at'], ...filter(['departs_at', '>=', later])]);
  expect(latest).toEqual(latest.toSorted((a: number, b: number) => b - a));
  expect(Math.min(...latest)).toBeGreaterThan(soonest[0]);
});

test.each([
  ['an unknown field', filter(['contact_email', '==', 'x'])],
  ['SQL as a field', filter(['status) or 1=1 --', '==', 'x'])],
  ['SQL as an operator', filter(['status', '== or 1=1', 'held'])],
  ['a page that is none', [['page', '1;drop table orders']] as [string, string][]],
])('A list with %s is refused', async (_, search) => {
  const reply = await list(search);
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].code).toBe('invalid_input');
});

test('Orders bought as a guest join the account at sign-in once its address is verified', async () => {
  const [sailing] = sailings as [Sailing];
  const guest = await buy(sailing, { email: 'Grace@Example.com' });
  const unverified = await createCustomer(server.context, {
    email: 'grace@example.com',
    password: PASSWORD,
    emailVerifiedAt: null,
  });
  const signIn = async () => {
    const body = { email: 'grace@example.com', password: PASSWORD };
    return (await server.request('POST', api.signIn.path, { body })).body.data.token;
  };
  expect((await list('', await signIn())).body.data).toEqual([]);
  await server.database.store.query('update customers set email_verified_at = $1 where id = $2', [
    server.clock.now().toISOString(),
    unverified.id,
  ]);
  expect(ids((await list('', await signIn())).body.data)).toEqual([guest.id]);
});

test('An order with an owner is never added to another account', async () => {
  const other = await createCustomer(server.context, { email: 'ada+other@example.com' });
  await assignGuestOrders(server.context.db, { ...other, email: 'ada@example.com' });
  expect((await list()).body.meta.total_count).toBe(12);
  const [row] = await server.database.store.query<{ count: number }>(
    'select count(*)::int as count from orders where customer_id = $1',
    [customerId],
  );
  expect(row?.count).toBe(12);
});
