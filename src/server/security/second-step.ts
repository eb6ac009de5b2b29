import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { StepUpMethod } from '#contract/sign-in/schemas.ts';
import { findCustomer, requireCustomer } from '../customers/queries.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { authenticators, customers } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { countFactors } from './factors.ts';
import { PASSWORD_OFF_AFTER } from './password-rules.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { noteSecurityEvent } from './security-events.ts';
import { findTotpStep } from './totp.ts';

/** Misses in a row after which the second step rests, again and again. */
const MISSES_PER_LOCK = 10;
const FIRST_LOCK_SECONDS = 15 * 60;
const LONGEST_LOCK_SECONDS = 24 * 3600;
/** Doublings after which the longest lock is reached; no need to compute with more. */
const MOST_DOUBLINGS = 7;

/** What can be the second step of a customer, whether one is asked for or not. Codes come first: everybody can type. */
export async function secondStepOf(
  db: Database,
  customerId: string,
): Promise<'authenticator' | 'passkey' | null> {
  const has = await countFactors(db, customerId);
  if (has.authenticators > 0 || has.recoveryCodes > 0) return 'authenticator';
  return has.passkeys > 0 ? 'passkey' : null;
}

/** How a customer can show that it is them without their mailbox; none for who has nothing else. */
export async function strongMethodsOf(db: Database, customerId: string): Promise<StepUpMethod[]> {
  const { passwordHash, passwordFailures } = await requireCustomer(db, customerId);
  const has = await countFactors(db, customerId);
  const hasPassword = passwordHash !== null && passwordFailures < PASSWORD_OFF_AFTER;
  return [
    ...(hasPassword ? (['password'] as const) : []),
    ...(has.passkeys > 0 ? (['passkey'] as const) : []),
    ...(has.authenticators > 0 || has.recoveryCodes > 0 ? (['authenticator'] as const) : []),
  ];
}

/**
 * Checks a code of the authenticator (six digits) or a recovery code (sixteen characters) and uses it up. Every
 * tenth miss in a row, over all attempts, locks the second step: 15 minutes, then twice as long each time.
 * @param device from where, for the mails this may cause
 * @throws {ApiError} invalid_code, rate_limited
 */
export async function checkSecondStep(
  deps: Deps,
  customerId: string,
  code: string,
  device: string,
): Promise<void> {
  const misses = await countMiss(deps, customerId);
  const isRight =
    code.length === 6
      ? await spendTotp(deps, customerId, code)
      : await spendRecoveryCode(deps, { customerId, code, device });
  if (!isRight) {
    if (misses % MISSES_PER_LOCK === 0) await tellLocked(deps, customerId, device);
    throw new ApiError('invalid_code');
  }
  await deps.db
    .update(customers)
    .set({ secondStepMisses: 0, secondStepLockedUntil: null })
    .where(eq(customers.id, customerId));
}

/** Counted, and locked, before anything is compared: parallel guesses cannot slip past. */
async function countMiss({ db, clock }: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<number> {
  const now = clock.now().toISOString();
  const [counted] = await rowsOf<{ misses: number }>(
    db,
    sql`
      update customers set
        second_step_misses = second_step_misses + 1,
        second_step_locked_until = case when (second_step_misses + 1) % ${MISSES_PER_LOCK}::int = 0
          then ${now}::timestamptz + make_interval(secs => least(
            ${FIRST_LOCK_SECONDS}::int * power(2, least(
              (second_step_misses + 1) / ${MISSES_PER_LOCK}::int - 1, ${MOST_DOUBLINGS}::int
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

/** Each step's code is taken once, and never one of before the last. */
async function spendTotp(
  { db, clock, vault }: Pick<Deps, 'db' | 'clock' | 'vault'>,
  customerId: string,
  code: string,
): Promise<boolean> {
  const [row] = await db.select().from(authenticators).where(eq(authenticators.customerId, customerId));
  if (!row || row.confirmedAt === null) return false;
  const step = findTotpStep(vault.open(row.sealedSecret), code, clock.now());
  if (step === null) return false;
  const taken = await db
    .update(authenticators)
    .set({ lastStep: step })
    .where(
      and(
        eq(authenticators.customerId, customerId),
        eq(authenticators.sealedSecret, row.sealedSecret),
        or(isNull(authenticators.lastStep), lt(authenticators.lastStep, step)),
      ),
    )
    .returning({ lastStep: authenticators.lastStep });
  return taken.length > 0;
}

async function tellLocked(deps: Deps, customerId: string, device: string): Promise<void> {
  const mailId = await inTransaction(deps.db, (tx) =>
    noteSecurityEvent(tx, deps, { customerId, kind: 'second_step_locked', device }),
  );
  sendSoon(deps.jobs, mailId);
}
