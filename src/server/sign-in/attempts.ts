import { randomInt } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import { normaliseEmail } from '../customers/email-address.ts';
import type { Database } from '../database/database.ts';
import { signInAttempts } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { newId, newSecret } from '../ids.ts';
import { hashToken, type Vault } from '../vault.ts';

export type Attempt = typeof signInAttempts.$inferSelect;

/** How long an attempt waits for what it waits for. Seconds. */
export const ATTEMPT_SECONDS = 600;
/** Guesses one attempt takes. */
const MAX_TRIES = 5;
const CODE_DIGITS = 6;

/** What is mailed, and what is kept of it. */
export type MailedSecrets = { code: string; link: string; codeMac: string; linkHash: string };

/** Begins an attempt and answers its handle, which only the browser that began it gets. */
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

/** A code and a link for one attempt. Six digits are few, so their hash is keyed and bound to the attempt. */
export function newMailedSecrets(vault: Vault, attemptId: string): MailedSecrets {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const link = newSecret();
  return { code, link, codeMac: vault.sign('sign-in-code', attemptId + code), linkHash: hashToken(link) };
}

/** Whether the digits are those mailed for the attempt; nobody's address has none that are right. */
export function isMailedCode(vault: Vault, attempt: Attempt, code: string): boolean {
  const isRight = vault.verify('sign-in-code', attempt.id + code, attempt.codeMac ?? '');
  return isRight && attempt.customerId !== null;
}

/**
 * The open attempt of a handle, with one guess counted before it is compared: parallel guesses are guesses.
 * @throws {ApiError} attempt_expired, also after five guesses and for an attempt of another kind
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
 * The open attempt of a handle.
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
 * Uses an attempt up, in the transaction of what it leads to; of several at once only one succeeds.
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
 * Whether the account still has the address that its code or link was mailed to: it may have changed between the
 * look-up of the address and the writing of the attempt, which `endSessions` then misses.
 */
export function isOfMailbox({ email }: Pick<Attempt, 'email'>, customer: { email: string }): boolean {
  return normaliseEmail(email) === normaliseEmail(customer.email);
}

/** When an attempt (or the mail sent for it) of now ends. */
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
