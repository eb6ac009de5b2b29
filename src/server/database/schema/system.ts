import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { PRIVACY_ACTS } from '#contract/desk/privacy/kinds.ts';
import { id, instant } from './columns.ts';

/** Responses stored for 48 hours, so that a repeated request gets the effect and response of the first. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Route and caller, so that keys of different customers never collide. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** Null while the first request is in progress. */
    status: integer('status'),
    /** Encrypted with the application secret, because responses may contain a client secret. */
    encryptedBody: text('encrypted_body'),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index('idempotency_by_age').on(table.insertedAt),
  ],
);

/** Token buckets, shared by all server processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** The limit's name and a hash of the caller: never an address or a network in clear. */
    key: text('key').primaryKey(),
    hits: integer('hits').notNull(),
    windowEndsAt: instant('window_ends_at').notNull(),
  },
  (table) => [index('rate_limits_by_end').on(table.windowEndsAt)],
);

/** One row, updated to check whether the database accepts writes. */
export const readinessChecks = pgTable('readiness_checks', {
  id: integer('id').primaryKey(),
  checkedAt: instant('checked_at').notNull(),
});

/** Secrets generated at the first start for those the environment does not set. */
export const secrets = pgTable('secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** Settings by name; "web" is what the browser reads. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** The last published settings "web", the current ones among them, so that they can be published again. */
export const settingsVersions = pgTable('settings_versions', {
  id: id().primaryKey(),
  /** Later versions have a higher one. */
  seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  insertedAt: instant('inserted_at').notNull(),
  /** Who published them: a staff member, or the system user of a command. Not a foreign key, because versions stay. */
  staffId: id('staff_id'),
  systemUser: text('system_user'),
  value: jsonb('value').notNull(),
});

/** Every mail, queued in the transaction that causes it; rendered and sent by a worker. */
export const mails = pgTable(
  'mails',
  {
    id: id().primaryKey(),
    kind: text('kind').notNull(),
    toAddress: text('to_address').notNull(),
    /** Language tag of an account mail. Null: the operator's. */
    language: text('language'),
    /** Rendered content: null until the first attempt to send it. */
    subject: text('subject'),
    text: text('text'),
    html: text('html'),
    /** The order that the mail is about. */
    orderId: id('order_id'),
    /** The cancellation that it is about. */
    cancellationId: id('cancellation_id'),
    /** The change of the order that it is about. */
    changeId: id('change_id'),
    /** The receipt that is attached as PDF. */
    receiptId: id('receipt_id'),
    /** Template data of an account mail (a link, a code), encrypted; deleted once it is sent. */
    encryptedData: text('encrypted_data'),
    status: text('status', { enum: ['queued', 'sent', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this instant: the end of the lease while a worker sends, or of the wait after a failure. */
    tryAt: instant('try_at').notNull().defaultNow(),
    insertedAt: instant('inserted_at').notNull(),
    sentAt: instant('sent_at'),
  },
  (table) => [
    index('mails_queued').on(table.status, table.tryAt),
    index('mails_by_order').on(table.orderId).where(sql`order_id is not null`),
    index('mails_by_address').on(sql`lower(to_address)`),
  ],
);

/** Exports and erasures of personal data: who did what and when. Contains nothing about the person. */
export const privacyLog = pgTable(
  'privacy_log',
  {
    id: id().primaryKey(),
    kind: text('kind', { enum: PRIVACY_ACTS }).notNull(),
    /** A staff member's id, the system user of a command, `customer` for the account's owner, `server` for the job. */
    actor: text('actor').notNull(),
    /** How many orders were exported or erased. */
    orders: integer('orders').notNull(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [index('privacy_log_by_time').on(table.insertedAt)],
);

/** Key pairs for signing tickets. */
export const ticketKeys = pgTable('ticket_keys', {
  keyId: text('key_id').primaryKey(),
  publicKey: text('public_key').notNull(),
  /** PKCS #8, encrypted with the application secret (AES-256-GCM). */
  encryptedPrivateKey: text('encrypted_private_key').notNull(),
  notBefore: instant('not_before').notNull(),
  notAfter: instant('not_after'),
});

/** Processed provider events, written in the transaction of their effect. */
export const providerEvents = pgTable('provider_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  receivedAt: instant('received_at').notNull(),
});
