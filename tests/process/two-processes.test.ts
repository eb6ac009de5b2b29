import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '#server/database/database.ts';
import { buildNetworkFeed, islandFerries } from '#tests/factories/ferry-networks.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { importFeed } from '#tests/factories/timetable.ts';
import { auditBooks, cleanBooks, readOrders } from './books.ts';
import type { Reply } from './http-client.ts';
import { newPostgresPlace, type Place } from './places.ts';
import { endAll, eventually, type ServerProcess, startServer } from './server-process.ts';
import { buyTicket, publishableKeyOf, sailingsOf } from './shopper.ts';

const DEMO = { email: 'demo@harborline.example', password: 'by ferry across the sound' };

let place: Place;
let database: OpenDatabase;
let first: ServerProcess;
let second: ServerProcess;
let publishableKey: string;
let sailings: string[];

beforeAll(async () => {
  place = await newPostgresPlace();
  // Each caller of a test comes from a separate network.
  const env = { ...place.env, TRUST_PROXY: '1' };
  [first, second] = await Promise.all([startServer(env), startServer(env)]);
  // A request names one of the two ports; both serve the same site.
  publishableKey = await publishableKeyOf(first.send);
  sailings = await sailingsOf(first.send);
  database = await place.openDatabase();
});
afterAll(async () => {
  await database.close();
  await endAll();
  await place.remove();
});

test('one of thirty buyers at two processes gets the last place, and the others are told that it is sold out and pay nothing', async () => {
  const [sailing = ''] = sailings;
  await database.store.query(
    `update voyage_capacity set sellable_online = held + sold + 1 where voyage_id = (select voyage_id from sailings where id = $1) and resource = 'passenger'`,
    [sailing],
  );
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      buyTicket((index < 20 ? first : second).send, {
        sailing,
        email: `last${index}@example.com`,
        publishableKey,
      }),
    ),
  );
  const results = Object.groupBy(outcomes, ({ result }) => result);
  expect(results.confirmed).toHaveLength(1);
  expect(results.sold_out).toHaveLength(29);
  const orders = (await readOrders(database.store)).filter(({ email }) => email.startsWith('last'));
  expect(orders).toMatchObject([{ status: 'confirmed', tickets: 1, charges: 1, refunds: 0 }]);
  expect(await auditBooks(database.store)).toEqual(cleanBooks);
});

test('a session of one process is valid at the other, and ends at both', async () => {
  const signedIn = await first.send('/api/customers/sessions/sign_in', { host: 'my', body: DEMO });
  const { token } = signedIn.json();
  const details = () => second.send('/api/customers/details', { host: 'my', token });
  expect((await details()).json()).toMatchObject({ success: true, email: DEMO.email });
  expect((await second.send('/api/customers/sign_out', { host: 'my', method: 'DELETE', token })).status).toBe(
    200,
  );
  const after = await first.send('/api/customers/details', { host: 'my', token });
  expect([after.status, after.json().errors[0].code]).toEqual([401, 'session_expired']);
});

test('a request sent to both processes concurrently takes effect once and gets two answers', async () => {
  const [, sailing = ''] = sailings;
  const quote = dataOf(await first.send('/api/quotes', { body: quoteRequest(sailing) }));
  const both = async (path: string, body: object) => {
    const options = { body, idempotencyKey: randomUUID() };
    const replies = await Promise.all(
      [first, second].map(({ send }) => untilAnswered(() => send(path, options))),
    );
    const [one, other] = replies.map(dataOf);
    expect(one).toEqual(other);
    return one;
  };
  const hold = await both('/api/holds', { quote_id: quote.id });
  const order = await both('/api/orders', orderOf(hold, quote, 'both@example.com'));
  const payment = await both(`/api/orders/${order.id}/payments`, { method: 'card' });
  const counted = await database.store.query(
    `select (select count(*)::int from holds where id = $1) as holds,
       (select count(*)::int from hold_items where hold_id = $1) as items,
       (select count(*)::int from orders where contact_email = 'both@example.com') as orders,
       (select count(*)::int from payments where order_id = $2) as payments,
       (select count(*)::int from sandbox.objects
         where object = 'payment_intent' and doc->'metadata'->>'payment_id' = $3) as intents`,
    [hold.id, order.id, payment.id],
  );
  expect(counted).toEqual([{ holds: 1, items: 1, orders: 1, payments: 1, intents: 1 }]);
});

