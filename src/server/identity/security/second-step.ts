import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { StepUpMethod } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { authenticators, customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { sendSoon } from '#server/mail/account-mails.ts';
import { findCustomer, type Owner, requireCustomer } from '../customers.ts';
import { expireFreshness } from '../sessions.ts';
import { findTimeStep } from './authenticator.ts';
import { countFactors } from './factors.ts';
import { PASSWORD_LOCKED_AFTER } from './password-rules.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import { reportSecurityEvent } from './security-events.ts';

/** Consecutive failures after which the second step is locked, each time. */
const FAILURES_PER_LOCK = 10;
const FIRST_LOCK_SECONDS = 15 * 60;
const LONGEST_LOCK_SECONDS = 24 * 3600;
/** Doublings after which the longest lock is reached. */
const MOST_DOUBLINGS = 7;

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
  const misses = await countFailure(context, customerId);
  const isRight =
    code.length === 6
      ? await consumeAuthenticatorCode(context, { customerId, code })
      : await consumeRecoveryCode(context, { customerId, code, device });
  if (!isRight) {
    if (misses % FAILURES_PER_LOCK === 0) await mailLockNotice(context, { customerId, device });
    throw new ApiError('invalid_code');
  }
  await context.db
    .update(customers)
    .set({ secondStepFailures: 0, secondStepLockedUntil: null })
    .where(eq(customers.id, customerId));
}

/** Counts and locks before the comparison, so that parallel guesses are limited too. */
async function countFailure(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<number> {
  const now = clock.now().toISOString();
  const [counted] = await queryRows<{ misses: number }>(
    db,
    sql`
      update customers set
        second_step_misses = second_step_misses + 1,
        second_step_locked_until = case when (second_step_misses + 1) % ${FAILURES_PER_LOCK}::int = 0
          then ${now}::timestamptz + make_interval(secs => least(
            ${FIRST_LOCK_SECONDS}::int * power(2, least(
              (second_step_misses + 1) / ${FAILURES_PER_LOCK}::int - 1, ${MOST_DOUBLINGS}::int
            )),
            ${LONGEST_LOCK_SECONDS}::int
          )) end
      where id = ${customerId}
        and (second_step_locked_until is null or second_step_locked_until <= ${now}::timestamptz)
      returning second_step_misses as misses
    `,
  );
  if (counted) return counted.misses;
  const lockedUntil = (await findCustomer(db, customerId))?.secondStepLockedUntil;
  if (!lockedUntil) throw new ApiError('invalid_code');
  const wait = Math.ceil((lockedUntil.getTime() - clock.now().getTime()) / 1000);
  throw new ApiError('rate_limited', { retryAfter: Math.max(1, wait) });
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
