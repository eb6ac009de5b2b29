import { and, asc, eq, inArray, or } from 'drizzle-orm';
import type { TopUp, TripCard, TripCardEntry } from '#contract/trip-cards/schemas.ts';
import { DEFAULT_CARD_NAME } from '#domain/trip-cards/default-name.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { orders } from '../database/schema/sales.ts';
import {
  autoTopUps,
  topUps,
  tripCardEntries,
  tripCardShares,
  tripCards,
} from '../database/schema/trip-cards.ts';
import { ApiError } from '../http/api-error.ts';
import { normalizeEmail } from '../identity/customers.ts';
import { OPEN_PAYMENT } from '../payments/payment-status.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { presentEntry, presentTopUp } from './presenter.ts';
import { isExpired } from './queries.ts';
import { readCard } from './read-cards.ts';

/**
 * Detaches the trip cards of an account, in the transaction that deletes it. The ledger stays for the books, without
 * a name.
 * @throws {ApiError} account_in_use while a card holds value or is being topped up
 */
export async function detachTripCards(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { id: customerId, email }: { id: string; email: string },
): Promise<void> {
  const cards = await tx
    .select()
    .from(tripCards)
    .where(eq(tripCards.customerId, customerId))
    .orderBy(tripCards.id)
    .for('no key update');
  const ids = cards.map(({ id }) => id);
  const isOpen = and(inArray(topUps.tripCardId, ids), inArray(topUps.status, [...OPEN_PAYMENT]));
  const now = clock.now();
  const hasValue = cards.some((card) => card.balance > 0 && !isExpired(card, now));
  if (hasValue || (await tx.$count(topUps, isOpen)) > 0) {
    throw new ApiError('account_in_use', {
      reason: 'value_on_trip_cards',
    });
  }
  await tx
    .delete(tripCardShares)
    .where(
      or(
        inArray(tripCardShares.tripCardId, ids),
        eq(tripCardShares.customerId, customerId),
        eq(tripCardShares.email, normalizeEmail(email)),
      ),
    );
  await tx.delete(autoTopUps).where(inArray(autoTopUps.tripCardId, ids));
  await tx
    .update(tripCards)
    .set({ customerId: null, name: DEFAULT_CARD_NAME, lowBalanceAt: null, updatedAt: now })
    .where(inArray(tripCards.id, ids));
}

type ExportedTripCard = TripCard & { entries: TripCardEntry[]; top_ups: TopUp[] };

/** Everything stored about a customer's own cards, for the data export. */
export async function exportTripCards(
  context: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<ExportedTripCard[]> {
  const { db } = context;
  const { language } = await loadWebSettings(context);
  const cards = await db
    .select({ id: tripCards.id })
    .from(tripCards)
    .where(eq(tripCards.customerId, customerId))
    .orderBy(asc(tripCards.insertedAt), asc(tripCards.id));
  const exported: ExportedTripCard[] = [];
  for (const { id } of cards) {
    const entries = await db
      .select({ entry: tripCardEntries, orderOf: orders.customerId })
      .from(tripCardEntries)
      .leftJoin(orders, eq(orders.id, tripCardEntries.orderId))
      .where(eq(tripCardEntries.tripCardId, id))
      .orderBy(asc(tripCardEntries.seq));
    const filled = await db.select().from(topUps).where(eq(topUps.tripCardId, id)).orderBy(asc(topUps.seq));
    exported.push({
      ...(await readCard(context, { customerId, cardId: id, language })),
      entries: entries.map((row) => presentEntry(row, { customerId, language })),
      top_ups: filled.map((topUp) => presentTopUp(topUp, language)),
    });
  }
  return exported;
}
