import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { StepUpMethod } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import { findTimeStep } from '#server/credentials/authenticator-codes.ts';
import { countWrongCode, forgetWrongCodes, PASSWORD_LOCKED_AFTER } from '#server/credentials/failures.ts';
import type { Database } from '#server/database/database.ts';
import { authenticators, customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { sendSoon } from '#server/mail/account-mails.ts';
import { type Owner, requireCustomer } from '../customers.ts';
import { expireFreshness } from '../sessions.ts';
import { countFactors } from './factors.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import { reportSecurityEvent } from './security-events.ts';

/**
 * The second-step methods of a customer, whether or not two-step sign-in is on. Codes come first, because they work on
 * any device.
 */
export async function getSecondStep(
  db: Database,
  customerId: string,
): Promise<'authenticator' | 'passkey' | null> {
  const has = await countFactors(db, customerId);
  if (has.authenticators > 0 || has.recoveryCodes > 0) return 'authenticator';
  return has.passkeys > 0 ? 'passkey' : null;
}

/** The methods by which a customer can be verified without their mailbox. */
export async function listStrongMethods(db: Database, customerId: string): Promise<StepUpMethod[]> {
  const { passwordHash, passwordFailures } = await requireCustomer(db, customerId);
  const has = await countFactors(db, customerId);
  const hasPassword = passwordHash !== null && passwordFailures < PASSWORD_LOCKED_AFTER;
  return [
    ...(hasPassword ? (['password'] as const) : []),
    ...(has.passkeys > 0 ? (['passkey'] as const) : []),
    ...(has.authenticators > 0 || has.recoveryCodes > 0 ? (['authenticator'] as const) : []),
  ];
}

/**
 * Verifies and uses up a code of the authenticator (six digits) or a recovery code (sixteen characters). Every tenth
 * consecutive failure, over all challenges, locks the second step: for 15 minutes, then twice as long each time.
 * @throws {ApiError} invalid_code, rate_limited
 */
export async function checkSecondStep(
  context: Context,
  { customerId, code, device }: { customerId: string; code: string; device: string },
): Promise<void> {
  const account = { table: customers, id: customerId };
  const isLocked = await countWrongCode(context, account);
  const isRight =
    code.length === 6
      ? await consumeAuthenticatorCode(context, { customerId, code })
      : await consumeRecoveryCode(context, { customerId, code, device });
  if (!isRight) {
    if (isLocked) await mailLockNotice(context, { customerId, device });
    throw new ApiError('invalid_code');
  }
  await forgetWrongCodes(context.db, account);
}

/** Each time step's code is accepted once, and never one of an earlier step. */
async function consumeAuthenticatorCode(
  { db, clock, vault }: Pick<Context, 'db' | 'clock' | 'vault'>,
  { customerId, code }: { customerId: string; code: string },
): Promise<boolean> {
  const [row] = await db.select().from(authenticators).where(eq(authenticators.customerId, customerId));
  if (!row || row.confirmedAt === null) return false;
  const step = findTimeStep(vault.decrypt(row.encryptedSecret), code, clock.now());
  if (step === null) return false;
  const taken = await db
    .update(authenticators)
    .set({ lastStep: step })
    .where(
      and(
        eq(authenticators.customerId, customerId),
        eq(authenticators.encryptedSecret, row.encryptedSecret),
        or(isNull(authenticators.lastStep), lt(authenticators.lastStep, step)),
      ),
    )
    .returning({ lastStep: authenticators.lastStep });
  return taken.length > 0;
}

async function mailLockNotice(
  context: Context,
  { customerId, device }: { customerId: string; device: string },
): Promise<void> {
  const mailId = await inTransaction(context.db, (tx) =>
    reportSecurityEvent(tx, context, { customerId, kind: 'second_step_locked', device }),
  );
  sendSoon(context.jobs, mailId);
}

/**
 * Turns two-step sign-in on or off, in the transaction that locked the customer's row. The caller must require a
 * step-up to turn it off. Turning it on requires a new step-up in other sessions, because theirs had one step.
 * @returns the id of the mail to send
 * @throws {ApiError} second_factor_missing if there is no factor
 */
export async function setTwoStep(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault'>,
  { owner, isOn, device }: { owner: Owner; isOn: boolean; device: string },
): Promise<string> {
  const { customerId } = owner;
  if (isOn && (await countFactors(tx, customerId)).all === 0) {
    throw new ApiError('second_factor_missing', { field: 'mfa_required' });
  }
  await tx
    .update(customers)
    .set({ mfaRequired: isOn, updatedAt: context.clock.now() })
    .where(eq(customers.id, customerId));
  if (isOn) await expireFreshness(tx, owner);
  return reportSecurityEvent(tx, context, {
    customerId,
    kind: isOn ? 'mfa_on' : 'mfa_off',
    device,
  });
}
