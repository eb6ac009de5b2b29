import { and, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { orders } from '../database/schema/sales.ts';
import { normaliseEmail } from './email-address.ts';

/**
 * Assigns a customer the orders bought without an account under the same address. Only for verified addresses:
 * otherwise anyone could register with another person's address and read their tickets.
 */
export async function assignGuestOrders(
  db: Database,
  customer: { id: string; email: string; emailVerifiedAt: Date | null },
): Promise<void> {
  if (customer.emailVerifiedAt === null) return;
  await db
    .update(orders)
    .set({ customerId: customer.id })
    .where(
      and(isNull(orders.customerId), sql`lower(${orders.contactEmail}) = ${normaliseEmail(customer.email)}`),
    );
}
