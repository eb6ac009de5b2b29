import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { formatMoney } from '#domain/money.ts';
import { findCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { gateCharges, tripCardDebts, tripCardEntries, tripCards } from '../database/schema/trip-cards.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { newId } from '../ids.ts';
import { queueAccountMail } from '../mail/account-mails.ts';
import { type FillingParts, noteBelowLine } from './auto-top-up.ts';
import { availableOn, lockCard, type TripCardRow } from './queries.ts';

export type EntryRow = typeof tripCardEntries.$inferSelect;
export type LedgerParts = Pick<Deps, 'vault'> & FillingParts;

/** Debts that value to come pays; what a gate let through of a blocked or unknown card is nobody's to pay. */
export const PAID_LATER = ['insufficient_balance', 'disputed'] as const;

/** What moves value on a card. The database gives it its number and the balance after it. */
export type NewEntry = Pick<EntryRow, 'kind' | 'amount' | 'description' | 'idempotencyKey' | 'actor'> &
  Partial<Pick<EntryRow, 'orderId' | 'topUpId' | 'transferId' | 'place' | 'byCustomerId' | 'occurredAt'>>;

/**
 * Writes an entry, once per idempotency key: a repetition answers the first. Value that comes pays first what is owed
 * for want of it. The one way anything gets into the ledger.
 * @param tx a transaction; it locks the card
 * @throws {ApiError} insufficient_balance
 */
export async function postEntry(
  tx: Database,
  deps: LedgerParts,
  cardId: string,
  entry: NewEntry,
): Promise<EntryRow> {
  const card = await lockCard(tx, cardId);
  const known = await findEntry(tx, entry.idempotencyKey);
  if (known) return known;
  if (availableOn(card) + entry.amount < 0) {
    throw new ApiError('insufficient_balance', { details: { balance: availableOn(card) } });
  }
  const posted = await insertEntry(tx, deps, cardId, entry);
  const balance = entry.amount > 0 ? await settleDebts(tx, deps, cardId) : posted.balanceAfter;
  await watchBalance(tx, deps, card, balance);
  return posted;
}

/** The entry a key stands for, if it was made. */
export async function findEntry(db: Database, idempotencyKey: string): Promise<EntryRow | null> {
  const [entry] = await db
    .select()
    .from(tripCardEntries)
    .where(eq(tripCardEntries.idempotencyKey, idempotencyKey));
  return entry ?? null;
}

async function insertEntry(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  cardId: string,
  entry: NewEntry,
): Promise<EntryRow> {
  const now = clock.now();
  const [posted] = await tx
    .insert(tripCardEntries)
    // Number and balance are the trigger's to give.
    .values({
      id: newId('ent'),
      tripCardId: cardId,
      seq: 0,
      balanceAfter: 0,
      occurredAt: now,
      ...entry,
      insertedAt: now,
    })
    .returning();
  if (!posted) throw new Error('An entry was not written.');
  return posted;
}

/** The debt waits to be paid by value that comes. */
export const isOpenDebt = and(
  inArray(tripCardDebts.reason, [...PAID_LATER]),
  sql`${tripCardDebts.settled} < ${tripCardDebts.amount}`,
);

/**
 * Pays what the card owes, fares from the oldest on and then what was disputed, as far as goes what is not set aside.
 * @returns the balance that is left
 */
export async function settleDebts(tx: Database, deps: LedgerParts, cardId: string): Promise<number> {
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
    await insertEntry(tx, deps, cardId, {
      ...(occurredAt === null
        ? { kind: 'adjustment', description: 'Owed from a disputed top-up', topUpId: debt.topUpId }
        : { kind: 'fare', description: 'Fare owed from before', place, occurredAt }),
      amount: -paid,
      idempotencyKey: `debt:${debt.id}:${debt.settled}`,
      actor: 'system',
    });
    await tx
      .update(tripCardDebts)
      .set({ settled: debt.settled + paid, updatedAt: deps.clock.now() })
      .where(eq(tripCardDebts.id, debt.id));
    available -= paid;
  }
  return available + card.held;
}

/** Has the card filled when that was asked for; tells the owner once that it runs low, and again after it was not. */
async function watchBalance(
  tx: Database,
  deps: LedgerParts,
  card: TripCardRow,
  balance: number,
): Promise<void> {
  await noteBelowLine(tx, deps, card.id, balance);
  const isLow = card.lowBalanceAt !== null && balance < card.lowBalanceAt;
  if (isLow === card.lowBalanceTold) return;
  await tx.update(tripCards).set({ lowBalanceTold: isLow }).where(eq(tripCards.id, card.id));
  const owner = isLow ? await findCustomer(tx, card.customerId) : null;
  if (!owner) return;
  await queueAccountMail(tx, deps, {
    to: owner.email,
    kind: 'trip-card-low',
    facts: { name: card.name, lastFour: card.number.slice(-4), balance: formatMoney(balance, card.currency) },
  });
}
