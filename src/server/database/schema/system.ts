import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, instant } from './columns.ts';

/** Answers kept for 48 hours, so that a repeated request has the first one's effect and answer. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Route and caller, so that one customer's key never meets another's. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** Null while the first request is still being worked on. */
    status: integer('status'),
    /** Answers may carry a client secret: sealed with the application secret. */
    sealedBody: text('sealed_body'),
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
    /** What is limited, then a hash of who: never an address or a network in clear. */
    key: text('key').primaryKey(),
    hits: integer('hits').notNull(),
    windowEndsAt: instant('window_ends_at').notNull(),
  },
  (table) => [index('rate_limits_by_end').on(table.windowEndsAt)],
);

/** One row, written to find out whether the database takes writes. */
export const readinessChecks = pgTable('readiness_checks', {
  id: integer('id').primaryKey(),
  checkedAt: instant('checked_at').notNull(),
});

/** Secrets made at first start when the environment gives none. */
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

/** Every mail, noted in the transaction that causes it; written and sent by a worker. */
export const mails = pgTable(
  'mails',
  {
    id: id().primaryKey(),
    kind: text('kind').notNull(),
    toAddress: text('to_address').notNull(),
    /** The letter: null until it is written, when it is sent for the first time. */
    subject: text('subject'),
    text: text('text'),
    html: text('html'),
    /** Which order it is about. */
    orderId: id('order_id'),
    /** What a mail about an account says (a link, a code), sealed; gone once it is sent. */
    sealedFacts: text('sealed_facts'),
    status: text('status', { enum: ['queued', 'sent', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this instant: the end of the lease while a worker sends, of the wait after a failed try. */
    tryAt: instant('try_at').notNull().defaultNow(),
    insertedAt: instant('inserted_at').notNull(),
    sentAt: instant('sent_at'),
  },
  (table) => [index('mails_queued').on(table.status, table.tryAt)],
);
