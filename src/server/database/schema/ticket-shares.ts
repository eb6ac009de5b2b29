import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Direction } from '#domain/orders/legs.ts';
import { id, instant, references } from './columns.ts';
import { orders, type TicketRow } from './sales.ts';

/** Names the tickets of one traveler, vehicle or bicycle for one journey, also after a change of the order. */
export type TicketPlace = { direction: Direction } & Pick<TicketRow, 'kind' | 'partyIndex'>;

/** Tickets of an order that were sent to another person as a link. Deleted when they are revoked. */
export const ticketShares = pgTable(
  'ticket_shares',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    /** SHA-256 of the link's secret. */
    tokenHash: text('token_hash').notNull().unique(),
    places: jsonb('places').$type<TicketPlace[]>().notNull(),
    /** Whom the tickets are for, as typed by the sender; may be empty. */
    name: text('name').notNull(),
    /** Where the link was mailed to; null if it was not mailed. */
    email: text('email'),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [index('ticket_shares_by_order').on(table.orderId)],
);

export type TicketShareRow = typeof ticketShares.$inferSelect;
