import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { paymentCards } from '../database/schema/cards.ts';
import { type CardRow, findPrimaryCard, isActiveOf } from './queries.ts';

/**
 * Writes down which card is the primary one: exactly one where a card has not expired, none otherwise. Run it in the
 * transaction of the change, behind the holder's lock.
 * @param wanted a card of the customer's that has not expired; without it the choice stays where it can
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
