import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { STAFF_ROLES } from '#contract/staff/permissions.ts';
import { accountColumns, id, instant, passkeyColumns, references, timestamps } from './columns.ts';

/** People who work for the operator. They are never customers: a person who is both has two accounts. */
export const staffMembers = pgTable(
  'staff_members',
  {
    id: id().primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    role: text('role', { enum: STAFF_ROLES }).notNull().default('gate'),
    ...accountColumns(),
    /** The WebAuthn user handle, as of a customer. */
    webauthnUserId: text('webauthn_user_id'),
    /** Encrypted secret of the authenticator app; null: none. A password works only with a code of it. */
    encryptedAuthenticator: text('encrypted_authenticator'),
    /** The 30-second step of the last accepted code, because a code is valid once. */
    authenticatorStep: bigint('authenticator_step', { mode: 'number' }),
    /** SHA-256 of the secret of the mailed invitation, until it is accepted. */
    invitationHash: text('invitation_hash'),
    invitationExpiresAt: instant('invitation_expires_at'),
    /** Null: the invitation was not accepted yet, and the person cannot sign in. */
    acceptedAt: instant('accepted_at'),
    /** Null unless the person may no longer sign in. */
    disabledAt: instant('disabled_at'),
    /** Hash of the PIN for shifts at paired devices; null: none. */
    shiftPinHash: text('shift_pin_hash'),
    lastSeenAt: instant('last_seen_at'),
    /** One of the demo's people, whose passwords are public. */
    isDemo: boolean('is_demo').notNull().default(false),
    ...timestamps,
  },
  (table) => [uniqueIndex('staff_members_email').on(sql`lower(${table.email})`)],
);

/** Phones and handhelds of gates. A shift at one starts with a PIN instead of a password and a code. */
export const gateDevices = pgTable('gate_devices', {
  id: id().primaryKey(),
  name: text('name').notNull(),
  /** SHA-256 of the secret in the link that pairs it, until it was used. */
  pairingHash: text('pairing_hash').unique(),
  pairingExpiresAt: instant('pairing_expires_at').notNull(),
  /** SHA-256 of the device's key; null: not paired yet, or revoked. */
  keyHash: text('key_hash').unique(),
  insertedAt: instant('inserted_at').notNull(),
  pairedAt: instant('paired_at'),
  lastSeenAt: instant('last_seen_at'),
  revokedAt: instant('revoked_at'),
});

export const staffSessions = pgTable(
  'staff_sessions',
  {
    id: id().primaryKey(),
    staffId: references('staff_id', () => staffMembers.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token, which is not stored. */
    tokenHash: text('token_hash').notNull().unique(),
    device: text('device').notNull(),
    /** The paired device of a shift, which has the rights of the gate only; null: any browser. */
    gateDeviceId: id('gate_device_id').references(() => gateDevices.id),
    /** Until then sensitive actions need no step-up. */
    freshUntil: instant('fresh_until'),
    insertedAt: instant('inserted_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (table) => [index('staff_sessions_by_staff').on(table.staffId)],
);

export const staffPasskeys = pgTable(
  'staff_passkeys',
  {
    staffId: references('staff_id', () => staffMembers.id, { onDelete: 'cascade' }),
    ...passkeyColumns(),
  },
  (table) => [index('staff_passkeys_by_staff').on(table.staffId)],
);
