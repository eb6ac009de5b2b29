import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { LINE_KINDS } from '#contract/orders/buy/schemas.ts';
import { RECEIPT_KINDS } from '#contract/receipts/kinds.ts';
import type { ReportColumn, ReportName } from '#contract/reports/columns.ts';
import { PAYOUT_ITEM_KINDS, PAYOUT_STATUSES } from '#contract/reports/payouts.ts';
import type { TaxCategory } from '#contract/settings/schemas.ts';
import { LINE_ITEMS } from '#domain/fares/line-item.ts';
import { amount, id, instant, references } from './columns.ts';
import { orders } from './sales.ts';
import { cardSales, topUps, tripCards } from './trip-cards.ts';

/** Why an amount was booked. `opening`: of an order from before entries were written. */
const SALE_CAUSES = [
  'opening',
  'sale',
  'change',
  'cancellation',
  'measurement',
  'goodwill',
  'correction',
] as const;
export type SaleCause = (typeof SALE_CAUSES)[number];

/**
 * How money came or went. `pass`: trips of a pass, at the price that they paid. `dispute`: taken by a payer's bank.
 * `invoice`: added to or taken off what an invoice's recipient owes. `bank`: a refund that was transferred.
 */
const MONEY_METHODS = [
  'card',
  'trip_card',
  'pass',
  'cash',
  'terminal',
  'dispute',
  'invoice',
  'bank',
] as const;

const sequence = () => bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();

/**
 * What was sold, as an append-only list of differences: an order is worth the sum of its entries. Holds no personal data.
 * Triggers refuse updates, and deletions other than with their order.
 */
export const saleEntries = pgTable(
  'sale_entries',
  {
    seq: sequence(),
    orderId: references('order_id', () => orders.id, { onDelete: 'cascade' }),
    /** Null: of the order as a whole. */
    lineId: id('line_id'),
    cause: text('cause', { enum: SALE_CAUSES }).notNull(),
    /** Not a foreign key: a timetable may go, and its sales stay. Null: of no sailing. */
    sailingId: id('sailing_id'),
    /** The code of the route then; empty: of no route. */
    route: text('route').notNull(),
    /** The service day of the sailing. */
    travelDay: date('travel_day', { mode: 'string' }),
    kind: text('kind', { enum: [...LINE_KINDS, 'goodwill'] }).notNull(),
    item: text('item', { enum: LINE_ITEMS }),
    typeCode: text('type_code'),
    quantity: integer('quantity').notNull(),
    taxBp: integer('tax_bp').notNull(),
    /** What the operator calls this share of the price, such as one outside the scope of tax. */
    taxName: text('tax_name').notNull().default(''),
    /** Tax included. */
    gross: amount('gross').notNull(),
    tax: amount('tax').notNull(),
    currency: text('currency').notNull(),
    bookedAt: instant('booked_at').notNull(),
  },
  (table) => [
    index('sale_entries_by_order').on(table.orderId),
    index('sale_entries_by_time').on(table.bookedAt),
    index('sale_entries_by_travel_day').on(table.travelDay),
    check('sale_entries_tax', sql`abs(${table.tax}) <= abs(${table.gross}) or ${table.gross} = 0`),
  ],
);

/**
 * Money that came (positive) and went (negative), as an append-only list that triggers write when a payment, a refund or a
 * top-up succeeds, or stops counting.
 */
export const moneyEntries = pgTable(
  'money_entries',
  {
    seq: sequence(),
    orderId: id('order_id').references(() => orders.id, { onDelete: 'cascade' }),
    topUpId: id('top_up_id').references(() => topUps.id, { onDelete: 'cascade' }),
    /** The refund it is; null: a payment or a top-up. */
    refundId: id('refund_id'),
    /** The payment of the order; null: a refund or a top-up. */
    paymentId: id('payment_id'),
    method: text('method', { enum: MONEY_METHODS }).notNull(),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    /** The staff member who took or paid it out. */
    staffId: id('staff_id'),
    bookedAt: instant('booked_at').notNull(),
  },
  (table) => [
    index('money_entries_by_order').on(table.orderId),
    index('money_entries_by_time').on(table.bookedAt),
    check('money_entries_of_one', sql`num_nonnulls(${table.orderId}, ${table.topUpId}) = 1`),
  ],
);

