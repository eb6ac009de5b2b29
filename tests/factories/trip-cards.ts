import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { createTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { queryRows } from '#server/database/database.ts';
import { tripCardEntries, tripCards } from '#server/database/schema/trip-cards.ts';
import type { RequestOptions, TestServer } from '#tests/setup/server.ts';
import { createCustomer, startSession } from './customers.ts';

type CardRow = typeof tripCards.$inferSelect;

/** A card of a customer, or without an owner, with a balance from an adjustment. */
export async function createTripCard(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string | null,
  { balance = 0, ...overrides }: Partial<Omit<CardRow, 'id'>> = {},
): Promise<CardRow> {
  const now = clock.now();
  const [card] = await db
    .insert(tripCards)
    .values({
      id: newId('tcd'),
      number: createTripCardNumber((below) => randomInt(below)),
      name: 'Trip card',
      customerId,
      currency: 'USD',
      insertedAt: now,
      updatedAt: now,
      ...overrides,
    })
    .returning();
  if (!card) throw new Error('The card was not stored.');
  if (balance > 0) await addEntry({ db, clock }, card.id, balance);
  return { ...card, balance };
}

/** Inserts an entry directly into the ledger; only the database's rules apply. */
export async function addEntry(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  cardId: string,
  amount: number,
  overrides: Partial<typeof tripCardEntries.$inferInsert> = {},
): Promise<typeof tripCardEntries.$inferSelect> {
  const now = clock.now();
  const [entry] = await db
    .insert(tripCardEntries)
    .values({
      id: newId('ent'),
      tripCardId: cardId,
      // Assigned by the database.
      seq: 0,
      balanceAfter: 0,
      kind: 'adjustment',
      amount,
      description: 'Opening balance',
      idempotencyKey: randomUUID(),
      actor: 'staff',
      occurredAt: now,
      insertedAt: now,
      ...overrides,
    })
    .returning();
  if (!entry) throw new Error('The entry was not stored.');
  return entry;
}

/** Selects the cards whose balance contradicts their ledger. */
export const BROKEN_LEDGERS = `
  select c.id, c.balance, c.entry_count, l.sum, l.entries, l.newest, l.highest, l.gaps
  from trip_cards c
  left join lateral (
    select coalesce(sum(e.amount), 0)::bigint as sum, count(*)::int as entries, coalesce(max(e.seq), 0) as highest,
      (select balance_after from trip_card_entries n where n.trip_card_id = c.id order by seq desc limit 1) as newest,
      count(*) filter (where e.balance_after <> e.amount + coalesce((
        select p.balance_after from trip_card_entries p where p.trip_card_id = c.id and p.seq = e.seq - 1), 0))::int as gaps
    from trip_card_entries e where e.trip_card_id = c.id
  ) l on true
  where c.balance < 0 or c.balance <> l.sum or c.balance <> coalesce(l.newest, 0)
    or c.entry_count <> l.entries or l.highest <> l.entries or l.gaps > 0`;

/** Checks the invariants of every card over the whole ledger, and returns the cards that violate them. */
export async function findBrokenBooks({ db }: Pick<Context, 'db'>): Promise<unknown[]> {
  return queryRows(db, sql.raw(BROKEN_LEDGERS));
}

/** Opens, adopts and uses cards over the API, as a signed-in customer does. */
export async function cardHolder(server: TestServer, overrides: { email?: string } = {}) {
  const customer = await createCustomer(server.context, overrides);
  const token = await startSession(server.context, customer.id);
  const call = (method: string, path: string, body?: unknown, options: RequestOptions = {}) =>
    server.request(method, `/api/customers/trip_cards${path}`, {
      token,
      idempotencyKey: randomUUID(),
      ...(body === undefined ? {} : { body }),
      ...options,
    });
  return { customer, token, call };
}
