import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { SecurityEventKind } from '#contract/identity/security/schemas.ts';
import type { OfferedLanguage } from '#messages/languages.ts';
import { accountColumns, id, instant, passkeyColumns, references, timestamps } from './columns.ts';

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
    /** Of pages and mails. Null until the customer has chosen one. */
    language: text('language').$type<OfferedLanguage>(),
    /** The account anyone can sign in to while payments are simulated. */
    isDemo: boolean('is_demo').notNull().default(false),
    emailVerifiedAt: instant('email_verified_at'),
    /** Devices remembered before this are no longer trusted, because their sessions were ended remotely. */
    devicesForgottenAt: instant('devices_forgotten_at'),
    ...accountColumns(),
    /** The customer's WebAuthn user handle: 32 random bytes, base64url, which reveal nothing. */
    webauthnUserId: text('webauthn_user_id').unique(),
    ...timestamps,
  },
  (table) => [uniqueIndex('customers_email').on(sql`lower(${table.email})`)],
);

export const sessions = pgTable(
  'sessions',
  {
    id: id().primaryKey(),
    customerId: references('customer_id', () => customers.id),
    /** SHA-256 of the token, which is not stored. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The token before the last step-up, valid for a short time for requests in progress in other tabs. */
    previousTokenHash: text('previous_token_hash').unique(),
    previousTokenUntil: instant('previous_token_until'),
    /** SHA-256 of the HttpOnly cookie required beside the token. Null: the session was not started by a browser. */
    proofHash: text('proof_hash'),
    /** Until then sensitive actions need no step-up. */
    freshUntil: instant('fresh_until'),
    kind: text('kind', { enum: ['password', 'magic_link', 'passkey', 'authenticator'] }).notNull(),
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
    customerId: references('customer_id', () => customers.id, { onDelete: 'cascade' }),
    ...passkeyColumns(),
  },
  (table) => [index('passkeys_by_customer').on(table.customerId)],
);

export const authenticators = pgTable('authenticators', {
  customerId: references('customer_id', () => customers.id, { onDelete: 'cascade' }).primaryKey(),
  /** Encrypted with the application secret; not hashed, because codes are computed from it. */
  encryptedSecret: text('encrypted_secret').notNull(),
  /** Null until one of its codes was confirmed. */
  confirmedAt: instant('confirmed_at'),
  /** The 30-second step of the last accepted code, because a code is valid once. */
  lastStep: bigint('last_step', { mode: 'number' }),
  insertedAt: instant('inserted_at').notNull(),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: id().primaryKey(),
    customerId: references('customer_id', () => customers.id, { onDelete: 'cascade' }),
    /** The first four characters, to find the code to verify. */
    prefix: text('prefix').notNull(),
    /** PHC string, argon2id. */
    codeHash: text('code_hash').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('recovery_codes_by_customer').on(table.customerId)],
);

/** A sign-in, a step-up or a change of an order that waits for a code or a second step. */
export const signInChallenges = pgTable(
  'sign_in_attempts',
  {
    id: id().primaryKey(),
    kind: text('kind', { enum: ['email_code', 'second_step', 'step_up', 'order'] }).notNull(),
    /** Null: no account uses the address. The response does not reveal this. */
    customerId: id('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    /** Normalized; the recipient of the challenge's mails. */
    email: text('email').notNull(),
    /** SHA-256 of the handle, which only the browser that started the challenge has. */
    tempHash: text('temp_hash').notNull().unique(),
    /** Keyed hash of the mailed digits, bound to this row. */
    codeMac: text('code_mac'),
    /** SHA-256 of the mailed link's secret. */
    linkHash: text('link_hash').unique(),
    /** For a second step: the method of the first, and the link it started with. */
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

/** Secrets of mailed links that act on an account, as hashes; each works once. */
export const accountLinks = pgTable(
  'account_links',
  {
    id: id().primaryKey(),
    kind: text('kind', { enum: ['register', 'reset_password', 'change_email', 'undo_email'] }).notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** Null before the account exists. */
    customerId: id('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    /** The recipient. */
    email: text('email').notNull(),
    /** Data for following the link: for a new account the name, phone and password hash. */
    data: jsonb('data').$type<Record<string, string>>().notNull(),
    insertedAt: instant('inserted_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    consumedAt: instant('consumed_at'),
  },
  (table) => [index('links_by_customer').on(table.customerId), index('links_by_end').on(table.expiresAt)],
);

/** Answered passkey challenges until they expire, so that each is accepted once. */
export const usedPasskeyChallenges = pgTable(
  'spent_challenges',
  { hash: text('hash').primaryKey(), expiresAt: instant('expires_at').notNull() },
  (table) => [index('spent_by_end').on(table.expiresAt)],
);

export const securityEvents = pgTable(
  'security_events',
  {
    id: id().primaryKey(),
    customerId: references('customer_id', () => customers.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<SecurityEventKind>().notNull(),
    device: text('device').notNull(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [index('security_events_by_customer').on(table.customerId, table.insertedAt)],
);
