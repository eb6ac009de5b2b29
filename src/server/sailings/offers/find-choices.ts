import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { type RebookingOfferRow, rebookingOffers } from '#server/database/schema/rebooking-offers.ts';

/** The latest offer of each journey that its buyer may still answer, or answer again. */
export async function findChoices(
  db: Database,
  { orderId, now }: { orderId: string; now: Date },
): Promise<RebookingOfferRow[]> {
  const rows = await db
    .select()
    .from(rebookingOffers)
    .where(
      and(
        eq(rebookingOffers.orderId, orderId),
        inArray(rebookingOffers.status, ['open', 'moved']),
        gt(rebookingOffers.deadline, now),
      ),
    )
    .orderBy(desc(rebookingOffers.insertedAt));
  return rows.filter(
    ({ direction }, index) => rows.findIndex((other) => other.direction === direction) === index,
  );
}
