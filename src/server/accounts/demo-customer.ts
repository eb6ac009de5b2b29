import { count, eq } from 'drizzle-orm';
import type { CustomerRow } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { hashPassword, verifyPassword } from '../security/password-hash.ts';

const EMAIL = 'demo@harborline.example';
const PASSWORD = 'by ferry across the sound';

/**
 * Gives an empty installation an account to look around with, and answers how to sign in with it. An account
 * whose password everybody can read is made only while payments are tests, and never beside other customers;
 * once its password was changed nothing is answered.
 */
export async function ensureDemoCustomer(
  deps: Pick<Deps, 'db' | 'clock' | 'provider'>,
): Promise<{ email: string; password: string } | null> {
  const { db, provider } = deps;
  if (!provider.isTest) return null;
  const demo = await findDemoCustomer(db);
  if (demo) return (await verifyPassword(PASSWORD, demo.passwordHash)) ? credentials() : null;
  const [existing] = await db.select({ count: count() }).from(customers);
  if ((existing?.count ?? 0) > 0) return null;
  await createDemoCustomer(deps);
  return credentials();
}

/** The demo customer, if this installation has one. */
export async function findDemoCustomer(db: Database): Promise<CustomerRow | null> {
  const [demo] = await db.select().from(customers).where(eq(customers.email, EMAIL));
  return demo ?? null;
}

async function createDemoCustomer({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const row = {
    id: newId('cus'),
    email: EMAIL,
    name: 'Robin Castellanos',
    phone: '+12065550123',
    passwordHash: await hashPassword(PASSWORD),
    emailVerifiedAt: now,
    insertedAt: now,
    updatedAt: now,
  };
  // Another process on the same database may have been first.
  await db.insert(customers).values(row).onConflictDoNothing();
}

function credentials(): { email: string; password: string } {
  return { email: EMAIL, password: PASSWORD };
}
