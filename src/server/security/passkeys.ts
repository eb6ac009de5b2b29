import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { PasskeyResponse } from '#contract/sign-in/schemas.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { customers, passkeys } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { openChallenge, spendChallenge } from './passkey-challenge.ts';

type Parts = Pick<Deps, 'db' | 'clock' | 'vault' | 'config' | 'log'>;
type KnownPasskey = { passkey: typeof passkeys.$inferSelect; userId: string | null };

/** Whose passkey answered. */
export type CheckedAssertion = {
  customerId: string;
  passkeyId: string;
  /**
   * The authenticator checked who holds it, by finger, face or PIN, now and when the passkey was made: then it is both
   * steps of a sign-in. Whoever finds a key without a PIN can give it one.
   */
  userVerified: boolean;
};

/**
 * Checks what a passkey answered to a challenge of `createSignInOptions`, which this uses up.
 * @throws {ApiError} attempt_expired, unknown_credential, passkey_refused
 */
export async function checkAssertion(
  deps: Parts,
  { temp, response }: { temp: string; response: PasskeyResponse },
): Promise<CheckedAssertion> {
  const challenge = openChallenge(deps, 'sign-in', temp);
  const known = await findPasskey(deps.db, response.id);
  if (!known) throw new ApiError('unknown_credential');
  await spendChallenge(deps.db, challenge);
  const { passkey } = known;
  const answer = await readAnswer(deps, known, { challenge: challenge.challenge, response });
  await noteUse(deps, passkey, answer);
  const userVerified = answer.userVerified && passkey.verifiesUser;
  return { customerId: passkey.customerId, passkeyId: passkey.id, userVerified };
}

/** Pages a passkey may be used on: exactly these. */
export function passkeyOrigins({ origins }: Pick<Config, 'origins'>): string[] {
  return [origins.tickets, origins.portal];
}

async function findPasskey(db: Database, credentialId: string): Promise<KnownPasskey | null> {
  const [found] = await db
    .select({ passkey: passkeys, userId: customers.webauthnUserId })
    .from(passkeys)
    .innerJoin(customers, eq(customers.id, passkeys.customerId))
    .where(eq(passkeys.credentialId, credentialId));
  return found ?? null;
}

type Answer = { counter: number; isBackedUp: boolean; userVerified: boolean };

async function readAnswer(
  { config }: Pick<Deps, 'config'>,
  { passkey, userId }: KnownPasskey,
  { challenge, response }: { challenge: string; response: PasskeyResponse },
): Promise<Answer> {
  const { userHandle } = response.response;
  if (userHandle !== undefined && userHandle !== null && userHandle !== userId) {
    throw new ApiError('passkey_refused');
  }
  const checked = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: passkeyOrigins(config),
    expectedRPID: config.parentDomain,
    requireUserVerification: false,
    credential: {
      id: passkey.credentialId,
      publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
      // Compared below, where a counter that goes back can be told from an answer that is no answer.
      counter: 0,
    },
    // Whatever is wrong with an answer, the library throws.
  }).catch(() => null);
  if (!checked?.verified) throw new ApiError('passkey_refused');
  const { newCounter, credentialBackedUp, userVerified } = checked.authenticationInfo;
  return { counter: newCounter, isBackedUp: credentialBackedUp, userVerified };
}

/** A counter that does not go up means that two authenticators answer with one key; 0 means that it does not count. */
async function noteUse(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  passkey: typeof passkeys.$inferSelect,
  { counter, isBackedUp }: Answer,
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
