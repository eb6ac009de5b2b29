import { and, eq, gte, sql } from 'drizzle-orm';
import { dayStart, localDay } from '#domain/port-time.ts';
import type { Database } from '../database/database.ts';
import { tripCardEntries, tripCardReservations, tripCards } from '../database/schema/trip-cards.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { operatorOf } from '../sailings/operator.ts';
import { type EntryRow, findEntry, type LedgerContext, postEntry } from './post-entry.ts';
import { lockCard, lockLiveCard, requireActive, requireHeldCard } from './queries.ts';

/** Value leaving a card for something bought. `amount` is positive, in minor units. */
export type Spend = {
  cardId: string;
  /** Who pays: the owner, or somebody the card is shared with. */
  customerId: string;
  amount: number;
  orderId: string | null;
  description: string;
  /** One key, one payment, however often it is tried. */
  key: string;
};

/**
 * Pays with a card, in the caller's transaction: what is bought and what it costs happen together or not at all.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, insufficient_balance, share_limit_reached
 */
export async function spend(tx: Database, deps: LedgerContext, wish: Spend): Promise<EntryRow> {
  requirePositive(wish.amount);
  const card = await lockCard(tx, wish.cardId);
  const { dailyLimit } = await requireHeldCard(tx, wish.customerId, wish.cardId, 'spend');
  const known = await findEntry(tx, wish.key);
  if (known) return known;
  requireActive(card);
  await requireWithinDay(tx, deps, wish, dailyLimit);
  const entry = await postEntry(tx, deps, wish.cardId, {
    kind: 'fare',
    amount: -wish.amount,
    orderId: wish.orderId,
    description: wish.description,
    idempotencyKey: wish.key,
    actor: 'customer',
    byCustomerId: wish.customerId,
  });
  await tx.update(tripCards).set({ lastUsedAt: entry.insertedAt }).where(eq(tripCards.id, wish.cardId));
  return entry;
}

/**
 * Gives value back to a card, in the caller's transaction; to what replaced it when it was lost meanwhile.
 * @throws {ApiError} not_found
 */
export async function refundIn(
  tx: Database,
  deps: LedgerContext,
  { cardId, amount, orderId, description, key }: Omit<Spend, 'customerId'>,
): Promise<EntryRow> {
  requirePositive(amount);
  const known = await findEntry(tx, key);
  if (known) return known;
  const card = await lockLiveCard(tx, cardId);
  return postEntry(tx, deps, card.id, {
    kind: 'refund_in',
    amount,
    orderId,
    description,
    idempotencyKey: key,
    actor: 'system',
  });
}

function requirePositive(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new RangeError('Only a positive amount is moved.');
}

/**
 * Makes sure that a sharing lets its user spend so much more today.
 * @param dailyLimit null: no limit
 * @throws {ApiError} share_limit_reached
 */
export async function requireWithinDay(
  tx: Database,
  deps: Pick<Deps, 'clock'>,
  wish: Pick<Spend, 'cardId' | 'customerId' | 'amount'>,
  dailyLimit: number | null,
): Promise<void> {
  if (dailyLimit === null) return;
  const left = await leftOfDay(tx, deps, wish, dailyLimit);
  if (wish.amount > left) throw new ApiError('share_limit_reached', { details: { left } });
}

/**
 * What is left of a sharing's daily limit. The day is the operator's; what was given back does not count against the
 * limit, what is set aside does.
 */
export async function leftOfDay(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  { cardId, customerId }: Pick<Spend, 'cardId' | 'customerId'>,
  dailyLimit: number,
): Promise<number> {
  const { timeZone } = await operatorOf(tx);
  const since = new Date(dayStart(localDay(clock.now().getTime(), timeZone), timeZone));
  const [spent] = await tx
    .select({ sum: sql<number>`coalesce(-sum(${tripCardEntries.amount}), 0)::int` })
    .from(tripCardEntries)
    .where(
      and(
        eq(tripCardEntries.tripCardId, cardId),
        eq(tripCardEntries.byCustomerId, customerId),
        eq(tripCardEntries.kind, 'fare'),
        gte(tripCardEntries.occurredAt, since),
      ),
    );
  const [waiting] = await tx
    .select({ sum: sql<number>`coalesce(sum(${tripCardReservations.amount}), 0)::int` })
    .from(tripCardReservations)
    .where(
      and(
        eq(tripCardReservations.tripCardId, cardId),
        eq(tripCardReservations.byCustomerId, customerId),
        eq(tripCardReservations.status, 'held'),
      ),
    );
  return Math.max(0, dailyLimit - (spent?.sum ?? 0) - (waiting?.sum ?? 0));
}
