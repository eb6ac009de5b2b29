import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { paymentCards } from '../database/schema/cards.ts';
import { type CardRow, findPrimaryCard, isActiveOf } from './queries.ts';

/**
 * Stores which card is the primary one: exactly one if there is an unexpired card, otherwise none. Run it in the
 * transaction of the change, which holds the holder's lock.
 * @param wanted an unexpired card of the customer; without it the current choice stays if it can
 * @returns the primary card
 */
export async function settlePrimary(
  tx: Database,
  customerId: string,
  { today, now, wanted }: { today: string; now: Date; wanted?: CardRow | undefined },
): Promise<CardRow | null> {
  const primary = wanted ?? (await findPrimaryCard(tx, customerId, today));
  await tx
    .update(paymentCards)
    .set({ isPrimary: false, updatedAt: now })
    .where(
      and(
        eq(paymentCards.customerId, customerId),
        eq(paymentCards.isPrimary, true),
        primary ? ne(paymentCards.id, primary.id) : undefined,
      ),
    );
  if (!primary || primary.isPrimary) return primary;
  const [settled] = await tx
    .update(paymentCards)
    .set({ isPrimary: true, updatedAt: now })
    .where(and(eq(paymentCards.id, primary.id), isActiveOf(customerId)))
    .returning();
  return settled ?? null;
}
