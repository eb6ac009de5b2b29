import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { hashPassword, verifyPassword } from '../credentials/password-hash.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import type { CustomerRow } from '../identity/customers.ts';

const EMAIL = 'demo@harborline.example';
/** Of the demo customer, and of the demo's staff. */
export const DEMO_PASSWORD = 'by ferry across the sound';

export type Credentials = { email: string; password: string };

/** The demo customer, if this installation has one. */
export async function findDemoCustomer(db: Database): Promise<CustomerRow | null> {
  const [demo] = await db.select().from(customers).where(eq(customers.isDemo, true));
  return demo ?? null;
}

/**
 * Creates the demo account. Its password is public, so it is created only with test payments and only in a database
 * without other customers.
 * @returns null if it must not be created
 */
export async function createDemoCustomer(
  { db, provider }: Pick<Context, 'db' | 'provider'>,
  since: Date,
): Promise<CustomerRow | null> {
  if (!provider.isTest || (await db.$count(customers)) > 0) return null;
  const row = {
    id: newId('cus'),
    email: EMAIL,
    name: 'Robin Castellanos',
    phone: '+12065550123',
    passwordHash: await hashPassword(DEMO_PASSWORD),
    emailVerifiedAt: since,
    isDemo: true,
    insertedAt: since,
    updatedAt: since,
  };
  // Another process on the same database may have been first.
  await db.insert(customers).values(row).onConflictDoNothing();
  return findDemoCustomer(db);
}

/** The demo customer's credentials; null once the password was changed. */
export async function getCredentials({
  email,
  passwordHash,
}: Pick<CustomerRow, 'email' | 'passwordHash'>): Promise<Credentials | null> {
  return (await verifyPassword(DEMO_PASSWORD, passwordHash)) ? { email, password: DEMO_PASSWORD } : null;
}
