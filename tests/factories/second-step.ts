import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { Context } from '#server/context.ts';
import { newAuthenticatorSecret } from '#server/credentials/authenticator-codes.ts';
import { authenticators, customers } from '#server/database/schema/people.ts';
import { createRecoveryCodes, storeRecoveryCodes } from '#server/identity/security/recovery-codes.ts';

type Dependencies = Pick<Context, 'db' | 'clock' | 'vault'>;

/** Gives a customer a confirmed authenticator and returns its code at an instant, or now. */
export async function addAuthenticator(
  { db, clock, vault }: Dependencies,
  customerId: string,
): Promise<(at?: Date) => string> {
  const secret = newAuthenticatorSecret();
  const now = clock.now();
  await db
    .insert(authenticators)
    .values({ customerId, encryptedSecret: vault.encrypt(secret), confirmedAt: now, insertedAt: now });
  const totp = new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) });
  return (at = clock.now()) => totp.generate({ timestamp: at.getTime() });
}

/** Gives a customer ten recovery codes and returns them. */
export async function addRecoveryCodes({ db, vault }: Dependencies, customerId: string): Promise<string[]> {
  const made = createRecoveryCodes({ vault }, customerId);
  await storeRecoveryCodes(db, customerId, made);
  return made.codes;
}

/** Turns two-step sign-in on. */
export async function askForSecondStep({ db }: Dependencies, customerId: string): Promise<void> {
  await db.update(customers).set({ mfaRequired: true }).where(eq(customers.id, customerId));
}
