import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { Host } from '#contract/hosts.ts';
import type { PushKind } from '#domain/orders/push-kinds.ts';
import { id, instant, references } from './columns.ts';
import { sessions } from './people.ts';
import { orders } from './sales.ts';

/** The key pair that push services know the operator by (RFC 8292). Subscriptions are bound to it. */
export const pushKeys = pgTable('push_keys', {
  /** 1: there is one. */
  id: integer('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  /** PKCS #8, encrypted with the application secret (AES-256-GCM). */
  encryptedPrivateKey: text('encrypted_private_key').notNull(),
  insertedAt: instant('inserted_at').notNull(),
});

/** A browser that is told about an order. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    endpoint: text('endpoint').notNull(),
    /** SHA-256 of the endpoint, base64url. */
    endpointHash: text('endpoint_hash').notNull(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** Whose worker shows the pushes. */
    host: text('host').$type<Host>().notNull(),
    /** Of the portal: it ends with the session. */
    sessionId: id('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    /** "Safari on iPhone". */
    device: text('device').notNull(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    unique('push_subscriptions_of_order').on(table.orderId, table.endpointHash),
    index('push_subscriptions_by_endpoint').on(table.endpointHash),
    index('push_subscriptions_by_session').on(table.sessionId),
  ],
);

/** Every push, queued in the transaction that causes it; written and sent by a worker. */
export const pushes = pgTable(
  'pushes',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    /** Null after the subscription has ended. */
    subscriptionId: id('subscription_id').references(() => pushSubscriptions.id, { onDelete: 'set null' }),
    kind: text('kind').$type<PushKind>().notNull(),
    /** Of the subscription. */
    device: text('device').notNull(),
    /** `dropped`: a newer push replaced it, it was too late, or its browser has left. */
    status: text('status', { enum: ['queued', 'sent', 'failed', 'dropped'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this instant: the end of the lease while a worker sends, or of the wait after a failure. */
    tryAt: instant('try_at').notNull(),
    insertedAt: instant('inserted_at').notNull(),
    sentAt: instant('sent_at'),
  },
  (table) => [
    index('pushes_queued').on(table.status, table.tryAt),
    index('pushes_by_order').on(table.orderId),
    index('pushes_by_subscription').on(table.subscriptionId),
  ],
);

export type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect;
export type PushRow = typeof pushes.$inferSelect;
