import { and, asc, desc, eq, gt, isNull, ne } from 'drizzle-orm';
import { PasskeySchema } from '#contract/identity/security/schemas.ts';
import type { PasskeyResponse } from '#contract/identity/sign-in/schemas.ts';
import { type StaffAccount, StaffDeviceSchema } from '#contract/staff/account/schemas.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { present } from '../core/present.ts';
import { hashPassword } from '../credentials/password-hash.ts';
import { getAccountCaller } from '../credentials/password-limits.ts';
import { requireGoodPassword } from '../credentials/password-rules.ts';
import type { PasskeyOptions } from '../credentials/webauthn.ts';
import type { Database } from '../database/database.ts';
import type { AuditedFields } from '../database/schema/audit.ts';
import { staffMembers, staffPasskeys, staffSessions } from '../database/schema/staff.ts';
import { inTransaction } from '../database/transactions.ts';
import type { StaffSession } from '../http/api.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { describeStaffActor } from './actor.ts';
import { findStaff, requireLockedStaff, type StaffRow } from './members.ts';
import { createStaffPasskeyOptions, readStaffPasskey, storeStaffPasskey } from './passkeys.ts';
import { endStaffSessions } from './sessions.ts';

type Caller = { session: StaffSession; client: Client };

/** How the caller signs in, and where they are signed in. */
export async function getStaffAccount(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  session: StaffSession,
): Promise<StaffAccount> {
  const member = await requireSelf(db, session);
  const passkeys = await db
    .select()
    .from(staffPasskeys)
    .where(eq(staffPasskeys.staffId, member.id))
    .orderBy(asc(staffPasskeys.insertedAt), asc(staffPasskeys.id));
  const sessions = await db
    .select()
    .from(staffSessions)
    .where(and(eq(staffSessions.staffId, member.id), isOpen(clock.now())))
    .orderBy(desc(staffSessions.lastSeenAt), desc(staffSessions.id));
  return {
    has_password: member.passwordHash !== null,
    has_authenticator: member.encryptedAuthenticator !== null,
    passkeys: passkeys.map((row) => present(PasskeySchema, row)),
    sessions: sessions.map((row) =>
      present(StaffDeviceSchema, { ...row, current: row.id === session.staffSessionId }),
    ),
  };
}

/**
 * Changes the password and ends the other sessions, in case others knew the old one.
 * @throws {ApiError} second_factor_missing without an authenticator, whose codes belong to a password; those of a new password
 */
export async function changeStaffPassword(
  context: Context,
  { password, ...caller }: Caller & { password: string },
): Promise<void> {
  const { client, session } = caller;
  const { id, email, name, encryptedAuthenticator } = await requireSelf(context.db, session);
  if (encryptedAuthenticator === null) throw new ApiError('second_factor_missing');
  const hashing = getAccountCaller(id, client);
  await requireGoodPassword(context, { caller: hashing, password, email, name });
  const passwordHash = await hashPassword(password, hashing);
  await changeSelf(context, { ...caller, after: { password: 'changed' } }, async (tx) => {
    const now = context.clock.now();
    await tx
      .update(staffMembers)
      .set({ passwordHash, passwordChangedAt: now, passwordFailures: 0, updatedAt: now })
      .where(eq(staffMembers.id, id));
    await tx
      .update(staffSessions)
      .set({ revokedAt: now })
      .where(and(eq(staffSessions.staffId, id), ne(staffSessions.id, session.staffSessionId), isOpen(now)));
  });
}

/**
 * The options with which the caller's browser creates another passkey.
 * @throws {ApiError} too_many_passkeys
 */
export async function createOwnPasskey(context: Context, session: StaffSession): Promise<PasskeyOptions> {
  return createStaffPasskeyOptions(context, await requireSelf(context.db, session));
}

/** @throws {ApiError} attempt_expired, passkey_refused, passkey_exists, too_many_passkeys */
export async function addOwnPasskey(
  context: Context,
  { temp, response, ...caller }: Caller & { temp: string; response: PasskeyResponse },
): Promise<void> {
  const { staffId } = caller.session;
  const { device } = caller.client;
  const passkey = await readStaffPasskey(context, { staffId, device, temp, response });
  await changeSelf(context, { ...caller, after: { passkey: 'added' } }, (tx) =>
    storeStaffPasskey(tx, passkey),
  );
}

/**
 * Removes a passkey of the caller.
 * @throws {ApiError} not_found, last_sign_in
 */
export async function removeOwnPasskey(
  context: Context,
  { id, ...caller }: Caller & { id: string },
): Promise<void> {
  await changeSelf(context, { ...caller, after: { passkey: 'removed' } }, async (tx, member) => {
    const isOwn = eq(staffPasskeys.staffId, member.id);
    const removed = await tx
      .delete(staffPasskeys)
      .where(and(isOwn, eq(staffPasskeys.id, id)))
      .returning({ id: staffPasskeys.id });
    if (removed.length === 0) throw notFound();
    const left = await tx.$count(staffPasskeys, isOwn);
    if (left === 0 && member.passwordHash === null) throw new ApiError('last_sign_in');
  });
}

/**
 * Ends one of the caller's sessions.
 * @throws {ApiError} not_found
 */
export async function endOwnSession(
  context: Pick<Context, 'db' | 'clock'>,
  { staffId, id }: Pick<StaffSession, 'staffId'> & { id: string },
): Promise<void> {
  const isOwn = and(eq(staffSessions.id, id), eq(staffSessions.staffId, staffId));
  const open = await context.db.$count(staffSessions, and(isOwn, isOpen(context.clock.now())));
  if (open === 0) throw notFound();
  await endStaffSessions(context, { staffId, staffSessionId: id });
}

/**
 * Changes how the caller signs in, under the lock of their account and only while their session has not ended, and
 * records it.
 */
async function changeSelf(
  context: Context,
  { session, client, after }: Caller & { after: AuditedFields },
  change: (tx: Database, member: StaffRow) => Promise<void>,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const member = await requireLockedStaff(tx, session.staffId);
    const own = and(eq(staffSessions.id, session.staffSessionId), isOpen(context.clock.now()));
    if ((await tx.$count(staffSessions, own)) === 0) throw new ApiError('session_expired');
    await change(tx, member);
    await recordAudit(tx, context, {
      actor: describeStaffActor(session, client),
      action: 'staff_sign_in_changed',
      objectKind: 'staff',
      objectId: member.id,
      before: {},
      after,
      reason: null,
    });
  });
}

async function requireSelf(db: Database, { staffId }: StaffSession): Promise<StaffRow> {
  const member = await findStaff(db, staffId);
  if (!member) throw new ApiError('session_expired');
  return member;
}

function isOpen(now: Date) {
  return and(isNull(staffSessions.revokedAt), gt(staffSessions.expiresAt, now));
}
