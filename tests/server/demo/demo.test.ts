import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Order } from '#contract/orders/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { Sailing } from '#contract/sailings/schemas.ts';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import { loadDemo, renewDemo } from '#server/demo/demo.ts';
import { demoFeedFolder } from '#server/demo/demo-timetable.ts';
import { readFeedFiles } from '#server/sailings/feed/feed-files.ts';
import { importTimetable } from '#server/sailings/import-timetable.ts';
import { must } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { routeIdOf } from '#tests/factories/timetable.ts';
import { findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const ZONE = 'America/Los_Angeles';
const DAY_MS = 24 * 3_600_000;
/** How many days ahead timetables are imported that no test looks further into. */
const DAYS = 7;

type Listed = { id: string; status: string; total: number; paid: number; refunded: number } & {
  legs: { departs_at: string }[];
};

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  await loadDemo(server.context);
  await server.provider.deliverNow();
});
afterAll(() => server.close());

/** Signs in as the demo customer with the password printed at start. */
async function openPortal() {
  const { email = '', password = '' } = (await loadDemo(server.context)) ?? {};
  const { token } = must(await server.request('POST', api.signIn.path, { body: { email, password } }));
  return async (path: string) => must(await server.request('GET', path, { token }));
}

const departureOf = ({ legs }: Listed) => new Date(legs[0]?.departs_at ?? '').getTime();
const dayOf = (instant: number) => getLocalDay(instant, ZONE);
const query = <Row>(text: string) => server.database.store.query<Row>(text);

/** Tomorrow's sailings from Port Madrona to Heron Island with a status other than on sale. */
const STATES = [
  { time: '12:20', state: 'canceled', delay: 0, text: expect.stringContaining('strong wind') },
  { time: '13:10', state: 'full', delay: 0, text: 'All passenger places are taken. Choose another sailing.' },
  { time: '16:30', state: 'low', delay: 0, text: 'Only 4 places left.' },
  { time: '17:20', state: 'on_sale', delay: 25, text: 'Places available.' },
  { time: '18:10', state: 'closed_online', delay: 0, text: expect.stringContaining('ticket booth') },
];

async function findTomorrowsStates({ context, clock, request } = server) {
  const route = await routeIdOf(context.db, 'MAD-HER');
  const date = dayOf(clock.now().getTime() + DAY_MS);
  const list: Sailing[] = must(
    await request('GET', `${api.searchSailings.path}?route_id=${route}&date=${date}`),
  );
  return list
    .map(({ departs_local: departs, availability: { state, text }, delay_minutes: delay }) => ({
      time: departs.slice(11, 16),
      state,
      delay,
      text,
    }))
    .filter(({ state, delay }) => state !== 'on_sale' || delay > 0);
}

describe('The demo customer', () => {
  test('has six trips behind them, a canceled one, and four ahead: one today and two tomorrow', async () => {
    const read = await openPortal();
    const pages = [1, 2].map((page) => read(`${api.listOrders.path}?page=${page}`));
    const orders: Listed[] = (await Promise.all(pages)).flat();
    const now = server.clock.now().getTime();
    const confirmed = orders.filter(({ status }) => status === 'confirmed');
    expect(confirmed.filter((order) => departureOf(order) < now)).toHaveLength(6);
    const ahead = confirmed.map(departureOf).filter((departure) => departure > now);
    const daysAhead = [0, 1, 1, 7];
    expect(ahead.map(dayOf).toSorted()).toEqual(daysAhead.map((days) => dayOf(now + days * DAY_MS)));
    const canceled = orders.filter(({ status }) => status === 'canceled');
    expect(canceled).toHaveLength(1);
    const given = await read(fillPath(api.getCustomerOrder.path, { id: canceled[0]?.id ?? '' }));
    expect(given).toMatchObject({ paid: given.total, refunded: given.total });
    for (const order of confirmed) {
      const details = await read(fillPath(api.getCustomerOrder.path, { id: order.id }));
      expect(details.paid).toBe(details.total);
      expect(details.tickets.length).toBeGreaterThan(0);
    }
  });

  test('has a saved payment card, and two trip cards with rides and top-ups', async () => {
    const read = await openPortal();
    const cards = await read(api.listPaymentCards.path);
    expect(cards).toMatchObject([{ primary: true, last_four: '4242' }]);
    const tripCards: { id: string; name: string; balance: number; low_balance_at: number | null }[] =
      await read(api.listTripCards.path);
    const [everyday, family] = ['Everyday card', 'Family card'].map((name) =>
      tripCards.find((card) => card.name === name),
    );
    expect(everyday).toMatchObject({ auto_top_up: { state: 'ok', payment_card_id: cards[0].id } });
    expect(family?.balance).toBeLessThan(family?.low_balance_at ?? 0);
    const { entries } = await read(fillPath(api.getTripCardBalance.path, { id: everyday?.id ?? '' }));
    const kinds = entries.map(({ kind }: { kind: string }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['fare', 'top_up']));
    expect(kinds.length).toBeGreaterThanOrEqual(8);
    const { top_ups: topUps } = await read(fillPath(api.listTopUps.path, { id: everyday?.id ?? '' }));
    expect(topUps.map(({ trigger, status }: Record<string, string>) => `${trigger} ${status}`)).toEqual([
      'auto succeeded',
      'manual succeeded',
    ]);
  });

  test('has a consistent ledger, and no pending work or mail of the past', async () => {
    expect(await auditBooks(server.database.store)).toEqual(cleanBooks);
    expect(await findBrokenBooks(server.context)).toEqual([]);
    expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([]);
    const queued = await query<{ kind: string }>(
      "select kind from mails where status = 'queued' and kind <> 'security-event'",
    );
    expect(queued.map(({ kind }) => kind).toSorted()).toEqual([
      ...Array(4).fill('order-confirmed'),
      'sailing-canceled',
      'sailing-late',
    ]);
    expect(await query("select id from payments where status not in ('succeeded')")).toEqual([]);
    expect(await query("select id from refunds where status <> 'succeeded'")).toEqual([]);
  });
});

