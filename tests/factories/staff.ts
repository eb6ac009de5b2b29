import { eq } from 'drizzle-orm';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { computeAuthenticatorCode, newAuthenticatorSecret } from '#server/credentials/authenticator-codes.ts';
import { hashPassword } from '#server/credentials/password-hash.ts';
import { staffMembers, staffSessions } from '#server/database/schema/staff.ts';
import type { Cashier } from '#server/orders/pay/pay-by-staff.ts';
import { findStaff } from '#server/staff/members.ts';
import { createStaffCookie, createStaffSession } from '#server/staff/sessions.ts';

type Dependencies = Pick<Context, 'db' | 'clock'>;

export async function createStaffMember({ db, clock }: Dependencies, role: StaffRole = 'manager') {
  const now = clock.now();
  const id = newId('stf');
  const member = {
    id,
    email: `${id}@ferry.example`,
    name: 'Grace Hopper',
    role,
    acceptedAt: now,
    insertedAt: now,
    updatedAt: now,
  };
  await db.insert(staffMembers).values(member);
  return member;
}

/** A person of the desk who takes money. */
export function buildCashier(staffId = newId('stf')): Cashier {
  return { kind: 'staff', staffId, role: 'desk', device: 'Ramp 1', network: '203.0.113.0/24' };
}

/** Signs a staff member in. `headers`: with the cookie, as a browser sends them over HTTP. */
export async function startStaffSession(
  { db, clock }: Dependencies,
  staffId: string,
  { isFresh = true }: { isFresh?: boolean } = {},
) {
  const member = await findStaff(db, staffId);
  if (!member) throw new Error('There is no such staff member.');
  const { token } = await createStaffSession(db, { clock }, { member, device: 'Safari on iPad' });
  if (!isFresh)
    await db.update(staffSessions).set({ freshUntil: null }).where(eq(staffSessions.staffId, staffId));
  return { token, headers: { cookie: staffCookie(token) } };
}

export const STAFF_PASSWORD = 'nine lighthouses along the sound';

/** Gives a staff member a password and an authenticator, and returns the code at an instant, or now. */
export async function addStaffPassword(
  { db, clock, vault }: Dependencies & Pick<Context, 'vault'>,
  staffId: string,
): Promise<(at?: Date) => string> {
  const secret = newAuthenticatorSecret();
  await db
    .update(staffMembers)
    .set({ passwordHash: await hashPassword(STAFF_PASSWORD), encryptedAuthenticator: vault.encrypt(secret) })
    .where(eq(staffMembers.id, staffId));
  return (at = clock.now()) => computeAuthenticatorCode(secret, at);
}

/** A Cookie header with a token where staff's belong. */
export function staffCookie(token: string): string {
  const { name, value } = createStaffCookie(token);
  return `${name}=${value}`;
}
