import * as z from 'zod/mini';
import {
  AmountSchema,
  CurrencySchema,
  DaySchema,
  IdSchema,
  InstantSchema,
  PositiveAmountSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { BANK_REFERENCE_LENGTH } from '#contract/limits.ts';
import * as endpoints from './endpoints.ts';
import { INVOICE_STATES } from './states.ts';

/** A bank transfer that was noted. */
const TransferSchema = z.object({
  seq: z.int(),
  /** The day and the text of the bank statement. */
  day: DaySchema,
  reference: z.string(),
  amount: AmountSchema,
  noted_at: InstantSchema,
  /** Null: the person was removed. */
  staff_name: z.nullable(z.string()),
  /** It was noted by mistake. */
  is_taken_back: z.boolean(),
});

const InvoiceSchema = z.object({
  id: IdSchema,
  /** The number of its receipt, such as R-2026-000017. */
  number: z.string(),
  /** Opens its PDF. */
  receipt_id: IdSchema,
  recipient: z.string(),
  /** Empty once the data of its order was erased. */
  email: z.string(),
  issued_on: DaySchema,
  due_on: DaySchema,
  state: z.enum(INVOICE_STATES),
  /** In minor units: amount − credited − paid = owed. */
  amount: AmountSchema,
  credited: AmountSchema,
  paid: AmountSchema,
  owed: AmountSchema,
  currency: CurrencySchema,
  /** When its recipient was last reminded of it. */
  reminded_at: z.nullable(InstantSchema),
  /** The order that it is for; null: it is for trip cards. */
  order_reference: z.nullable(z.string()),
  /** The sale of trip cards that it is for; null: it is for an order. */
  card_sale_id: z.nullable(IdSchema),
  /** The latest first. */
  transfers: z.array(TransferSchema),
});
export type Invoice = z.infer<typeof InvoiceSchema>;

const NoteTransferSchema = z.strictObject({
  day: DaySchema,
  amount: PositiveAmountSchema,
  reference: plainText(0, BANK_REFERENCE_LENGTH),
  /** What was owed when it was read, so that a transfer is not noted twice. */
  owed: AmountSchema,
});
export type NoteTransfer = z.infer<typeof NoteTransferSchema>;

export const invoiceCalls = describeCalls(endpoints, {
  listInvoices: {
    summary:
      'List invoices of a state, those that are due first, or the latest that were paid; or find them by number, recipient, order or the reference of a transfer',
    query: z.object({ state: z.enum(INVOICE_STATES), q: z.optional(plainText(0, 100)) }),
    response: z.object({
      invoices: z.array(InvoiceSchema),
      has_more: z.boolean(),
      /** The number of invoices by state. */
      counts: z.object({ open: z.int(), overdue: z.int(), paid: z.int() }),
      /** The operator's day now. */
      today: DaySchema,
    }),
  },
  noteTransfer: {
    summary: 'Note a bank transfer for an invoice',
    body: NoteTransferSchema,
    response: InvoiceSchema,
    errors: ['not_found', 'invoice_changed'],
  },
  takeBackTransfer: {
    summary: 'Take a transfer back that was noted by mistake: it is owed again',
    response: InvoiceSchema,
    errors: ['not_found'],
  },
  mailInvoice: {
    summary: 'Mail an invoice to its recipient again, or remind of one that is overdue',
    body: z.strictObject({ kind: z.enum(['invoice', 'reminder']) }),
    response: InvoiceSchema,
    errors: ['not_found', 'invoice_not_mailed'],
  },
});
