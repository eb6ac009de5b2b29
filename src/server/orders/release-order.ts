import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { holds, type OrderRow } from '../database/schema/sales.ts';
import { releasePlaces } from './places.ts';
import { giveBackPromo } from './promo.ts';

/**
 * Puts back on sale what an order that comes to nothing still keeps: its places, and the use of its promo code. The
 * caller has locked the order; hold and capacity follow. Nothing to do when its hold has ended before.
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
