import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { staffMembers, staffPasskeys } from '../database/schema/staff.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { normalizeEmail } from '../identity/customers.ts';

export type StaffRow = typeof staffMembers.$inferSelect;

/** The staff member with an address in any spelling. */
export async function findStaffByEmail(db: Database, email: string): Promise<StaffRow | null> {
  const [member] = await db
    .select()
    .from(staffMembers)
    .where(sql`lower(${staffMembers.email}) = ${normalizeEmail(email)}`);
  return member ?? null;
}

export async function findStaff(db: Database, id: string): Promise<StaffRow | null> {
  const [member] = await db.select().from(staffMembers).where(eq(staffMembers.id, id));
  return member ?? null;
}

/** The staff member with their row locked, so that changes of one account are serialized. */
export async function findLockedStaff(tx: Database, id: string): Promise<StaffRow | null> {
  const [member] = await tx.select().from(staffMembers).where(eq(staffMembers.id, id)).for('no key update');
  return member ?? null;
}

/** Whether someone works here now, does not yet, or no longer does. */
export function getStaffState({
  acceptedAt,
  disabledAt,
}: Pick<StaffRow, 'acceptedAt' | 'disabledAt'>): 'invited' | 'active' | 'disabled' {
  if (disabledAt !== null) return 'disabled';
  return acceptedAt === null ? 'invited' : 'active';
}

export function isActive(member: Pick<StaffRow, 'acceptedAt' | 'disabledAt'>): boolean {
  return getStaffState(member) === 'active';
}

/**
 * Locks all active managers, and refuses what would leave none besides one of them.
 * @throws {ApiError} last_manager
 */
export async function requireOtherManager(tx: Database, id: string): Promise<void> {
  const managers = await tx
    .select({ id: staffMembers.id })
    .from(staffMembers)
    .where(
      and(
        eq(staffMembers.role, 'manager'),
        isNotNull(staffMembers.acceptedAt),
        isNull(staffMembers.disabledAt),
      ),
    )
    .orderBy(staffMembers.id)
    .for('no key update');
  const isManager = managers.some((manager) => manager.id === id);
  if (isManager && managers.length === 1) throw new ApiError('last_manager');
}

/** Removes everything that someone signs in with, and the acceptance of their invitation. */
export async function removeCredentials(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  id: string,
): Promise<void> {
  await tx.delete(staffPasskeys).where(eq(staffPasskeys.staffId, id));
  await tx
    .update(staffMembers)
    .set({
      passwordHash: null,
      shiftPinHash: null,
      passwordFailures: 0,
      encryptedAuthenticator: null,
      authenticatorStep: null,
      secondStepFailures: 0,
      secondStepLockedUntil: null,
      acceptedAt: null,
      disabledAt: null,
      updatedAt: clock.now(),
    })
    .where(eq(staffMembers.id, id));
}

/**
 * The staff member with an id, with their row locked.
 * @throws {ApiError} not_found
 */
export async function requireLockedStaff(tx: Database, id: string): Promise<StaffRow> {
  const member = await findLockedStaff(tx, id);
  if (!member) throw notFound();
  return member;
}
