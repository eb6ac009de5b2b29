import { randomBytes } from 'node:crypto';
import { lt } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { loadLater } from '#server/core/load-later.ts';
import { hashToken } from '#server/core/vault.ts';
import type { Database } from '#server/database/database.ts';
import { usedPasskeyChallenges } from '#server/database/schema/people.ts';
import { ApiError } from '#server/http/api-error.ts';

const CHALLENGE_BYTES = 32;
const LIFETIME_MS = 5 * 60_000;
const HANDLE = /^([\w-]{43})\.(\d{13})\.([\w-]{43})$/;

/** The library for passkeys, which loads two hundred modules. */
export const loadWebAuthn = loadLater(async () => {
  const library = await import('@simplewebauthn/server');
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  return {
    decodeAttestationObject,
    generateAuthenticationOptions: library.generateAuthenticationOptions,
    generateRegistrationOptions: library.generateRegistrationOptions,
    verifyAuthenticationResponse: library.verifyAuthenticationResponse,
    verifyRegistrationResponse: library.verifyRegistrationResponse,
  };
});

/** How long a browser may wait for a passkey, in milliseconds. */
export const PASSKEY_TIMEOUT_MS = LIFETIME_MS;

/** The purpose of a challenge; a response to one purpose is invalid for another. */
export type ChallengePurpose = 'sign-in' | `add ${string}` | 'staff sign-in' | `staff add ${string}`;
type Challenge = { bytes: Uint8Array<ArrayBuffer>; temp: string };
export type OpenedChallenge = { challenge: string; temp: string; expiresAt: Date };

/**
 * Creates a challenge and a handle that contains it, signed. Nothing is stored, so mass requests write nothing. Valid
 * for five minutes and one use.
 */
export function createChallenge(
  { vault, clock }: Pick<Context, 'vault' | 'clock'>,
  purpose: ChallengePurpose,
): Challenge {
  const bytes = Uint8Array.from(randomBytes(CHALLENGE_BYTES));
  const signed = `${Buffer.from(bytes).toString('base64url')}.${clock.now().getTime() + LIFETIME_MS}`;
  return { bytes, temp: `${signed}.${vault.sign(vaultPurpose(purpose), signed)}` };
}

/**
 * Reads the challenge of a handle that was issued for this purpose.
 * @throws {ApiError} attempt_expired
 */
export function openChallenge(
  { vault, clock }: Pick<Context, 'vault' | 'clock'>,
  { purpose, temp }: { purpose: ChallengePurpose; temp: string },
): OpenedChallenge {
  const [, challenge = '', expires = '', signature = ''] = HANDLE.exec(temp) ?? [];
  const expiresAt = new Date(Number(expires));
  const isOurs = vault.verify(vaultPurpose(purpose), `${challenge}.${expires}`, signature);
  if (!isOurs || expiresAt <= clock.now()) throw new ApiError('attempt_expired');
  return { challenge, temp, expiresAt };
}

/**
 * Records that a challenge was answered.
 * @throws {ApiError} attempt_expired if it was answered before
 */
export async function consumePasskeyChallenge(
  db: Database,
  { challenge, expiresAt }: OpenedChallenge,
): Promise<void> {
  const spent = await db
    .insert(usedPasskeyChallenges)
    .values({ hash: hashToken(challenge), expiresAt })
    .onConflictDoNothing()
    .returning({ hash: usedPasskeyChallenges.hash });
  if (spent.length === 0) throw new ApiError('attempt_expired');
}

function vaultPurpose(purpose: ChallengePurpose): string {
  return `passkey-challenge ${purpose}`;
}

export async function deleteOldPasskeyChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(usedPasskeyChallenges).where(lt(usedPasskeyChallenges.expiresAt, now));
}
