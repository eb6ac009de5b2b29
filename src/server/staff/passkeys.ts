import { eq } from 'drizzle-orm';
import { listHostsOf } from '#contract/hosts.ts';
import type { PasskeyResponse } from '#contract/identity/sign-in/schemas.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { consumePasskeyChallenge, openChallenge } from '../credentials/passkey-challenge.ts';
import {
  createAssertionOptions,
  createRegistrationOptions,
  defaultPasskeyName,
  ensureUserId,
  MAX_PASSKEYS,
  type PasskeyOptions,
  type RelyingParty,
  readAssertion,
  readNewPasskey,
} from '../credentials/webauthn.ts';
import type { Database } from '../database/database.ts';
import { staffMembers, staffPasskeys } from '../database/schema/staff.ts';
import { violatedUniqueConstraint } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import type { StaffRow } from './members.ts';

/**
 * The passkeys of staff belong to their host and not to the parent domain, so that browsers never offer them where
 * customers sign in, nor those of customers here. They replace both steps, so the device must verify its user.
 */
function staffSite({ origins }: Pick<Config, 'origins'>): RelyingParty {
  const own = listHostsOf('staff').map((host) => origins[host]);
  return { id: new URL(origins.staff).hostname, origins: own, userVerification: 'required' };
}

/**
 * The options with which a browser asks for any passkey of staff.
 * @throws {ApiError} rate_limited
 */
export async function createStaffPasskeyRequest(
  context: Context,
  { network }: Client,
): Promise<PasskeyOptions> {
  await rateLimit(context, { name: 'staff-passkey', who: network, limit: 60, windowSeconds: 60 });
  return createAssertionOptions(context, staffSite(context.config), 'staff sign-in');
}

/**
 * Verifies and uses up a passkey's response to a challenge of `createStaffPasskeyRequest`.
 * @throws {ApiError} rate_limited, attempt_expired, unknown_credential, passkey_refused
 */
export async function verifyStaffPasskey(
  context: Context,
  { client, temp, response }: { client: Client; temp: string; response: PasskeyResponse },
): Promise<{ staffId: string; passkeyId: string }> {
  await rateLimit(context, {
    name: 'staff-passkey-verify',
    who: client.network,
    limit: 60,
    windowSeconds: 60,
  });
  const challenge = openChallenge(context, { purpose: 'staff sign-in', temp });
  const [match] = await context.db
    .select({ passkey: staffPasskeys, userId: staffMembers.webauthnUserId })
    .from(staffPasskeys)
    .innerJoin(staffMembers, eq(staffMembers.id, staffPasskeys.staffId))
    .where(eq(staffPasskeys.credentialId, response.id));
  if (!match) throw new ApiError('unknown_credential');
  await consumePasskeyChallenge(context.db, challenge);
  await readAssertion(context, staffSite(context.config), {
    ...match,
    table: staffPasskeys,
    challenge: challenge.challenge,
    response,
  });
  return { staffId: match.passkey.staffId, passkeyId: match.passkey.id };
}

/**
 * The options with which a browser creates a passkey of a staff member.
 * @throws {ApiError} too_many_passkeys
 */
export async function createStaffPasskeyOptions(
  context: Context,
  { id, email, name }: Pick<StaffRow, 'id' | 'email' | 'name'>,
): Promise<PasskeyOptions> {
  const existing = await context.db.select().from(staffPasskeys).where(eq(staffPasskeys.staffId, id));
  const userId = await ensureUserId(context.db, { table: staffMembers, id });
  if (userId === null) throw new ApiError('session_expired');
  const { brand } = await loadWebSettings(context);
  return createRegistrationOptions(context, staffSite(context.config), {
    brand: brand.name,
    purpose: `staff add ${id}`,
    owner: { userId, email, name, existing },
  });
}

/**
 * Verifies the passkey that a browser created, before the transaction that stores it.
 * @throws {ApiError} attempt_expired, passkey_refused
 */
export async function readStaffPasskey(
  context: Context,
  input: { staffId: string; device: string; temp: string; response: PasskeyResponse },
): Promise<typeof staffPasskeys.$inferInsert> {
  const { staffId, device, temp, response } = input;
  const challenge = openChallenge(context, { purpose: `staff add ${staffId}`, temp });
  await consumePasskeyChallenge(context.db, challenge);
  const { challenge: expected } = challenge;
  const made = await readNewPasskey(staffSite(context.config), { challenge: expected, response });
  const name = defaultPasskeyName(made.aaguid, device);
  return { ...made, id: newId('pky'), staffId, name, insertedAt: context.clock.now() };
}

/**
 * Stores a passkey in the transaction that locked its owner's row.
 * @throws {ApiError} too_many_passkeys, passkey_exists
 */
export async function storeStaffPasskey(tx: Database, row: typeof staffPasskeys.$inferInsert): Promise<void> {
  const count = await tx.$count(staffPasskeys, eq(staffPasskeys.staffId, row.staffId));
  if (count >= MAX_PASSKEYS) throw new ApiError('too_many_passkeys');
  await tx
    .insert(staffPasskeys)
    .values(row)
    .catch((error: unknown) => {
      throw violatedUniqueConstraint(error) === null ? error : new ApiError('passkey_exists');
    });
}
