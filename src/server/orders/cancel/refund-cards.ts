import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { StoredOrder } from '../queries.ts';

/**
 * The owner's trip cards that can get the refund of an order, if its fare allows it. Only if the owner's payment card paid
 * all of it: otherwise money of another person who paid by the order's link, or of a shared trip card, would move to the
 * owner.
 */
export async function listRefundCards(
  db: Database,
  { order, payments }: Pick<StoredOrder, 'order' | 'payments'>,
): Promise<{ id: string; name: string; number: string }[]> {
  const { customerId } = order;
  const isPaidByOwner = payments.every(
    ({ status, tripCardId, byCustomerId }) =>
      status !== 'succeeded' || (tripCardId === null && byCustomerId === customerId),
  );
  if (customerId === null || order.farePolicy.refund_to !== 'trip_card' || !isPaidByOwner) return [];
  return db
    .select({ id: tripCards.id, name: tripCards.name, number: tripCards.number })
    .from(tripCards)
    .where(
      and(
        eq(tripCards.customerId, customerId),
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
  sold: Pick<StoredOrder, 'order' | 'payments'>,
  cardId: string | null,
): Promise<void> {
  if (cardId === null) return;
  const cards = await listRefundCards(tx, sold);
  if (!cards.some(({ id }) => id === cardId)) throw new ApiError('version_conflict');
}
