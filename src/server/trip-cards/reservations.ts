import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { tripCardReservations, tripCards } from '../database/schema/trip-cards.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { type LedgerContext, postEntry, settleDebts } from './post-entry.ts';
import { availableOn, lockLiveCard, requireActive, requireHeldCard } from './queries.ts';
import { requireWithinDay } from './spend.ts';

export type Reservation = typeof tripCardReservations.$inferSelect;

/* The caller's transaction has locked the order, its hold and capacity; see the order of locks in database/transactions.ts. */

/** Keeps value of a card, locked by the caller, for a card payment that is about to be asked for the rest. */
export async function reserve(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  wish: Pick<Reservation, 'paymentId' | 'orderId' | 'tripCardId' | 'byCustomerId' | 'amount'>,
): Promise<void> {
  const now = clock.now();
  await tx.insert(tripCardReservations).values({ ...wish, status: 'held', insertedAt: now, updatedAt: now });
}

/** Keeps once more what was let go of, of a card locked by the caller: its payment is tried again. */
export async function reserveAgain(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  paymentId: string,
): Promise<void> {
  await tx
    .update(tripCardReservations)
    .set({ status: 'held', updatedAt: clock.now() })
    .where(and(eq(tripCardReservations.paymentId, paymentId), eq(tripCardReservations.status, 'released')));
}

/** What waits, or waited, for a card payment. */
export async function findReservation(db: Database, paymentId: string): Promise<Reservation | null> {
  const [found] = await db
    .select()
    .from(tripCardReservations)
    .where(eq(tripCardReservations.paymentId, paymentId));
  return found ?? null;
}

/**
 * Lets go of what waits for a payment, or for any of an order; nothing to do when nothing does. What gates let through
 * for want of it is paid now.
 */
export async function releaseReservations(
  tx: Database,
  deps: LedgerContext,
  whose: { paymentId: string } | { orderId: string },
): Promise<void> {
  const ofThem =
    'paymentId' in whose
      ? eq(tripCardReservations.paymentId, whose.paymentId)
      : eq(tripCardReservations.orderId, whose.orderId);
  const isHeld = and(ofThem, eq(tripCardReservations.status, 'held'));
  for (const { tripCardId } of await tx.select().from(tripCardReservations).where(isHeld)) {
    const card = await lockLiveCard(tx, tripCardId);
    const released = await tx
      .update(tripCardReservations)
      .set({ status: 'released', updatedAt: deps.clock.now() })
      .where(isHeld)
      .returning({ paymentId: tripCardReservations.paymentId });
    if (released.length > 0) await settleDebts(tx, deps, card.id);
  }
}

/**
 * Spends what was set aside for a payment that has succeeded; what was let go of meanwhile is taken again if it is
 * still there and its card still pays. What waits is spent even of a card frozen since: it was agreed before.
 * @returns the card it was taken from; null, with nothing changed, when it is gone
 */
export async function spendReservation(
  tx: Database,
  deps: LedgerContext,
  paymentId: string,
  { description, key }: { description: string; key: string },
): Promise<string | null> {
  const known = await findReservation(tx, paymentId);
  if (!known || known.status === 'spent') return null;
  const card = await lockLiveCard(tx, known.tripCardId);
  // Under the card's lock it is as it stays: it may have moved to this card, or been let go of.
  const aside = await findReservation(tx, paymentId);
  if (!aside) return null;
  if (aside.status === 'released' && !(await canReserveAgain(tx, deps, card.id, aside))) return null;
  const now = deps.clock.now();
  await tx
    .update(tripCardReservations)
    .set({ status: 'spent', tripCardId: card.id, updatedAt: now })
    .where(eq(tripCardReservations.paymentId, paymentId));
  await postEntry(tx, deps, card.id, {
    kind: 'fare',
    amount: -aside.amount,
    orderId: aside.orderId,
    description,
    idempotencyKey: key,
    actor: 'customer',
    byCustomerId: aside.byCustomerId,
  });
  await tx.update(tripCards).set({ lastUsedAt: now }).where(eq(tripCards.id, card.id));
  return card.id;
}

/**
 * Moves what waits from a lost card, locked and about to be emptied, to what replaces it.
 * @param move carries the value over, while nothing is held on either
 */
export async function moveReservations(
  tx: Database,
  fromCardId: string,
  toCardId: string,
  move: () => Promise<void>,
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
  deps: LedgerContext,
  cardId: string,
  aside: Reservation,
): Promise<boolean> {
  const { byCustomerId: customerId, amount } = aside;
  try {
    const { card, dailyLimit } = await requireHeldCard(tx, customerId, cardId, 'spend');
    requireActive(card);
    await requireWithinDay(tx, deps, { cardId, customerId, amount }, dailyLimit);
    return availableOn(card) >= amount;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
