import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, references } from './columns.ts';
import { orders } from './sales.ts';

/**
 * What the law asks of travelers on some routes, apart from the order, because it is erased soon after the arrival
 * and used for nothing else.
 */
export const passengerDetails = pgTable(
  'passenger_details',
  {
    orderId: references('order_id', () => orders.id, { onDelete: 'cascade' }),
    /** The number of the traveler's tickets in their party. */
    traveler: integer('traveler').notNull(),
    /** `TravelerDetails` as JSON, encrypted with the application secret. */
    encryptedDetails: text('encrypted_details').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.traveler] })],
);
