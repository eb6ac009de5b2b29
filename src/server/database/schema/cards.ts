import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, references, timestamps } from './columns.ts';
import { customers } from './people.ts';

/** A customer's identity at the card provider. Its row is locked by every change of the customer's cards. */
export const cardHolders = pgTable('card_holders', {
  customerId: references('customer_id', () => customers.id, { onDelete: 'cascade' }).primaryKey(),
  /** The provider's Customer. */
  providerReference: text('provider_reference').notNull().unique(),
  /** The provider's default PaymentMethod, as last sent to it. */
  mirroredMethod: text('mirrored_method'),
  insertedAt: instant('inserted_at').notNull(),
});

/** Saved cards, without card numbers or security codes. */
export const paymentCards = pgTable(
  'payment_cards',
  {
    id: id().primaryKey(),
    customerId: references('customer_id', () => cardHolders.customerId, { onDelete: 'cascade' }),
    /** The provider's PaymentMethod; the newest if the same card was saved more than once. */
    providerReference: text('provider_reference').notNull(),
    methodCreatedAt: instant('method_created_at').notNull(),
    /** Equal for the same card number, which it does not reveal. */
    fingerprint: text('fingerprint').notNull(),
    network: text('network').notNull(),
    funding: text('funding').notNull(),
    lastFour: text('last_four').notNull(),
    expMonth: integer('exp_month').notNull(),
    expYear: integer('exp_year').notNull(),
    /** The customer's choice; a card that has expired since is not treated as primary. */
    isPrimary: boolean('is_primary').notNull(),
    status: text('status', { enum: ['active', 'removed'] }).notNull(),
    ...timestamps,
  },
  (table) => [
    index('payment_cards_by_customer').on(table.customerId, table.insertedAt),
    uniqueIndex('payment_cards_one_primary')
      .on(table.customerId)
      .where(sql`is_primary and status = 'active'`),
    uniqueIndex('payment_cards_once')
      .on(table.customerId, table.fingerprint, table.expYear, table.expMonth)
      .where(sql`status = 'active'`),
    uniqueIndex('payment_cards_reference').on(table.providerReference).where(sql`status = 'active'`),
    check('payment_cards_month', sql`${table.expMonth} between 1 and 12`),
  ],
);

/** PaymentMethods to be detached at the provider. Late webhooks must not turn them into saved cards again. */
export const droppedMethods = pgTable('dropped_methods', {
  providerReference: text('provider_reference').primaryKey(),
  insertedAt: instant('inserted_at').notNull(),
  detachedAt: instant('detached_at'),
});
