import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { type SailingOfferRow, sailingOffers } from '#server/database/schema/sailing-offers.ts';

/** The latest offer of each journey that its buyer may still answer, or answer again. */
export async function findChoices(
  db: Database,
  { orderId, now }: { orderId: string; now: Date },
): Promise<SailingOfferRow[]> {
  const rows = await db
    .select()
    .from(sailingOffers)
    .where(
      and(
        eq(sailingOffers.orderId, orderId),
        inArray(sailingOffers.status, ['open', 'moved']),
        gt(sailingOffers.deadline, now),
      ),
    )
    .orderBy(desc(sailingOffers.insertedAt));
  return rows.filter(
    ({ direction }, index) => rows.findIndex((other) => other.direction === direction) === index,
  );
}
