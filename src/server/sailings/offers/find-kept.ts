import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server/database/database.ts';
import { forEachChunk } from '../bulk.ts';

/** The orders that have a choice, and protected places on one of these sailings until they answer. */
export async function findOrdersKeptOn(tx: Database, sailingIds: readonly string[]): Promise<string[]> {
  const orderIds: string[] = [];
  await forEachChunk(sailingIds, async (list) => {
    const rows = await queryRows<{ id: string }>(
      tx,
      sql`
      select o.order_id as id from rebooking_offers o
      join holds h on h.id = o.hold_id and h.status = 'active'
      where o.status = 'open'
        and exists (select from jsonb_array_elements_text(o.protected_sailing_ids) protected_id where protected_id in ${list})`,
    );
    orderIds.push(...rows.map(({ id }) => id));
  });
  return orderIds;
}
