import { and, eq, isNull } from 'drizzle-orm';
import type { AuthenticatorSetup } from '#contract/identity/security/schemas.ts';
import type { Context } from '#server/context.ts';
import {
  authenticatorUri,
  findTimeStep,
  newAuthenticatorSecret,
} from '#server/credentials/authenticator-codes.ts';
import type { Database } from '#server/database/database.ts';
import { authenticators, customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { rateLimit } from '#server/http/rate-limit.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import type { CustomerRow } from '../customers.ts';
import { lockOwner, type Owner, type OwnerOnDevice } from '../customers.ts';
import { expireFreshness } from '../sessions.ts';
import { createRecoveryCodes, settleFactors, storeRecoveryCodes } from './recovery-codes.ts';
import { changeAccount, recordSecurityEvent } from './security-events.ts';

type AuthenticatorRow = typeof authenticators.$inferSelect;

/** A secret that is not confirmed within an hour expires. */
const EXPIRES_AFTER_MS = 3_600_000;
const CONFIRM_TRIES = 5;

/** Whether the customer has an authenticator, and since when it is confirmed. An expired secret counts as none. */
export async function authenticatorStatus(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<{ status: 'none' | 'pending' | 'active'; confirmedAt: Date | null }> {
  const row = await findAuthenticator(db, customerId);
  if (!row) return { status: 'none', confirmedAt: null };
  if (row.confirmedAt !== null) return { status: 'active', confirmedAt: row.confirmedAt };
  return { status: isExpired(row, clock.now()) ? 'none' : 'pending', confirmedAt: null };
}

/**
 * Creates a secret for the customer's app, which must be confirmed. Replaces an unconfirmed one.
 * @throws {ApiError} authenticator_active
 */
export async function beginAuthenticator(
  context: Pick<Context, 'db' | 'clock' | 'vault'>,
  owner: Owner,
): Promise<AuthenticatorSetup> {
  const { customerId } = owner;
  const secret = newAuthenticatorSecret();
  const { brand } = await loadWebSettings(context);
  const email = await inTransaction(context.db, async (tx) => {
    const customer = await lockOwner(tx, context, owner);
    const row = await findAuthenticator(tx, customerId);
    if (row && row.confirmedAt !== null) throw new ApiError('authenticator_active');
    await tx.delete(authenticators).where(eq(authenticators.customerId, customerId));
    await tx.insert(authenticators).values({
      customerId,
      encryptedSecret: context.vault.encrypt(secret),
      insertedAt: context.clock.now(),
    });
    return customer.email;
  });
  return { secret, otpauth_uri: authenticatorUri(secret, { issuer: brand.name, label: email }) };
}

/**
 * Activates the authenticator if the code is correct: turns two-step sign-in on and creates recovery codes. Five
 * attempts per secret.
 * @returns ten recovery codes
 * @throws {ApiError} attempt_expired, authenticator_active, invalid_code, rate_limited
 */
export async function confirmAuthenticator(
  context: Context,
  { code, ...owner }: OwnerOnDevice & { code: string },
): Promise<string[]> {
  const { customerId } = owner;
  const row = await requirePending(context, customerId);
  await rateLimit(context, {
    name: 'authenticator-confirm',
    who: row.encryptedSecret,
    limit: CONFIRM_TRIES,
    windowSeconds: EXPIRES_AFTER_MS / 1000,
  });
  const step = findTimeStep(context.vault.decrypt(row.encryptedSecret), code, context.clock.now());
  if (step === null) throw new ApiError('invalid_code');
  const made = createRecoveryCodes(context, customerId);
  await changeAccount(context, owner, async (tx, customer) => {
    await activate(tx, context, { row, step, customer, owner });
    await storeRecoveryCodes(tx, customerId, made);
    return 'authenticator_added';
  });
  return made.codes;
}

/**
 * Removes the authenticator, or an unconfirmed secret.
 * @throws {ApiError} not_found, last_second_factor
 */
export async function removeAuthenticator(context: Context, owner: OwnerOnDevice): Promise<void> {
  await changeAccount(context, owner, async (tx, customer) => {
    const [removed] = await tx
      .delete(authenticators)
      .where(eq(authenticators.customerId, customer.id))
      .returning({ confirmedAt: authenticators.confirmedAt });
    if (!removed) throw notFound();
    if (removed.confirmedAt === null) return null;
    await settleFactors(tx, customer);
    return 'authenticator_removed';
  });
}

/** One mail covers the authenticator, two-step sign-in and the recovery codes. */
async function activate(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  input: { row: AuthenticatorRow; step: number; customer: CustomerRow; owner: OwnerOnDevice },
): Promise<void> {
  const { row, step, customer, owner } = input;
  const { customerId, device } = owner;
  const now = clock.now();
  const confirmed = await tx
    .update(authenticators)
    .set({ confirmedAt: now, lastStep: step })
    .where(
      and(
        eq(authenticators.customerId, customerId),
        eq(authenticators.encryptedSecret, row.encryptedSecret),
        isNull(authenticators.confirmedAt),
      ),
    )
    .returning({ customerId: authenticators.customerId });
  if (confirmed.length === 0) throw new ApiError('attempt_expired');
  await recordSecurityEvent(tx, { clock }, { customerId, kind: 'recovery_codes_made', device });
  if (customer.mfaRequired) return;
  await tx.update(customers).set({ mfaRequired: true, updatedAt: now }).where(eq(customers.id, customerId));
  await expireFreshness(tx, owner);
  await recordSecurityEvent(tx, { clock }, { customerId, kind: 'mfa_on', device });
}

async function requirePending(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<AuthenticatorRow> {
  const row = await findAuthenticator(db, customerId);
  if (row && row.confirmedAt !== null) throw new ApiError('authenticator_active');
  if (!row || isExpired(row, clock.now())) throw new ApiError('attempt_expired');
  return row;
}

async function findAuthenticator(db: Database, customerId: string): Promise<AuthenticatorRow | null> {
  const [row] = await db.select().from(authenticators).where(eq(authenticators.customerId, customerId));
  return row ?? null;
}

function isExpired({ insertedAt }: AuthenticatorRow, now: Date): boolean {
  return now.getTime() - insertedAt.getTime() >= EXPIRES_AFTER_MS;
}
