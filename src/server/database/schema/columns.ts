import { bigint, type PgColumn, text, timestamp } from 'drizzle-orm/pg-core';

/** An instant, stored in UTC. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

export const timestamps = {
  insertedAt: instant('inserted_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
};

/** Money in minor units. 64 bits, so that no season's sum overflows; always a safe integer in JavaScript. */
export const amount = (name: string) => bigint(name, { mode: 'number' });

/** Opaque id: kind prefix and 128 random bits (see core/ids.ts). */
export const id = (name = 'id') => text(name);

/** The id of another table's row; never null. */
export const references = (name: string, column: () => PgColumn, actions?: { onDelete: 'cascade' }) =>
  id(name).notNull().references(column, actions);
