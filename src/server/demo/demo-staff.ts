import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { computeAuthenticatorCode } from '../credentials/authenticator-codes.ts';
import { hashPassword } from '../credentials/password-hash.ts';
import { staffMembers } from '../database/schema/staff.ts';
import type { StaffRow } from '../staff/members.ts';
import { DEMO_PASSWORD } from './demo-customer.ts';

/** For an authenticator app. Public, like the password. */
const AUTHENTICATOR_KEY = 'HARBORLINEFERRYDEMO23456';

const PEOPLE: readonly { name: string; email: string; role: StaffRole }[] = [
  { name: 'Ingrid Solheim', email: 'manager@harborline.example', role: 'manager' },
  { name: 'Tomas Rivera', email: 'office@harborline.example', role: 'office' },
  { name: 'Aiko Tanaka', email: 'desk@harborline.example', role: 'desk' },
  { name: 'Sam Okafor', email: 'gate@harborline.example', role: 'gate' },
];

/** Still with the password they were created with. */
const IS_UNCHANGED = and(
  eq(staffMembers.isDemo, true),
  eq(staffMembers.passwordChangedAt, staffMembers.insertedAt),
  isNotNull(staffMembers.acceptedAt),
  isNull(staffMembers.disabledAt),
);

/** How the demo's people sign in. Their codes: from an app with the key, or from `npm run staff -- code EMAIL`. */
export type DemoStaff = { emails: readonly string[]; password: string; authenticatorKey: string };

/**
 * Creates the demo's people once. Their password and authenticator are public, so they are created only with test payments,
 * and only in a database without other staff.
 * @returns null if there are none, or all have changed
 */
export async function ensureDemoStaff(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'provider'>,
): Promise<DemoStaff | null> {
  const { db, provider } = context;
  if (!provider.isTest) return null;
  if ((await db.$count(staffMembers)) === 0) await createDemoStaff(context);
  const unchanged = await db.select({ email: staffMembers.email }).from(staffMembers).where(IS_UNCHANGED);
  const emails = PEOPLE.map(({ email }) => email).filter((email) =>
    unchanged.some((row) => row.email === email),
  );
  if (emails.length === 0) return null;
  return { emails, password: DEMO_PASSWORD, authenticatorKey: AUTHENTICATOR_KEY };
}

/** The current code of one of the demo's people; null for anyone else, and once they have another authenticator. */
export function getDemoStaffCode(
  { clock, vault }: Pick<Context, 'clock' | 'vault'>,
  { isDemo, encryptedAuthenticator }: StaffRow,
): string | null {
  const isPublic =
    isDemo && encryptedAuthenticator !== null && vault.decrypt(encryptedAuthenticator) === AUTHENTICATOR_KEY;
  return isPublic ? computeAuthenticatorCode(AUTHENTICATOR_KEY, clock.now()) : null;
}

async function createDemoStaff({ db, clock, vault }: Pick<Context, 'db' | 'clock' | 'vault'>): Promise<void> {
  const now = clock.now();
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  const rows = PEOPLE.map((person) => ({
    ...person,
    id: newId('stf'),
    passwordHash,
    passwordChangedAt: now,
    encryptedAuthenticator: vault.encrypt(AUTHENTICATOR_KEY),
    acceptedAt: now,
    isDemo: true,
    insertedAt: now,
    updatedAt: now,
  }));
  // Another process on the same database may have been first.
  await db.insert(staffMembers).values(rows).onConflictDoNothing();
}
