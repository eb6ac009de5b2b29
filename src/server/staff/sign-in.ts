import { eq } from 'drizzle-orm';
import type { PasskeyResponse } from '#contract/identity/sign-in/schemas.ts';
import type { StaffSignIn, StaffSignInOutcome } from '#contract/staff/schemas.ts';
import type { Context } from '../context.ts';
import { countWrongPassword, PASSWORD_LOCKED_AFTER } from '../credentials/failures.ts';
import { getVisitorCaller, verifyGuess } from '../credentials/password-limits.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import type { Database } from '../database/database.ts';
import { staffMembers, staffPasskeys } from '../database/schema/staff.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { HOUR_SECONDS, type Limit, subtractHits } from '../http/rate-limit.ts';
import { normalizeEmail } from '../identity/customers.ts';
import { findLockedStaff, findStaffByEmail, isActive, type StaffRow } from './members.ts';
import { verifyStaffPasskey } from './passkeys.ts';
import { checkStaffCode } from './second-step.ts';
import { createStaffSession, type StartedStaffSession } from './sessions.ts';

/**
 * Signs in with a password and a code of the authenticator. The code is asked for once the password was right, and is sent
 * with the password, so that no sign-in waits on the server. An unknown address, a wrong password, and an account that is
 * invited, disabled or locked give the same response after the same work.
 * @throws {ApiError} invalid_credentials, invalid_code, rate_limited, server_busy, demo_closed
 */
export async function signInStaff(
  context: Context,
  { client, email, password, code }: StaffSignIn & { client: Client },
): Promise<Extract<StaffSignInOutcome, { next: string }> | StartedStaffSession> {
  const member = await findStaffByEmail(context.db, email);
  await checkStaffPassword(context, { client, member, email, password });
  if (code === undefined) return { next: 'code' };
  if (!member) throw new ApiError('invalid_credentials');
  await checkStaffCode(context, member, code);
  return startStaffSession(context, {
    client,
    staffId: member.id,
    // The password or the authenticator may have been changed meanwhile.
    within: async (_, now) => {
      const isSame =
        now.passwordHash === member.passwordHash &&
        now.encryptedAuthenticator === member.encryptedAuthenticator;
      if (!isSame) throw new ApiError('invalid_credentials');
      return now;
    },
  });
}

/**
 * Signs in with a passkey, which counts as both steps.
 * @throws {ApiError} unknown_credential, passkey_refused, attempt_expired, rate_limited, demo_closed
 */
export async function signInStaffWithPasskey(
  context: Context,
  input: { client: Client; temp: string; response: PasskeyResponse },
): Promise<StartedStaffSession> {
  const { staffId, passkeyId } = await verifyStaffPasskey(context, input);
  return startStaffSession(context, {
    client: input.client,
    staffId,
    within: async (tx, now) => {
      const rows = await tx.$count(staffPasskeys, eq(staffPasskeys.id, passkeyId));
      if (rows === 0) throw new ApiError('unknown_credential');
      return now;
    },
  });
}

/**
 * Checks a password under the limits that customers have.
 * @throws {ApiError} invalid_credentials, rate_limited, server_busy
 */
async function checkStaffPassword(
  context: Context,
  input: { client: Client; member: StaffRow | null; email: string; password: string },
): Promise<void> {
  const { client, member, password } = input;
  const email = normalizeEmail(input.email);
  const network: Limit[] = [
    { name: 'staff-sign-in-minute', who: client.network, limit: 20, windowSeconds: 60 },
    { name: 'staff-sign-in-hour', who: client.network, limit: 100, windowSeconds: HOUR_SECONDS },
  ];
  const who = `${email} ${client.network}`;
  const account: Limit = { name: 'staff-sign-in-account', who, limit: 5, windowSeconds: 15 * 60 };
  const isRight = await verifyGuess(context, {
    caller: getVisitorCaller(email, client),
    secret: password,
    stored: member?.passwordHash ?? null,
    guesses: [...network, account],
  });
  if (!member || !isRight || !isActive(member) || member.passwordFailures >= PASSWORD_LOCKED_AFTER) {
    await noteWrongPassword(context, member?.id ?? '');
    throw new ApiError('invalid_credentials');
  }
  await subtractHits(context, account);
  for (const limit of network) await subtractHits(context, limit, 1);
}

/** Does not wait for the disk, because only a written count would, and timing would reveal the account. */
async function noteWrongPassword({ db, log }: Context, staffId: string): Promise<void> {
  const isLocked = await inTransaction(db, async (tx) => {
    await tx.execute(ASYNC_COMMIT);
    return countWrongPassword(tx, { table: staffMembers, id: staffId });
  });
  if (isLocked) log.warn('password of a staff member locked', { staff_id: staffId });
}

/** `gateDeviceId`: the paired device of a shift. */
type NewSession = {
  client: Client;
  staffId: string;
  gateDeviceId?: string | null;
  within: (tx: Database, member: StaffRow) => Promise<StaffRow>;
};

/**
 * Starts a session of someone who has just proved who they are, and who still works here.
 * @param input `within`: checks or changes in the session's transaction, under the lock of the account, which it returns
 * @throws {ApiError} invalid_credentials, demo_closed
 */
export async function startStaffSession(
  context: Context,
  { client, staffId, gateDeviceId = null, within }: NewSession,
): Promise<StartedStaffSession> {
  return inTransaction(context.db, async (tx) => {
    const locked = await findLockedStaff(tx, staffId);
    if (!locked) throw new ApiError('invalid_credentials');
    const member = await within(tx, locked);
    if (!isActive(member)) throw new ApiError('invalid_credentials');
    // The passwords of the demo are public.
    if (member.isDemo && !context.provider.isTest) throw new ApiError('demo_closed');
    await tx.update(staffMembers).set({ passwordFailures: 0 }).where(eq(staffMembers.id, staffId));
    return createStaffSession(tx, context, { member, device: client.device, gateDeviceId });
  });
}
