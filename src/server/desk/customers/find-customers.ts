import { eq } from 'drizzle-orm';
import type { FoundCustomer } from '#contract/desk/orders/schemas.ts';
import { parseStaffSearch } from '#domain/orders/staff-search.ts';
import type { Database } from '#server/database/database.ts';
import { customers } from '#server/database/schema/people.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { findCustomerByEmail } from '#server/identity/customers.ts';

/** The customers with this mail address, or whose trip card has this number. */
export async function findCustomers(db: Database, search: string): Promise<FoundCustomer[]> {
  const tripCardNumber = parseStaffSearch(search)?.tripCardNumber ?? null;
  const byEmail = search.includes('@') ? await findCustomerByEmail(db, search.trim()) : null;
  const byCard =
    tripCardNumber === null
      ? []
      : await db
          .select({ id: customers.id, name: customers.name, email: customers.email })
          .from(tripCards)
          .innerJoin(customers, eq(customers.id, tripCards.customerId))
          .where(eq(tripCards.number, tripCardNumber));
  return [...(byEmail ? [byEmail] : []), ...byCard].map(({ id, name, email }) => ({ id, name, email }));
}
