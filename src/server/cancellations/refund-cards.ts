import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { ApiError } from '../http/api-error.ts';
import type { SoldOrder } from '../order-payments/plan-cancellation.ts';

/**
 * The owner's trip cards that can get the refund of an order, if its fare allows it. Not for an order that a trip card
 * paid: with a shared card, its value would move from one person to another.
 */
export async function listRefundCards(
  db: Database,
  { order, payments }: Pick<SoldOrder, 'order' | 'payments'>,
): Promise<{ id: string; name: string; number: string }[]> {
  const isPaidByTripCard = payments.some(
    ({ status, tripCardId }) => status === 'succeeded' && tripCardId !== null,
  );
  if (order.customerId === null || order.farePolicy.refund_to !== 'trip_card' || isPaidByTripCard) return [];
  return db
    .select({ id: tripCards.id, name: tripCards.name, number: tripCards.number })
    .from(tripCards)
    .where(
      and(
        eq(tripCards.customerId, order.customerId),
        eq(tripCards.status, 'active'),
        eq(tripCards.unit, 'money'),
        eq(tripCards.currency, order.currency),
      ),
    )
    .orderBy(asc(tripCards.insertedAt), asc(tripCards.id));
}

/** @throws {ApiError} version_conflict if the card can no longer get the refund */
export async function requireRefundCard(
  tx: Database,
  sold: Pick<SoldOrder, 'order' | 'payments'>,
  cardId: string | null,
): Promise<void> {
  if (cardId === null) return;
  const cards = await listRefundCards(tx, sold);
  if (!cards.some(({ id }) => id === cardId)) throw new ApiError('version_conflict');
}
