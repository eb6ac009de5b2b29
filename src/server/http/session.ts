import { randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Context, MiddlewareHandler } from 'hono';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { sessions } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { hashToken } from '../vault.ts';
import type { ApiEnv, SignedIn } from './api.ts';
import { ApiError } from './api-error.ts';

const DAY = 86_400_000;
const SESSION_DAYS = 365;
const IDLE_DAYS = 90;
const MAX_SESSIONS = 20;
const SEEN_EVERY_MS = 5 * 60_000;
const TOKEN = /^gw_[\w-]{43}$/;

type Parts = Pick<Deps, 'db' | 'clock'>;

/** Lets anybody through and tells handlers who it is when the bearer token is good. */
export function findSession(deps: Parts): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const bearer = readBearer(c);
    const signedIn = bearer === null ? null : await findByToken(deps, bearer);
    if (signedIn) c.set('signedIn', signedIn);
    await next();
  };
}

/** Lets only a good bearer token through: 401 `unauthenticated` without one, `session_expired` with a dead one. */
export function requireSession(deps: Parts): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const bearer = readBearer(c);
    if (bearer === null) throw new ApiError('unauthenticated');
    const signedIn = await findByToken(deps, bearer);
    if (!signedIn) throw new ApiError('session_expired');
    c.set('signedIn', signedIn);
    await next();
  };
}

/**
 * Whose session this is, behind `requireSession`.
 * @throws {ApiError} unauthenticated
 */
export function signedInOf(c: Context<ApiEnv>): SignedIn {
  const signedIn = c.get('signedIn');
  if (!signedIn) throw new ApiError('unauthenticated');
  return signedIn;
}

/** The bearer of the authorization header. Never a cookie, never the query: nothing rides along by itself. */
export function readBearer(c: Context): string | null {
  const header = c.req.header('authorization');
  if (header === undefined) return null;
  const [, bearer] = /^bearer +(\S+) *$/i.exec(header) ?? [];
  return bearer ?? null;
}

/**
 * Starts a session and answers its token, which is kept only as a hash. The customer's 21st session ends the
 * oldest. Run it in a transaction: the customer's row is locked so that parallel sign-ins count each other.
 */
export async function createSession(
  db: Database,
  clock: Clock,
  session: { customerId: string; kind: (typeof sessions.$inferInsert)['kind']; device: string },
): Promise<string> {
  const now = clock.now();
  const token = `gw_${randomBytes(32).toString('base64url')}`;
  await db.execute(sql`select 1 from customers where id = ${session.customerId} for update`);
  await db.insert(sessions).values({
    id: newId('ses'),
    ...session,
    tokenHash: hashToken(token),
    insertedAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY),
  });
  await db.execute(sql`
    update sessions set revoked_at = ${now.toISOString()}::timestamptz
    where id in (
      select id from sessions
      where customer_id = ${session.customerId} and revoked_at is null
        and expires_at > ${now.toISOString()}::timestamptz
      order by inserted_at desc, id desc
      offset ${MAX_SESSIONS}
    )
  `);
  return token;
}

/** Ends the session of a token; one that is none changes nothing. */
export async function endSession({ db, clock }: Parts, token: string): Promise<void> {
  if (!TOKEN.test(token)) return;
  await db
    .update(sessions)
    .set({ revokedAt: clock.now() })
    .where(and(eq(sessions.tokenHash, hashToken(token)), isNull(sessions.revokedAt)));
}

async function findByToken({ db, clock }: Parts, token: string): Promise<SignedIn | null> {
  if (!TOKEN.test(token)) return null;
  const now = clock.now();
  const [found] = await db
    .select({ id: sessions.id, customerId: sessions.customerId, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(
      and(
        eq(sessions.tokenHash, hashToken(token)),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, new Date(now.getTime() - IDLE_DAYS * DAY)),
      ),
    );
  if (!found) return null;
  await noteSeen(db, found, now);
  return { sessionId: found.id, customerId: found.customerId };
}

/** Written every five minutes at most: reading an account must not cost a write each time. */
async function noteSeen(db: Database, session: { id: string; lastSeenAt: Date }, now: Date): Promise<void> {
  const due = new Date(now.getTime() - SEEN_EVERY_MS);
  if (session.lastSeenAt > due) return;
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.id, session.id), lte(sessions.lastSeenAt, due)));
}
