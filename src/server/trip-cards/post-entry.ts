import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { EntryCause } from '#domain/trip-cards/entry-cause.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { gateCharges, tripCardDebts, tripCardEntries, tripCards } from '../database/schema/trip-cards.ts';
import { ApiError } from '../http/api-error.ts';
import { type AutoTopUpContext, scheduleAutoTopUp } from './auto-top-up.ts';
import { queueCardMail } from './card-mails.ts';
import { availableOn, lockCard, type TripCardRow } from './queries.ts';

export type EntryRow = typeof tripCardEntries.$inferSelect;
export type LedgerContext = Pick<Context, 'vault'> & AutoTopUpContext;

/** Debts that later value pays. What a gate let through for a blocked or unknown card is written off. */
export const PAID_LATER = ['insufficient_balance', 'disputed'] as const;

/** The database assigns the number and the balance after it. */
type NewEntry = Pick<EntryRow, 'tripCardId' | 'kind' | 'amount' | 'idempotencyKey' | 'actor'> &
  ({ cause: EntryCause } | { description: string }) &
  Partial<Pick<EntryRow, 'orderId' | 'topUpId' | 'transferId' | 'place' | 'byCustomerId' | 'occurredAt'>>;

/**
 * Writes a ledger entry, once per idempotency key: a repetition returns the first. Incoming value pays debts first.
 * Every entry of the ledger is written here.
 * @param tx a transaction; it locks the card
 * @throws {ApiError} insufficient_balance
 */
export async function postEntry(tx: Database, context: LedgerContext, entry: NewEntry): Promise<EntryRow> {
  const card = await lockCard(tx, entry.tripCardId);
  const earlier = await findEntry(tx, entry.idempotencyKey);
  if (earlier) return earlier;
  if (availableOn(card) + entry.amount < 0) {
    throw new ApiError('insufficient_balance', { details: { balance: availableOn(card) } });
  }
  const posted = await insertEntry(tx, context, entry);
  const balance = entry.amount > 0 ? await settleDebts(tx, context, card.id) : posted.balanceAfter;
  await watchBalance(tx, context, { ...card, balance });
  return posted;
}

export async function findEntry(db: Database, idempotencyKey: string): Promise<EntryRow | null> {
  const [entry] = await db
    .select()
    .from(tripCardEntries)
    .where(eq(tripCardEntries.idempotencyKey, idempotencyKey));
  return entry ?? null;
}

async function insertEntry(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  entry: NewEntry,
): Promise<EntryRow> {
  const now = clock.now();
  // A trigger sets number and balance.
  const set = { seq: 0, balanceAfter: 0 };
  const values = { id: newId('ent'), ...set, occurredAt: now, ...entry, insertedAt: now };
  return writtenRow(await tx.insert(tripCardEntries).values(values).returning());
}

export const isOpenDebt = and(
  inArray(tripCardDebts.reason, [...PAID_LATER]),
  sql`${tripCardDebts.settled} < ${tripCardDebts.amount}`,
);

/**
 * Pays the card's debts from the balance that is not reserved: fares from the oldest on, then what is disputed.
 * @returns the balance that is left
 */
export async function settleDebts(tx: Database, context: LedgerContext, cardId: string): Promise<number> {
  const card = await lockCard(tx, cardId);
  const owed = await tx
    .select({ debt: tripCardDebts, place: gateCharges.place, occurredAt: gateCharges.occurredAt })
    .from(tripCardDebts)
    .leftJoin(
      gateCharges,
      and(
        eq(gateCharges.deviceId, tripCardDebts.deviceId),
        eq(gateCharges.deviceSeq, tripCardDebts.deviceSeq),
      ),
    )
    .where(and(eq(tripCardDebts.tripCardId, cardId), isOpenDebt))
    .orderBy(asc(gateCharges.occurredAt), asc(tripCardDebts.id));
  let available = availableOn(card);
  for (const { debt, place, occurredAt } of owed) {
    const paid = Math.min(available, debt.amount - debt.settled);
    if (paid === 0) break;
    await insertEntry(tx, context, {
      tripCardId: cardId,
      ...(occurredAt === null
        ? {
            kind: 'adjustment',
            cause: { code: 'disputed_debt', source: debt.topUpId === null ? 'refund' : 'top_up' },
            topUpId: debt.topUpId,
          }
        : { kind: 'fare', cause: { code: 'fare_debt' }, place, occurredAt }),
      amount: -paid,
      idempotencyKey: `debt:${debt.id}:${debt.settled}`,
      actor: 'system',
    });
    await tx
      .update(tripCardDebts)
      .set({ settled: debt.settled + paid, updatedAt: context.clock.now() })
      .where(eq(tripCardDebts.id, debt.id));
    available -= paid;
  }
  return available + card.held;
}

/** Schedules an automatic top-up, and warns the owner once each time the balance becomes low. */
async function watchBalance(tx: Database, context: LedgerContext, card: TripCardRow): Promise<void> {
  const { balance } = card;
  await scheduleAutoTopUp(tx, context, card);
  const isLow = card.lowBalanceAt !== null && balance < card.lowBalanceAt;
  if (isLow === card.lowBalanceMailed) return;
  await tx.update(tripCards).set({ lowBalanceMailed: isLow }).where(eq(tripCards.id, card.id));
  if (!isLow) return;
  await queueCardMail(tx, context, { card, kind: 'trip-card-low', data: { balance } });
}
