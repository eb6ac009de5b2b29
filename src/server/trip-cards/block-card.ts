import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { recordAudit, type StaffActor } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import {
  autoTopUps,
  tripCardBlocks,
  tripCardDebts,
  tripCardShares,
  tripCards,
} from '../database/schema/trip-cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { notFound } from '../http/api-error.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { newCardNumber } from './add-card.ts';
import { scheduleAutoTopUp } from './auto-top-up.ts';
import { queueCardMail } from './card-mails.ts';
import { PAID_LATER } from './post-entry.ts';
import {
  type CardRequest,
  lockCard,
  lockOwnCard,
  requireActive,
  requireNotLost,
  type TripCardRow,
} from './queries.ts';
import { moveReservations } from './reservations.ts';
import { moveValue } from './transfer.ts';

/**
 * Blocks a card until its owner unfreezes it. Does nothing if it is frozen.
 * @throws {ApiError} not_found, trip_card_lost
 */
export async function freezeCard(context: Pick<Context, 'db' | 'clock'>, input: CardRequest): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const card = await lockOwnCard(tx, input);
    if (card.status === 'frozen') return;
    requireActive(card);
    await beginBlock(tx, card.id, context.clock.now());
    await setStatus(tx, card, { status: 'frozen', updatedAt: context.clock.now() });
  });
}

/**
 * Unblocks a frozen card. Does nothing if it is not frozen.
 * @throws {ApiError} not_found, trip_card_lost
 */
export async function unfreezeCard(
  context: Pick<Context, 'db' | 'clock' | 'jobs'>,
  input: CardRequest,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const card = await lockOwnCard(tx, input);
    if (card.status === 'active') return;
    requireNotLost(card);
    const now = context.clock.now();
    await tx
      .update(tripCardBlocks)
      .set({ untilAt: now })
      .where(and(eq(tripCardBlocks.tripCardId, card.id), isNull(tripCardBlocks.untilAt)));
    await setStatus(tx, card, { status: 'active', updatedAt: now });
    await scheduleAutoTopUp(tx, context, card);
  });
}

/** `customerId`: null of a plastic card without an account. `staff`: who does it for the owner, for the audit log. */
type LostCard = { cardId: string; customerId: string | null; staff?: StaffActor };

/**
 * Blocks a lost card permanently and moves balance, shares and debts to a new one. A repeated request returns the same
 * replacement.
 * @returns the replacement's id
 * @throws {ApiError} not_found
 */
export async function replaceLostCard(context: Context, input: LostCard): Promise<string> {
  const { replacementId, mailId } = await inTransaction(
    context.db,
    (tx) => replaceCard(tx, context, input),
    (error) => violatedUniqueConstraint(error) !== null,
  );
  if (mailId) sendSoon(context.jobs, mailId);
  return replacementId;
}

async function replaceCard(
  tx: Database,
  context: Context,
  input: LostCard,
): Promise<{ replacementId: string; mailId: string | null }> {
  const { customerId, staff } = input;
  const card = await lockCard(tx, input.cardId);
  if (card.customerId !== customerId) throw notFound();
  if (card.replacedByCardId !== null) return { replacementId: card.replacedByCardId, mailId: null };
  const now = context.clock.now();
  const replacement = {
    id: newId('tcd'),
    number: newCardNumber(),
    name: card.name,
    customerId,
    unit: card.unit,
    currency: card.currency,
    pass: card.pass,
    expiresAt: card.expiresAt,
    noticeDays: card.noticeDays,
    lowBalanceAt: card.lowBalanceAt,
    lowBalanceMailed: card.lowBalanceMailed,
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
  await moveReservations(tx, {
    fromCardId: card.id,
    toCardId: replacement.id,
    move: async () => {
      if (card.balance === 0) return;
      await moveValue(tx, context, {
        from: card,
        to: replacement,
        amount: card.balance,
        key: `lost:${card.id}`,
        byCustomerId: customerId,
      });
    },
  });
  // After the balance, so that reserved amounts pay no debts.
  await tx
    .update(tripCardDebts)
    .set({ tripCardId: replacement.id, updatedAt: now })
    .where(and(eq(tripCardDebts.tripCardId, card.id), inArray(tripCardDebts.reason, [...PAID_LATER])));
  // The block of a frozen card continues from when it was frozen.
  if (card.status === 'active') await beginBlock(tx, card.id, now);
  // A frozen card has had no automatic top-up.
  await scheduleAutoTopUp(tx, context, await lockCard(tx, replacement.id));
  await setStatus(tx, card, { status: 'lost', replacedByCardId: replacement.id, updatedAt: now });
  const data = { newLastFour: replacement.number.slice(-4) };
  const mailId = await queueCardMail(tx, context, { card, kind: 'trip-card-lost', data });
  if (staff) {
    await recordAudit(tx, context, {
      ...{ actor: staff, action: 'trip_card_replaced', objectKind: 'trip_card', objectId: card.id },
      ...{ before: { balance: card.balance }, after: { balance: 0 }, reason: null },
    });
  }
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
  await tx
    .update(tripCards)
    .set({ ...change, version: sql`${tripCards.version} + 1` })
    .where(eq(tripCards.id, card.id));
}
