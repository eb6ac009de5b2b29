import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { authenticators, customers, passkeys, recoveryCodes } from '../database/schema/people.ts';

/** What an account has beside its password and its mailbox. */
export type Factors = {
  /** A confirmed authenticator: one or none. */
  authenticators: number;
  passkeys: number;
  /** Authenticator and passkeys. Recovery codes stand in for these and are none. */
  all: number;
  /** Codes not used yet. */
  recoveryCodes: number;
};

/** Counted in one statement: all of one moment. */
export async function countFactors(db: Database, customerId: string): Promise<Factors> {
  const [counted] = await db
    .select({
      authenticators: db.$count(
        authenticators,
        and(eq(authenticators.customerId, customerId), isNotNull(authenticators.confirmedAt)),
      ),
      passkeys: db.$count(passkeys, eq(passkeys.customerId, customerId)),
      recoveryCodes: db.$count(
        recoveryCodes,
        and(eq(recoveryCodes.customerId, customerId), isNull(recoveryCodes.usedAt)),
      ),
    })
    .from(customers)
    .where(eq(customers.id, customerId));
  const has = counted ?? { authenticators: 0, passkeys: 0, recoveryCodes: 0 };
  return { ...has, all: has.authenticators + has.passkeys };
}
