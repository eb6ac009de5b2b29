import { eq, inArray } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { autoTopUps } from '../database/schema/trip-cards.ts';

/** The automatic top-ups charged to a removed payment card wait for another card. */
export async function leavePaymentCard(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  paymentCardId: string,
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ state: 'needs_card', tryAt: null, updatedAt: clock.now() })
    .where(eq(autoTopUps.paymentCardId, paymentCardId));
}

/** Moves automatic top-ups to the card that remains of several saved twice. */
export async function mergePaymentCards(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { from, to }: { from: readonly string[]; to: string },
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ paymentCardId: to, updatedAt: clock.now() })
    .where(inArray(autoTopUps.paymentCardId, [...from]));
}
