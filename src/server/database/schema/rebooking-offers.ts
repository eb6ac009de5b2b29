import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { REBOOKING_REASONS } from '#contract/orders/statuses.ts';
import { DIRECTIONS } from '#domain/orders/legs.ts';
import { id, instant, references, timestamps } from './columns.ts';
import { holds } from './holds.ts';
import { orders } from './sales.ts';

/** The choice of an order whose journey does not run as bought: another sailing, or the full refund, until a deadline. */
export const rebookingOffers = pgTable(
  'rebooking_offers',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    direction: text('direction', { enum: DIRECTIONS }).notNull(),
    reason: text('reason', { enum: REBOOKING_REASONS }).notNull(),
    /** `kept`: the tickets stay, because no answer came. `withdrawn`: the sailing runs as bought again, or the journey was changed. */
    status: text('status', { enum: ['open', 'moved', 'refunded', 'kept', 'withdrawn'] })
      .notNull()
      .default('open'),
    /** The sailings that the offer replaces, as travelled. */
    sailingIds: jsonb('sailing_ids').$type<string[]>().notNull(),
    /** Where places are protected, as travelled; null: no sailing fits the party. */
    protectedSailingIds: jsonb('protected_sailing_ids').$type<string[]>(),
    /** Protects the places until it expires. */
    holdId: id('hold_id').references(() => holds.id),
    /** What happens at the deadline without an answer. */
    ifUnanswered: text('if_unanswered', { enum: ['refund', 'keep'] }).notNull(),
    deadline: instant('deadline').notNull(),
    /** When the buyer chose an open ticket, which moved the deadline; null: there is none. */
    openTicketAt: instant('open_ticket_at'),
    /** When the buyer of an open ticket was reminded of its end. */
    remindedAt: instant('reminded_at'),
    ...timestamps,
  },
  (table) => [
    index('rebooking_offers_by_order').on(table.orderId),
    index('rebooking_offers_due').on(table.deadline).where(sql`status = 'open'`),
    uniqueIndex('rebooking_offers_one_open').on(table.orderId, table.direction).where(sql`status = 'open'`),
    check(
      'rebooking_offers_protected',
      sql`(${table.holdId} is null) = (${table.protectedSailingIds} is null)`,
    ),
  ],
);

export type RebookingOfferRow = typeof rebookingOffers.$inferSelect;