test('two different concurrent requests with one key have one effect, and the other is refused', async () => {
  const quotes = await Promise.all(
    sailings
      .slice(2, 4)
      .map(async (sailing) => dataOf(await first.send('/api/quotes', { body: quoteRequest(sailing) }))),
  );
  const idempotencyKey = randomUUID();
  const replies = await Promise.all(
    [first, second].map((server, index) =>
      server.send('/api/holds', { body: { quote_id: quotes[index].id }, idempotencyKey }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  const refused = replies.find(({ status }) => status === 422);
  expect(refused?.json().errors[0].code).toBe('idempotency_mismatch');
});

test('wrong passwords are counted across both processes', async () => {
  const guess = (server: ServerProcess) =>
    server.send('/api/customers/sessions/sign_in', {
      host: 'my',
      body: { email: DEMO.email, password: 'not the right one' },
      headers: { 'x-forwarded-for': '203.0.113.77' },
    });
  const replies = await Promise.all([first, second, first, second, first, second, first, second].map(guess));
  const statuses = replies.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
  expect(Number(replies.find(({ status }) => status === 429)?.headers['retry-after'])).toBeGreaterThan(0);
});

test('an expired hold that both processes find releases its places once', async () => {
  const [, , , , , sailing = ''] = sailings;
  const taken = () =>
    database.store.query(
      `select held, sold from voyage_capacity where voyage_id = (select voyage_id from sailings where id = $1) and resource = 'passenger'`,
      [sailing],
    );
  const before = await taken();
  const quote = dataOf(await first.send('/api/quotes', { body: quoteRequest(sailing) }));
  const hold = dataOf(
    await first.send('/api/holds', { body: { quote_id: quote.id }, idempotencyKey: randomUUID() }),
  );
  const order = dataOf(
    await second.send('/api/orders', { body: orderOf(hold, quote), idempotencyKey: randomUUID() }),
  );
  await database.store.query(`update holds set expires_at = now() - interval '1 second' where id = $1`, [
    hold.id,
  ]);
  const looks = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? first : second).send(`/api/orders/${order.id}`),
    ),
  );
  expect(looks.map((reply) => dataOf(reply).status)).toEqual(Array(10).fill('expired'));
  expect(await taken()).toEqual(before);
});

test('each mail is sent once, by either process', async () => {
  const [, , , , sailing = ''] = sailings;
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      buyTicket((index % 2 === 0 ? first : second).send, {
        sailing,
        email: `mail${index}@example.com`,
        publishableKey,
      }),
    ),
  );
  expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(['confirmed']));
  const queued = () =>
    database.store.query<{ count: number }>(
      `select count(*)::int as count from mails where to_address like 'mail%' and status <> 'sent'`,
    );
  await eventually(async () => (await queued())[0]?.count === 0, {
    what: 'all mails to be sent',
    withinMs: 45_000,
  });
  const received = await database.store.query(
    `select doc->'to'->>0 as to, count(*)::int as count from sandbox.messages
     where doc->'to'->>0 like 'mail%' group by 1 having count(*) <> 1`,
  );
  expect(received).toEqual([]);
  const attempts = await database.store.query(
    `select distinct attempts from mails where to_address like 'mail%'`,
  );
  expect(attempts).toEqual([{ attempts: 1 }]);
  expect(await auditBooks(database.store)).toMatchObject({ wrongCapacity: [], wrongMails: [] });
});

test('a payment that arrived when the sailing was full is refunded once, and the buyer is notified', async () => {
  const [, , , , , , sailing = ''] = sailings;
  const knobs = (body: object) => first.send('/sandbox/knobs', { host: 'pay', body });
  const email = 'late@example.com';
  const outcome = await buyTicket(second.send, {
    sailing,
    email,
    publishableKey,
    // The places expire while the provider is unavailable, and other buyers take them.
    async beforePaying(orderId) {
      await knobs({ api_down: true });
      await database.store.query(
        `update holds set expires_at = now() - interval '1 second', expires_at_max = now() - interval '1 second'
         where id = (select hold_id from orders where id = $1)`,
        [orderId],
      );
      expect(dataOf(await first.send(`/api/orders/${orderId}`)).status).toBe('expired');
      await knobs({ api_down: false });
      await database.store.query(
        `update voyage_capacity set sellable_online = held + sold where voyage_id = (select voyage_id from sailings where id = $1) and resource = 'passenger'`,
        [sailing],
      );
    },
  });
  expect(outcome.result).toBe('canceled');
  const order = async () => dataOf(await second.send(`/api/orders/${outcome.orderId}`));
  await eventually(async () => (await order()).payment_status === 'refunded', {
    what: 'the money to go back',
    withinMs: 45_000,
  });
  expect((await order()).notice).toContain('there was no room left');
  const refunds = await database.store.query(
    `select reason, status,
       (select count(*)::int from sandbox.objects o
         where o.object = 'refund' and o.doc->'metadata'->>'refund_id' = refunds.id) as at_provider,
       (select count(*)::int from mails where to_address = $2 and kind = 'order-refunded') as mails
     from refunds where order_id = $1`,
    [outcome.orderId, email],
  );
  expect(refunds).toEqual([{ reason: 'no_room', status: 'succeeded', at_provider: 1, mails: 1 }]);
  expect(await auditBooks(database.store)).toMatchObject({
    wrongMoney: [],
    wrongTickets: [],
    wrongPayments: [],
  });
});

