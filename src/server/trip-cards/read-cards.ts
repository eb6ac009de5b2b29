import { and, count, desc, eq, inArray, lt, or, sql } from 'drizzle-orm';
import type { PageMeta } from '#contract/common.ts';
import type { TripCard, TripCardBalance } from '#contract/trip-cards/schemas.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { orders } from '../database/schema/sales.ts';
import {
  autoTopUps,
  tripCardDebts,
  tripCardEntries,
  tripCardShares,
  tripCards,
} from '../database/schema/trip-cards.ts';
import { inSnapshot } from '../database/transactions.ts';
import { type ListQuery, pageMeta } from '../http/list-query.ts';
import type { AutoTopUpRow } from './auto-top-up.ts';
import { isOpenDebt } from './post-entry.ts';
import { presentEntry, presentTripCard } from './presenter.ts';
import { listShares, requireHeldCard } from './queries.ts';
import { acceptShares } from './shares.ts';

/** Entries or top-ups per page. */
export const HISTORY_PAGE_SIZE = 50;
export const CARDS_PAGE_SIZE = 20;

/** Where a history continues: after an entry, or at a page. */
export type HistoryQuery = { beforeSeq: number | null; list: ListQuery };

/**
 * A consistent snapshot of a customer's cards, their own first, lost ones last. Accepts pending shares.
 */
export async function listCards(
  context: Pick<Context, 'db' | 'clock'>,
  customerId: string,
  query: ListQuery,
): Promise<{ cards: TripCard[]; meta: PageMeta }> {
  await acceptShares(context, customerId);
  const { total, rows, shares, autos, debts } = await inSnapshot(context.db, (tx) =>
    findPage(tx, customerId, query),
  );
  const now = context.clock.now();
  const cards = rows.map(({ card, share }) => {
    const role = card.customerId === customerId ? 'owner' : (share?.role ?? 'top_up');
    const held = { card, role, dailyLimit: share?.dailyLimit ?? null } as const;
    return presentTripCard(
      held,
      {
        shares: shares.filter(({ tripCardId }) => tripCardId === card.id),
        auto: autos.find(({ tripCardId }) => tripCardId === card.id) ?? null,
        owed: debts.get(card.id) ?? 0,
      },
      now,
    );
  });
  return { cards, meta: pageMeta(query, total) };
}

async function findPage(db: Database, customerId: string, query: ListQuery) {
  const shared = and(
    eq(tripCardShares.tripCardId, tripCards.id),
    eq(tripCardShares.customerId, customerId),
    eq(tripCardShares.status, 'active'),
  );
  const isHeld = or(
    eq(tripCards.customerId, customerId),
    sql`exists (select 1 from ${tripCardShares} where ${shared})`,
  );
  const [total] = await db.select({ count: count() }).from(tripCards).where(isHeld);
  const rows = await db
    .select({ card: tripCards, share: tripCardShares })
    .from(tripCards)
    .leftJoin(tripCardShares, shared)
    .where(isHeld)
    .orderBy(
      sql`${tripCards.status} = 'lost'`,
      sql`${tripCards.customerId} is distinct from ${customerId}`,
      tripCards.insertedAt,
      tripCards.id,
    )
    .limit(query.pageSize)
    .offset(query.offset);
  const ids = rows.map(({ card }) => card.id);
  return {
    total: total?.count ?? 0,
    rows,
    shares: await listShares(db, ids),
    autos: await listAutoTopUps(db, ids),
    debts: await sumDebts(db, ids),
  };
}

/**
 * A consistent snapshot of one card, as the customer may see it.
 * @throws {ApiError} not_found
 */
export async function readCard(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
  cardId: string,
): Promise<TripCard> {
  return inSnapshot(db, async (tx) => {
    const held = await requireHeldCard(tx, customerId, cardId, 'see');
    const shares = await listShares(tx, [cardId]);
    const [auto = null] = await listAutoTopUps(tx, [cardId]);
    const owed = (await sumDebts(tx, [cardId])).get(cardId) ?? 0;
    return presentTripCard(held, { shares, auto, owed }, clock.now());
  });
}

/**
 * The balance and its ledger entries, newest first. Entries are numbered without gaps, so every page is found by its
 * numbers, however long the history is.
 * @throws {ApiError} not_found
 */
export async function readBalance(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
  cardId: string,
  { beforeSeq, list }: HistoryQuery,
): Promise<{ balance: TripCardBalance; meta: PageMeta }> {
  const { card } = await requireHeldCard(db, customerId, cardId, 'view_history');
  const before = beforeSeq ?? firstBefore(card.entryCount, list);
  const rows = await db
    .select({ entry: tripCardEntries, orderOf: orders.customerId })
    .from(tripCardEntries)
    .leftJoin(orders, eq(orders.id, tripCardEntries.orderId))
    .where(and(eq(tripCardEntries.tripCardId, cardId), lt(tripCardEntries.seq, before)))
    .orderBy(desc(tripCardEntries.seq))
    .limit(list.pageSize);
  return {
    balance: {
      balance: card.balance,
      currency: card.currency,
      as_of: clock.now().toISOString(),
      version: card.version,
      entries: rows.map(({ entry, orderOf }) => presentEntry(entry, orderOf, customerId)),
      next_before_seq: nextBefore(rows.map(({ entry }) => entry)),
    },
    meta: pageMeta(list, card.entryCount),
  };
}

/** The number below which a page of a history starts; 0 beyond the end. */
export function firstBefore(total: number, { offset }: ListQuery): number {
  return Math.max(0, total - offset + 1);
}

/** The number after which a history continues; null at its end. */
export function nextBefore(rows: readonly { seq: number }[]): number | null {
  const last = rows.at(-1)?.seq ?? 1;
  return last > 1 ? last : null;
}

async function listAutoTopUps(db: Database, cardIds: readonly string[]): Promise<AutoTopUpRow[]> {
  return db
    .select()
    .from(autoTopUps)
    .where(inArray(autoTopUps.tripCardId, [...cardIds]));
}

/** Open debts per card; cards without debts are left out. */
async function sumDebts(db: Database, cardIds: readonly string[]): Promise<Map<string | null, number>> {
  const rows = await db
    .select({
      cardId: tripCardDebts.tripCardId,
      owed: sql<number>`sum(${tripCardDebts.amount} - ${tripCardDebts.settled})::int`,
    })
    .from(tripCardDebts)
    .where(and(inArray(tripCardDebts.tripCardId, [...cardIds]), isOpenDebt))
    .groupBy(tripCardDebts.tripCardId);
  return new Map(rows.map(({ cardId, owed }) => [cardId, owed]));
}
