import { and, eq, ne, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { sailings } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import type { ImportOptions } from './import-timetable.ts';
import { markOrders } from './write-sailings.ts';

/**
 * Cancels a sailing, marks its orders for attention and notifies their passengers. Does nothing if the sailing is
 * already canceled. A later import does not reinstate it.
 * @param statusText one or two sentences for passengers: the reason, and what to do
 */
export async function cancelSailing(
  db: Database,
  sailingId: string,
  statusText: string,
  { now, notify }: Pick<ImportOptions, 'now' | 'notify'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [cancelled] = await tx
      .update(sailings)
      .set({ status: 'cancelled', statusText, version: sql`${sailings.version} + 1`, updatedAt: now })
      .where(and(eq(sailings.id, sailingId), ne(sailings.status, 'cancelled')))
      .returning({ id: sailings.id });
    if (cancelled) await notify(tx, await markOrders(tx, [cancelled.id], 'sailing_cancelled', now));
  });
}
