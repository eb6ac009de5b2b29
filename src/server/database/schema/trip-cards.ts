import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { CARD_SALE_METHODS } from '#contract/desk/card-sales/kinds.ts';
import { FARE_DEBT_REASONS } from '#contract/gate/fares/debt-reasons.ts';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import {
  AUTO_TOP_UP_STATES,
  ENTRY_KINDS,
  SHARE_ROLES,
  TOP_UP_STATUSES,
  TRIP_CARD_STATUSES,
  TRIP_CARD_UNITS,
} from '#contract/trip-cards/schemas.ts';
import type { PassTrip } from '#domain/passes/coverage.ts';
import type { EntryCause } from '#domain/trip-cards/entry-cause.ts';
import { amount, id, instant, references, timestamps } from './columns.ts';
import { customers } from './people.ts';
import { orders, payments, refunds } from './sales.ts';

/**
 * Stored-value cards. Triggers on the entries maintain `balance` and `entry_count` and refuse any statement that sets
 * them to other values than the newest entry's. A trigger on the reservations maintains `held`.
 */
export const tripCards = pgTable(
  'trip_cards',
  {
    id: id().primaryKey(),
    /** 16 digits, the last one a check digit. */
    number: text('number').notNull().unique(),
    name: text('name').notNull(),
    /** Null: a plastic card not added to an account yet, or the owner's account was deleted. */
    customerId: id('customer_id').references(() => customers.id, { onDelete: 'set null' }),
    /** PHC string of the keyed PIN; null for virtual cards. */
    pinHash: text('pin_hash'),
    status: text('status', { enum: TRIP_CARD_STATUSES }).notNull().default('active'),
    /** What the amounts of the card count: minor units of the currency, or trips of a pass. */
    unit: text('unit', { enum: TRIP_CARD_UNITS }).notNull().default('money'),
    currency: text('currency').notNull(),
    /** The conditions of a pass at its latest purchase; null: a card with money. */
    pass: jsonb('pass').$type<PassTerms>(),
    /** The end of the last day on which a trip of the pass can begin; null: no end, or not begun. */
    expiresAt: instant('expires_at'),
    /** Days before the expiry of the last notice that was mailed; null: none for this expiry. */
    noticeDays: integer('notice_days'),
    balance: amount('balance').notNull().default(0),
    /** Reserved for card payments in progress; the rest of the balance can be spent. */
    held: amount('held').notNull().default(0),
    entryCount: integer('entry_count').notNull().default(0),
    lowBalanceAt: amount('low_balance_at'),
    /** Whether the low-balance mail was sent; reset when the balance rises above the threshold. */
    lowBalanceMailed: boolean('low_balance_notified').notNull().default(false),
    replacesCardId: id('replaces_card_id').references((): AnyPgColumn => tripCards.id),
    replacedByCardId: id('replaced_by_card_id').references((): AnyPgColumn => tripCards.id),
    lastUsedAt: instant('last_used_at'),
    /** Its value was never paid for. Only such a card's ledger can be deleted. */
    isDemo: boolean('is_demo').notNull().default(false),
    version: integer('version').notNull().default(1),
    ...timestamps,
  },
  (table) => [
    index('trip_cards_by_customer').on(table.customerId, table.insertedAt),
    index('trip_cards_expiring').on(table.expiresAt).where(sql`expires_at is not null`),
    check('trip_cards_pass', sql`(${table.unit} = 'trips') = (${table.pass} is not null)`),
    check('trip_cards_number', sql`${table.number} ~ '^[0-9]{16}$'`),
    check('trip_cards_not_negative', sql`${table.balance} >= 0`),
    check('trip_cards_held', sql`${table.held} between 0 and ${table.balance}`),
    check('trip_cards_lost_are_empty', sql`${table.status} <> 'lost' or ${table.balance} = 0`),
  ],
);

