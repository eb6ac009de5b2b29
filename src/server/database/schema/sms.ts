import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { SmsKind } from '#domain/orders/push-kinds.ts';
import { id, instant, references } from './columns.ts';
import { orders } from './sales.ts';

/** Every text message, queued in the transaction that causes it; written and sent by a worker. */
export const smsMessages = pgTable(
  'sms_messages',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    kind: text('kind').$type<SmsKind>().notNull(),
    /** International, with +. */
    toNumber: text('to_number').notNull(),
    /** `dropped`: a newer one replaced it, or it was too late, or its boat does not leave soon. */
    status: text('status', { enum: ['queued', 'sent', 'failed', 'dropped'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this instant: the end of the lease while a worker sends, or of the wait after a failure. */
    tryAt: instant('try_at').notNull(),
    insertedAt: instant('inserted_at').notNull(),
    sentAt: instant('sent_at'),
  },
  (table) => [
    index('sms_messages_queued').on(table.status, table.tryAt),
    index('sms_messages_by_order').on(table.orderId),
    index('sms_messages_by_number').on(table.toNumber, table.sentAt),
  ],
);

export type SmsRow = typeof smsMessages.$inferSelect;
