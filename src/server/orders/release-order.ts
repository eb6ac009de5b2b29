import { and, eq } from 'drizzle-orm';
import { releasePlaces } from '../capacity/places.ts';
import type { Database } from '../database/database.ts';
import { holds } from '../database/schema/holds.ts';
import type { OrderRow } from '../database/schema/sales.ts';
import { giveBackPromo } from './promo.ts';

/**
 * Releases the places and the promo code of an order that cannot be confirmed. The transaction has locked the order;
 * hold and capacity follow. Does nothing if the hold has already ended.
 */
export async function releaseOrder(
  tx: Database,
  { holdId, promoCode }: Pick<OrderRow, 'holdId' | 'promoCode'>,
): Promise<void> {
  const [ended] = await tx
    .update(holds)
    .set({ status: 'released' })
    .where(and(eq(holds.id, holdId), eq(holds.status, 'active')))
    .returning({ id: holds.id });
  if (!ended) return;
  await releasePlaces(tx, holdId);
  await giveBackPromo(tx, promoCode);
}
