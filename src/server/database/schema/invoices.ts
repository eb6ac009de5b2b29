import { sql } from 'drizzle-orm';
import { bigint, check, date, index, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { receipts } from './accounting.ts';
import { amount, id, instant, references } from './columns.ts';

/**
 * Receipts that their recipients pay later by bank transfer. `credited` and `paid` are the sums of the entries, which a
 * trigger keeps; what is left of `amount` is owed.
 */
export const invoices = pgTable(
  'invoices',
  {
    id: id().primaryKey(),
    receiptId: references('receipt_id', () => receipts.id, { onDelete: 'cascade' }),
    /** Where it is mailed; empty once the data of its order was erased. */
    email: text('email').notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    currency: text('currency').notNull(),
    amount: amount('amount').notNull(),
    credited: amount('credited').notNull().default(0),
    paid: amount('paid').notNull().default(0),
    /** When nothing was left to pay; null: something is owed. */
    settledAt: instant('settled_at'),
    remindedAt: instant('reminded_at'),
    insertedAt: instant('inserted_at').notNull(),
  },
  (table) => [
    unique('invoices_once').on(table.receiptId),
    index('invoices_owed').on(table.dueOn).where(sql`settled_at is null`),
    check(
      'invoices_sums',
      sql`${table.amount} > 0 and ${table.credited} >= 0 and ${table.paid} >= 0
        and ${table.credited} + ${table.paid} <= ${table.amount}`,
    ),
    check(
      'invoices_settled',
      sql`(${table.settledAt} is not null) = (${table.credited} + ${table.paid} = ${table.amount})`,
    ),
  ],
);

/** `invoiced`: the whole amount, once. `credited`: by credit notes. `transferred`: what the recipient paid. */
const INVOICE_ENTRY_KINDS = ['invoiced', 'credited', 'transferred'] as const;

/** What changed what is owed on an invoice, as an append-only list. Triggers refuse updates. */
export const invoiceEntries = pgTable(
  'invoice_entries',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    invoiceId: references('invoice_id', () => invoices.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: INVOICE_ENTRY_KINDS }).notNull(),
    /** Negative only of an entry that takes a transfer back. */
    amount: amount('amount').notNull(),
    /** The day of a transfer, as the bank statement has it. */
    day: date('day', { mode: 'string' }),
    /** What the bank statement says of a transfer. */
    reference: text('reference').notNull().default(''),
    /** The transfer that it takes back, because it was noted by mistake. */
    takesBackSeq: bigint('takes_back_seq', { mode: 'number' }).unique(),
    /** Not a foreign key, because the demo's staff are removed. Null: a customer or the server. */
    staffId: id('staff_id'),
    bookedAt: instant('booked_at').notNull(),
  },
  (table) => [
    index('invoice_entries_by_invoice').on(table.invoiceId),
    index('invoice_entries_by_time').on(table.bookedAt),
    check('invoice_entries_amount', sql`(${table.amount} < 0) = (${table.takesBackSeq} is not null)`),
    check('invoice_entries_day', sql`(${table.kind} = 'transferred') = (${table.day} is not null)`),
  ],
);

export type InvoiceRow = typeof invoices.$inferSelect;
export type InvoiceEntryRow = typeof invoiceEntries.$inferSelect;
