import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { LEGS } from '#contract/orders/buy/legs.ts';
import { LINE_KINDS, type Vehicle } from '#contract/orders/buy/schemas.ts';
import { REFUND_REASONS } from '#contract/orders/schemas.ts';
import {
  ATTENTION_REASONS,
  ORDER_NOTICES,
  ORDER_STATUSES,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  REFUND_STATUSES,
} from '#contract/orders/statuses.ts';
import type { ChangeLine } from '#domain/changes/change-line.ts';
import { LINE_ITEMS } from '#domain/fares/line-item.ts';
import type { TaxPart } from '#domain/fares/taxes.ts';
import type { Assistance } from '#domain/orders/assistance.ts';
import type { Direction } from '#domain/orders/legs.ts';
import type { PassTrip, PassTripKey } from '#domain/passes/coverage.ts';
import { amount, handedOverColumns, id, instant, references, timestamps } from './columns.ts';
import { holds } from './holds.ts';
import { foldCode, searchVector } from './order-search.ts';
import { customers } from './people.ts';
import { RESOURCES, sailings } from './timetable.ts';

export const orders = pgTable(
  'orders',
  {
    id: id().primaryKey(),
    /** Short and readable; grants no access by itself. */
    reference: text('reference').notNull().unique(),
    status: text('status', { enum: ORDER_STATUSES }).notNull(),
    paymentStatus: text('payment_status', { enum: PAYMENT_STATUSES }).notNull().default('none'),
    needsAttention: text('needs_attention', { enum: ATTENTION_REASONS }),
    notice: text('notice_code', { enum: ORDER_NOTICES }),
    /** A notice as written by releases that did not store codes; each notice with a code empties it. */
    writtenNotice: text('notice').notNull().default(''),
    customerId: id('customer_id').references(() => customers.id),
    /** The staff member who sold it, without a foreign key, because the demo's staff are removed; null: bought online. */
    soldBy: id('sold_by'),
    holdId: references('hold_id', () => holds.id).unique(),
    contactName: text('contact_name').notNull(),
    contactEmail: text('contact_email').notNull(),
    contactPhone: text('contact_phone').notNull().default(''),
    /** In the order of the fare lines; empty where the buyer entered none. */
    travelerNames: jsonb('traveler_names').$type<string[]>().notNull().default([]),
    /** Reveals travelers' health: only for the order's owner, its mails and the crew. */
    assistance: jsonb('assistance').$type<Assistance>(),
    locale: text('locale').notNull(),
    vehicle: jsonb('vehicle').$type<Vehicle>(),
    plate: text('plate'),
    currency: text('currency').notNull(),
    subtotal: amount('subtotal').notNull(),
    discount: amount('discount').notNull(),
    tax: amount('tax').notNull(),
    total: amount('total').notNull(),
    paid: amount('paid').notNull().default(0),
    refunded: amount('refunded').notNull().default(0),
    promoCode: text('promo_code'),
    fareClassCode: text('fare_class_code').notNull(),
    fareClassName: text('fare_class_name').notNull(),
    /** The rules at the time of purchase; later rules never apply. */
    farePolicy: jsonb('fare_policy').$type<FarePolicy>().notNull(),
    termsVersion: text('terms_version').notNull(),
    termsAcceptedAt: instant('terms_accepted_at').notNull(),
    /** Declined card charges; five end the order's payments. */
    declines: integer('declines').notNull().default(0),
    confirmedAt: instant('confirmed_at'),
    canceledAt: instant('canceled_at'),
    version: integer('version').notNull().default(1),
    ...timestamps,
  },
  (table) => [
    index('orders_by_customer').on(table.customerId, table.insertedAt),
    index('orders_by_email').on(sql`lower(${table.contactEmail})`),
    index('orders_search').using('gin', searchVector(table)),
    index('orders_without_room').on(table.id).where(sql`needs_attention = 'no_room'`),
    index('orders_of_canceled_sailings').on(table.id).where(sql`needs_attention = 'sailing_canceled'`),
    index('orders_with_contact').on(table.insertedAt).where(sql`contact_email <> ''`),
    index('orders_without_email')
      .on(table.insertedAt)
      .where(sql`contact_email = '' and (contact_name <> '' or contact_phone <> '' or plate is not null)`),
    index('orders_with_assistance').on(table.id).where(sql`assistance is not null`),
    index('orders_disputed').on(table.id).where(sql`payment_status = 'disputed'`),
    index('orders_unpaid').on(table.insertedAt).where(sql`status in ('held', 'awaiting_payment')`),
    check(
      'orders_total',
      sql`${table.total} = ${table.subtotal} - ${table.discount} and ${table.total} >= 0`,
    ),
    check('orders_refunded', sql`${table.refunded} >= 0 and ${table.refunded} <= ${table.paid}`),
    check(
      'orders_confirmed_are_paid',
      sql`${table.status} not in ('confirmed', 'completed') or ${table.paid} >= ${table.total}`,
    ),
  ],
);

