import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { and, asc, eq, lt, or, sql } from 'drizzle-orm';
import { type Passkey, PasskeySchema } from '#contract/identity/security/schemas.ts';
import type { PasskeyResponse } from '#contract/identity/sign-in/schemas.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { present } from '#server/core/present.ts';
import type { Database } from '#server/database/database.ts';
import { customers, passkeys } from '#server/database/schema/people.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import type { OwnerOnDevice } from '../customers.ts';
import { consumePasskeyChallenge, loadWebAuthn, openChallenge } from './passkey-challenge.ts';
import { settleFactors } from './recovery-codes.ts';
import { changeAccount } from './security-events.ts';

type Dependencies = Pick<Context, 'db' | 'clock' | 'vault' | 'config' | 'log'>;
type OwnedPasskey = { passkey: typeof passkeys.$inferSelect; userId: string | null };

/** The customer and passkey of a verified response. */
export type VerifiedAssertion = {
  customerId: string;
  passkeyId: string;
  /**
   * The authenticator verified the user, by finger, face or PIN, now and at registration, so it counts as both steps of
   * a sign-in. Registration matters because the finder of a key without a PIN can set one.
   */
  userVerified: boolean;
};

/**
 * Verifies and uses up a passkey's response to a challenge of `createSignInOptions`.
 * @throws {ApiError} attempt_expired, unknown_credential, passkey_refused
 */
export async function verifyAssertion(
  context: Dependencies,
  { temp, response }: { temp: string; response: PasskeyResponse },
): Promise<VerifiedAssertion> {
  const challenge = openChallenge(context, { purpose: 'sign-in', temp });
  const match = await findPasskey(context.db, response.id);
  if (!match) throw new ApiError('unknown_credential');
  await consumePasskeyChallenge(context.db, challenge);
  const { passkey } = match;
  const answer = await readAnswer(context, { ...match, challenge: challenge.challenge, response });
  await recordUse(context, { passkey, ...answer });
  const userVerified = answer.userVerified && passkey.verifiesUser;
  return { customerId: passkey.customerId, passkeyId: passkey.id, userVerified };
}

/** The only origins on which a passkey may be used. */
export function passkeyOrigins({ origins }: Pick<Config, 'origins'>): string[] {
  return [origins.tickets, origins.portal];
}

async function findPasskey(db: Database, credentialId: string): Promise<OwnedPasskey | null> {
  const [match] = await db
    .select({ passkey: passkeys, userId: customers.webauthnUserId })
    .from(passkeys)
    .innerJoin(customers, eq(customers.id, passkeys.customerId))
    .where(eq(passkeys.credentialId, credentialId));
  return match ?? null;
}

type Answer = { counter: number; isBackedUp: boolean; userVerified: boolean };

async function readAnswer(
  { config }: Pick<Context, 'config'>,
  { passkey, userId, challenge, response }: OwnedPasskey & { challenge: string; response: PasskeyResponse },
): Promise<Answer> {
  const { userHandle } = response.response;
  if (userHandle !== undefined && userHandle !== null && userHandle !== userId) {
    throw new ApiError('passkey_refused');
  }
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const checked = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: passkeyOrigins(config),
    expectedRPID: config.parentDomain,
    requireUserVerification: false,
    credential: {
      id: passkey.credentialId,
      publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
      // Compared below, to distinguish a decreased counter from an invalid response.
      counter: 0,
    },
    // The library throws for every invalid response.
  }).catch(() => null);
  if (!checked?.verified) throw new ApiError('passkey_refused');
  const { newCounter, credentialBackedUp, userVerified } = checked.authenticationInfo;
  return { counter: newCounter, isBackedUp: credentialBackedUp, userVerified };
}

/** A counter that does not increase means that a key was cloned; 0 means that it does not count. */
async function recordUse(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  { passkey, counter, isBackedUp }: Answer & Pick<OwnedPasskey, 'passkey'>,
): Promise<void> {
  const used = await db
    .update(passkeys)
    .set({ counter, backedUp: isBackedUp, lastUsedAt: clock.now() })
    .where(
      and(
        eq(passkeys.id, passkey.id),
        or(lt(passkeys.counter, counter), and(eq(passkeys.counter, 0), sql`${counter}::bigint = 0`)),
      ),
    )
    .returning({ id: passkeys.id });
  if (used.length > 0) return;
  log.warn('a passkey counted backwards', { passkey_id: passkey.id });
  throw new ApiError('passkey_refused');
}

type PasskeyRow = typeof passkeys.$inferSelect;

export function presentPasskey(row: PasskeyRow): Passkey {
  return present(PasskeySchema, row);
}

/** A customer's passkeys, oldest first. */
export async function listPasskeys(db: Database, customerId: string): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.customerId, customerId))
    .orderBy(asc(passkeys.insertedAt), asc(passkeys.id));
  return rows.map(presentPasskey);
}

/**
 * Renames a passkey.
 * @throws {ApiError} not_found
 */
export async function renamePasskey(
  db: Database,
  { customerId, id, name }: { customerId: string; id: string; name: string },
): Promise<Passkey> {
  const [renamed] = await db.update(passkeys).set({ name }).where(isOwn(customerId, id)).returning();
  if (!renamed) throw notFound();
  return presentPasskey(renamed);
}

/**
 * Removes a passkey, which can no longer sign in.
 * @throws {ApiError} not_found, last_second_factor
 */
export async function removePasskey(
  context: Context,
  { id, ...owner }: OwnerOnDevice & { id: string },
): Promise<void> {
  await changeAccount(context, owner, async (tx, customer) => {
    const removed = await tx.delete(passkeys).where(isOwn(customer.id, id)).returning({ id: passkeys.id });
    if (removed.length === 0) throw notFound();
    await settleFactors(tx, customer);
    return 'passkey_removed';
  });
}

function isOwn(customerId: string, id: string) {
  return and(eq(passkeys.id, id), eq(passkeys.customerId, customerId));
}
