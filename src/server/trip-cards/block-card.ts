import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { findCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import {
  autoTopUps,
  tripCardBlocks,
  tripCardDebts,
  tripCardShares,
  tripCards,
} from '../database/schema/trip-cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import { newCardNumber } from './add-card.ts';
import { noteLowBalance } from './auto-top-up.ts';
import { PAID_LATER } from './post-entry.ts';
import { lockCard, lockOwnCard, requireActive, requireNotLost, type TripCardRow } from './queries.ts';
import { moveReservations } from './reservations.ts';
import { moveValue } from './transfer.ts';

/**
 * Blocks a card until its owner unfreezes it. Does nothing if it is frozen.
 * @throws {ApiError} not_found, trip_card_lost
 */
export async function freezeCard(context: Context, customerId: string, cardId: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const card = await lockOwnCard(tx, customerId, cardId);
    if (card.status === 'frozen') return;
    requireActive(card);
    await beginBlock(tx, cardId, context.clock.now());
    await setStatus(tx, card, { status: 'frozen', updatedAt: context.clock.now() });
  });
}

/**
 * Unblocks a frozen card. Does nothing if it is not frozen.
 * @throws {ApiError} not_found, trip_card_lost
 */
export async function unfreezeCard(context: Context, customerId: string, cardId: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const card = await lockOwnCard(tx, customerId, cardId);
    if (card.status === 'active') return;
    requireNotLost(card);
    const now = context.clock.now();
    await tx
      .update(tripCardBlocks)
      .set({ untilAt: now })
      .where(and(eq(tripCardBlocks.tripCardId, cardId), isNull(tripCardBlocks.untilAt)));
    await setStatus(tx, card, { status: 'active', updatedAt: now });
    await noteLowBalance(tx, context, cardId, card.balance);
  });
}

/**
 * Blocks a lost card permanently and moves balance, shares and debts to a new one. A repeated request returns the same
 * replacement.
 * @returns the replacement's id
 * @throws {ApiError} not_found
 */
export async function replaceLostCard(context: Context, customerId: string, cardId: string): Promise<string> {
  const { replacementId, mailId } = await inTransaction(
    context.db,
    (tx) => replace(tx, context, customerId, cardId),
    (error) => violatedUniqueConstraint(error) !== null,
  );
  if (mailId) sendSoon(context.jobs, mailId);
  return replacementId;
}

async function replace(
  tx: Database,
  context: Context,
  customerId: string,
  cardId: string,
): Promise<{ replacementId: string; mailId: string | null }> {
  const card = await lockOwnCard(tx, customerId, cardId);
  if (card.replacedByCardId !== null) return { replacementId: card.replacedByCardId, mailId: null };
  const now = context.clock.now();
  const replacement = {
    id: newId('tcd'),
    number: newCardNumber(),
    name: card.name,
    customerId,
    currency: card.currency,
    lowBalanceAt: card.lowBalanceAt,
    lowBalanceTold: card.lowBalanceTold,
    replacesCardId: card.id,
    insertedAt: now,
    updatedAt: now,
  };
  await tx.insert(tripCards).values(replacement);
  // The warning level moves too: an empty lost card must not cause a warning.
  await tx.update(tripCards).set({ lowBalanceAt: null }).where(eq(tripCards.id, card.id));
  await tx
    .update(tripCardShares)
    .set({ tripCardId: replacement.id, updatedAt: now })
    .where(and(eq(tripCardShares.tripCardId, card.id), ne(tripCardShares.status, 'revoked')));
  await tx.update(autoTopUps).set({ tripCardId: replacement.id }).where(eq(autoTopUps.tripCardId, card.id));
  await moveReservations(tx, card.id, replacement.id, async () => {
    if (card.balance === 0) return;
    await moveValue(tx, context, {
      from: card,
      to: replacement,
      amount: card.balance,
      key: `lost:${card.id}`,
      byCustomerId: customerId,
    });
  });
  // After the balance, so that reserved amounts pay no debts.
  await tx
    .update(tripCardDebts)
    .set({ tripCardId: replacement.id, updatedAt: now })
    .where(and(eq(tripCardDebts.tripCardId, card.id), inArray(tripCardDebts.reason, [...PAID_LATER])));
  // The block of a frozen card continues from when it was frozen.
  if (card.status === 'active') await beginBlock(tx, card.id, now);
  // A frozen card has had no automatic top-up.
  await noteLowBalance(tx, context, replacement.id, (await lockCard(tx, replacement.id)).balance);
  await setStatus(tx, card, { status: 'lost', replacedByCardId: replacement.id, updatedAt: now });
  const owner = await findCustomer(tx, customerId);
  const mailId = owner
    ? await queueAccountMail(tx, context, {
        to: owner.email,
        kind: 'trip-card-lost',
        facts: {
          name: card.name,
          lastFour: card.number.slice(-4),
          newLastFour: replacement.number.slice(-4),
        },
      })
    : null;
  return { replacementId: replacement.id, mailId };
}

/** Freezing, unfreezing and freezing within one instant is one block. */
async function beginBlock(tx: Database, cardId: string, now: Date): Promise<void> {
  await tx
    .insert(tripCardBlocks)
    .values({ tripCardId: cardId, fromAt: now })
    .onConflictDoUpdate({
      target: [tripCardBlocks.tripCardId, tripCardBlocks.fromAt],
      set: { untilAt: null },
    });
}

async function setStatus(
  tx: Database,
  card: TripCardRow,
  change: Partial<typeof tripCards.$inferInsert>,
): Promise<void> {
  const changed = await tx
    .update(tripCards)
    .set({ ...change, version: sql`${tripCards.version} + 1` })
    .where(eq(tripCards.id, card.id))
    .returning({ id: tripCards.id });
  if (changed.length === 0) throw new ApiError('not_found');
}
