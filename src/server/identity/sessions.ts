import { and, eq, gt, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId, newSecret } from '../core/ids.ts';
import { hashToken } from '../core/vault.ts';
import type { Database } from '../database/database.ts';
import { sessions, signInChallenges } from '../database/schema/people.ts';
import type { CustomerSession } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { type Cookie, readCookies } from '../http/client.ts';
import type { Credentials } from '../http/handle-calls.ts';
import { daysBefore } from '../retention.ts';

export const ENDED_SESSION_DAYS = 30;

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A session expires after this many days without use. */
export const IDLE_DAYS = 90;
const MAX_SESSIONS = 20;
/** How precisely the time of last use is stored. */
export const SEEN_EVERY_MS = 5 * MINUTE;
/** How long after a proof of identity sensitive actions need no other. */
export const FRESH_MS = 10 * MINUTE;
/** Requests in progress in other tabs must not get 401, which would sign all of them out. */
const OVERLAP_MS = MINUTE;
const TOKEN = /^gw_[\w-]{43}$/;

/** Lifetime of a session and its cookies in days. */
const SESSION_DAYS = 365;
/** The cookie required beside a browser's token, so that a token stolen by a script cannot be used alone. */
const PROOF_COOKIE = 'my-session-proof';

export type SignInMethod = (typeof sessions.$inferInsert)['kind'];
type Dependencies = Pick<Context, 'db' | 'clock'>;

/** Finds a session by its bearer token and proof cookie. */
export async function findSession(
  { db, clock }: Dependencies,
  { token, cookies }: Credentials,
): Promise<CustomerSession | null> {
  if (!TOKEN.test(token)) return null;
  const now = clock.now();
  const tokenHash = hashToken(token);
  const [session] = await db
    .select({
      id: sessions.id,
      customerId: sessions.customerId,
      tokenHash: sessions.tokenHash,
      proofHash: sessions.proofHash,
      freshUntil: sessions.freshUntil,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(
      and(
        hasToken(tokenHash, now),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, after(now, -IDLE_DAYS * DAY)),
      ),
    );
  if (!session) return null;
  const { proofHash } = session;
  const proof =
    proofHash === null
      ? null
      : readCookies(cookies, PROOF_COOKIE).find((value) => hashToken(value) === proofHash);
  if (proof === undefined) return null;
  await updateLastSeen(db, session, now);
  // Freshness belongs to the new token; the previous one is about to end.
  const freshUntil = session.tokenHash === tokenHash ? session.freshUntil : null;
  return { sessionId: session.id, customerId: session.customerId, freshUntil, proof };
}

/** The proof cookie, valid for another 365 days; null removes it. */
export function createProofCookie(proof: string | null): Cookie {
  return {
    name: PROOF_COOKIE,
    value: proof ?? '',
    maxAgeSeconds: proof === null ? 0 : SESSION_DAYS * 86_400,
  };
}

/**
 * Starts a session and returns its token, of which only a hash is stored. The customer's 21st session ends the oldest.
 * Must run in a transaction: the customer's row is locked so that parallel sign-ins are counted.
 * @param session `isFresh`: sensitive actions need no step-up for ten minutes; `proof`: the value of the proof cookie,
 * null if the session was not started by a browser
 */
export async function createSession(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    customerId,
    kind,
    device,
    isFresh = false,
    proof = null,
  }: { customerId: string; kind: SignInMethod; device: string; isFresh?: boolean; proof?: string | null },
): Promise<string> {
  const now = clock.now();
  const token = newToken();
  await tx.execute(sql`select 1 from customers where id = ${customerId} for no key update`);
  await tx.insert(sessions).values({
    id: newId('ses'),
    customerId,
    kind,
    device,
    tokenHash: hashToken(token),
    proofHash: proof === null ? null : hashToken(proof),
    freshUntil: isFresh ? after(now, FRESH_MS) : null,
    insertedAt: now,
    lastSeenAt: now,
    expiresAt: after(now, SESSION_DAYS * DAY),
  });
  await tx.execute(sql`
    update sessions set revoked_at = ${now.toISOString()}::timestamptz
    where id in (
      select id from sessions
      where customer_id = ${customerId} and revoked_at is null
        and expires_at > ${now.toISOString()}::timestamptz
      order by inserted_at desc, id desc
      offset ${MAX_SESSIONS}
    )
  `);
  return token;
}

/**
 * Issues a new token for the same session after a step-up, fresh for ten minutes. The old token stays valid for 60 s,
 * but not for actions that need a step-up.
 * @throws {ApiError} session_expired if the session has ended
 */
