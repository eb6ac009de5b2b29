import { eq } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import { ApiError } from '../http/api-error.ts';
import type { CustomerRow } from './presenter.ts';

/**
 * The customer a session belongs to.
 * @throws {ApiError} session_expired when the account is gone
 */
export async function requireCustomer(db: Database, id: string): Promise<CustomerRow> {
  const [customer] = await db.select().from(customers).where(eq(customers.id, id));
  if (!customer) throw new ApiError('session_expired');
  return customer;
}