/** A cancellation of tickets of an order, with its sums. Sums of tickets are on the order's lines. */
export const cancellations = pgTable(
  'cancellations',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    actor: text('actor', { enum: ['customer', 'guest', 'operator'] }).notNull(),
    /** What was paid for the canceled tickets. */
    paid: amount('paid').notNull(),
    /** What the fare's rules keep as a fee. */
    fee: amount('fee').notNull(),
    /** The refunded amount. */
    refund: amount('refund').notNull(),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    index('cancellations_by_order').on(table.orderId),
    check(
      'cancellations_sums',
      sql`${table.fee} >= 0 and ${table.refund} >= 0 and ${table.fee} + ${table.refund} <= ${table.paid}`,
    ),
  ],
);

/**
 * A change of an order's journeys by its buyer or the operator. Until it is done the order stays as it is, and the hold has
 * the places that the change needs in addition to the order's own.
 */
export const orderChanges = pgTable(
  'order_changes',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    actor: text('actor', { enum: ['customer', 'guest', 'operator'] }).notNull(),
    /** `refused`: paid too late, or the order had changed; the payment went back. `abandoned`: by the buyer. */
    status: text('status', {
      enum: ['held', 'awaiting_payment', 'done', 'expired', 'abandoned', 'refused'],
    }).notNull(),
    /** Null: it was done at once, because nothing had to be paid, or staff took the difference. */
    holdId: id('hold_id')
      .references(() => holds.id)
      .unique(),
    journeys: jsonb('journeys').$type<Direction[]>().notNull(),
    /** The tickets that it replaces. */
    ticketIds: jsonb('ticket_ids').$type<string[]>().notNull(),
    lines: jsonb('lines').$type<ChangeLine[]>().notNull(),
    /** By traveler; null: the names stay as they are. */
    travelerNames: jsonb('traveler_names').$type<string[]>(),
    fee: amount('fee').notNull(),
    /** The cancellation fee for removed tickets. */
    cancellationFee: amount('cancellation_fee').notNull().default(0),
    /** By which the order's total changes: to pay if positive, to refund if negative. */
    difference: amount('difference').notNull(),
    /** Declined card charges; five end its payments. */
    declines: integer('declines').notNull().default(0),
    ...timestamps,
  },
  (table) => [
    index('order_changes_by_order').on(table.orderId),
    check('order_changes_fee', sql`${table.fee} >= 0`),
    // At most one change of an order can still be paid.
    uniqueIndex('order_changes_one_open')
      .on(table.orderId)
      .where(sql`status in ('held', 'awaiting_payment')`),
  ],
);

