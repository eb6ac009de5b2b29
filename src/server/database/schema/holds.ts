import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { QuoteRequest } from '#contract/orders/buy/schemas.ts';
import { amount, id, instant, references } from './columns.ts';
import { RESOURCES, sailings } from './timetable.ts';

/** Places reserved for a buyer while they fill in the form and pay. */
export const holds = pgTable(
  'holds',
  {
    id: id().primaryKey(),
    status: text('status', { enum: ['active', 'consumed', 'released', 'expired'] }).notNull(),
    /** The quote's request. */
    request: jsonb('request').$type<QuoteRequest>().notNull(),
    total: amount('total').notNull(),
    /** Of the price lines and fare rules; a change of either is reported before an order is created. */
    priceFingerprint: text('price_fingerprint').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Limit for extensions by the buyer; only a payment that waits for bank authentication moves it. */
    expiresAtMax: instant('expires_at_max').notNull(),
    extended: boolean('extended').notNull().default(false),
    /** Keyed hash of the network of the buyer who took it; null: its places are not limited. */
    network: text('network'),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    index('holds_of_network').on(table.network).where(sql`status = 'active' and network is not null`),
    index('holds_to_lapse').on(table.expiresAt).where(sql`status = 'active'`),
    check('holds_bounded', sql`${table.expiresAt} <= ${table.expiresAtMax}`),
  ],
);

export const holdItems = pgTable(
  'hold_items',
  {
    holdId: references('hold_id', () => holds.id, { onDelete: 'cascade' }),
    sailingId: references('sailing_id', () => sailings.id),
    resource: text('resource', { enum: RESOURCES }).notNull(),
    amount: integer('amount').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.holdId, table.sailingId, table.resource] }),
    index('hold_items_by_sailing').on(table.sailingId),
    check('hold_items_positive', sql`${table.amount} > 0`),
  ],
);

export type HoldRow = typeof holds.$inferSelect;
