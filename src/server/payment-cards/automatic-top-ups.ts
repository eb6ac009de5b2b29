import { eq, inArray } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { autoTopUps } from '../database/schema/trip-cards.ts';
import type { Deps } from '../deps.ts';

/** A payment card is taken off by its owner: what fills itself from it waits for another, and shows that at once. */
export async function leavePaymentCard(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  paymentCardId: string,
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ state: 'needs_card', tryAt: null, updatedAt: clock.now() })
    .where(eq(autoTopUps.paymentCardId, paymentCardId));
}

/** Payment cards turned out to be one: what fills itself from the others goes on with the one that stays. */
export async function joinPaymentCards(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  { from, to }: { from: readonly string[]; to: string },
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ paymentCardId: to, updatedAt: clock.now() })
    .where(inArray(autoTopUps.paymentCardId, [...from]));
}
