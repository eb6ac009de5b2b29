import { randomInt } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import { normaliseEmail } from '../customers/email-address.ts';
import type { Database } from '../database/database.ts';
import { signInAttempts } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { newId, newSecret } from '../ids.ts';
import { daysBefore } from '../retention.ts';
import { hashToken, type Vault } from '../vault.ts';

export type Attempt = typeof signInAttempts.$inferSelect;

/** Lifetime of a challenge in seconds. */
export const ATTEMPT_SECONDS = 600;
/** Guesses allowed per challenge. */
const MAX_TRIES = 5;
const CODE_DIGITS = 6;

/** The secrets to mail, and the signature of the code to store. */
export type MailedSecrets = { code: string; link: string; codeMac: string; linkHash: string };

/** Starts a challenge and returns its handle, which only this browser receives. */
export async function beginAttempt(
  db: Database,
  clock: Clock,
  attempt: Pick<Attempt, 'kind' | 'customerId' | 'email' | 'device'> & {
    id?: string;
    mailed?: { codeMac: string; linkHash: string | null };
    firstStep?: NonNullable<Attempt['firstStep']>;
    originLinkHash?: string | null;
  },
): Promise<string> {
  const { mailed, id = newId('att'), originLinkHash = null, firstStep = null, ...rest } = attempt;
  const now = clock.now();
  const temp = newSecret();
  await db.insert(signInAttempts).values({
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
    expiresAt: expiryOf(now),
  });
  return temp;
}

/**
 * Creates a code and a link for one challenge. Six digits are easy to guess, so their hash is keyed and bound to the
 * challenge.
 */
export function newMailedSecrets(vault: Vault, attemptId: string): MailedSecrets {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const link = newSecret();
  return { code, link, codeMac: vault.sign('sign-in-code', attemptId + code), linkHash: hashToken(link) };
}

/** Whether the digits are those mailed for the challenge; always false for an unknown address. */
export function isMailedCode(vault: Vault, attempt: Attempt, code: string): boolean {
  const isRight = vault.verify('sign-in-code', attempt.id + code, attempt.codeMac ?? '');
  return isRight && attempt.customerId !== null;
}

/**
 * The open challenge of a handle, after counting one guess; counted before the comparison, so that parallel guesses are
 * limited.
 * @throws {ApiError} attempt_expired, also after five guesses and for another kind of challenge
 */
export async function takeTry(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { temp, kind }: { temp: string; kind: Attempt['kind'] },
): Promise<Attempt> {
  const [attempt] = await db
    .update(signInAttempts)
    .set({ tries: sql`${signInAttempts.tries} + 1` })
    .where(isOpen(clock, temp, kind))
    .returning();
  if (!attempt) throw new ApiError('attempt_expired');
  return attempt;
}

/**
 * The open challenge of a handle.
 * @throws {ApiError} attempt_expired
 */
export async function requireAttempt(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { temp, kind }: { temp: string; kind: Attempt['kind'] },
): Promise<Attempt> {
  const [attempt] = await db
    .select()
    .from(signInAttempts)
    .where(isOpen(clock, temp, kind));
  if (!attempt) throw new ApiError('attempt_expired');
  return attempt;
}

/**
 * Uses up a challenge in the transaction of its effect; of several concurrent requests one succeeds.
 * @throws {ApiError} attempt_expired
 */
export async function consumeAttempt(db: Database, clock: Clock, id: string): Promise<void> {
  const consumed = await db
    .update(signInAttempts)
    .set({ consumedAt: clock.now() })
    .where(and(eq(signInAttempts.id, id), isNull(signInAttempts.consumedAt)))
    .returning({ id: signInAttempts.id });
  if (consumed.length === 0) throw new ApiError('attempt_expired');
}

/**
 * Whether the account still has the address that the code or link was mailed to. It may have changed between its
 * look-up and the creation of the challenge, which `endSessions` then misses.
 */
export function isOfMailbox({ email }: Pick<Attempt, 'email'>, customer: { email: string }): boolean {
  return normaliseEmail(email) === normaliseEmail(customer.email);
}

/** Expiry of a challenge (or its mail) created now. */
export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + ATTEMPT_SECONDS * 1000);
}

function isOpen(clock: Clock, temp: string, kind: Attempt['kind']) {
  return and(
    eq(signInAttempts.tempHash, hashToken(temp)),
    eq(signInAttempts.kind, kind),
    isNull(signInAttempts.consumedAt),
    gt(signInAttempts.expiresAt, clock.now()),
    lt(signInAttempts.tries, MAX_TRIES),
  );
}

/** An expired attempt is kept for a day, so that who returns to it is told that it expired. */
export async function deleteOldAttempts(db: Database, now: Date): Promise<void> {
  await db.delete(signInAttempts).where(lt(signInAttempts.expiresAt, daysBefore(now, 1)));
}