export async function renewSession(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  sessionId: string,
): Promise<string> {
  const now = clock.now();
  const token = newToken();
  const renewed = await tx
    .update(sessions)
    .set({
      tokenHash: hashToken(token),
      previousTokenHash: sql`${sessions.tokenHash}`,
      previousTokenUntil: after(now, OVERLAP_MS),
      freshUntil: after(now, FRESH_MS),
    })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
  if (renewed.length === 0) throw new ApiError('session_expired');
  return token;
}

/**
 * Checks that a session was not ended since its token was read.
 * @throws {ApiError} session_expired
 */
export async function requireActiveSession(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  sessionId: string,
): Promise<void> {
  const active = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt), gt(sessions.expiresAt, clock.now())));
  if (active.length === 0) throw new ApiError('session_expired');
}

/**
 * Whether the session still needs no step-up; checked again, because a request may wait long for its body.
 * @throws {ApiError} session_expired if it was ended in the meantime
 */
export async function isStillFresh({ db, clock }: Dependencies, sessionId: string): Promise<boolean> {
  const [session] = await db
    .select({ revokedAt: sessions.revokedAt, freshUntil: sessions.freshUntil })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  if (!session || session.revokedAt !== null) throw new ApiError('session_expired');
  return isFresh(session, clock.now());
}

/**
 * Whether a session needs no step-up. An end further away than a step-up can set was written while the clock was wrong,
 * and counts as over.
 */
export function isFresh({ freshUntil }: Pick<CustomerSession, 'freshUntil'>, now: Date): boolean {
  return freshUntil !== null && freshUntil > now && freshUntil <= after(now, FRESH_MS);
}

/** Requires a new step-up in all other sessions of a customer. */
export async function expireFreshness(
  db: Database,
  { customerId, sessionId }: Pick<CustomerSession, 'customerId' | 'sessionId'>,
): Promise<void> {
  await db
    .update(sessions)
    .set({ freshUntil: null })
    .where(and(eq(sessions.customerId, customerId), ne(sessions.id, sessionId)));
}

/** Ends the session of a token; an unknown token has no effect. */
export async function endSession({ db, clock }: Dependencies, token: string): Promise<void> {
  if (!TOKEN.test(token)) return;
  const now = clock.now();
  await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(hasToken(hashToken(token), now), isNull(sessions.revokedAt)));
}

/** Ends one session of a customer by its id and returns whether it existed and was active. */
export async function endCustomerSession(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { customerId, sessionId }: { customerId: string; sessionId: string },
): Promise<boolean> {
  const now = clock.now();
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(sessions.id, sessionId),
        eq(sessions.customerId, customerId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
      ),
    )
    .returning({ id: sessions.id });
  return ended.length > 0;
}

/**
 * Ends all sessions of a customer, or all but one, and all pending sign-in challenges, which may have been started with
 * rights that were revoked.
 * @returns the number of ended sessions
 */
export async function endSessions(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { customerId, except }: { customerId: string; except?: string | undefined },
): Promise<number> {
  const now = clock.now();
  await tx
    .update(signInChallenges)
    .set({ consumedAt: now })
    .where(and(eq(signInChallenges.customerId, customerId), isNull(signInChallenges.consumedAt)));
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(sessions.customerId, customerId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        except === undefined ? undefined : ne(sessions.id, except),
      ),
    )
    .returning({ id: sessions.id });
  return ended.length;
}

function hasToken(tokenHash: string, now: Date) {
  return or(
    eq(sessions.tokenHash, tokenHash),
    and(eq(sessions.previousTokenHash, tokenHash), gt(sessions.previousTokenUntil, now)),
  );
}

/** Updated every five minutes at most, to avoid a write per request. */
async function updateLastSeen(
  db: Database,
  session: { id: string; lastSeenAt: Date },
  now: Date,
): Promise<void> {
  const due = after(now, -SEEN_EVERY_MS);
  if (session.lastSeenAt > due) return;
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.id, session.id), lte(sessions.lastSeenAt, due)));
}

function newToken(): string {
  return `gw_${newSecret()}`;
}

function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}

/** Ended sessions stay a month, so that their owner can still be told about them. */
export async function deleteOldSessions(db: Database, now: Date): Promise<void> {
  const end = daysBefore(now, ENDED_SESSION_DAYS);
  await db.delete(sessions).where(or(lt(sessions.expiresAt, end), lt(sessions.revokedAt, end)));
}