test('the inbox of each process shows the mails that the other sent', async () => {
  const [one, other] = await Promise.all(
    [first, second].map(async ({ send }) => (await send('/api/messages', { host: 'mail' })).json().data),
  );
  expect(other.map(({ id }: { id: string }) => id)).toEqual(one.map(({ id }: { id: string }) => id));
  expect(one.length).toBeGreaterThan(0);
});

test('every recurring job is scheduled once for both', async () => {
  const schedules = await database.store.query<{ name: string }>(
    'select name from pgboss.schedule order by name',
  );
  expect(schedules.map(({ name }) => name)).toEqual([
    'anchor-audit-log',
    'apply-retention',
    'book-breakage',
    'book-missing-sales',
    'clear-no-room',
    'end-unpaid-changes',
    'expire-holds',
    'fetch-payouts',
    'issue-receipts',
    'notify-pass-ends',
    'reconcile-payments',
    'reconcile-top-ups',
    'reissue-tickets',
    'renew-demo',
    'report-problems',
    'roll-timetable',
    'send-due-mails',
    'send-due-pushes',
    'send-due-sms',
    'settle-offers',
    'sync-payment-cards',
  ]);
});

/** In use from here on: the ports of this network are not those of the demo operator. */
test('forty buyers at two processes never oversell a stretch of a boat, and none is refused while there is room', async () => {
  const settings = { 'settings.json': JSON.stringify(demoSettings) };
  await importFeed(database.db, buildNetworkFeed(islandFerries, settings), { now: new Date().toISOString() });
  const voyage = await findVoyage('all-out-0');
  await database.store.query(
    `update voyage_capacity set sellable_online = 12 where voyage_id = $1 and resource = 'passenger'`,
    [voyage[0]?.voyage],
  );
  // All ten pairs of the five ports: on overlapping stretches, and on touching ones such as 0 to 2 and 2 to 4.
  const buyers = Array.from({ length: 40 }, (_, index) => {
    const sailing = voyage[(index * 7) % voyage.length];
    if (!sailing) throw new Error('The boat has sailings.');
    return { ...sailing, adults: 1 + (index % 3), email: `island${index}@example.com` };
  });
  const outcomes = await Promise.all(
    buyers.map(({ sailing, adults, email }, index) =>
      buyTicket((index % 2 === 0 ? first : second).send, { sailing, adults, email, publishableKey }),
    ),
  );
  const results = Map.groupBy(buyers, (_, index) => outcomes[index]?.result);
  expect([...results.keys()].toSorted()).toEqual(['confirmed', 'sold_out']);
  const counted = [0, 1, 2, 3].map((stretch) =>
    (results.get('confirmed') ?? [])
      .filter(({ firstStop, lastStop }) => firstStop <= stretch && stretch < lastStop)
      .reduce((sum, { adults }) => sum + adults, 0),
  );
  expect(Math.max(...counted)).toBeLessThanOrEqual(12);
  for (const { firstStop, lastStop, adults } of results.get('sold_out') ?? []) {
    expect(Math.max(...counted.slice(firstStop, lastStop)) + adults).toBeGreaterThan(12);
  }
  const stored = await database.store.query(
    `select held, sold from voyage_capacity where voyage_id = $1 and resource = 'passenger' order by stretch`,
    [voyage[0]?.voyage],
  );
  expect(stored).toEqual(counted.map((sold) => ({ held: 0, sold })));
  expect(await auditBooks(database.store)).toMatchObject({ wrongCapacity: [], wrongTickets: [] });
});

/** The sailings of a trip in three days, with the stops where they begin and end. */
function findVoyage(tripKey: string) {
  return database.store.query<{ sailing: string; voyage: string; firstStop: number; lastStop: number }>(
    `select s.id as sailing, v.id as voyage, s.first_stop as "firstStop", s.last_stop as "lastStop"
     from sailings s join voyages v on v.id = s.voyage_id
     where v.gtfs_trip_key = $1 and v.service_date = current_date + 3 order by first_stop, last_stop`,
    [tripKey],
  );
}

function quoteRequest(sailing: string): object {
  return { legs: [{ sailing_id: sailing }], passengers: [{ type: 'adult', count: 1 }], fare_class: 'flex' };
}

function orderOf(hold: { id: string }, quote: { id: string }, email = 'ada@example.com'): object {
  return {
    hold_id: hold.id,
    quote_id: quote.id,
    contact: { name: 'Ada Lovelace', email, phone: '' },
    terms_version: demoSettings.terms.version,
  };
}

/** The second of two equal requests waits briefly for the first, then is told to retry. */
async function untilAnswered(send: () => Promise<Reply>): Promise<Reply> {
  let reply = await send();
  await eventually(
    async () => {
      if (reply.status !== 409) return true;
      reply = await send();
      return false;
    },
    { what: 'an answer', withinMs: 20_000 },
  );
  return reply;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
function dataOf(reply: Reply): any {
  const body = reply.json();
  if (!body.success) throw new Error(`${reply.status}: ${reply.text}`);
  return body.data;
}
