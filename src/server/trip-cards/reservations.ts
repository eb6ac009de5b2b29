import { and, eq, inArray } from 'drizzle-orm';
import { sumCoverage } from '#domain/passes/coverage.ts';
import type { EntryCause } from '#domain/trip-cards/entry-cause.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { tripCardReservations, tripCards } from '../database/schema/trip-cards.ts';
import { ApiError } from '../http/api-error.ts';
import { beginValidity } from './add-trips.ts';
import { type LedgerContext, postEntry, settleDebts } from './post-entry.ts';
import { availableOn, lockLiveCard, requireActive, requireHeldCard, requireNotExpired } from './queries.ts';
import { requireWithinDay } from './spend.ts';

export type Reservation = typeof tripCardReservations.$inferSelect;

/* The caller's transaction has locked the order, its hold and capacity: database/transactions.ts has the lock order. */

/** Reserves an amount for an order whose rest is paid by payment card. The caller holds the card's lock. */
export async function reserve(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  input: Pick<Reservation, 'paymentId' | 'orderId' | 'tripCardId' | 'byCustomerId' | 'amount' | 'coverage'>,
): Promise<void> {
  const now = clock.now();
  await tx.insert(tripCardReservations).values({ ...input, status: 'held', insertedAt: now, updatedAt: now });
}

/** Re-reserves a released amount. The caller holds the card's lock. */
export async function reserveAgain(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  paymentId: string,
): Promise<void> {
  await tx
    .update(tripCardReservations)
    .set({ status: 'held', updatedAt: clock.now() })
    .where(and(eq(tripCardReservations.paymentId, paymentId), eq(tripCardReservations.status, 'released')));
}

export async function findReservation(db: Database, paymentId: string): Promise<Reservation | null> {
  const [reservation] = await db
    .select()
    .from(tripCardReservations)
    .where(eq(tripCardReservations.paymentId, paymentId));
  return reservation ?? null;
}

/** The money that a reservation pays: its amount, or the price of what its trips pay for. */
export function getReservedMoney({ amount, coverage }: Pick<Reservation, 'amount' | 'coverage'>): number {
  return coverage ? sumCoverage(coverage) : amount;
}

/** Releases the reservations of a payment or an order, and pays the card's debts from the released amounts. */
export async function releaseReservations(
  tx: Database,
  context: LedgerContext,
  owner: { paymentId: string } | { orderId: string },
): Promise<void> {
  const isOfOwner =
    'paymentId' in owner
      ? eq(tripCardReservations.paymentId, owner.paymentId)
      : eq(tripCardReservations.orderId, owner.orderId);
  const isHeld = and(isOfOwner, eq(tripCardReservations.status, 'held'));
  for (const { tripCardId } of await tx.select().from(tripCardReservations).where(isHeld)) {
    const card = await lockLiveCard(tx, tripCardId);
    const released = await tx
      .update(tripCardReservations)
      .set({ status: 'released', updatedAt: context.clock.now() })
      .where(isHeld)
      .returning({ paymentId: tripCardReservations.paymentId });
    if (released.length > 0) await settleDebts(tx, context, card.id);
  }
}

/**
 * Spends the reservation of a payment that has succeeded, also from a card that was frozen since. An amount that was
 * released meanwhile is spent if it is still available and the card is active.
 * @returns the id of the charged card; null, with nothing changed, if the amount is no longer available
 */
export async function spendReservation(
  tx: Database,
  context: LedgerContext,
  { paymentId, cause, key }: { paymentId: string; cause: EntryCause; key: string },
): Promise<string | null> {
  const unlocked = await findReservation(tx, paymentId);
  if (!unlocked || unlocked.status === 'spent') return null;
  const card = await lockLiveCard(tx, unlocked.tripCardId);
  // Read again under the lock: it may have moved to this card, or been released.
  const reservation = await findReservation(tx, paymentId);
  if (!reservation) return null;
  if (
    reservation.status === 'released' &&
    !(await canReserveAgain(tx, context, { ...reservation, tripCardId: card.id }))
  )
    return null;
  const now = context.clock.now();
  await tx
    .update(tripCardReservations)
    .set({ status: 'spent', tripCardId: card.id, updatedAt: now })
    .where(eq(tripCardReservations.paymentId, paymentId));
  await postEntry(tx, context, {
    tripCardId: card.id,
    kind: 'fare',
    amount: -reservation.amount,
    orderId: reservation.orderId,
    cause,
    idempotencyKey: key,
    actor: 'customer',
    byCustomerId: reservation.byCustomerId,
  });
  await tx.update(tripCards).set({ lastUsedAt: now }).where(eq(tripCards.id, card.id));
  await beginValidity(tx, card, now);
  return card.id;
}

/**
 * Moves reservations from a lost card, which the caller has locked, to its replacement.
 * @param input.move moves the balance, while nothing is reserved on either card
 */
export async function moveReservations(
  tx: Database,
  { fromCardId, toCardId, move }: { fromCardId: string; toCardId: string; move: () => Promise<void> },
): Promise<void> {
  const held = await tx
    .update(tripCardReservations)
    .set({ status: 'released' })
    .where(and(eq(tripCardReservations.tripCardId, fromCardId), eq(tripCardReservations.status, 'held')))
    .returning({ paymentId: tripCardReservations.paymentId });
  await move();
  if (held.length === 0) return;
  const ids = held.map(({ paymentId }) => paymentId);
  await tx
    .update(tripCardReservations)
    .set({ status: 'held', tripCardId: toCardId })
    .where(inArray(tripCardReservations.paymentId, ids));
}

async function canReserveAgain(
  tx: Database,
  context: LedgerContext,
  { tripCardId: cardId, byCustomerId: customerId, amount }: Reservation,
): Promise<boolean> {
  try {
    const { card, dailyLimit } = await requireHeldCard(tx, { customerId, cardId }, 'spend');
    requireActive(card);
    requireNotExpired(card, context.clock.now());
    await requireWithinDay(tx, context, { cardId, customerId, amount, dailyLimit });
    return availableOn(card) >= amount;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
