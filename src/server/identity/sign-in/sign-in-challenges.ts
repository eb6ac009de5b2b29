import { randomInt } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { newId, newSecret } from '#server/core/ids.ts';
import { hashToken } from '#server/core/vault.ts';
import type { Database } from '#server/database/database.ts';
import { signInChallenges } from '#server/database/schema/people.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { DAY_SECONDS, HOUR_SECONDS, rateLimit, rateLimitDistinct } from '#server/http/rate-limit.ts';
import { daysBefore } from '#server/retention.ts';
import { type CustomerRow, normalizeEmail } from '../customers.ts';
import { findKnownDevice } from '../security/known-device.ts';

export type SignInChallenge = typeof signInChallenges.$inferSelect;

/** Lifetime of a challenge in seconds. */
export const CHALLENGE_SECONDS = 600;
/** Guesses allowed per challenge. */
const MAX_GUESSES = 5;
const CODE_DIGITS = 6;

/** The secrets to mail, and the signature of the code to store. */
export type MailedSecrets = { code: string; link: string; codeMac: string; linkHash: string };

/** Starts a challenge and returns its handle, which only this browser receives. */
export async function createSignInChallenge(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  challenge: Pick<SignInChallenge, 'kind' | 'customerId' | 'email' | 'device'> & {
    id?: string;
    mailed?: { codeMac: string; linkHash: string | null };
    firstStep?: NonNullable<SignInChallenge['firstStep']>;
    originLinkHash?: string | null;
  },
): Promise<string> {
  const { mailed, id = newId('att'), originLinkHash = null, firstStep = null, ...rest } = challenge;
  const now = clock.now();
  const temp = newSecret();
  await tx.insert(signInChallenges).values({
    ...rest,
    id,
    firstStep,
    originLinkHash,
    tempHash: hashToken(temp),
    codeMac: mailed?.codeMac ?? null,
    linkHash: mailed?.linkHash ?? null,
    mailsSent: mailed ? 1 : 0,
    lastMailAt: mailed ? now : null,
    insertedAt: now,
    expiresAt: getChallengeExpiry(now),
  });
  return temp;
}

/**
 * Creates a code and a link for one challenge. Six digits are easy to guess, so their hash is keyed and bound to the
 * challenge.
 */
export function createMailedSecrets({ vault }: Pick<Context, 'vault'>, challengeId: string): MailedSecrets {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const link = newSecret();
  return { code, link, codeMac: vault.sign('sign-in-code', challengeId + code), linkHash: hashToken(link) };
}

/** Whether the digits are those mailed for the challenge; always false for an unknown address. */
export function isMailedCode(
  { vault }: Pick<Context, 'vault'>,
  { challenge, code }: { challenge: SignInChallenge; code: string },
): boolean {
  const isRight = vault.verify('sign-in-code', challenge.id + code, challenge.codeMac ?? '');
  return isRight && challenge.customerId !== null;
}

/**
 * The open challenge of a handle, after counting one guess; counted before the comparison, so that parallel guesses are
 * limited.
 * @throws {ApiError} attempt_expired, also after five guesses and for another kind of challenge
 */
export async function countGuess(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { temp, kind }: { temp: string; kind: SignInChallenge['kind'] },
): Promise<SignInChallenge> {
  const [challenge] = await db
    .update(signInChallenges)
    .set({ tries: sql`${signInChallenges.tries} + 1` })
    .where(isOpen({ temp, kind, now: clock.now() }))
    .returning();
  if (!challenge) throw new ApiError('attempt_expired');
  return challenge;
}

/**
 * The open challenge of a handle.
 * @throws {ApiError} attempt_expired
 */
export async function requireSignInChallenge(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { temp, kind }: { temp: string; kind: SignInChallenge['kind'] },
): Promise<SignInChallenge> {
  const [challenge] = await db
    .select()
    .from(signInChallenges)
    .where(isOpen({ temp, kind, now: clock.now() }));
  if (!challenge) throw new ApiError('attempt_expired');
  return challenge;
}

/**
 * Uses up a challenge in the transaction of its effect; of several concurrent requests one succeeds.
 * @throws {ApiError} attempt_expired
 */
export async function consumeSignInChallenge(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  id: string,
): Promise<void> {
  const consumed = await tx
    .update(signInChallenges)
    .set({ consumedAt: clock.now() })
    .where(and(eq(signInChallenges.id, id), isNull(signInChallenges.consumedAt)))
    .returning({ id: signInChallenges.id });
  if (consumed.length === 0) throw new ApiError('attempt_expired');
}

/**
 * Whether the account still has the address that the code or link was mailed to. It may have changed between its
 * look-up and the creation of the challenge, which `endSessions` then misses.
 */
export function isForCurrentAddress(
  { email }: Pick<SignInChallenge, 'email'>,
  customer: { email: string },
): boolean {
  return normalizeEmail(email) === normalizeEmail(customer.email);
}

/** Expiry of a challenge (or its mail) created now. */
export function getChallengeExpiry(now: Date): Date {
  return new Date(now.getTime() + CHALLENGE_SECONDS * 1000);
}

function isOpen({ temp, kind, now }: { temp: string; kind: SignInChallenge['kind']; now: Date }) {
  return and(
    eq(signInChallenges.tempHash, hashToken(temp)),
    eq(signInChallenges.kind, kind),
    isNull(signInChallenges.consumedAt),
    gt(signInChallenges.expiresAt, now),
    lt(signInChallenges.tries, MAX_GUESSES),
  );
}

/** An expired challenge is kept for a day, so that who returns to it is told that it expired. */
export async function deleteOldSignInChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, daysBefore(now, 1)));
}

/**
 * Counts a mailed code per mailbox and network, also for unknown addresses. A browser known to the owner has a separate
 * count, so that others cannot use up the owner's mails.
 * @throws {ApiError} rate_limited
 */
export async function limitCodeMails(
  context: Context,
  { client, customer, email }: { client: Client; customer: CustomerRow | null; email: string },
): Promise<void> {
  const mailbox = findKnownDevice(context, { client, customer }) ?? email;
  await rateLimitDistinct(
    context,
    { name: 'code-mail-network', who: client.network, limit: 20, windowSeconds: HOUR_SECONDS },
    email,
  );
  await rateLimit(context, { name: 'code-mail-hour', who: mailbox, limit: 5, windowSeconds: HOUR_SECONDS });
  await rateLimit(context, { name: 'code-mail-day', who: mailbox, limit: 10, windowSeconds: DAY_SECONDS });
}
