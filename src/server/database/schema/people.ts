import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { SecurityEventKind } from '#contract/security/schemas.ts';
import { id, instant } from './columns.ts';

export const customers = pgTable(
  'customers',
  {
    id: id().primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    phone: text('phone').notNull().default(''),
    pendingEmail: text('pending_email').notNull().default(''),
    mfaRequired: boolean('mfa_required').notNull().default(false),
    betaTester: boolean('beta_tester').notNull().default(false),
    /** The account everybody can sign in to while payments are tests. */
    isDemo: boolean('is_demo').notNull().default(false),
    /** PHC string, argon2id. Null: signs in otherwise. */
    passwordHash: text('password_hash'),
    passwordChangedAt: instant('password_changed_at'),
    /** Wrong passwords in a row; at 100 the password opens nothing until it is reset. */
    passwordFailures: integer('password_failures').notNull().default(0),
    emailVerifiedAt: instant('email_verified_at'),
    /** Devices known before that are known no more: their sessions were ended from elsewhere. */
    devicesForgottenAt: instant('devices_forgotten_at'),
    /** What passkeys know the customer by: 32 random bytes, base64url, so that it says nothing. */
    webauthnUserId: text('webauthn_user_id').unique(),
    /** Wrong codes of the second step in a row, over all attempts; every tenth locks it for longer. */
    secondStepMisses: integer('second_step_misses').notNull().default(0),
    secondStepLockedUntil: instant('second_step_locked_until'),
    insertedAt: instant('inserted_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [uniqueIndex('customers_email').on(sql`lower(${table.email})`)],
);

export const sessions = pgTable(
  'sessions',
  {
    id: id().primaryKey(),
    customerId: id('customer_id')
      .notNull()
      .references(() => customers.id),
    /** SHA-256 of the token; the token itself is only with its holder. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The token before the last step-up: good a moment longer, for answers under way in other tabs. */
    previousTokenHash: text('previous_token_hash').unique(),
    previousTokenUntil: instant('previous_token_until'),
    /** SHA-256 of the HttpOnly cookie that must come beside the token. Null: begun by no browser. */
    proofHash: text('proof_hash'),
    /** Until then what could lock the owner out needs no further proof. */
    freshUntil: instant('fresh_until'),
    kind: text('kind', { enum: ['password', 'magic_link', 'passkey', 'totp'] }).notNull(),
    device: text('device').notNull(),
    insertedAt: instant('inserted_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (table) => [index('sessions_by_customer').on(table.customerId)],
);

export const passkeys = pgTable(
  'passkeys',
  {
    id: id().primaryKey(),
    customerId: id('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    /** The authenticator's name for it, base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    /** Signatures so far, as the authenticator counts; 0 where it does not. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    backedUp: boolean('backed_up').notNull(),
    /** Whether it checked who holds it when it was made. What it says later counts only then. */
    verifiesUser: boolean('verifies_user').notNull().default(false),
    aaguid: text('aaguid').notNull(),
    name: text('name').notNull(),
    insertedAt: instant('inserted_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_by_customer').on(table.customerId)],
);

export const authenticators = pgTable('authenticators', {
  customerId: id('customer_id')
    .primaryKey()
    .references(() => customers.id, { onDelete: 'cascade' }),
  /** Sealed with the application secret: codes are made from it, so it cannot be hashed. */
  sealedSecret: text('sealed_secret').notNull(),
  /** Null until a code of it was given. */
  confirmedAt: instant('confirmed_at'),
  /** The 30-second step of the last code taken: a code is good once. */
  lastStep: bigint('last_step', { mode: 'number' }),
  insertedAt: instant('inserted_at').notNull(),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: id().primaryKey(),
    customerId: id('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    /** The first four characters, to find the one to verify. */
    prefix: text('prefix').notNull(),
    /** PHC string, argon2id. */
    codeHash: text('code_hash').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('recovery_codes_by_customer').on(table.customerId)],
);

/** A sign-in (or step-up) that waits for a code or a second step. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    id: id().primaryKey(),
    kind: text('kind', { enum: ['email_code', 'second_step', 'step_up'] }).notNull(),
    /** Null: no account uses the address. The answer to the browser does not reveal this. */
    customerId: id('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    /** Normalised; what the mails of this attempt go to. */
    email: text('email').notNull(),
    /** SHA-256 of the handle that only the browser which began it holds. */
    tempHash: text('temp_hash').notNull().unique(),
    /** Keyed hash of the mailed digits, bound to this row. */
    codeMac: text('code_mac'),
    /** SHA-256 of the mailed link's secret. */
    linkHash: text('link_hash').unique(),
    /** For a second step: what the first was, and the link it began with. */
    firstStep: text('first_step', { enum: ['password', 'magic_link', 'passkey'] }),
    originLinkHash: text('origin_link_hash'),
    tries: integer('tries').notNull().default(0),
    mailsSent: integer('mails_sent').notNull().default(0),
    lastMailAt: instant('last_mail_at'),
    device: text('device').notNull(),
    insertedAt: instant('inserted_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    consumedAt: instant('consumed_at'),
  },
  (table) => [
    index('attempts_by_customer').on(table.customerId),
    index('attempts_by_end').on(table.expiresAt),
  ],
);

/** Secrets of mailed links that do something to an account, as hashes; each does it once. */
export const accountLinks = pgTable(
  'account_links',
  {
    id: id().primaryKey(),
    kind: text('kind', { enum: ['register', 'reset_password', 'change_email', 'undo_email'] }).notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** Null for an account that is yet to be. */
    customerId: id('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    /** The address it was mailed to. */
    email: text('email').notNull(),
    /** What is needed when it is followed: of a new account the name, phone and password hash. */
    data: jsonb('data').$type<Record<string, string>>().notNull(),
    insertedAt: instant('inserted_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    consumedAt: instant('consumed_at'),
  },
  (table) => [index('links_by_customer').on(table.customerId), index('links_by_end').on(table.expiresAt)],
);

/** Passkey challenges that were answered, until they would have expired: each is answered once. */
export const spentChallenges = pgTable(
  'spent_challenges',
  { hash: text('hash').primaryKey(), expiresAt: instant('expires_at').notNull() },
  (table) => [index('spent_by_end').on(table.expiresAt)],
);

export const securityEvents = pgTable(
  'security_events',
  {
    id: id().primaryKey(),
    customerId: id('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<SecurityEventKind>().notNull(),
    device: text('device').notNull(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [index('security_events_by_customer').on(table.customerId, table.insertedAt)],
);