export const orderLines = pgTable(
  'order_lines',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    position: integer('position').notNull(),
    leg: text('leg', { enum: LEGS }).notNull(),
    sailingId: references('sailing_id', () => sailings.id),
    kind: text('kind', { enum: LINE_KINDS }).notNull(),
    /** Code of the passenger or vehicle type, if the line has one. */
    typeCode: text('type_code'),
    /** Null in lines of releases that did not store it: the description is the whole text. */
    item: text('item', { enum: LINE_ITEMS }),
    /** The name of the passenger or vehicle type, or the promo code. */
    description: text('description').notNull(),
    quantity: integer('quantity').notNull(),
    unitAmount: amount('unit_amount').notNull(),
    /** quantity × unit_amount, negative for a discount. */
    amount: amount('amount').notNull(),
    /** Of the whole amount, or the average of `taxParts`. */
    taxBp: integer('tax_bp').notNull().default(0),
    tax: amount('tax').notNull().default(0),
    /** The shares of the amount at different rates; null: all of it at `taxBp`. */
    taxParts: jsonb('tax_parts').$type<TaxPart[]>(),
    status: text('status', { enum: ['active', 'canceled', 'replaced'] })
      .notNull()
      .default('active'),
    /** The cancellation that ended the line; null also for lines canceled before cancellations were stored. */
    cancellationId: id('cancellation_id').references(() => cancellations.id),
    /** What was given back for the line. */
    refund: amount('refund').notNull().default(0),
    /** The cancellation fee kept of it, if fees are taxed in their own way. */
    feeParts: jsonb('fee_parts').$type<TaxPart[]>(),
    /** The change that the line came with. Its fee and its credit for replaced lines have the status `replaced`. */
    changeId: id('change_id').references(() => orderChanges.id),
    /** Of a vehicle line, if the order's journeys have different vehicles. Null: the order's. */
    vehicle: jsonb('vehicle').$type<Vehicle>(),
    plate: text('plate'),
  },
  (table) => [
    unique('order_lines_position').on(table.orderId, table.position),
    index('order_lines_by_plate')
      .on(foldCode(sql`${table.plate}`))
      .where(sql`plate is not null`),
    check('order_lines_amount', sql`${table.amount} = ${table.unitAmount} * ${table.quantity}`),
  ],
);

/**
 * Capacity that a sold line takes on every stretch of its sailing. The sum over active lines of confirmed orders is
 * voyage_capacity.sold.
 */
export const lineCapacity = pgTable(
  'line_capacity',
  {
    lineId: references('line_id', () => orderLines.id),
    sailingId: references('sailing_id', () => sailings.id),
    resource: text('resource', { enum: RESOURCES }).notNull(),
    amount: integer('amount').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lineId, table.resource] }),
    index('line_capacity_by_sailing').on(table.sailingId),
  ],
);

export const tickets = pgTable(
  'tickets',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    lineId: references('line_id', () => orderLines.id),
    sailingId: references('sailing_id', () => sailings.id),
    leg: text('leg', { enum: LEGS }).notNull(),
    kind: text('kind', { enum: ['passenger', 'vehicle', 'bicycle'] }).notNull(),
    /** Written and read by releases that did not write titles from the lines. */
    writtenTitle: text('title').notNull().default(''),
    partyIndex: integer('party_index').notNull(),
    partySize: integer('party_size').notNull(),
    boardingCode: text('boarding_code').notNull().unique(),
    status: text('status', {
      enum: ['issued', 'checked_in', 'boarded', 'replaced', 'canceled', 'no_show', 'expired'],
    }).notNull(),
    /** The signed code as scanned; created once, so that print, mail and screen show the same. */
    payload: text('payload').notNull(),
    keyId: text('key_id').notNull(),
    version: integer('version').notNull().default(1),
    issuedAt: instant('issued_at').notNull(),
    /** The departure of an earlier boat that refund deadlines still count from; null: that of its own journey. */
    refundsCountFrom: instant('refunds_count_from'),
  },
  (table) => [
    uniqueIndex('tickets_of_party')
      .on(table.orderId, table.leg, table.partyIndex)
      .where(sql`status not in ('replaced', 'canceled')`),
    index('tickets_by_order').on(table.orderId),
    index('tickets_by_sailing').on(table.sailingId),
  ],
);