/** The cash of a person's shift, as they count it. At most one is open for each. */
export const cashDrawers = pgTable(
  'cash_drawers',
  {
    id: id().primaryKey(),
    /** Not a foreign key, because the demo's staff are removed. */
    staffId: id('staff_id').notNull(),
    openedAt: instant('opened_at').notNull(),
    opening: amount('opening').notNull(),
    currency: text('currency').notNull(),
    closedAt: instant('closed_at'),
    /** What should have been in it. */
    expected: amount('expected'),
    counted: amount('counted'),
    note: text('note').notNull().default(''),
  },
  (table) => [
    index('cash_drawers_by_staff').on(table.staffId, table.openedAt),
    uniqueIndex('cash_drawers_one_open').on(table.staffId).where(sql`closed_at is null`),
    check(
      'cash_drawers_closed_whole',
      sql`num_nonnulls(${table.closedAt}, ${table.expected}, ${table.counted}) in (0, 3)`,
    ),
  ],
);

/** What `breakage_entries` take the value of a pass to, by the names of the general ledger. */
const PASS_VALUE_ACCOUNTS = ['breakage', 'corrections'] as const;

/**
 * What changes the value of passes without money, as an append-only list of differences: what has become revenue without being
 * used, and, as negative amounts, what trips have paid beyond what is left of what was paid for the pass, which a trigger on
 * `money_entries` writes. Triggers refuse updates, and deletions other than with their card.
 */
export const breakageEntries = pgTable(
  'breakage_entries',
  {
    seq: sequence(),
    /** The first card of a pass that was replaced. */
    tripCardId: references('trip_card_id', () => tripCards.id, { onDelete: 'cascade' }),
    account: text('account', { enum: PASS_VALUE_ACCOUNTS }).notNull().default('breakage'),
    /** Unused trips of a pass that has ended; negative after its renewal. */
    trips: integer('trips').notNull(),
    /** What the value of the pass is reduced by. */
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    bookedAt: instant('booked_at').notNull(),
  },
  (table) => [
    index('breakage_entries_by_card').on(table.tripCardId),
    index('breakage_entries_by_time').on(table.bookedAt),
  ],
);

/**
 * Payouts of the card provider to the operator's bank account. Triggers refuse other updates than those of the state, of what
 * is not booked yet, and deletions other than of the provider's test mode.
 */
