import { asc, eq } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { mails } from '#server/database/schema/system.ts';

/**
 * The kinds of the mails about an order, oldest first. Mails of the same instant are sorted by kind, because a table
 * returns rows in any order.
 */
export async function mailKindsAbout(db: Database, orderId: string): Promise<string[]> {
  const rows = await db
    .select({ kind: mails.kind })
    .from(mails)
    .where(eq(mails.orderId, orderId))
    .orderBy(asc(mails.insertedAt), asc(mails.kind));
  return rows.map(({ kind }) => kind);
}