describe('A later start', () => {
  test('adds nothing on the same day, and on another day trips of that day and the next', async () => {
    const countOrders = async () => {
      const rows = await query<{ count: number }>(
        'select count(*)::int as count from orders where customer_id is not null',
      );
      return rows[0]?.count ?? 0;
    };
    const before = server.clock.now();
    const first = await countOrders();
    await loadDemo(server.context);
    expect(await countOrders()).toBe(first);
    server.clock.advance(3 * DAY_MS);
    try {
      const read = await openPortal();
      const orders: Listed[] = await read(api.listOrders.path);
      const now = server.clock.now().getTime();
      expect(
        orders.some((order) => departureOf(order) > now && dayOf(departureOf(order)) === dayOf(now)),
      ).toBe(true);
      expect(await countOrders()).toBe(first + 2);
      expect(await findTomorrowsStates()).toEqual(STATES);
    } finally {
      server.clock.set(before.toISOString());
    }
  });

  test.each(['17:40', '22:40'])('adds nothing after a start at %s of the same day', async (time) => {
    const before = server.clock.now();
    const midnight = getDayStart(dayOf(before.getTime() + 5 * DAY_MS), ZONE);
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    server.clock.set(new Date(midnight + (hours * 60 + minutes) * 60_000).toISOString());
    try {
      await loadDemo(server.context);
      const orders = await query('select id from orders');
      await loadDemo(server.context);
      expect(await query('select id from orders')).toEqual(orders);
    } finally {
      server.clock.set(before.toISOString());
    }
  });
});

describe('Sailings of the demo', () => {
  test('are full, nearly full, sold out online, late and canceled tomorrow', async () => {
    expect(await findTomorrowsStates()).toEqual(STATES);
  });

  test('show the demo customer a late and a canceled sailing', async () => {
    const read = await openPortal();
    const list: Listed[] = await read(api.listOrders.path);
    const tomorrow = dayOf(server.clock.now().getTime() + DAY_MS);
    const orders: Order[] = [];
    for (const order of list.filter((each) => dayOf(departureOf(each)) === tomorrow)) {
      orders.push(await read(fillPath(api.getCustomerOrder.path, { id: order.id })));
    }
    const canceled = orders.find((order) => order.needs_attention === 'sailing_canceled');
    expect(canceled).toMatchObject({
      display_status: 'action_needed',
      notice: expect.stringContaining('travel on another sailing or get the full refund'),
      legs: [{ status: 'canceled', status_text: expect.stringContaining('strong wind') }],
    });
    const late = orders.find((order) => order !== canceled);
    expect(late).toMatchObject({ display_status: 'upcoming', notice: '', legs: [{ delay_minutes: 25 }] });
  });

  test('are renewed for the next day by the nightly job', async () => {
    const before = server.clock.now();
    server.clock.advance(DAY_MS);
    try {
      await renewDemo(server.context);
      expect(await findTomorrowsStates()).toEqual(STATES);
      expect(await auditBooks(server.database.store)).toEqual(cleanBooks);
    } finally {
      server.clock.set(before.toISOString());
    }
  });

  test('stay unchanged when the timetable is extended', async () => {
    await query("update feed set window_until = '2026-06-30'");
    await loadDemo(server.context);
    expect(await findTomorrowsStates()).toEqual(STATES);
  });

  test('come from the newest demo feed, also in an installation that began with an earlier one', async () => {
    const other = await openTestServer();
    try {
      const files = new Map(await readFeedFiles(demoFeedFolder));
      const text = (name: string) => Buffer.from(files.get(name) ?? '').toString();
      files.set('feed_info.txt', Buffer.from(text('feed_info.txt').replace(/2026-\d+/, '2026-1')));
      files.set(
        'assignments.csv',
        Buffer.from(text('assignments.csv').replace(/^(petrel|dunlin),.*\n/gm, '')),
      );
      await importTimetable(other.context, { files, days: DAYS });
      await loadDemo(other.context);
      expect(await findTomorrowsStates(other)).toEqual(STATES);
    } finally {
      await other.close();
    }
  });
});

describe('No demo customer is created', () => {
  let other: TestServer;
  beforeAll(async () => {
    other = await openTestServer();
  });
  afterAll(() => other.close());
  const people = () => other.database.store.query('select email from customers');

  test('if an operator imported their timetable, although payments are simulated', async () => {
    const files = new Map(await readFeedFiles(demoFeedFolder));
    const agency = Buffer.from(files.get('agency.txt') ?? '').toString();
    files.set('agency.txt', Buffer.from(agency.replaceAll('harborline.example', 'ferries.example.org')));
    await importTimetable(other.context, { files, days: DAYS });
    expect(await loadDemo(other.context)).toBeNull();
    expect(await people()).toEqual([]);
    expect(await other.database.store.query('select id from orders')).toEqual([]);
    expect(await other.database.store.query('select id from trip_cards')).toEqual([]);
  });

  test('in a database with other customers', async () => {
    await other.database.store.query('delete from feed_archives');
    await other.database.store.query('delete from feed');
    const { email } = await createCustomer(other.context);
    expect(await loadDemo(other.context)).toBeNull();
    expect(await people()).toEqual([{ email }]);
  });
});