export const payouts = pgTable(
  'payouts',
  {
    /** The provider's. */
    id: text('id').primaryKey(),
    isLive: boolean('is_live').notNull(),
    /** Only of automatic payouts the provider tells what they consist of. */
    isAutomatic: boolean('is_automatic').notNull(),
    /** Negative: taken from the bank account. */
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    status: text('status', { enum: PAYOUT_STATUSES }).notNull(),
    failureCode: text('failure_code'),
    createdAt: instant('created_at').notNull(),
    arrivesOn: date('arrives_on', { mode: 'string' }).notNull(),
    /** When its items were stored; null: not yet, or they are unknown. */
    listedAt: instant('listed_at'),
    /** The day on which it counts with its items: that of its arrival, or later if that month is closed. Null: not yet. */
    bookedOn: date('booked_on', { mode: 'string' }),
    /** The day on which it stops counting because the bank returned it; its items, which are paid out later, stay. */
    failedOn: date('failed_on', { mode: 'string' }),
    /** When staff took its items that are not in the books off the list of what needs a person. */
    settledAt: instant('settled_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('payouts_by_booking').on(table.bookedOn),
    check('payouts_failed_booked', sql`${table.failedOn} is null or ${table.bookedOn} is not null`),
  ],
);

/**
 * What payouts consist of, as the provider lists it: append-only. What an item belongs to is found by the references of
 * payments, top-ups and refunds.
 */
export const payoutItems = pgTable(
  'payout_items',
  {
    /** The provider's balance transaction. */
    id: text('id').primaryKey(),
    payoutId: text('payout_id')
      .notNull()
      .references(() => payouts.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: PAYOUT_ITEM_KINDS }).notNull(),
    /** Before the fee, in the currency of the payout. Negative: deducted. */
    amount: amount('amount').notNull(),
    fee: amount('fee').notNull(),
    /** In the card holder's currency; null: that of the payout. */
    chargedAmount: amount('charged_amount'),
    chargedCurrency: text('charged_currency'),
    /** The provider's PaymentIntent. */
    intentReference: text('intent_reference'),
    refundReference: text('refund_reference'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('payout_items_by_payout').on(table.payoutId),
    index('payout_items_by_intent').on(table.intentReference),
    check(
      'payout_items_charged_whole',
      sql`num_nonnulls(${table.chargedAmount}, ${table.chargedCurrency}) in (0, 2)`,
    ),
  ],
);

type StoredReport = { columns: readonly ReportColumn[]; rows: (string | number)[][] };

/** Months whose books are closed. Their reports stay as they were. */
export const closedMonths = pgTable('closed_months', {
  /** Such as 2026-05, in the operator's zone. */
  month: text('month').primaryKey(),
  closedAt: instant('closed_at').notNull(),
  closedBy: id('closed_by').notNull(),
  /** The month's reports then, by name. */
  reports: jsonb('reports').$type<Partial<Record<ReportName, StoredReport>>>().notNull(),
});

/** What a receipt says, in its reader's language. Amounts in minor units, tax included. */
export type ReceiptContent = {
  language: string;
  /** Of the order; empty: of a sale of trip cards. */
  reference: string;
  /** Local day, `YYYY-MM-DD`. */
  issuedOn: string;
  seller: { name: string; address: string; taxNumber: string };
  recipient: { name: string; address: string; taxNumber: string } | null;
  /** Of an invoice: the day until which it is to be paid, and to which account. Absent: it is paid already. */
  due?: { on: string; bankAccount: string };
  /** Absent: there is no UBL file. */
  electronic?: ElectronicTerms;
  /** `parts`: what is taxed at different rates; absent: all at `taxBp`. */
  lines: (ReceiptAmount & { text: string; quantity: number; parts?: ReceiptPart[] })[];
};
type ReceiptAmount = { taxBp: number; gross: number; tax: number };
/** `name`: what the operator calls it; may be empty. */
export type ReceiptPart = ReceiptAmount & { name: string };

/** What an electronic invoice says besides, as it was when the first receipt was issued. Countries: ISO 3166-1 alpha-2. */
export type ElectronicTerms = {
  sellerCountry: string;
  recipientCountry: string;
  /** Why a rate is zero. */
  zeroTax: { category: TaxCategory; reason: string | null };
};

/** Receipts and credit notes. They hold what they say, because they never change. */
export const receipts = pgTable(
  'receipts',
  {
    /** Opens its PDF. */
    id: id().primaryKey(),
    /** Such as R-2026-000017. */
    number: text('number').notNull().unique(),
    kind: text('kind', { enum: RECEIPT_KINDS }).notNull(),
    /** Null: of a sale of trip cards. */
    orderId: id('order_id').references(() => orders.id, { onDelete: 'cascade' }),
    /** Null: of an order. */
    cardSaleId: id('card_sale_id').references(() => cardSales.id),
    /** The receipts that a credit note corrects, separated by commas. */
    refersTo: text('refers_to'),
    total: amount('total').notNull(),
    currency: text('currency').notNull(),
    content: jsonb('content').$type<ReceiptContent>().notNull(),
    /**
     * The last sale entry of the order that it is for; those until the receipt before belong to that one. 0 of a sale of trip
     * cards, which is no sale in the books.
     */
    throughSeq: bigint('through_seq', { mode: 'number' }).notNull(),
    issuedAt: instant('issued_at').notNull(),
  },
  (table) => [
    unique('receipts_once').on(table.orderId, table.throughSeq),
    index('receipts_by_card_sale').on(table.cardSaleId).where(sql`card_sale_id is not null`),
  ],
);

/** The last number of each series and year. Its row is locked while a number is given, so that there are no gaps. */
export const receiptSeries = pgTable(
  'receipt_series',
  {
    kind: text('kind', { enum: RECEIPT_KINDS }).notNull(),
    year: integer('year').notNull(),
    last: integer('last').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.year] })],
);

export type ReceiptRow = typeof receipts.$inferSelect;
export type NewSaleEntry = typeof saleEntries.$inferInsert;
export type PayoutRow = typeof payouts.$inferSelect;
