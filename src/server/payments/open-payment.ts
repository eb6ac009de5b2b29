import { and, eq, inArray } from 'drizzle-orm';
import { OPEN_PAYMENT } from '../card-provider/intent-state.ts';
import type { Database } from '../database/database.ts';
import { payments } from '../database/schema/sales.ts';

/** The one attempt of an order that can still take money, if there is one. */
export async function findOpenPayment(db: Database, orderId: string) {
  const [open] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, [...OPEN_PAYMENT])));
  return open;
}
