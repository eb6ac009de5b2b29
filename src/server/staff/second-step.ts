import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { findTimeStep } from '../credentials/authenticator-codes.ts';
import { countWrongCode, forgetWrongCodes } from '../credentials/failures.ts';
import { staffMembers } from '../database/schema/staff.ts';
import { ApiError } from '../http/api-error.ts';
import type { StaffRow } from './members.ts';

/**
 * Verifies and uses up a code of the authenticator. Every tenth consecutive failure locks the second step.
 * @throws {ApiError} invalid_code, rate_limited
 */
export async function checkStaffCode(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'log'>,
  { id, encryptedAuthenticator: stored }: Pick<StaffRow, 'id' | 'encryptedAuthenticator'>,
  code: string,
): Promise<void> {
  const { db, clock, vault, log } = context;
  const account = { table: staffMembers, id };
  const isLocked = await countWrongCode(context, account);
  const step = stored === null ? null : findTimeStep(vault.decrypt(stored), code, clock.now());
  if (stored === null || step === null || !(await consumeStep(db, { id, stored, step }))) {
    if (isLocked) log.warn('second step of a staff member locked', { staff_id: id });
    throw new ApiError('invalid_code');
  }
  await forgetWrongCodes(db, account);
}

/** Each time step's code is accepted once, and never one of an earlier step. */
async function consumeStep(
  db: Context['db'],
  { id, stored, step }: { id: string; stored: string; step: number },
): Promise<boolean> {
  const { authenticatorStep } = staffMembers;
  const used = await db
    .update(staffMembers)
    .set({ authenticatorStep: step })
    .where(
      and(
        eq(staffMembers.id, id),
        eq(staffMembers.encryptedAuthenticator, stored),
        or(isNull(authenticatorStep), lt(authenticatorStep, step)),
      ),
    )
    .returning({ id: staffMembers.id });
  return used.length > 0;
}
