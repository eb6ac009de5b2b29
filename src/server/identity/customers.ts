import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Customer, CustomerSchema } from '#contract/identity/accounts/schemas.ts';
import type { Context } from '../context.ts';
import { present } from '../core/present.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import { orders } from '../database/schema/sales.ts';
import type { CustomerSession } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { requireActiveSession } from './sessions.ts';

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
    .where(sql`lower(${customers.email}) = ${normalizeEmail(email)}`);
  return customer ?? null;
}

export function presentCustomer(row: CustomerRow): Customer {
  return present(CustomerSchema, row);
}

/** The form in which addresses are compared and stored: NFC, lower case. */
export function normalizeEmail(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

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
      and(isNull(orders.customerId), sql`lower(${orders.contactEmail}) = ${normalizeEmail(customer.email)}`),
    );
}

/** The caller, identified by their session. */
export type Owner = Pick<CustomerSession, 'customerId' | 'sessionId'>;
/** The caller with the device's name, for the mail about a change. */
export type OwnerOnDevice = Owner & { device: string };

/**
 * Locks and returns the caller's customer row if their session is still active. A request may wait long for its body or
 * a hash, and a session revoked meanwhile must not change anything. Revocations lock the row too, so they come entirely
 * before or after.
 * @throws {ApiError} session_expired
 */
export async function lockOwner(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { customerId, sessionId }: Owner,
): Promise<CustomerRow> {
  const customer = await requireLockedCustomer(tx, customerId);
  await requireActiveSession(tx, { clock }, sessionId);
  return customer;
}
