import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Vehicle } from '#contract/orders/buy/schemas.ts';
import { id, references, timestamps } from './columns.ts';
import { customers } from './people.ts';

/** Vehicles that customers saved for their next purchase. */
export const savedVehicles = pgTable(
  'saved_vehicles',
  {
    id: id().primaryKey(),
    customerId: references('customer_id', () => customers.id, { onDelete: 'cascade' }),
    /** The customer's own; empty for none. */
    name: text('name').notNull(),
    vehicle: jsonb('vehicle').$type<Vehicle>().notNull(),
    plate: text('plate'),
    ...timestamps,
  },
  (table) => [index('saved_vehicles_by_customer').on(table.customerId)],
);

/** People whom customers often buy tickets for. */
export const savedTravelers = pgTable(
  'saved_travelers',
  {
    id: id().primaryKey(),
    customerId: references('customer_id', () => customers.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Code of a passenger type. */
    type: text('type').notNull(),
    ...timestamps,
  },
  (table) => [index('saved_travelers_by_customer').on(table.customerId)],
);
