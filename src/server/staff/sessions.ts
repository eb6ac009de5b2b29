import { and, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm';
import { sessionCookies } from '#contract/hosts.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { StaffSession as PresentedSession } from '#contract/staff/schemas.ts';
import { COOKIE_PREFIX } from '#messages/languages.ts';
import type { Context } from '../context.ts';
import { newId, newSecret } from '../core/ids.ts';
import { hashToken } from '../core/vault.ts';
import type { Database } from '../database/database.ts';
import { staffMembers, staffSessions } from '../database/schema/staff.ts';
import type { StaffSession } from '../http/api.ts';
import type { Cookie } from '../http/client.ts';
import type { Credentials } from '../http/handle-calls.ts';
import { ENDED_SESSION_DAYS, FRESH_MS, SEEN_EVERY_MS } from '../identity/sessions.ts';
import { daysBefore } from '../retention.ts';
import type { StaffRow } from './members.ts';

/** A shift. The session is not extended. */
const SESSION_SECONDS = 12 * 3600;
/** What a person may do at a paired device, where a PIN is enough to sign in. */
const SHIFT_ROLE = 'gate';
/** Differs from the tokens of customers. */
const TOKEN = /^gst_[\w-]{43}$/;

type Dependencies = Pick<Context, 'db' | 'clock'>;

/** Finds the session of a staff member by its token. */
export async function findStaffSession(
  { db, clock }: Dependencies,
  { token }: Pick<Credentials, 'token'>,
): Promise<StaffSession | null> {
  if (!TOKEN.test(token)) return null;
  const [session] = await db
    .select({
      staffSessionId: staffSessions.id,
      staffId: staffMembers.id,
      name: staffMembers.name,
      email: staffMembers.email,
      ownRole: staffMembers.role,
      gateDeviceId: staffSessions.gateDeviceId,
      expiresAt: staffSessions.expiresAt,
      freshUntil: staffSessions.freshUntil,
      lastSeenAt: staffSessions.lastSeenAt,
    })
    .from(staffSessions)
    .innerJoin(staffMembers, eq(staffMembers.id, staffSessions.staffId))
    .where(
      and(
        eq(staffSessions.tokenHash, hashToken(token)),
        isActive(clock.now()),
        isNull(staffMembers.disabledAt),
      ),
    );
  if (!session) return null;
  const { lastSeenAt, gateDeviceId, ownRole, ...rest } = session;
  await updateLastSeen(db, { ...rest, lastSeenAt }, clock.now());
  return { ...rest, role: gateDeviceId === null ? ownRole : SHIFT_ROLE };
}

/** The roles of those sessions that have not ended, by session. Does not count as their use. */
export async function findActiveRoles(
  { db, clock }: Dependencies,
  sessionIds: readonly string[],
): Promise<Map<string, StaffRole>> {
  const rows = await db
    .select({
      id: staffSessions.id,
      role: staffMembers.role,
      gateDeviceId: staffSessions.gateDeviceId,
    })
    .from(staffSessions)
    .innerJoin(staffMembers, eq(staffMembers.id, staffSessions.staffId))
    .where(
      and(inArray(staffSessions.id, [...sessionIds]), isActive(clock.now()), isNull(staffMembers.disabledAt)),
    );
  return new Map(rows.map(({ id, role, gateDeviceId }) => [id, gateDeviceId === null ? role : SHIFT_ROLE]));
}

/** The token of a new session, and what the browser shows of it. */
export type StartedStaffSession = {
  token: string;
  session: Pick<StaffSession, 'staffId' | 'name' | 'email' | 'role' | 'expiresAt'>;
};

/** `gateDeviceId`: the paired device of a shift. */
type NewSession = {
  member: Pick<StaffRow, 'id' | 'name' | 'email' | 'role'>;
  device: string;
  gateDeviceId?: string | null;
};

/** Starts a session, in which sensitive actions need no step-up at first. Only a hash of its token is stored. */
export async function createStaffSession(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { member, device, gateDeviceId = null }: NewSession,
): Promise<StartedStaffSession> {
  const { id: staffId, name, email } = member;
  const isShift = gateDeviceId !== null;
  const role = isShift ? SHIFT_ROLE : member.role;
  const now = clock.now();
  const token = `gst_${newSecret()}`;
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
  await tx.insert(staffSessions).values({
    id: newId('sts'),
    staffId,
    tokenHash: hashToken(token),
    device,
    gateDeviceId,
    freshUntil: isShift ? null : new Date(now.getTime() + FRESH_MS),
    insertedAt: now,
    lastSeenAt: now,
    expiresAt,
  });
  await tx.update(staffMembers).set({ lastSeenAt: now }).where(eq(staffMembers.id, staffId));
  return { token, session: { staffId, name, email, role, expiresAt } };
}

/** Lets sensitive actions of a session need no step-up for ten minutes. */
export async function renewFreshness(
  { db, clock }: Dependencies,
  { staffSessionId }: Pick<StaffSession, 'staffSessionId'>,
): Promise<void> {
  await db
    .update(staffSessions)
    .set({ freshUntil: new Date(clock.now().getTime() + FRESH_MS) })
    .where(and(eq(staffSessions.id, staffSessionId), isActive(clock.now())));
}

/** The cookie with a session's token; null removes it. */
export function createStaffCookie(token: string | null): Cookie {
  return {
    name: COOKIE_PREFIX + sessionCookies.staff.name,
    value: token ?? '',
    maxAgeSeconds: token === null ? 0 : SESSION_SECONDS,
  };
}

/** Ends one session of a staff member, or all. */
export async function endStaffSessions(
  { db, clock }: Dependencies,
  { staffId, staffSessionId }: { staffId: string; staffSessionId?: string },
): Promise<void> {
  const now = clock.now();
  const chosen = staffSessionId === undefined ? undefined : eq(staffSessions.id, staffSessionId);
  await db
    .update(staffSessions)
    .set({ revokedAt: now })
    .where(and(eq(staffSessions.staffId, staffId), chosen, isActive(now)));
}

/** Ended sessions stay as long as those of customers. */
export async function deleteOldStaffSessions(db: Database, now: Date): Promise<void> {
  const end = daysBefore(now, ENDED_SESSION_DAYS);
  await db
    .delete(staffSessions)
    .where(or(lt(staffSessions.expiresAt, end), lt(staffSessions.revokedAt, end)));
}

/** Updated every five minutes at most, to avoid a write per request. */
async function updateLastSeen(
  db: Database,
  { staffSessionId, staffId, lastSeenAt }: { staffSessionId: string; staffId: string; lastSeenAt: Date },
  now: Date,
): Promise<void> {
  if (now.getTime() - lastSeenAt.getTime() < SEEN_EVERY_MS) return;
  await db.update(staffSessions).set({ lastSeenAt: now }).where(eq(staffSessions.id, staffSessionId));
  await db.update(staffMembers).set({ lastSeenAt: now }).where(eq(staffMembers.id, staffId));
}

function isActive(now: Date) {
  return and(isNull(staffSessions.revokedAt), gt(staffSessions.expiresAt, now));
}

/** A session as the API describes it. */
export function presentStaffSession({
  staffId,
  name,
  email,
  role,
  expiresAt,
}: StartedStaffSession['session']): PresentedSession {
  return { staff: { id: staffId, name, email, role }, expires_at: expiresAt.toISOString() };
}
