import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { refundCommand } from '#server/commands/refund-order.ts';
import { checkTicket, readKeys } from '#server/commands/verify-ticket.ts';
import { ConfigError } from '#server/config.ts';
import { type OpenDatabase, openDatabase } from '#server/database/database.ts';
import { must } from '#tests/factories/buyer.ts';
import { runCommandLine } from '#tests/setup/command-line.ts';
import { createDatabase } from '#tests/setup/database.ts';
import {
  FIRST_MIGRATION,
  FIRST_RELEASE,
  MIGRATIONS,
  openFirstReleaseDatabase,
} from '#tests/setup/first-release.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

test('the first migration is unchanged since its release', () => {
  const text = readFileSync(join(MIGRATIONS, `${FIRST_MIGRATION}.sql`));
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    '3b12d66e35232d8c6d4df8b9d1d6b44559a06eeb27cc854d4c50b61b3e0a6213',
  );
});

describe('a database of the first release', () => {
  const { guestOrder, email, password, token: oldToken } = FIRST_RELEASE;
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    const database = await openFirstReleaseDatabase();
    server = await openTestServer({ database, now: FIRST_RELEASE.nextDay });
    const signedIn = await server.request('POST', '/api/customers/sessions/sign_in', {
      body: { email, password },
    });
    ({ token } = must(signedIn));
  });
  afterAll(() => server.close());

  const read = async (path: string) => must(await server.request('GET', path, { token }));

  test('keeps its customer, who signs in with the same password or is still signed in', async () => {
    expect(await read('/api/customers/details')).toMatchObject({ email });
    const earlier = await server.request('GET', '/api/customers/details', { token: oldToken });
    expect(must(earlier)).toMatchObject({ email, name: 'Robin Castellanos' });
  });

  test('keeps its orders with their tickets and refunds', async () => {
    const listed: { id: string; reference: string }[] = await read('/api/customers/orders');
    expect(listed).toHaveLength(7);
    const readOrder = async (reference: string) =>
      read(`/api/customers/orders/${listed.find((order) => order.reference === reference)?.id}`);
    expect(await readOrder('494A-YC2D')).toMatchObject({
      ...{ status: 'confirmed', total: 1150, paid: 1150, refunded: 0 },
      tickets: [{ status: 'issued', barcode: { key_id: 'k1' } }],
    });
    expect(await readOrder('F667-Q5Y9')).toMatchObject({
      ...{ status: 'canceled', total: 10_400, paid: 10_400, refunded: 10_400 },
      refunds: [{ amount: 10_400, status: 'succeeded', last_four: '4242' }],
      tickets: [{ status: 'canceled' }, { status: 'canceled' }],
    });
  });

  test('keeps tickets that gates accept', async () => {
    const keys = readKeys((await server.request('GET', '/api/keys')).body);
    const { tickets } = await read(`/api/orders/${guestOrder.id}`);
    expect(tickets).toHaveLength(2);
    for (const { barcode } of tickets) {
      expect(checkTicket(barcode.payload, keys, server.clock.now()).lines[0]).toMatch(/^VALID/);
    }
  });

  test('keeps the mails it sent, and the payment card', async () => {
    const mails = 'select kind from mails where order_id is not null';
    expect(await server.database.store.query(mails)).toEqual([{ kind: 'order-confirmed' }]);
    expect(await read('/api/customers/payment_cards')).toMatchObject([{ last_four: '4242', primary: true }]);
  });

  test('keeps its trip cards with their balances and entries, and the PINs of plastic cards', async () => {
    const cards = await read('/api/customers/trip_cards');
    expect(cards).toMatchObject([
      { name: 'Everyday card', balance: 1700, auto_top_up: { threshold: 1500, amount: 2500 } },
      { name: 'Family card', balance: 550, low_balance_at: 1000 },
    ]);
    const { entries } = await read(`/api/customers/trip_cards/${cards[0].id}/balance`);
    const balances = entries.map((entry: { balance_after: number }) => entry.balance_after);
    expect(balances).toEqual([1700, 2550, 3800, 1300, 2225, 3150, 4075, 5000]);
    const added = await server.request('POST', '/api/customers/trip_cards', {
      ...{ token, body: { number: '9000000000000019', pin: '2468' }, idempotencyKey: crypto.randomUUID() },
    });
    expect(must(added)).toMatchObject({ status: 'active', role: 'owner' });
  });

  test('keeps an order whose places and money are given back when it is canceled', async () => {
    const { version } = await read(`/api/orders/${guestOrder.id}`);
    const confirmation = ['--reason', 'The boat is gone', '--confirm', String(version)];
    const { stdout } = await runCommandLine(server, refundCommand, guestOrder.reference, ...confirmation);
    expect(stdout).toContain('23.00');
    const [sold] = await server.database.store.query<{ sold: number }>(`
      select sum(sold)::int as sold from voyage_capacity where resource = 'passenger' and voyage_id in (
        select s.voyage_id from tickets t join sailings s on s.id = t.sailing_id
        where t.order_id = '${guestOrder.id}')
    `);
    expect(sold).toEqual({ sold: 1 });
    expect(await read(`/api/orders/${guestOrder.id}`)).toMatchObject({ status: 'canceled', paid: 2300 });
  });
});

describe('openDatabase', () => {
  type Place = { url: string | null; folder: string | null };
  let place: Place;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    if (inject('engine') === 'postgres') {
      const created = await createDatabase('gangway_template');
      place = { url: created.url, folder: null };
      drop = created.drop;
    } else {
      const folder = mkdtempSync(join(tmpdir(), 'gangway-migrations-'));
      place = { url: null, folder };
      drop = async () => rmSync(folder, { recursive: true });
    }
  });
  afterAll(() => drop());

  async function changeJournal(statement: string): Promise<void> {
    const database = await openDatabase(place);
    await database.store.query(statement);
    await database.close();
  }

  test('starts on the tables of a newer release', async () => {
    await changeJournal(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`,
    );
    const database: OpenDatabase = await openDatabase(place);
    expect(await database.store.query('select id from orders')).toEqual([]);
    await database.close();
  });

  test('refuses a database from before the first release and explains what to do', async () => {
    await changeJournal('update drizzle.__drizzle_migrations set created_at = created_at - 1');
    // Twice: a refused start leaves the data folder unlocked.
    for (const _ of [1, 2]) {
      const refusal = await openDatabase(place).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ConfigError);
      expect(String(refusal)).toMatch(
        /before the first release .* (DATABASE_URL to an empty|Delete the folder)/,
      );
    }
  });
});
