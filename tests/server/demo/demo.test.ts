import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath } from '#contract/paths.ts';
import { localDay } from '#domain/port-time.ts';
import { loadDemo } from '#server/demo/demo.ts';
import { demoFeedFolder } from '#server/demo/demo-timetable.ts';
import { readFeedFiles } from '#server/sailings/feed/feed-files.ts';
import { importTimetable } from '#server/sailings/import-timetable.ts';
import { must } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const ZONE = 'America/Los_Angeles';
const DAY_MS = 24 * 3_600_000;

type Listed = { id: string; status: string; total: number; paid: number; refunded: number } & {
  legs: { departs_at: string }[];
};

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  await loadDemo(server.deps);
  await server.provider.deliverNow();
});
afterAll(() => server.close());

/** Signs in as the demo customer with what a start prints. */
async function openPortal() {
  const { tripCards: _, ...credentials } = (await loadDemo(server.deps)) ?? { tripCards: [] };
  const { token } = must(await server.request('POST', apiPaths.signIn, { body: credentials }));
  return async (path: string) => must(await server.request('GET', path, { token }));
}

const departureOf = ({ legs }: Listed) => new Date(legs[0]?.departs_at ?? '').getTime();
const dayOf = (instant: number) => localDay(instant, ZONE);
const query = <Row>(text: string) => server.database.store.query<Row>(text);

describe('The demo customer', () => {
  test('has six trips behind them, a canceled one, and two ahead of which one is today', async () => {
    const read = await openPortal();
    const orders: Listed[] = await read(apiPaths.customerOrders);
    const now = server.clock.now().getTime();
    const confirmed = orders.filter(({ status }) => status === 'confirmed');
    expect(confirmed.filter((order) => departureOf(order) < now)).toHaveLength(6);
    const ahead = confirmed.map(departureOf).filter((departure) => departure > now);
    expect(ahead.map(dayOf).toSorted()).toEqual([dayOf(now), dayOf(now + 7 * DAY_MS)]);
    const cancelled = orders.filter(({ status }) => status === 'cancelled');
    expect(cancelled).toHaveLength(1);
    const given = await read(fillPath(apiPaths.customerOrder, { id: cancelled[0]?.id ?? '' }));
    expect(given).toMatchObject({ paid: given.total, refunded: given.total });
    for (const order of confirmed) {
      const details = await read(fillPath(apiPaths.customerOrder, { id: order.id }));
      expect(details.paid).toBe(details.total);
      expect(details.tickets.length).toBeGreaterThan(0);
    }
  });

  test('has a saved payment card, and two trip cards with rides and top-ups', async () => {
    const read = await openPortal();
    const cards = await read(apiPaths.paymentCards);
    expect(cards).toMatchObject([{ primary: true, last_four: '4242' }]);
    const tripCards: { id: string; name: string; balance: number; low_balance_at: number | null }[] =
      await read(apiPaths.tripCards);
    const [everyday, family] = ['Everyday card', 'Family card'].map((name) =>
      tripCards.find((card) => card.name === name),
    );
    expect(everyday).toMatchObject({ auto_top_up: { state: 'ok', payment_card_id: cards[0].id } });
    expect(family?.balance).toBeLessThan(family?.low_balance_at ?? 0);
    const { entries } = await read(fillPath(apiPaths.tripCardBalance, { id: everyday?.id ?? '' }));
    const kinds = entries.map(({ kind }: { kind: string }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['fare', 'top_up']));
    expect(kinds.length).toBeGreaterThanOrEqual(8);
    const { top_ups: topUps } = await read(fillPath(apiPaths.tripCardTopUps, { id: everyday?.id ?? '' }));
    expect(topUps.map(({ trigger, status }: Record<string, string>) => `${trigger} ${status}`)).toEqual([
      'auto succeeded',
      'manual succeeded',
    ]);
  });

  test('has clean books, and nothing that is still to be done or mailed of the past', async () => {
    expect(await auditBooks(server.database.store)).toEqual(cleanBooks);
    expect(await findBrokenBooks(server.deps)).toEqual([]);
    expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([]);
    const queued = await query("select kind from mails where status = 'queued' and kind <> 'security-event'");
    expect(queued).toEqual([{ kind: 'order-confirmed' }, { kind: 'order-confirmed' }]);
    expect(await query("select id from payments where status not in ('succeeded')")).toEqual([]);
    expect(await query("select id from refunds where status <> 'succeeded'")).toEqual([]);
  });
});

describe('A later start', () => {
  test('adds nothing on the same day, and a trip of that day on another', async () => {
    const count = async () =>
      (await query<{ count: number }>('select count(*)::int as count from orders'))[0]?.count;
    const before = server.clock.now();
    const first = await count();
    await loadDemo(server.deps);
    expect(await count()).toBe(first);
    server.clock.advance(3 * DAY_MS);
    try {
      const read = await openPortal();
      const orders: Listed[] = await read(apiPaths.customerOrders);
      const now = server.clock.now().getTime();
      expect(
        orders.some((order) => departureOf(order) > now && dayOf(departureOf(order)) === dayOf(now)),
      ).toBe(true);
      expect(await count()).toBe((first ?? 0) + 1);
    } finally {
      server.clock.set(before.toISOString());
    }
  });
});

describe('No demo customer is made', () => {
  let other: TestServer;
  beforeAll(async () => {
    other = await openTestServer();
  });
  afterAll(() => other.close());
  const people = () => other.database.store.query('select email from customers');

  test('where an operator imported a timetable of their own, though payments are tests', async () => {
    const files = new Map(await readFeedFiles(demoFeedFolder));
    const agency = Buffer.from(files.get('agency.txt') ?? '').toString();
    files.set('agency.txt', Buffer.from(agency.replaceAll('harborline.example', 'ferries.example.org')));
    await importTimetable(other.deps.db, files, { now: other.clock.now(), tell: async () => {} });
    expect(await loadDemo(other.deps)).toBeNull();
    expect(await people()).toEqual([]);
    expect(await other.database.store.query('select id from orders')).toEqual([]);
    expect(await other.database.store.query('select id from trip_cards')).toEqual([]);
  });

  test('beside other customers', async () => {
    await other.database.store.query('delete from feed_archives');
    await other.database.store.query('delete from feed');
    const { email } = await createCustomer(other.deps);
    expect(await loadDemo(other.deps)).toBeNull();
    expect(await people()).toEqual([{ email }]);
  });
});
