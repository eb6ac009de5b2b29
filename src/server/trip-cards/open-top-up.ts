import { eq, max } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import type { TopUpRow, TripCardRow } from './queries.ts';

/** `idempotencyKey` null: the caller makes sure that it is opened once. */
export type NewTopUp = Pick<
  TopUpRow,
  'byCustomerId' | 'amount' | 'trigger' | 'paymentCardId' | 'startedFrom'
> & { idempotencyKey: string | null };

/** Writes a top-up with the card's next number. The caller has locked the card. */
export async function insertTopUp(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  card: TripCardRow,
  { idempotencyKey, ...topUp }: NewTopUp,
): Promise<TopUpRow> {
  const [last] = await tx
    .select({ seq: max(topUps.seq) })
    .from(topUps)
    .where(eq(topUps.tripCardId, card.id));
  const now = clock.now();
  const id = newId('top');
  const [opened] = await tx
    .insert(topUps)
    .values({
      id,
      tripCardId: card.id,
      seq: (last?.seq ?? 0) + 1,
      currency: card.currency,
      status: 'created',
      ...topUp,
      idempotencyKey: idempotencyKey ?? id,
      insertedAt: now,
      updatedAt: now,
    })
    .returning();
  if (!opened) throw new Error('A top-up was not written.');
  return opened;
}
