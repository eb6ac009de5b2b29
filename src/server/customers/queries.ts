import { eq, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import { ApiError } from '../http/api-error.ts';
import { normaliseEmail } from './email-address.ts';

export type CustomerRow = typeof customers.$inferSelect;

/**
 * The customer of a session.
 * @throws {ApiError} session_expired if the account was deleted
 */
export async function requireCustomer(db: Database, id: string): Promise<CustomerRow> {
  const customer = await findCustomer(db, id);
  if (!customer) throw new ApiError('session_expired');
  return customer;
}

/** The customer with an id, which may be null for a link without a customer. */
export async function findCustomer(db: Database, id: string | null): Promise<CustomerRow | null> {
  if (id === null) return null;
  const [customer] = await db.select().from(customers).where(eq(customers.id, id));
  return customer ?? null;
}

/** The customer with their row locked, so that changes of one account are serialized. */
export async function findLockedCustomer(tx: Database, id: string | null): Promise<CustomerRow | null> {
  if (id === null) return null;
  const [customer] = await tx.select().from(customers).where(eq(customers.id, id)).for('no key update');
  return customer ?? null;
}

/**
 * The customer of a session, with their row locked.
 * @throws {ApiError} session_expired if the account was deleted
 */
export async function requireLockedCustomer(tx: Database, id: string): Promise<CustomerRow> {
  const customer = await findLockedCustomer(tx, id);
  if (!customer) throw new ApiError('session_expired');
  return customer;
}

/** The customer with an address in any spelling. */
export async function findCustomerByEmail(db: Database, email: string): Promise<CustomerRow | null> {
  const [customer] = await db
    .select()
    .from(customers)
    .where(sql`lower(${customers.email}) = ${normaliseEmail(email)}`);
  return customer ?? null;
}
