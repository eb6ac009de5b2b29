import { asc, count, eq } from 'drizzle-orm';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { AuditedFields } from '../database/schema/audit.ts';
import { staffMembers, staffPasskeys } from '../database/schema/staff.ts';
import { inTransaction } from '../database/transactions.ts';
import { requireLockedStaff, requireOtherManager, type StaffRow } from './members.ts';
import { endStaffSessions } from './sessions.ts';

type Dependencies = Pick<Context, 'db' | 'clock'>;
type Change = { id: string; actor: AuditActor };

/**
 * Gives a staff member another role, which counts from their next request on.
 * @throws {ApiError} not_found, last_manager
 */
export async function changeStaffRole(
  context: Dependencies,
  { id, role, actor }: Change & { role: StaffRole },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (role !== 'manager') await requireOtherManager(tx, id);
    const member = await requireLockedStaff(tx, id);
    if (member.role === role) return;
    await tx
      .update(staffMembers)
      .set({ role, updatedAt: context.clock.now() })
      .where(eq(staffMembers.id, id));
    await recordStaffChange(tx, context, {
      actor,
      action: 'staff_role_changed',
      objectId: id,
      before: { role: member.role },
      after: { role },
    });
  });
}

/**
 * Ends someone's access: their sessions, their invitation and their right to sign in.
 * @throws {ApiError} not_found, last_manager
 */
export async function disableStaff(context: Dependencies, { id, actor }: Change): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await requireOtherManager(tx, id);
    const member = await requireLockedStaff(tx, id);
    if (member.disabledAt !== null) return;
    const now = context.clock.now();
    await tx
      .update(staffMembers)
      .set({ disabledAt: now, invitationHash: null, invitationExpiresAt: null, updatedAt: now })
      .where(eq(staffMembers.id, id));
    await endStaffSessions({ ...context, db: tx }, { staffId: id });
    await recordStaffChange(tx, context, { actor, action: 'staff_disabled', objectId: id });
  });
}

/**
 * Signs a staff member out on all devices.
 * @throws {ApiError} not_found
 */
export async function endSessionsOf(context: Dependencies, { id, actor }: Change): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await requireLockedStaff(tx, id);
    await endStaffSessions({ ...context, db: tx }, { staffId: id });
    await recordStaffChange(tx, context, { actor, action: 'staff_sessions_ended', objectId: id });
  });
}

/** A staff member with the number of their passkeys. */
export type StaffWithCounts = StaffRow & { passkeys: number };

/** Everyone who works here, is invited or was disabled, by name. */
export async function listStaff(db: Database): Promise<StaffWithCounts[]> {
  const rows = await db
    .select({ member: staffMembers, passkeys: count(staffPasskeys.id) })
    .from(staffMembers)
    .leftJoin(staffPasskeys, eq(staffPasskeys.staffId, staffMembers.id))
    .groupBy(staffMembers.id)
    .orderBy(asc(staffMembers.name), asc(staffMembers.id));
  return rows.map(({ member, passkeys }) => ({ ...member, passkeys }));
}

type StaffChange = {
  actor: AuditActor;
  action: 'staff_role_changed' | 'staff_disabled' | 'staff_sessions_ended';
  objectId: string;
  before?: AuditedFields;
  after?: AuditedFields;
};

function recordStaffChange(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { before = {}, after = {}, ...entry }: StaffChange,
): Promise<void> {
  return recordAudit(tx, context, { ...entry, objectKind: 'staff', before, after, reason: null });
}
