import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { authenticators, customers, passkeys, recoveryCodes } from '#server/database/schema/people.ts';

/** The factors of an account besides its password and its mailbox. */
export type Factors = {
  /** Confirmed authenticators: 0 or 1. */
  authenticators: number;
  passkeys: number;
  /** Authenticator and passkeys. Recovery codes only replace these and do not count. */
  all: number;
  /** Unused codes. */
  recoveryCodes: number;
};

/** Counted in one statement, and thus on one snapshot. */
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