/** Periods in which a card was frozen or lost: charges by an offline gate in them are not paid. */
export const tripCardBlocks = pgTable(
  'trip_card_blocks',
  {
    tripCardId: references('trip_card_id', () => tripCards.id),
    fromAt: instant('from_at').notNull(),
    /** Null while it continues. */
    untilAt: instant('until_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tripCardId, table.fromAt] }),
    uniqueIndex('trip_card_blocks_one_open').on(table.tripCardId).where(sql`until_at is null`),
    check('trip_card_blocks_forward', sql`${table.untilAt} >= ${table.fromAt}`),
  ],
);

/**
 * Sales of passes or value on several trip cards by staff, with one payment: each card has a top-up of its own. Triggers refuse
 * other updates than that it is taken back, and deletions.
 */
export const cardSales = pgTable(
  'card_sales',
  {
    id: id().primaryKey(),
    /** Not a foreign key, because the demo's staff are removed. */
    staffId: id('staff_id').notNull(),
    method: text('method', { enum: CARD_SALE_METHODS }).notNull(),
    /** What the receipt of the card terminal says. */
    terminalReference: text('terminal_reference'),
    /** The pass, as it was sold; null: money on the cards. */
    pass: jsonb('pass').$type<PassTerms>(),
    cards: integer('cards').notNull(),
    /** The price of each card. */
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    /** The key of its request, so that a repeated request finds it. */
    idempotencyKey: text('idempotency_key').notNull().unique(),
    insertedAt: instant('inserted_at').notNull(),
    /** When all its cards gave back what it had put on them. */
    takenBackAt: instant('taken_back_at'),
  },
  (table) => [
    index('card_sales_by_time').on(table.insertedAt),
    check('card_sales_positive', sql`${table.cards} > 0 and ${table.amount} > 0`),
    check(
      'card_sales_terminal',
      sql`(${table.method} = 'terminal') = (${table.terminalReference} is not null)`,
    ),
  ],
);
export type CardSaleRow = typeof cardSales.$inferSelect;

export const topUps = pgTable(
  'top_ups',
  {
    id: id().primaryKey(),
    tripCardId: references('trip_card_id', () => tripCards.id),
    /** 1, 2, 3… per card, assigned under the card's lock. */
    seq: integer('seq').notNull(),
    /**
     * The requesting customer; null: sold by staff. Not a foreign key, so that the account can be deleted and the ledger
     * stays.
     */
    byCustomerId: id('by_customer_id'),
    /** The sale by staff that it is part of. */
    saleId: id('sale_id').references(() => cardSales.id),
    /** The amount charged. */
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    /** The pass that is bought, with its trips and conditions; null: the amount goes on the card. */
    pass: jsonb('pass').$type<PassTerms>(),
    trigger: text('trigger', { enum: ['manual', 'auto'] }).notNull(),
    paymentCardId: id('payment_card_id'),
    status: text('status', { enum: TOP_UP_STATUSES }).notNull(),
    /** The provider's PaymentIntent. */
    providerReference: text('provider_reference').unique(),
    failureCode: text('failure_code'),
    /** The dispute that removed the value from the card. */
    disputeId: text('dispute_id'),
    /** What the dispute took of the amount; null: all, or there was none. */
    disputedAmount: amount('disputed_amount'),
    /** Each declined charge once, regardless of the number and order of its webhooks. */
    declinedCharges: jsonb('declined_charges').$type<string[]>().notNull().default([]),
    /** Keyed hash of the network that started the top-up, to detect card testing. */
    startedFrom: text('started_from').notNull(),
    receiptNumber: text('receipt_number').unique(),
    /** The key of its request, so that a repeated request finds it. */
    idempotencyKey: text('idempotency_key').notNull().unique(),
    insertedAt: instant('inserted_at').notNull(),
    completedAt: instant('completed_at'),
    /** When its sale was taken back, and its value with it. */
    takenBackAt: instant('taken_back_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('top_ups_by_sale').on(table.saleId).where(sql`sale_id is not null`),
    unique('top_ups_seq').on(table.tripCardId, table.seq),
    index('top_ups_open')
      .on(table.updatedAt)
      .where(sql`status in ('created', 'requires_action', 'processing')`),
    index('top_ups_by_origin').on(table.startedFrom, table.updatedAt),
    check('top_ups_positive', sql`${table.amount} > 0`),
    check(
      'top_ups_receipt',
      sql`(${table.status} in ('succeeded', 'disputed')) = (${table.receiptNumber} is not null and ${table.completedAt} is not null)`,
    ),
  ],
);

/**
 * Trip cards that are topped up automatically from a saved payment card. `try_at` is set by every command that brings
 * the balance below the threshold.
 */
export const autoTopUps = pgTable(
  'auto_top_ups',
  {
    tripCardId: references('trip_card_id', () => tripCards.id).primaryKey(),
    customerId: references('customer_id', () => customers.id, { onDelete: 'cascade' }),
    threshold: amount('threshold').notNull(),
    amount: amount('amount').notNull(),
    paymentCardId: id('payment_card_id').notNull(),
    maxPerDay: integer('max_per_day').notNull(),
    state: text('state', { enum: AUTO_TOP_UP_STATES }).notNull(),
    /** Consecutive declines. */
    failures: integer('failures').notNull().default(0),
    tryAt: instant('try_at'),
    ...timestamps,
  },
  (table) => [
    index('auto_top_ups_due').on(table.tryAt).where(sql`state = 'ok' and try_at is not null`),
    check('auto_top_ups_positive', sql`${table.threshold} > 0 and ${table.amount} > 0`),
    check('auto_top_ups_per_day', sql`${table.maxPerDay} between 1 and 5`),
  ],
);

export const tripCardTransfers = pgTable(
  'trip_card_transfers',
  {
    id: id().primaryKey(),
    fromCardId: references('from_card_id', () => tripCards.id),
    toCardId: references('to_card_id', () => tripCards.id),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    idempotencyKey: text('idempotency_key').notNull().unique(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    check('trip_card_transfers_positive', sql`${table.amount} > 0`),
    check('trip_card_transfers_move', sql`${table.fromCardId} <> ${table.toCardId}`),
  ],
);

/**
 * The append-only ledger. Triggers assign each entry its `seq` and `balance_after` under the card's lock, copy both to
 * the card, and refuse every update, deletion and truncation except the deletion of a demo card's entries.
 */
export const tripCardEntries = pgTable(
  'trip_card_entries',
  {
    id: id().primaryKey(),
    tripCardId: references('trip_card_id', () => tripCards.id),
    seq: integer('seq').notNull(),
    kind: text('kind', { enum: ENTRY_KINDS }).notNull(),
    amount: amount('amount').notNull(),
    balanceAfter: amount('balance_after').notNull(),
    orderId: id('order_id').references(() => orders.id),
    topUpId: id('top_up_id').references(() => topUps.id),
    transferId: id('transfer_id').references(() => tripCardTransfers.id),
    /** Null: the description tells. */
    cause: jsonb('cause').$type<EntryCause>(),
    /** In the operator's words, or as written by releases that did not store causes. */
    description: text('description').notNull().default(''),
    place: text('place'),
    idempotencyKey: text('idempotency_key').notNull().unique(),
    actor: text('actor', { enum: ['customer', 'staff', 'system', 'device'] }).notNull(),
    /** The customer who caused the entry, if any. Not a foreign key, because entries never change. */
    byCustomerId: id('by_customer_id'),
    occurredAt: instant('occurred_at').notNull(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    unique('trip_card_entries_seq').on(table.tripCardId, table.seq),
    uniqueIndex('trip_card_entries_one_per_top_up').on(table.topUpId).where(sql`kind = 'top_up'`),
    index('trip_card_entries_by_top_up').on(table.topUpId).where(sql`top_up_id is not null`),
    index('trip_card_entries_by_customer').on(table.tripCardId, table.byCustomerId, table.occurredAt),
    check('trip_card_entries_not_nothing', sql`${table.amount} <> 0`),
    check('trip_card_entries_not_negative', sql`${table.balanceAfter} >= 0`),
  ],
);

/**
 * Value reserved until a card payment pays the rest of an order: spent if that payment succeeds, released otherwise. A
 * trigger keeps the card's `held` equal to the sum of its reservations.
 */
export const tripCardReservations = pgTable(
  'trip_card_reservations',
  {
    /** The card payment it belongs to. */
    paymentId: references('payment_id', () => payments.id).primaryKey(),
    orderId: references('order_id', () => orders.id),
    tripCardId: references('trip_card_id', () => tripCards.id),
    /** The customer who reserved it. Not a foreign key, so that the account can be deleted and the ledger stays. */
    byCustomerId: id('by_customer_id').notNull(),
    /** In the card's unit. */
    amount: amount('amount').notNull(),
    /** What trips of a pass pay for, one element for each; null: the card pays with money. */
    coverage: jsonb('coverage').$type<PassTrip[]>(),
    status: text('status', { enum: ['held', 'spent', 'released'] }).notNull(),
    ...timestamps,
  },
  (table) => [
    index('trip_card_reservations_held').on(table.tripCardId).where(sql`status = 'held'`),
    uniqueIndex('trip_card_reservations_one_held').on(table.orderId).where(sql`status = 'held'`),
    check('trip_card_reservations_positive', sql`${table.amount} > 0`),
  ],
);

export const tripCardShares = pgTable(
  'trip_card_shares',
  {
    id: id().primaryKey(),
    tripCardId: references('trip_card_id', () => tripCards.id),
    /** Normalized. */
    email: text('email').notNull(),
    /** The customer with that address who first opened the card. */
    customerId: id('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    role: text('role', { enum: SHARE_ROLES }).notNull(),
    dailyLimit: amount('daily_limit'),
    status: text('status', { enum: ['invited', 'active', 'revoked'] }).notNull(),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('trip_card_shares_one').on(table.tripCardId, table.email).where(sql`status <> 'revoked'`),
    index('trip_card_shares_by_email').on(table.email),
    index('trip_card_shares_by_customer').on(table.customerId),
    check('trip_card_shares_limit', sql`${table.dailyLimit} > 0`),
    check(
      'trip_card_shares_active_have_one',
      sql`${table.status} <> 'active' or ${table.customerId} is not null`,
    ),
  ],
);

/**
 * Fares charged by gates, unique by the device's numbering, with their outcome. A fare that a gate reports as an event has
 * the event's id in place of the device's, and the number 1.
 */
export const gateCharges = pgTable(
  'gate_charges',
  {
    deviceId: text('device_id').notNull(),
    deviceSeq: integer('device_seq').notNull(),
    /** As read by the gate; it may be unknown to us. */
    number: text('number').notNull(),
    unit: text('unit', { enum: TRIP_CARD_UNITS }).notNull().default('money'),
    amount: amount('amount').notNull(),
    place: text('place').notNull(),
    occurredAt: instant('occurred_at').notNull(),
    /** The charged card: the one with the number, or its replacement. */
    tripCardId: id('trip_card_id').references(() => tripCards.id),
    /** When staff took it off the list of what needs a person. */
    closedAt: instant('closed_at'),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.deviceSeq] }),
    check('gate_charges_positive', sql`${table.amount} > 0`),
    check('gate_charges_seq', sql`${table.deviceSeq} >= 1`),
  ],
);

/**
 * Amounts owed: fares that a card could not pay after the gate admitted the passenger, and spent top-ups and refunds
 * whose payment the payer's bank took back. Later credits pay them.
 */
export const tripCardDebts = pgTable(
  'trip_card_debts',
  {
    id: id().primaryKey(),
    deviceId: text('device_id'),
    deviceSeq: integer('device_seq'),
    topUpId: id('top_up_id')
      .unique()
      .references(() => topUps.id),
    /** The refund of an order to the card, whose payment is disputed. */
    refundId: id('refund_id')
      .unique()
      .references(() => refunds.id),
    tripCardId: id('trip_card_id').references(() => tripCards.id),
    reason: text('reason', { enum: [...FARE_DEBT_REASONS, 'disputed'] }).notNull(),
    amount: amount('amount').notNull(),
    settled: amount('settled').notNull().default(0),
    ...timestamps,
  },
  (table) => [
    unique('trip_card_debts_charge').on(table.deviceId, table.deviceSeq),
    foreignKey({
      name: 'trip_card_debts_of_charge',
      columns: [table.deviceId, table.deviceSeq],
      foreignColumns: [gateCharges.deviceId, gateCharges.deviceSeq],
    }),
    index('trip_card_debts_open').on(table.tripCardId).where(sql`settled < amount`),
    check('trip_card_debts_settled', sql`${table.settled} between 0 and ${table.amount}`),
    check('trip_card_debts_positive', sql`${table.amount} > 0`),
    check(
      'trip_card_debts_of_one',
      sql`num_nonnulls(${table.deviceId}, ${table.deviceSeq}) = case when num_nonnulls(${table.topUpId}, ${table.refundId}) = 0 then 2 else 0 end`,
    ),
  ],
);
