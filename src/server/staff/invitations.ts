import { and, eq, gt } from 'drizzle-orm';
import { staffPages } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { AcceptStaffInvitation, StaffInvitation } from '#contract/staff/schemas.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { newId, newSecret } from '../core/ids.ts';
import { hashToken } from '../core/vault.ts';
import {
  authenticatorUri,
  encodeAuthenticatorSecret,
  findTimeStep,
} from '../credentials/authenticator-codes.ts';
import { hashPassword } from '../credentials/password-hash.ts';
import { getAccountCaller } from '../credentials/password-limits.ts';
import { requireGoodPassword } from '../credentials/password-rules.ts';
import type { PasskeyOptions } from '../credentials/webauthn.ts';
import type { Database } from '../database/database.ts';
import { staffMembers } from '../database/schema/staff.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { HOUR_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { queueAccountMail } from '../mail/account-mails.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { describeStaffActor } from './actor.ts';
import {
  findStaffByEmail,
  isActive,
  removeCredentials,
  requireLockedStaff,
  requireOtherManager,
  type StaffRow,
} from './members.ts';
import { createStaffPasskeyOptions, readStaffPasskey, storeStaffPasskey } from './passkeys.ts';
import { endStaffSessions, type StartedStaffSession } from './sessions.ts';
import { startStaffSession } from './sign-in.ts';

const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;

type Dependencies = Pick<Context, 'config' | 'db' | 'clock' | 'vault'>;

/** A link that was mailed and can be used once within seven days, and the mail to send. */
export type SentInvitation = { link: string; mailId: string; staffId: string };

/**
 * Invites someone to work here. Someone invited before gets another link in place of the first, and someone disabled
 * begins again.
 * @throws {ApiError} staff_exists
 */
export async function inviteStaff(
  context: Dependencies,
  { email, name, role, actor }: { email: string; name: string; role: StaffRole; actor: AuditActor },
): Promise<SentInvitation> {
  return inTransaction(context.db, async (tx) => {
    const existing = await findStaffByEmail(tx, email);
    if (existing && isActive(existing)) throw new ApiError('staff_exists', { field: 'email' });
    const now = context.clock.now();
    const id = existing?.id ?? newId('stf');
    if (existing) {
      await removeCredentials(tx, context, id);
      await tx.update(staffMembers).set({ name, role }).where(eq(staffMembers.id, id));
    } else {
      await tx.insert(staffMembers).values({ id, email, name, role, insertedAt: now, updatedAt: now });
    }
    const sent = await sendInvitation(tx, context, { id, email, role });
    await recordAudit(tx, context, {
      actor,
      action: 'staff_invited',
      objectKind: 'staff',
      objectId: id,
      before: existing ? { role: existing.role } : {},
      after: { role },
      reason: null,
    });
    return sent;
  });
}

/**
 * Takes away what someone signs in with, for example after a lost phone, ends their sessions, and mails them a link to
 * choose new ways.
 * @throws {ApiError} last_manager
 */
export async function resetStaff(
  context: Dependencies,
  { id, actor }: { id: string; actor: AuditActor },
): Promise<SentInvitation> {
  return inTransaction(context.db, async (tx) => {
    if (actor.kind === 'staff') await requireOtherManager(tx, id);
    const member = await requireLockedStaff(tx, id);
    await removeCredentials(tx, context, id);
    await endStaffSessions({ ...context, db: tx }, { staffId: id });
    const sent = await sendInvitation(tx, context, member);
    await recordAudit(tx, context, {
      actor,
      action: 'staff_reset',
      objectKind: 'staff',
      objectId: id,
      before: {},
      after: {},
      reason: null,
    });
    return sent;
  });
}

/**
 * What an invitation says. Its authenticator's secret follows from the link, so that nothing is stored before it is
 * confirmed, and opening the link again shows the same.
 * @throws {ApiError} link_expired
 */
export async function readInvitation(context: Context, token: string): Promise<StaffInvitation> {
  const { email, name, role } = await requireInvited(context, token);
  const { brand } = await loadWebSettings(context);
  const secret = invitedSecret(context, token);
  const uri = authenticatorUri(secret, { issuer: brand.name, label: email });
  return { email, name, role, authenticator: { secret, otpauth_uri: uri } };
}

/**
 * The options with which an invited person's browser creates a passkey.
 * @throws {ApiError} link_expired
 */
export async function createInvitedPasskey(context: Context, token: string): Promise<PasskeyOptions> {
  return createStaffPasskeyOptions(context, await requireInvited(context, token));
}