export const payments = pgTable(
  'payments',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    /** The change that it pays; null: the purchase. */
    changeId: id('change_id').references(() => orderChanges.id),
    attempt: integer('attempt').notNull(),
    method: text('method', { enum: PAYMENT_METHODS }).notNull(),
    /** Network and last four digits of the payment card. */
    cardNetwork: text('card_network'),
    cardLastFour: text('card_last_four'),
    /** The card's wallet, as the provider names it. */
    cardWallet: text('card_wallet'),
    /** The trip card that paid, as of then. Not a foreign key, because trip cards refer to orders. */
    tripCardId: id('trip_card_id'),
    /** What trips of a pass paid for, one element for each trip; null: paid with money. */
    coverage: jsonb('coverage').$type<PassTrip[]>(),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    status: text('status', {
      enum: ['created', 'requires_action', 'processing', 'succeeded', 'failed', 'canceled'],
    }).notNull(),
    /** The invoice that it was sold on. Not a foreign key, because invoices refer to receipts of orders. */
    invoiceId: id('invoice_id'),
    /** The provider's PaymentIntent. */
    providerReference: text('provider_reference').unique(),
    /** Why the last charge was declined; the payment stays open for another card. */
    failureCode: text('failure_code'),
    /** Each declined charge once, regardless of the number and order of its webhooks. */
    declinedCharges: jsonb('declined_charges').$type<string[]>().notNull().default([]),
    /** Keyed hash of the network that started the payment, to detect card testing. */
    startedFrom: text('started_from').notNull(),
    /** The customer who paid, signed in. Not a foreign key, so that the account can be deleted and the payment stays. */
    byCustomerId: id('by_customer_id'),
    ...handedOverColumns(),
    ...timestamps,
  },
  (table) => [
    unique('payments_attempt').on(table.orderId, table.attempt),
    index('payments_by_origin').on(table.startedFrom, table.updatedAt),
    index('payments_by_card').on(table.cardLastFour).where(sql`card_last_four is not null`),
    index('payments_by_trip_card').on(table.tripCardId).where(sql`trip_card_id is not null`),
    check('payments_trip_card', sql`(${table.method} = 'trip_card') = (${table.tripCardId} is not null)`),
    // At most one payment of an order can still be charged.
    uniqueIndex('payments_one_open')
      .on(table.orderId)
      .where(sql`status in ('created', 'requires_action', 'processing')`),
  ],
);

export const refunds = pgTable(
  'refunds',
  {
    id: id().primaryKey(),
    orderId: references('order_id', () => orders.id),
    paymentId: references('payment_id', () => payments.id),
    amount: amount('amount').notNull(),
    /** The cancellation it is for; null: of the whole order, or without a cancellation. */
    cancellationId: id('cancellation_id').references(() => cancellations.id),
    /** The change whose difference it gives back. */
    changeId: id('change_id').references(() => orderChanges.id),
    /** The trip card refunded; null: the payment card that paid, or the money that staff took. */
    tripCardId: id('trip_card_id'),
    /** The trips that went back to a pass; null: money. `amount` is what they had paid. */
    trips: jsonb('trips').$type<PassTripKey[]>(),
    /** The invoice that it reduces; null: money, value or trips go back. */
    invoiceId: id('invoice_id'),
    /** Of the bank transfer that paid it out. */
    bankReference: text('bank_reference'),
    reason: text('reason', {
      enum: REFUND_REASONS,
    }).notNull(),
    status: text('status', { enum: REFUND_STATUSES }).notNull(),
    providerReference: text('provider_reference').unique(),
    /** Failed attempts: the provider's id of each, or `refused:` and the attempt's number. */
    failedReferences: jsonb('failed_references').$type<string[]>().notNull().default([]),
    /** The failed refund that this one repeats. */
    retryOfId: id('retry_of_id'),
    /** Why the operator gave it, in their words; null: not by a command. */
    note: text('note'),
    /** When the refund is retried after a failure. */
    tryAt: instant('try_at'),
    ...handedOverColumns(),
    ...timestamps,
  },
  (table) => [
    index('refunds_by_order').on(table.orderId),
    index('refunds_to_pay_out').on(table.insertedAt).where(sql`status = 'awaiting_payout'`),
    index('refunds_open').on(table.insertedAt).where(sql`status in ('requested', 'pending')`),
    index('refunds_failed').on(table.insertedAt).where(sql`status = 'failed'`),
    check('refunds_positive', sql`${table.amount} > 0`),
  ],
);

export type OrderRow = typeof orders.$inferSelect;
export type OrderLineRow = typeof orderLines.$inferSelect;
export type TicketRow = typeof tickets.$inferSelect;
export type OrderChangeRow = typeof orderChanges.$inferSelect;
export type CancellationRow = typeof cancellations.$inferSelect;
export type PaymentRow = typeof payments.$inferSelect;
export type RefundRow = typeof refunds.$inferSelect;
