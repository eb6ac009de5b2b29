import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { RefundScope } from '#contract/desk/refunds/scope.ts';
import type { CapacityItem } from '#domain/fares/capacity.ts';
import { amount, id, instant, references, timestamps } from './columns.ts';
import { orders } from './sales.ts';
import { sailings } from './timetable.ts';

/** What staff write for each other about an order; deleted when the order is erased. */
export const orderNotes = pgTable(
  'order_notes',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    /** Who wrote it, without a foreign key, because the demo's staff are removed. */
    staffId: id('staff_id').notNull(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [index('order_notes_by_order').on(table.orderId)],
);

/** A refund above the limit of the person who asks for it, which another person approves. */
export const refundRequests = pgTable(
  'refund_requests',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id, { onDelete: 'cascade' }),
    scope: jsonb('scope').$type<RefundScope>().notNull(),
    /** The trip card that gets it; null: to where the payments came from. */
    tripCardId: id('trip_card_id'),
    /** What would be given back. */
    amount: amount('amount').notNull(),
    /** Empty once the order is erased. */
    reason: text('reason').notNull(),
    /** Of the order; an order that has changed since needs another request. */
    orderVersion: integer('order_version').notNull(),
    status: text('status', { enum: ['open', 'approved', 'refused'] }).notNull(),
    /** Staff members, without foreign keys, because the demo's staff are removed. */
    askedBy: id('asked_by').notNull(),
    decidedBy: id('decided_by'),
    ...timestamps,
  },
  (table) => [
    index('refund_requests_by_order').on(table.orderId),
    uniqueIndex('refund_requests_one_open').on(table.orderId).where(sql`status = 'open'`),
  ],
);

export type RefundRequestRow = typeof refundRequests.$inferSelect;

/** Places of a sailing that staff keep from sale online, such as for a group; deleted when they are sold online again. */
export const heldBackPlaces = pgTable(
  'held_back_places',
  {
    id: id().primaryKey(),
    sailingId: references('sailing_id', () => sailings.id, { onDelete: 'cascade' }),
    places: jsonb('places').$type<CapacityItem[]>().notNull(),
    /** Only staff read it. */
    reason: text('reason').notNull(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [index('held_back_places_by_sailing').on(table.sailingId)],
);

export type HeldBackRow = typeof heldBackPlaces.$inferSelect;