/**
 * Accepts an invitation with a passkey, or with a password and a code of the authenticator, and signs in.
 * @throws {ApiError} link_expired, invalid_code, passkey_refused, attempt_expired, rate_limited, and those of a new password
 */
export async function acceptInvitation(
  context: Context,
  { client, ...input }: AcceptStaffInvitation & { client: Client },
): Promise<StartedStaffSession> {
  const { token, name } = input;
  const invited = await requireInvited(context, token);
  const store =
    'password' in input
      ? await checkNewPassword(context, { ...input, client, invited })
      : await checkNewPasskey(context, { ...input, client, invited });
  return startStaffSession(context, {
    client,
    staffId: invited.id,
    within: async (tx, member) => {
      if (member.invitationHash !== hashToken(token)) throw new ApiError('link_expired');
      const now = context.clock.now();
      const credentials = await store(tx);
      const [accepted] = await tx
        .update(staffMembers)
        .set({
          ...credentials,
          name,
          invitationHash: null,
          invitationExpiresAt: null,
          acceptedAt: now,
          updatedAt: now,
        })
        .where(eq(staffMembers.id, member.id))
        .returning();
      if (!accepted) throw new ApiError('link_expired');
      await recordAudit(tx, context, {
        actor: describeStaffActor({ staffId: member.id, role: member.role }, client),
        action: 'staff_accepted',
        objectKind: 'staff',
        objectId: member.id,
        before: {},
        after: {},
        reason: null,
      });
      return accepted;
    },
  });
}

type NewCredentials = Partial<
  Pick<StaffRow, 'passwordHash' | 'passwordChangedAt' | 'encryptedAuthenticator' | 'authenticatorStep'>
>;
/** Stores what an invited person will sign in with: rows of its own, and the columns it returns. */
type StoreCredentials = (tx: Database) => Promise<NewCredentials>;

async function checkNewPassword(
  context: Context,
  input: { client: Client; invited: StaffRow; token: string; name: string; password: string; code: string },
): Promise<StoreCredentials> {
  const { client, invited, token, name, password, code } = input;
  const { clock, vault } = context;
  await rateLimit(context, {
    name: 'staff-invitation-code',
    who: token,
    limit: 20,
    windowSeconds: HOUR_SECONDS,
  });
  const secret = invitedSecret(context, token);
  const caller = getAccountCaller(invited.id, client);
  await requireGoodPassword(context, { caller, password, email: invited.email, name });
  const step = findTimeStep(secret, code, clock.now());
  if (step === null) throw new ApiError('invalid_code');
  const passwordHash = await hashPassword(password, caller);
  return async () => ({
    passwordHash,
    passwordChangedAt: clock.now(),
    encryptedAuthenticator: vault.encrypt(secret),
    authenticatorStep: step,
  });
}

async function checkNewPasskey(
  context: Context,
  input: Extract<AcceptStaffInvitation, { temp: string }> & { client: Client; invited: StaffRow },
): Promise<StoreCredentials> {
  const { client, invited, temp, response } = input;
  const { device } = client;
  const passkey = await readStaffPasskey(context, { staffId: invited.id, device, temp, response });
  return async (tx) => {
    await storeStaffPasskey(tx, passkey);
    return {};
  };
}

/** Mails a new link in place of an earlier one. */
async function sendInvitation(
  tx: Database,
  context: Dependencies,
  { id, email, role }: Pick<StaffRow, 'id' | 'email' | 'role'>,
): Promise<SentInvitation> {
  const token = newSecret();
  const link = `${context.config.origins.staff}${staffPages.invitation}#token=${token}`;
  await tx
    .update(staffMembers)
    .set({
      invitationHash: hashToken(token),
      invitationExpiresAt: new Date(context.clock.now().getTime() + INVITATION_DAYS * DAY_MS),
    })
    .where(eq(staffMembers.id, id));
  const mailId = await queueAccountMail(tx, context, {
    to: email,
    kind: 'staff-invitation',
    data: { link, role },
  });
  return { link, mailId, staffId: id };
}

async function requireInvited({ db, clock }: Context, token: string): Promise<StaffRow> {
  const [member] = await db
    .select()
    .from(staffMembers)
    .where(
      and(
        eq(staffMembers.invitationHash, hashToken(token)),
        gt(staffMembers.invitationExpiresAt, clock.now()),
      ),
    );
  if (!member) throw new ApiError('link_expired');
  return member;
}

/** The secret of the authenticator that an invitation offers. The link alone does not reveal it once it was used. */
function invitedSecret({ vault }: Pick<Context, 'vault'>, token: string): string {
  return encodeAuthenticatorSecret(Buffer.from(vault.sign('staff-authenticator', token), 'base64url'));
}
