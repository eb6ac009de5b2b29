import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
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
    /** PHC string, argon2id. Null: signs in otherwise. */
    passwordHash: text('password_hash'),
    emailVerifiedAt: instant('email_verified_at'),
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
    kind: text('kind', { enum: ['password', 'magic_link', 'passkey', 'totp'] }).notNull(),
    device: text('device').notNull(),
    insertedAt: instant('inserted_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (table) => [index('sessions_by_customer').on(table.customerId)],
);
