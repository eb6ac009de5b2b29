import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { orders } from '../database/schema/sales.ts';

/**
 * The order with this reference and contact address, or null. Expired and unpaid orders are included, because their
 * page shows their status.
 */
export async function findOrderIdByContact(
  db: Database,
  reference: string,
  email: string,
): Promise<string | null> {
  const [row] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(eq(orders.reference, reference), eq(sql`lower(${orders.contactEmail})`, sql`lower(${email})`)),
    );
  return row?.id ?? null;
}
