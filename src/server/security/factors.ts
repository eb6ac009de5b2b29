import { and, count, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { authenticators, passkeys, recoveryCodes } from '../database/schema/people.ts';

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

export async function countFactors(db: Database, customerId: string): Promise<Factors> {
  const [confirmed] = await db
    .select({ count: count() })
    .from(authenticators)
    .where(and(eq(authenticators.customerId, customerId), isNotNull(authenticators.confirmedAt)));
  const [keys] = await db
    .select({ count: count() })
    .from(passkeys)
    .where(eq(passkeys.customerId, customerId));
  const [codes] = await db
    .select({ count: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.customerId, customerId), isNull(recoveryCodes.usedAt)));
  const counted = { authenticators: confirmed?.count ?? 0, passkeys: keys?.count ?? 0 };
  return {
    ...counted,
    all: counted.authenticators + counted.passkeys,
    recoveryCodes: codes?.count ?? 0,
  };
}
