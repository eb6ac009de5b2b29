import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, lte } from 'drizzle-orm';
import type { GateEvent, OverrideKey } from '#contract/gate/schemas.ts';
import { hasPermission, STAFF_ROLES } from '#contract/staff/permissions.ts';
import { toBase32 } from '#domain/base32.ts';
import { type Board, describeOverride } from '#domain/boarding/override-text.ts';
import type { Context } from '#server/context.ts';
import { addVersion, splitVersion, type Vault } from '#server/core/vault.ts';
import type { Database } from '#server/database/database.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { staffSessions } from '#server/database/schema/staff.ts';
import type { StaffSession } from '#server/http/api.ts';
import { ApiError } from '#server/http/api-error.ts';

/** Of the key, so that it cannot be used for anything else. */
const PURPOSE = 'override';
/** By how much the corrected clock of a device may be wrong. */
const CLOCK_TOLERANCE_MS = 2 * 60_000;

/** The key of a session that may override, which is derived from the session and not stored. */
export function issueOverrideKey(
  { vault }: Pick<Context, 'vault'>,
  { staffSessionId, expiresAt }: Pick<StaffSession, 'staffSessionId' | 'expiresAt'>,
): OverrideKey {
  return {
    key_id: addVersion(vault.version, staffSessionId),
    key: vault.sign(PURPOSE, staffSessionId),
    expires_at: expiresAt.toISOString(),
  };
}

/**
 * Finds who made the overrides among events, by the proof in each: it names the session, and only a device that had the
 * session's key could make it. Who sends the events does not matter.
 * @returns ids of staff members, by event id
 * @throws {ApiError} not_permitted, for an override without a valid proof
 */
export async function findOverriders(
  tx: Database,
  { vault }: Pick<Context, 'vault'>,
  events: readonly GateEvent[],
): Promise<ReadonlyMap<string, string>> {
  const people = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'board' || event.override === undefined) continue;
    const staffId = await findOverrider(tx, vault, event);
    if (staffId === null) throw new ApiError('not_permitted');
    people.set(event.id, staffId);
  }
  return people;
}

async function findOverrider(tx: Database, vault: Vault, event: Board): Promise<string | null> {
  if (!event.proof) return null;
  const { version, value: sessionId } = splitVersion(event.proof.key_id);
  const [session] = await tx.select().from(staffSessions).where(eq(staffSessions.id, sessionId));
  if (!session || !isGenuine(vault, { version, sessionId }, event)) return null;
  const at = Date.parse(event.occurred_at);
  const endedAt = Math.min(
    session.expiresAt.getTime(),
    session.revokedAt?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  const isWithin =
    at >= session.insertedAt.getTime() - CLOCK_TOLERANCE_MS && at <= endedAt + CLOCK_TOLERANCE_MS;
  return isWithin && (await mayStillOverride(tx, session, new Date(at))) ? session.staffId : null;
}

function isGenuine(
  vault: Vault,
  { version, sessionId }: { version: string; sessionId: string },
  event: Board,
): boolean {
  const key = findKey(vault, { version, sessionId });
  if (key === null) return false;
  const expected = Buffer.from(toBase32(createHmac('sha256', key).update(describeOverride(event)).digest()));
  const given = Buffer.from(event.proof?.mac ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Null: the key was made with a secret that this installation does not have. */
function findKey(
  vault: Vault,
  { version, sessionId }: { version: string; sessionId: string },
): string | null {
  try {
    return vault.sign(PURPOSE, sessionId, version);
  } catch {
    return null;
  }
}

/** The session had the right when it got the key; it may have lost it since, by a change of the person's role. */
async function mayStillOverride(
  tx: Database,
  { staffId, insertedAt }: typeof staffSessions.$inferSelect,
  at: Date,
): Promise<boolean> {
  const [change] = await tx
    .select({ after: auditLog.after })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.action, 'staff_role_changed'),
        eq(auditLog.objectId, staffId),
        gt(auditLog.insertedAt, insertedAt),
        lte(auditLog.insertedAt, at),
      ),
    )
    .orderBy(desc(auditLog.seq))
    .limit(1);
  if (!change) return true;
  const role = STAFF_ROLES.find((each) => each === change.after.role);
  return role !== undefined && hasPermission(role, 'override_boarding');
}
