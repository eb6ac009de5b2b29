import {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  type PgColumn,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import type { Translations } from '#messages/translations.ts';

/** An instant, stored in UTC. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

export const timestamps = {
  insertedAt: instant('inserted_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
};

/** Money in minor units. 64 bits, so that no season's sum overflows; always a safe integer in JavaScript. */
export const amount = (name: string) => bigint(name, { mode: 'number' });

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** The operator's texts of a row in other languages. */
export const translations = () => jsonb('translations').$type<Translations>().notNull().default({});

/** Opaque id: kind prefix and 128 random bits (see core/ids.ts). */
export const id = (name = 'id') => text(name);

/** The id of another table's row; never null. */
export const references = (name: string, column: () => PgColumn, actions?: { onDelete: 'cascade' }) =>
  id(name).notNull().references(column, actions);

/** Of every account that signs in with a password and a second step. */
export const accountColumns = () => ({
  /** PHC string, argon2id. Null: the account has no password. */
  passwordHash: text('password_hash'),
  passwordChangedAt: instant('password_changed_at'),
  /** Consecutive wrong passwords; at 100 the password is refused until it is reset. */
  passwordFailures: integer('password_failures').notNull().default(0),
  /** Consecutive wrong second-step codes over all sign-ins; every tenth locks it for longer. */
  secondStepFailures: integer('second_step_misses').notNull().default(0),
  secondStepLockedUntil: instant('second_step_locked_until'),
});

/** Of every passkey, besides its owner. */
export const passkeyColumns = () => ({
  id: id().primaryKey(),
  /** The authenticator's id of the passkey, base64url. */
  credentialId: text('credential_id').notNull().unique(),
  /** COSE key, base64url. */
  publicKey: text('public_key').notNull(),
  /** The authenticator's signature counter; 0 if it does not count. */
  counter: bigint('counter', { mode: 'number' }).notNull(),
  transports: jsonb('transports').$type<string[]>().notNull(),
  backedUp: boolean('backed_up').notNull(),
  /** Whether the authenticator verified the user at registration. Later user verification counts only then. */
  verifiesUser: boolean('verifies_user').notNull().default(false),
  aaguid: text('aaguid').notNull(),
  name: text('name').notNull(),
  insertedAt: instant('inserted_at').notNull(),
  lastUsedAt: instant('last_used_at'),
});

/**
 * Of money that staff take or pay out in person: who, and at which device. The id is not a foreign key, so that the demo's
 * staff can be removed and the money stays.
 */
export const handedOverColumns = () => ({
  staffId: id('staff_id'),
  staffDevice: text('staff_device'),
  /** What the receipt of an outside card terminal says. */
  terminalReference: text('terminal_reference'),
});
