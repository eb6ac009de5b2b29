import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { tripCardEntries, tripCards } from '#server/database/schema/trip-cards.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { addEntry, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

/*
 * Rows that must never be in the ledger. The database itself refuses them, even if a statement is wrong.
 */

let server: TestServer;
let card: string;
beforeAll(async () => {
  server = await openTestServer();
  const customer = await createCustomer(server.context);
  card = (await createTripCard(server.context, customer.id, { balance: 1000 })).id;
  await addEntry(server.context, card, -300);
});
afterAll(() => server.close());

async function balanceOf(id: string) {
  const [row] = await server.context.db
    .select({ balance: tripCards.balance, entries: tripCards.entryCount })
    .from(tripCards)
    .where(eq(tripCards.id, id));
  return row;
}

test('Entries are numbered without gaps, and the card’s balance is that of the newest entry', async () => {
  const other = await createTripCard(server.context, null, { balance: 50 });
  const entries = [];
  for (const amount of [20, -70, 5]) entries.push(await addEntry(server.context, other.id, amount));
  expect(entries.map(({ seq, balanceAfter }) => [seq, balanceAfter])).toEqual([
    [2, 70],
    [3, 0],
    [4, 5],
  ]);
  expect(await balanceOf(other.id)).toEqual({ balance: 5, entries: 4 });
});

test('Entries of one statement are numbered in sequence', async () => {
  const other = await createTripCard(server.context, null);
  await server.context.db.execute(sql`
    insert into trip_card_entries
      (id, trip_card_id, seq, kind, amount, balance_after, description, idempotency_key, actor, occurred_at, inserted_at)
    select ${other.id} || n, ${other.id}, 9, 'adjustment', n, 99, '', ${other.id} || n, 'staff', now(), now()
    from generate_series(1, 5) n
  `);
  expect(await balanceOf(other.id)).toEqual({ balance: 15, entries: 5 });
  expect(await findBrokenBooks(server.context)).toEqual([]);
});

test('An entry skipped on conflict changes no balance', async () => {
  const before = await balanceOf(card);
  const [entry] = await server.context.db
    .select()
    .from(tripCardEntries)
    .where(eq(tripCardEntries.tripCardId, card));
  if (!entry) throw new Error('There is an entry.');
  await server.context.db
    .insert(tripCardEntries)
    .values({ ...entry, id: newId('ent') })
    .onConflictDoNothing();
  expect(await balanceOf(card)).toEqual(before);
  await expect(addEntry(server.context, card, 1, { idempotencyKey: entry.idempotencyKey })).rejects.toThrow();
  expect(await balanceOf(card)).toEqual(before);
});

test.each([
  ['an entry is changed', 'update trip_card_entries set amount = amount + 1'],
  ['an entry’s words are changed', `update trip_card_entries set description = 'other'`],
  ['an entry is deleted', 'delete from trip_card_entries'],
  ['the ledger is emptied', 'truncate trip_card_entries cascade'],
  ['a balance is set past the ledger', 'update trip_cards set balance = balance + 1'],
  ['a count is set past the ledger', 'update trip_cards set entry_count = entry_count - 1'],
  ['a balance is set to an older entry’s', 'update trip_cards set balance = 1000, entry_count = 1'],
  [
    'a card begins with a balance',
    `insert into trip_cards (id, number, name, currency, balance, inserted_at, updated_at)
    values ('x', '9000000000000000', '', 'USD', 5, now(), now())`,
  ],
  ['a card has another number than 16 digits', `update trip_cards set number = '123'`],
  ['a card with money on it is lost', `update trip_cards set status = 'lost'`],
])('the database itself refuses that %s', async (_, statement) => {
  await expect(server.database.store.query(statement)).rejects.toMatchObject({
    code: expect.stringMatching(/^23(001|514)$/),
  });
  expect(await balanceOf(card)).toEqual({ balance: 700, entries: 2 });
});

test('The database refuses a balance below zero, even by one minor unit', async () => {
  await expect(addEntry(server.context, card, -701)).rejects.toMatchObject({
    cause: { code: '23514', constraint: 'trip_card_entries_not_negative' },
  });
  await addEntry(server.context, card, -700);
  expect(await balanceOf(card)).toEqual({ balance: 0, entries: 3 });
});

test('Concurrent entries get distinct numbers', async () => {
  const other = await createTripCard(server.context, null);
  await Promise.all(Array.from({ length: 40 }, () => addEntry(server.context, other.id, 5)));
  expect(await balanceOf(other.id)).toEqual({ balance: 200, entries: 40 });
  expect(await findBrokenBooks(server.context)).toEqual([]);
});
